"""Handlers of a round that the dealer plays himself: dealt, decided and keyed by hand.

The source reads no cards, or has failed, or the table no longer knows a hand (I-40). What
keyed hands win is in `settlement.py`.
"""

from collections.abc import Collection, Sequence

from firmware.errors import BadInput, Refused
from firmware.rules.cards import CODES, pretty
from firmware.rules.game import Game
from firmware.rules.jackpot import claimed
from firmware.table.claims import bound_by, claims_on, rests_on
from firmware.table.corrections import place_name
from firmware.table.dealing import playing_seat
from firmware.table.events import CardsKeyed, HandsDealt, PlayerDecided, RoundPaid
from firmware.table.keying import is_unknown, was_read
from firmware.table.settlement import check_not_void, claims_keyed, hand_document
from firmware.table.stages import (
    Stage,
    current,
    due,
    end_stage,
    go_on,
    is_dealt_next,
    lose,
    set_apart,
    too_many,
    wrong_counts,
)
from firmware.table.state import PutRight, RoundState, SeatState
from firmware.table.turn import Turn
from firmware.table.verdicts import Withdrawal, withdraw

SAID_LOST = 2
"""The edition since which DEALT forgets no hand: that is said with LOST, by whoever may say it."""


def hands_dealt(turn: Turn, event: HandsDealt) -> bool:
    """Note that the dealer has dealt from a source that reads no cards."""
    play, stage = turn.round, current(turn.settings, turn.round)
    if play.unexplained and play.source != "manual" and turn.state.edition > 1:
        return hands_right(turn, event)  # what the panel asks: the deal itself is not over
    if play.source != "manual" and stage is not None and play.rulings:
        return _deal_is_over(turn, stage)
    if play.source != "manual" or stage is None:
        raise Refused(_dealt_not_needed(play))
    for player in play.seats.values():
        player.dealt_at_ms = player.dealt_at_ms or turn.at_ms
    play.dealt_at_ms = play.dealt_at_ms or turn.at_ms
    end_stage(turn, stage)
    go_on(turn)
    return True


def _deal_is_over(turn: Turn, stage: Stage) -> bool:
    """End a deal in which something went wrong: only hands that are lost or out lack cards (I-40)."""
    play = turn.round
    out = {str(seat) for seat, player in play.seats.items() if player.taken_out}
    places = dict.fromkeys(target.place for target in due(stage, play))
    lacking = [place for place in places if place not in out]
    if turn.state.edition >= SAID_LOST:
        _check_lost([place for place in lacking if place not in play.lost])
    for place in {*lacking} - {"burn"}:
        lose(turn, place)
    play.corrected = True
    end_stage(turn, stage)
    go_on(turn)
    return True


def _check_lost(lacking: Sequence[str]) -> None:
    """Refuse to end a deal that a known hand still waits for: who may forget one says LOST."""
    if "burn" in lacking:
        raise Refused("The deal is not over: burn a card.")
    if lacking:
        names = ", ".join(map(place_name, lacking))
        which = lacking[0] if len(lacking) == 1 else "and the hands"
        raise Refused(
            f"The deal is not over: cards to come for {names}. "
            f"If none come: LOST {which}, then DEALT."
        )


def hands_right(turn: Turn, _event: HandsDealt) -> bool:
    """Take it that a card too many lies in no hand: every hand is as the table has it.

    It is the next card where the deal needs more, and else lies apart.
    """
    play = turn.round
    if not play.unexplained:
        raise Refused(_dealt_not_needed(play))
    play.unexplained = False
    if is_dealt_next(turn.settings, play):
        play.rulings.append("The card too many is the next card dealt; the hands are right.")
    else:
        play.rulings.append("The card too many lies apart; the hands are right.")
        set_apart(play)
    if turn.state.phase == "dealing" and too_many(play):
        go_on(turn)
        # What came behind it and the deal did not need is asked about in its turn.
        play.unexplained = bool(too_many(play))
    return True


def _dealt_not_needed(play: RoundState) -> str:
    by_hand = play.source == "manual"
    why = "the hands are dealt" if by_hand else f"the {play.source} reads the cards"
    return f"DEALT is not needed: {why}."


