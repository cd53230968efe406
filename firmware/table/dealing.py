"""Handlers of a round in play: the cards as they come, the players' decisions, the reveal.

Each card goes where the order of the deal says (`stages.py`). A wrong card is noticed as
an irregularity; no text names a card, since it lies face down.
"""

from collections.abc import Sequence

from firmware.errors import Refused
from firmware.rules.cards import CODES
from firmware.rules.contract import Facts, IrregularityName
from firmware.rules.dealing import Target
from firmware.rules.game import Game
from firmware.table import causes
from firmware.table.corrections import place_name
from firmware.table.events import (
    SESSION_FRAMES,
    CardDrawn,
    CardsRevealed,
    CardUnread,
    FromSource,
    HandDispensed,
    HandNotShown,
    PlayerDecided,
    RestDecided,
)
from firmware.table.irregularities.reports import (
    PLAYERS_AS_ONE,
    is_noticed,
    notice,
    reader_failed,
)
from firmware.table.settlement import register_meter
from firmware.table.stages import (
    current,
    deal_waits,
    due,
    give,
    go_on,
    next_stage,
    put,
    stages,
    stop_reading,
    turn_up_board,
    undecided,
    wrong_counts,
)
from firmware.table.state import CARDS_COME, SeatState
from firmware.table.turn import Turn


def card_drawn(turn: Turn, event: CardDrawn) -> bool:
    """Take a card that the shoe has read."""
    _check_source(turn, "shoe")
    if _sent_again(turn, event, [event.card]) or not _fits_the_deck(turn, [event.card]):
        return True
    stage = current(turn.settings, turn.round)
    if stage is None:
        raise Refused("No card is due now.")
    if deal_waits(turn.round):
        _keep_unexpected(turn, event.card)  # whose it is depends on where the one before it lies
        return True
    give(turn, event.card, due(stage, turn.round)[0])
    go_on(turn)
    return True


def hand_dispensed(turn: Turn, event: HandDispensed) -> bool:
    """Take a whole hand that the shuffler has dispensed; a wrong number of cards is noticed."""
    _check_source(turn, "shuffler")
    if _sent_again(turn, event, event.cards) or not _fits_the_deck(turn, event.cards):
        return True
    stage, play = current(turn.settings, turn.round), turn.round
    targets = tuple(due(stage, play)) if stage else ()
    if not targets:
        raise Refused("No hand is due now.")
    whole = [target for target in targets if target == targets[0]]
    if len(event.cards) == len(whole):
        for card in event.cards:
            give(turn, card, targets[0])
        go_on(turn)
    else:
        _wrong_count(turn, targets[0], len(whole), event.cards)
    return True


def _wrong_count(turn: Turn, target: Target, count: int, cards: Sequence[str]) -> None:
    """Skip a hand of too many or too few cards, and notice it."""
    play = turn.round
    kinds: dict[str, IrregularityName] = {
        "dealer": "dealer_count_wrong",
        "community": "community_count_wrong",
    }
    facts = Facts(reconstructable=False, before_next_round=True)
    if target.to == "seat":
        play.seats[target.seat].cards = list(cards)
        play.seats[target.seat].dealt_at_ms = turn.at_ms
        facts = Facts(seat=target.seat, reconstructable=False, before_next_round=True)
    cause = causes.wrong_count(turn, target, len(cards), count)
    play.stage_cards += count
    if play.left is not None:
        del play.left[:count]
    go_on(turn)
    notice(turn, kinds.get(target.to, "player_count_wrong"), facts, cause)


def card_too_many(turn: Turn, event: CardDrawn) -> bool:
    """Notice a card that the deal does not need yet; it is used when the deal needs one.

    In an interrupted deal it is not an error: after a power cut the shoe resends the card
    that was not written down, while the table waits for a ruling on the interruption.
    """
    _check_source(turn, "shoe")
    _check_dealt_from(turn)
    if _sent_again(turn, event, [event.card]) or not _fits_the_deck(turn, [event.card]):
        return True
    missing = _missing(turn)
    if missing and not turn.round.surplus and turn.state.doing != "dealing":
        put(turn, event.card, missing[0])
        return True
    if turn.state.doing == "dealing":
        turn.round.surplus.append(event.card)
    else:
        _keep_unexpected(turn, event.card)
        _notice_too_many(turn)
    return True


def _keep_unexpected(turn: Turn, card: str) -> None:
    """Keep the card that came last although none was due, until it is said where it lies."""
    play = turn.round
    play.surplus.append(card)
    if turn.state.edition > 1:
        play.unexpected.append(len(play.drawn) - 1)


