"""Handlers of a round that the dealer plays himself: dealt, decided and keyed by hand.

The source reads no cards, or has failed, or the table no longer knows a hand (I-40). What
keyed hands win is in `settlement.py`.
"""

from collections.abc import Collection

from firmware.errors import Refused
from firmware.rules.cards import CODES
from firmware.table.corrections import place_name
from firmware.table.dealing import playing_seat
from firmware.table.events import CardsKeyed, HandsDealt, PlayerDecided, RoundPaid
from firmware.table.settlement import check_not_void, claims_keyed
from firmware.table.stages import Stage, current, due, end_stage, go_on, lose
from firmware.table.state import ClaimState, RoundState
from firmware.table.turn import Turn


def hands_dealt(turn: Turn, _event: HandsDealt) -> bool:
    """Note that the dealer has dealt from a source that reads no cards."""
    play, stage = turn.round, current(turn.settings, turn.round)
    if play.source != "manual" and stage is not None and play.rulings:
        return _deal_is_over(turn, stage)
    if play.source != "manual" or stage is None:
        raise Refused(f"DEALT is not needed: the {play.source} reads the cards.")
    for player in play.seats.values():
        player.dealt_at_ms = player.dealt_at_ms or turn.at_ms
    play.dealt_at_ms = play.dealt_at_ms or turn.at_ms
    end_stage(turn, stage)
    go_on(turn)
    return True


def _deal_is_over(turn: Turn, stage: Stage) -> bool:
    """End a deal in which something went wrong; hands that lack cards are not known (I-40)."""
    play = turn.round
    out = {str(seat) for seat, player in play.seats.items() if player.taken_out}
    for place in {target.place for target in due(stage, play)} - {"burn"} - out:
        lose(turn, place)
    play.corrected = True
    end_stage(turn, stage)
    go_on(turn)
    return True


def hands_right(turn: Turn, _event: HandsDealt) -> bool:
    """Take it that a card too many lies apart: every hand is as the table has it."""
    play = turn.round
    if not play.unexplained:
        raise Refused(f"DEALT is not needed: the {play.source} reads the cards.")
    play.unexplained = False
    play.rulings.append("The card too many lies apart; the hands are right.")
    return True


def decided_by_hand(turn: Turn, event: PlayerDecided) -> bool:
    """Note what a player does in a round that the dealer plays himself, whenever it is keyed.

    A fold is an outcome, should the power be cut (RWS §5.7.1), and may forfeit the jackpot.
    """
    game, player = turn.game, playing_seat(turn, event.seat)
    if turn.round.source != "manual":
        raise Refused(f"Seat {event.seat} cannot decide now.")
    if event.decision not in {game.stay, "fold", "absent"}:
        raise Refused(f"Seat {event.seat}: key {game.stay.upper()}, FOLD or ABSENT.")
    final = {game.stay, "fold"} if turn.state.edition > 1 else {game.stay}
    again = event.decision in final and player.decision is not None
    if again or not player.in_round:
        raise Refused(f"Seat {event.seat} has already decided: {player.decision}.")
    player.decision = event.decision
    return True


def cards_keyed(turn: Turn, event: CardsKeyed) -> bool:
    """Take face-up cards that the table could not follow; keying them again corrects them."""
    game, play = turn.game, turn.round
    wanted = {
        "seat": game.own_cards,
        "dealer": game.dealer_cards,
        "community": game.community_cards,
    }[event.to]
    if len(event.cards) != wanted or not wanted:
        raise Refused(f"Key {wanted} cards." if wanted else "This game has no such cards.")
    place = {"dealer": "dealer", "community": "board"}.get(event.to, str(event.seat))
    if event.to == "seat":
        playing_seat(turn, event.seat)
    _check_unknown(play, place)
    _check_not_final(play, place)
    for card in event.cards:
        _check_card(turn, event, place, card)
    play.cards_at(place)[:] = event.cards
    if play.tracked and place not in play.keyed:
        play.keyed.append(place)
    return True