def decided_by_hand(turn: Turn, event: PlayerDecided) -> bool:
    """Note what a player does in a round that the dealer plays himself, whenever it is keyed.

    A fold is an outcome, should the power be cut (RWS §5.7.1), and may forfeit the jackpot.
    """
    game, player = turn.game, playing_seat(turn, event.seat)
    if turn.round.source != "manual":
        raise Refused(f"Seat {event.seat} cannot decide now.")
    known = event.decision in {game.stay, "fold", "absent"}
    final = event.decision in _final_answers(turn, player)
    again = (final or not known) and player.decision is not None
    if again or not player.in_round:
        raise Refused(f"Seat {event.seat} has already decided: {player.decision}.")
    _check_not_bound(turn, event)
    if not known:
        raise Refused(f"Seat {event.seat}: key {game.stay.upper()}, FOLD or ABSENT.")
    player.decision = event.decision
    if event.decision == "absent":
        leave_by_hand(turn, event.seat)
    return True


def _final_answers(turn: Turn, player: SeatState) -> set[str]:
    """List the answers that whoever has decided cannot give any more."""
    game = turn.game
    if turn.state.edition < 2:  # noqa: PLR2004  # its number
        return {game.stay}
    over = turn.state.phase == "claiming" or _decides_once(game) or _has_decided_all(game, player)
    # Whoever leaves with nothing left to decide has left nothing undecided (RWS §5.6).
    return {game.stay, "fold", "absent"} if over else {game.stay, "fold"}


def _has_decided_all(game: Game, player: SeatState) -> bool:
    """Return whether a player had answered for every bet before the reader failed."""
    asked = [step.bet for step in game.shoe if step.kind == "decide"]
    return all(bet in player.stakes or bet in player.checked for bet in asked)


def _check_not_bound(turn: Turn, event: PlayerDecided) -> None:
    """Refuse a decision about a hand that has claimed, here or where it holds too (I-39, I-41)."""
    play, decision = turn.round, event.decision
    leaves = leaving_by_hand(play, event.seat) if decision == "absent" else []
    for seat in (event.seat, *leaves) if turn.state.edition > 1 else ():
        if bound_by(turn.game, play, seat, decision):
            raise Refused(
                f"Seat {seat} has claimed: NOTCONFIRMED {seat} and a pit supervisor first."
            )


def leave_by_hand(turn: Turn, seat: int) -> None:
    """Let whoever has left be absent at all his seats at which he has not decided (I-41)."""
    for other in leaving_by_hand(turn.round, seat) if turn.state.edition > 1 else ():
        turn.round.seats[other].decision = "absent"


def leaving_by_hand(play: RoundState, seat: int) -> list[int]:
    """List the seats that whoever leaves one seat leaves too."""
    his = {other: play.seats.get(other) for other in sorted(play.seats_of_player(seat) - {seat})}
    return [
        other
        for other, player in his.items()
        if player is not None and player.in_round and player.decision is None
    ]


def _decides_once(game: Game) -> bool:
    return sum(step.kind == "decide" for step in game.shoe) == 1


def cards_keyed(turn: Turn, event: CardsKeyed) -> bool:
    """Take face-up cards that the table could not follow; keying them again corrects them.

    Where a claim rests on them by now, or one rested on them that was not confirmed, a pit
    supervisor agrees first.
    """
    place = _keyed_place(turn, event)
    _check_keyed(turn, place, event.cards)
    play = turn.round
    if turn.state.edition > 1 and _is_ruled_on(turn, place):
        turn.ask()
        words = f"{place_name(place).capitalize()} keyed again: {pretty(event.cards)}."
        play.to_put_right = PutRight(seat=event.seat, words=words, place=place, cards=event.cards)
    else:
        _put_keyed(play, place, event.cards)
    return True


def _is_ruled_on(turn: Turn, place: str) -> bool:
    """Return whether a claim rests on the cards of a place, or somebody has not confirmed one."""
    game, play = turn.game, turn.round
    denied = any(place in rests_on(game, claim) for claim in play.denied)
    return denied or bool(claims_on(game, play, place))