def hand_too_many(turn: Turn, event: HandDispensed) -> bool:
    """Notice an unexpected hand; in an interrupted deal it is the next one.

    Dropping it would give everybody the hand of the next seat.
    """
    _check_source(turn, "shuffler")
    _check_dealt_from(turn)
    if _sent_again(turn, event, event.cards) or not _fits_the_deck(turn, event.cards):
        return True
    if turn.state.doing != "dealing":
        _notice_too_many(turn)
    elif len(event.cards) == _next_hand_cards(turn):
        turn.round.surplus += event.cards
    else:
        # Only during the deal is it clear whose hand is wrong; the dealer keys what matters.
        stop_reading(turn)
    return True


def _notice_too_many(turn: Turn) -> None:
    """Notice a card that nobody expected: only the dealer can know where it lies (I-40)."""
    turn.round.unexplained = bool(turn.state.edition)
    if turn.state.edition > 1 and is_noticed(turn.round, "dealing_error"):
        return  # the same matter: it is ruled on once, however many cards come
    notice(turn, "dealing_error", Facts(reconstructable=True), causes.too_many(turn))


def _next_hand_cards(turn: Turn) -> int:
    """Count the cards of the hand that the deal needs after those that came too early."""
    stage, play = current(turn.settings, turn.round), turn.round
    left = due(stage, play)[len(play.surplus) :] if stage else ()
    return sum(target == left[0] for target in left)


def card_unread(turn: Turn, event: CardUnread) -> bool:
    """Notice that a card has left the source unread: the table no longer follows the cards."""
    if turn.round.source == "manual":
        return False
    _check_dealt_from(turn)
    cause = causes.unread(turn, event.problem)
    turn.round.unread_cards += 1
    reader_failed(turn, cause)
    return True


def _check_source(turn: Turn, source: str) -> None:
    if turn.round.source != source:
        by = {"manual": "by hand"}.get(turn.round.source, f"from the {turn.round.source}")
        raise Refused(f"This round is dealt {by}.")


def _check_dealt_from(turn: Turn) -> None:
    """Refuse a card in a phase in which none can come, an irregularity aside."""
    if turn.state.doing not in CARDS_COME:
        raise Refused("No card is due now.")


def _sent_again(turn: Turn, event: FromSource, cards: Sequence[str]) -> bool:
    """Recognise the newest cards when a source has restarted and sends them first of all.

    It had no answer before its power was cut, keeps no number, and cannot mark them. The dealer is
    told: should it be another card after all, of a second deck, the deal will be one card short.
    """
    play = turn.round
    session = turn.state.last_frame.get(event.device, 0) // SESSION_FRAMES
    restarted = event.unmarked and event.frame // SESSION_FRAMES != session
    if not restarted or play.drawn[-len(cards) :] != list(cards):
        return False
    what = "card" if play.source == "shoe" else "hand"
    play.rulings.append(
        f"The {play.source} restarted and sent its last {what} again: it counts once. "
        f"If one more {what} came, report it."
    )
    return True


def _fits_the_deck(turn: Turn, cards: Sequence[str]) -> bool:
    """Notice what cannot be from this deck: not a card, or one that has already left it."""
    drawn = turn.round.drawn
    fits = all(card in CODES for card in cards)
    fits = fits and len({*drawn, *cards}) == len(drawn) + len(cards)
    new = [card for card in cards if card in CODES and card not in drawn]
    cause = (
        "" if fits else causes.not_of_this_deck(turn, twice=all(card in CODES for card in cards))
    )
    drawn += new
    if turn.round.tracked:
        turn.round.drawn_at_ms.update(dict.fromkeys(new, turn.at_ms))
    if not fits:
        notice(turn, "foreign_card", Facts(), cause)
    return fits


def _missing(turn: Turn) -> list[str]:
    """List the places that lack a card after a correction."""
    counts = wrong_counts(turn.settings, turn.round)
    return [place for place, count in counts.items() if count < 0]


def _check_counts(turn: Turn) -> None:
    """Refuse to go on while a hand has too many or too few cards, as far as anybody has said.

    A card that came although the table expected none is the one that is missing.
    """
    play = turn.round
    if play.unexplained and play.source != "manual":
        raise Refused(
            "A card too many came: say where it lies (WENT, SWAP, LOST), "
            "or press DEALT if every hand is right."
        )
    while play.surplus and (missing := _missing(turn)):
        put(turn, play.surplus.pop(0), missing[0])
    for place in wrong_counts(turn.settings, play):
        raise Refused(
            f"{place_name(place).capitalize()} has {len(play.cards_at(place))} cards. "
            "Deal what is missing, say where the cards lie, or report it."
        )