def _check_card(turn: Turn, event: CardsKeyed, place: str, card: str) -> None:
    """Refuse what is no card or lies elsewhere face up; a hand that was read wrongly is lost."""
    play = turn.round
    if card not in CODES:
        raise Refused(f"{card!r} is not a card; key rank and suit, such as As or Td.")
    others = [other for other in _places(play) if other != place]
    where = next((other for other in others if card in play.cards_at(other)), None)
    if where in play.keyed or event.cards.count(card) > 1:
        raise Refused(f"{card} is already keyed; check the cards.")
    if where is not None and _claims_at(play, where):
        raise Refused(f"{card} lies face up at {place_name(where)}; check the cards.")
    if where is not None and _is_face_up(turn, where):
        # What lies face up is believed before what the order of the deal made of it.
        lose(turn, where)


def _is_face_up(turn: Turn, place: str) -> bool:
    """Return whether a hand lies face up now; of what does not, nothing may be told."""
    play = turn.round
    if turn.state.edition > 1 and current(turn.settings, play) is not None:
        return False  # everybody has folded: nothing was turned up
    player = play.seats.get(int(place)) if place.isdecimal() else None
    return player is None or (player.in_round and player.shown)


def hands_keyed(turn: Turn, event: RoundPaid) -> bool:
    """Claim what the keyed hands have won; a hand that was read with one of their cards is lost.

    Only a hand that lies face up: to compare another one with what was keyed would tell its cards.
    Of the dealer's and the board's nothing is kept then, whatever they are: everybody's hand would
    be compared with them.
    """
    play = turn.round
    keyed = {card for place in play.keyed for card in play.cards_at(place)}
    for place in [other for other in _places(play) if other not in play.keyed]:
        if turn.state.edition > 1 and _lies_face_down(turn, place):
            gone = bool(keyed) and not place.isdecimal()
        else:
            compared = play.source != "manual" or turn.state.edition > 1
            gone = compared and bool(keyed & {*play.cards_at(place)})
        if gone:
            lose(turn, place)
    done = claims_keyed(turn, event)
    _check_claims_apart(turn, keyed)
    return done


def _lies_face_down(turn: Turn, place: str) -> bool:
    """Return whether nobody sees a hand now: it was not turned up, and has claimed nothing."""
    return not _is_face_up(turn, place) and not _claims_at(turn.round, place)


def _check_claims_apart(turn: Turn, keyed: Collection[str]) -> None:
    """Refuse a claim of a hand that was face down, and is turned up for it, with a keyed card."""
    play = turn.round
    for claim in play.claims.values() if turn.state.edition > 1 else ():
        read = play.seats[claim.seat].cards if str(claim.seat) not in play.keyed else []
        for card in read if claim.claim.on == "player" else ():
            if card in keyed:
                raise Refused(f"Seat {claim.seat} claims with {card}; check the cards.")


def cards_keyed_again(turn: Turn, event: CardsKeyed) -> bool:
    """Key a hand that was forgotten or keyed wrongly, after the others have claimed (I-39)."""
    check_not_void(turn)
    if turn.round.source != "manual" and not turn.round.lost:
        raise Refused("The table has followed every hand. Press LOST first if one is wrong.")
    turn.state.phase = "claiming"
    return cards_keyed(turn, event)


def _claims_at(play: RoundState, place: str) -> list[ClaimState]:
    """List the claims of a seat; their hands lie face up."""
    return play.claims_of(int(place)) if place.isdecimal() else []


def _check_not_final(play: RoundState, place: str) -> None:
    """Refuse to change cards on which somebody has confirmed, or the controller awarded, a claim."""
    if any(claim.final for claim in _claims_at(play, place)):
        raise Refused(
            f"{place_name(place).capitalize()}'s claim is final: "
            f"NOTCONFIRMED {place} and a pit supervisor first."
        )


def _check_unknown(play: RoundState, place: str) -> None:
    """Refuse the cards of a hand that the table knows; whoever doubts it says so first."""
    by_hand = play.source == "manual" or place in play.lost
    if not by_hand:
        raise Refused(f"The table has followed {place_name(place)}. Press LOST first if wrong.")


def _places(play: RoundState) -> list[str]:
    return [*map(str, play.seats), "dealer", "board"]