def key_again(turn: Turn, asked: PutRight, by: Withdrawal) -> None:
    """Take other cards for those on which claims rest, with authority; they are claimed anew."""
    play = turn.round
    _check_keyed(turn, asked.place, asked.cards)
    withdraw(turn, claims_on(turn.game, play, asked.place), by)
    _put_keyed(play, asked.place, asked.cards)
    turn.state.phase = "claiming"


def _put_keyed(play: RoundState, place: str, cards: Sequence[str]) -> None:
    play.cards_at(place)[:] = cards
    if play.tracked and place not in play.keyed:
        play.keyed.append(place)


def _keyed_place(turn: Turn, event: CardsKeyed) -> str:
    """Name the place whose cards are keyed, if as many belong there."""
    game = turn.game
    wanted = {
        "seat": game.own_cards,
        "dealer": game.dealer_cards,
        "community": game.community_cards,
    }[event.to]
    if len(event.cards) != wanted or not wanted:
        raise Refused(f"Key {wanted} cards." if wanted else "This game has no such cards.")
    if event.to == "seat":
        playing_seat(turn, event.seat)
    return {"dealer": "dealer", "community": "board"}.get(event.to, str(event.seat))


def _check_keyed(turn: Turn, place: str, cards: Sequence[str]) -> None:
    """Refuse to key cards at a place that is known, hidden or paid on, or that lie elsewhere."""
    play = turn.round
    _check_unknown(play, place)
    if was_read(turn.settings, turn.state, place, len(cards)):
        raise Refused(f"{place_name(place).capitalize()} was read. LOST {place} first if wrong.")
    if turn.state.edition > 1 and place.isdecimal() and not play.seats[int(place)].shown:
        raise Refused(f"Seat {place} is HIDDEN: SHOWN {place} first, if its hand lies face up.")
    _check_not_final(turn, place)
    for card in cards:
        if card not in CODES:
            raise Refused(f"{card!r} is not a card; key rank and suit, such as As or Td.")
        if cards.count(card) > 1:
            raise Refused(f"{pretty([card])} is already keyed; check the cards.")
        _check_elsewhere(turn, place, card)


def _check_elsewhere(turn: Turn, place: str, card: str) -> None:
    """Refuse a card that lies face up in another hand; who doubts that hand says so first."""
    play = turn.round
    others = [other for other in _places(play) if other != place]
    where = next((other for other in others if card in play.cards_at(other)), None)
    if where is None:
        return
    if where in play.keyed:
        raise Refused(f"{pretty([card])} is already keyed; check the cards.")
    if turn.state.edition > 1 and (claims_on(turn.game, play, where) or _is_face_up(turn, where)):
        raise Refused(_lies_at(card, where))
    if where.isdecimal() and claims_on(turn.game, play, where):
        raise Refused(f"{pretty([card])} lies face up at {place_name(where)}; check the cards.")
    if _is_face_up(turn, where):
        lose(turn, where)  # as older tables did


def _lies_at(card: str, place: str) -> str:
    where = f"lies face up at {place_name(place)}"
    return f"{pretty([card])} {where}; check the cards, or LOST {place} first."


def _is_face_up(turn: Turn, place: str) -> bool:
    """Return whether a hand lies face up now; of what does not, nothing may be told."""
    play = turn.round
    if turn.state.edition > 1 and current(turn.settings, play) is not None:
        return False  # everybody has folded: nothing was turned up
    player = play.seats.get(int(place)) if place.isdecimal() else None
    return player is None or (player.in_round and player.shown)


def hands_keyed(turn: Turn, event: RoundPaid) -> bool:
    """Claim what the keyed hands have won; what stays face down is compared with nothing.

    Whatever its cards are: to compare it with what was keyed would tell them. A player's is kept, the
    dealer's and the board are not: everybody's hand would be compared with them. A hand that lies
    face up, or is turned up because it claims, is never lost so: what contradicts it is put right
    first.
    """
    play = turn.round
    _check_counts(turn)
    keyed = {card for place in play.keyed for card in play.cards_at(place)}
    for place in [other for other in _places(play) if other not in play.keyed]:
        if turn.state.edition > 1 and _lies_face_down(turn, place):
            gone = bool(keyed) and not place.isdecimal()
            _check_folded_claim(turn, place, keyed)
        else:
            _check_agrees(turn, place, keyed)
            compared = play.source != "manual" or turn.state.edition > 1
            gone = compared and bool(keyed & {*play.cards_at(place)})
        if gone:
            lose(turn, place)
    done = claims_keyed(turn, event)
    _check_claims_apart(turn, keyed)
    return done