# What the players do


def player_decided(turn: Turn, event: PlayerDecided) -> bool:
    """Note whether a player places the bet that is asked for."""
    _check_counts(turn)
    stage = current(turn.settings, turn.round)
    bet = stage.step.bet if stage else ""
    player = playing_seat(turn, event.seat)
    decided = _decided(player, bet)
    if decided:
        raise Refused(f"Seat {event.seat} has already decided: {decided}.")
    allowed = allowed_answers(turn.game, bet)
    if event.decision not in allowed:
        raise Refused(f"Seat {event.seat}: choose {', '.join(allowed[:-1])} or {allowed[-1]}.")
    decide(turn.game, player, bet, event.decision)
    if event.decision == "absent":
        leave(turn, event.seat)
    go_on(turn)
    return True


def leave(turn: Turn, seat: int) -> None:
    """Let a player who has walked away be absent at all his seats (RWS §5.5, I-12, I-41)."""
    for other in leaving(turn, seat) if turn.state.edition >= PLAYERS_AS_ONE else ():
        turn.round.seats[other].decision = "absent"


def leaving(turn: Turn, seat: int) -> list[int]:
    """List the seats that whoever leaves one seat leaves too.

    A seat at which he has nothing left to decide is settled as it is (RWS §5.6).
    """
    play, every = turn.round, stages(turn.settings, turn.round)
    asked = [stage.step.bet for stage in every[play.stage :] if stage.kind == "decide"]
    his = sorted(play.seats_of_player(seat) - {seat})
    return [other for other in his if other in play.seats and _asked_of(play.seats[other], asked)]


def _asked_of(player: SeatState, bets: Sequence[str]) -> list[str]:
    """List which of these bets a player has still to decide."""
    if not player.in_round:
        return []
    return [bet for bet in bets if bet not in player.stakes and bet not in player.checked]


def rest_decided(turn: Turn, event: RestDecided) -> bool:
    """Note the same answer of everybody who has not answered yet."""
    stage = current(turn.settings, turn.round)
    bet = stage.step.bet if stage else ""
    together = allowed_answers(turn.game, bet)[:-1]
    if event.decision not in together:
        raise Refused(f"All others: choose {' or '.join(together)}.")
    _check_counts(turn)
    for seat in undecided(turn.round, bet):
        decide(turn.game, turn.round.seats[seat], bet, event.decision)
    go_on(turn)
    return True


def playing_seat(turn: Turn, seat: int) -> SeatState:
    """Return a seat that is in the round."""
    player = turn.round.seats.get(seat)
    if player is None or not player.stakes.get("ante"):
        raise Refused(f"Seat {seat} is not in this round.")
    return player


def _decided(player: SeatState, bet: str) -> str:
    """Return how a player answered a bet or left the round, or nothing if neither."""
    if not player.in_round:
        return str(player.decision)
    if bet in player.stakes:
        return bet
    return "check" if bet in player.checked else ""


def allowed_answers(game: Game, bet: str) -> tuple[str, ...]:
    """List what a player may answer when a bet is asked for."""
    if bet == game.stay:
        return (bet, "fold", "absent")
    return (bet, "check", "absent")


def decide(game: Game, player: SeatState, bet: str, decision: str) -> None:
    """Note a player's answer to a bet; one that is placed is the prescribed amount."""
    match decision:
        case "check":
            player.checked.append(bet)
        case "fold" | "absent":
            player.decision = decision
        case _:
            wager = next(wager for wager in game.wagers if wager.name == bet)
            player.stakes[bet] = player.stakes["ante"] * wager.antes
            player.decision = game.stay


def hand_not_shown(turn: Turn, event: HandNotShown) -> bool:
    """Note that a player does not show his hand, or does after all."""
    player = playing_seat(turn, event.seat)
    if player.shown == event.shown:
        return False
    player.shown = event.shown
    return True


# What the dealer does


def cards_revealed(turn: Turn, event: CardsRevealed) -> bool:
    """Note that the cards of this stage are face up, and continue."""
    _check_counts(turn)
    register_meter(turn.round, event.meter_cents, event.reset_cents)
    next_stage(turn.round)
    turn_up_board(turn)
    _check_face_up(turn)
    go_on(turn)
    return True


def _check_face_up(turn: Turn) -> None:
    """Say that the face-up card was not the dealer's as read, once all his cards are up."""
    play = turn.round
    over = current(turn.settings, play) is None
    if over and play.face_up and play.dealer and play.face_up not in play.dealer:
        play.rulings.append(
            "The card keyed with UP was not the dealer's as read: check the dealer's hand."
        )