def _check_counts(turn: Turn) -> None:
    """Refuse to settle while a hand has a wrong number of cards: it is ruled on (RWS §5.15)."""
    play = turn.round
    for place in wrong_counts(turn.settings, play) if turn.state.edition > 1 else ():
        raise Refused(
            f"{place_name(place).capitalize()} has {len(play.cards_at(place))} cards. "
            "Report it, or say where they lie: WENT, SWAP or LOST."
        )


def _check_agrees(turn: Turn, place: str, keyed: Collection[str]) -> None:
    """Refuse to claim while a hand that everybody sees has a card that was keyed for another."""
    for card in turn.round.cards_at(place) if turn.state.edition > 1 else ():
        if card in keyed:
            raise Refused(_lies_at(card, place))


def _lies_face_down(turn: Turn, place: str) -> bool:
    """Return whether nobody sees a hand now: it was not turned up, and has claimed nothing."""
    return not _is_face_up(turn, place) and not claims_on(turn.game, turn.round, place)


def _check_folded_claim(turn: Turn, place: str, keyed: Collection[str]) -> None:
    """Refuse to pass over a folded hand that claims with a keyed card: it is turned up for that.

    Of a hand that claims nothing, nothing is told.
    """
    shared = [card for card in turn.round.cards_at(place) if card in keyed]
    if not shared or not place.isdecimal():
        return
    try:
        claims = claimed(hand_document(turn.settings, turn.round, int(place)), turn.game)
    except BadInput:
        return  # with a card of the board, it is a hand that stays down
    if any(place in rests_on(turn.game, claim) for claim in claims):
        raise Refused(_claims_with(int(place), shared[0]))


def _claims_with(seat: int, card: str) -> str:
    return f"Seat {seat} claims with {pretty([card])}; check the cards, or LOST {seat} first."


def _check_claims_apart(turn: Turn, keyed: Collection[str]) -> None:
    """Refuse a claim of a hand that was face down, and is turned up for it, with a keyed card."""
    play = turn.round
    for claim in play.claims.values() if turn.state.edition > 1 else ():
        read = play.seats[claim.seat].cards if str(claim.seat) not in play.keyed else []
        on_hand = str(claim.seat) in rests_on(turn.game, claim.claim)
        for card in read if on_hand else ():
            if card in keyed:
                raise Refused(_claims_with(claim.seat, card))


def cards_keyed_again(turn: Turn, event: CardsKeyed) -> bool:
    """Key a hand that was forgotten or keyed wrongly, after the others have claimed (I-39)."""
    check_not_void(turn)
    if turn.round.source != "manual" and not turn.round.lost:
        _check_said_lost(turn.round)
        raise Refused("The table has followed every hand. Press LOST first if one is wrong.")
    cards_keyed(turn, event)
    if turn.round.to_put_right is None:
        turn.state.phase = "claiming"
    return True


def _check_not_final(turn: Turn, place: str) -> None:
    """Refuse to change cards on which somebody has confirmed, or the controller awarded, a claim."""
    play, shared = turn.round, turn.state.edition > 1
    for claim in claims_on(turn.game, play, place).values():
        if claim.final and (shared or str(claim.seat) == place):
            raise Refused(
                f"Seat {claim.seat}'s claim is final: "
                f"NOTCONFIRMED {claim.seat} and a pit supervisor first."
            )


def _check_unknown(play: RoundState, place: str) -> None:
    """Refuse the cards of a hand that the table knows; whoever doubts it says so first."""
    if not is_unknown(play, place):
        _check_said_lost(play)
        raise Refused(f"The table has followed {place_name(place)}. Press LOST first if wrong.")


def _check_said_lost(play: RoundState) -> None:
    """Refuse cards while the LOST that lets them be keyed waits: the dealer has pressed it."""
    if play.correction is not None and play.correction.how == "lost":
        raise Refused("LOST waits for a pit supervisor: key and PIN, then CARDS.")


def _places(play: RoundState) -> list[str]:
    return [*map(str, play.seats), "dealer", "board"]
