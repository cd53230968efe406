"""Handlers of the bets: chips on spots, keyed amounts, opening and closing, the draws.

A handler raises `Refused` with a reason for the dealer, and then nothing has changed: the
table takes back what it did. It returns False where the event changes nothing.
"""

from msgspec import UNSET

from firmware.errors import Refused
from firmware.rules.contract import MAX_CENTS, Draws
from firmware.rules.game import Game
from firmware.rules.words import bet_name
from firmware.table.boxes import check_boxes, check_not_restricted, plays_without_link, why_no_bets
from firmware.table.dealing import leave
from firmware.table.events import (
    BetKeyed,
    BetsClosed,
    BetsOpened,
    CoinSensed,
    LotsDrawn,
    NewPlayer,
    ReportWithdrawn,
    SeatsJoined,
)
from firmware.table.faults import check_not_locked
from firmware.table.settings import TableSettings
from firmware.table.stages import go_on
from firmware.table.state import BEFORE_THE_CLOSE, RoundState, SeatState, TableState
from firmware.table.turn import Turn

NO_SUCH_BET = "There is no such bet in this game."
NO_SILENT_CHIPS = 2
"""The edition since which a chip that is no bet, or a bet that is no chip, is told."""
HEARD_LATE = 3
"""The edition since which a chip may be known to have come or gone some time ago."""
LIFTED_WITHIN_MS = 100
"""A sensor is believed after 30 ms; nobody sweeps chips this soon after pressing CLOSE."""
LIFTED_BEFORE_MS = 2_000
"""A spot board says when it found that a chip was lifted, and may have to say it several times; one
that says nothing for longer is missed, and then bets cannot be closed."""


def no_meter(state: TableState) -> str:
    """Say why there is no meter to go by."""
    return "The jackpot meter is in doubt" if state.meter_doubted else "No jackpot meter is known"


def coin_sensed(turn: Turn, event: CoinSensed) -> bool:
    """Note whether a chip is on a spot; an empty spot may bet again."""
    check_seat(turn, event.seat)
    if event.bet not in turn.game.jackpot_bets:
        raise Refused("There is no such spot in this game.")
    spot = turn.state.spots.get(event.seat, {}).get(event.bet)
    if (spot is not None and spot.chip) == event.present:
        return False
    spot = turn.state.spot(event.seat, event.bet)
    spot.chip = event.present
    if not event.present:
        spot.ready = True
    _note_change(turn, event)
    spot.late = event.present and _is_after_the_close(turn, event)
    if spot.late:
        # A chip put there now is refused; it must be lifted before the spot can bet again.
        spot.ready = False
    return True


def _is_after_the_close(turn: Turn, event: CoinSensed) -> bool:
    """Return whether a chip came after the bets were closed, whenever it is heard of."""
    state = turn.state
    was_then = state.edition >= HEARD_LATE and event.at_ms < state.paid_at_ms
    return was_then or state.doing not in BEFORE_THE_CLOSE


def _note_change(turn: Turn, event: CoinSensed) -> None:
    """See to what a chip that comes or goes means beside itself.

    A chip that comes is a bet, even if the bet was keyed as none before. One that goes when the
    bets were just closed was lifted before: a sensor is believed only after a moment.
    """
    play, where = turn.round, (event.seat, event.bet)
    player = play.seats.get(event.seat)
    keyed_as_none = player is not None and player.stakes.get(event.bet) == 0
    if turn.state.edition < NO_SILENT_CHIPS:
        return
    if event.present and turn.state.phase == "betting" and player is not None and keyed_as_none:
        del player.stakes[event.bet]
    if event.present and where in play.lifted_late:
        play.lifted_late.remove(where)
    closed_ms = play.closed_at_ms
    if closed_ms is None or event.present or player is None:
        return
    before_ms = LIFTED_BEFORE_MS if turn.state.edition >= HEARD_LATE else 0
    lifted_ms = turn.at_ms - closed_ms
    if event.bet in player.contributions and -before_ms <= lifted_ms <= LIFTED_WITHIN_MS:
        play.lifted_late.append(where)


def bets_opened(turn: Turn, event: BetsOpened) -> bool:
    """Begin a round."""
    state = turn.state
    if state.faults:
        check_not_locked(state)
    if state.on_duty is None and turn.settings.dealer_must_sign_on:
        raise Refused("No dealer has signed on: press SIGNON, then enter your number and PIN.")
    if not plays_without_link(turn.settings, state):
        raise Refused(
            "The jackpot link is down and the house does not play without it: "
            f"{state.link_problem or 'wait for the link'}."
        )
    turn.begin_round(
        RoundState(
            number=turn.round.number + 1,
            first_record=state.sequence + 1,
            source=turn.settings.card_source,
        )
    )
    for seat in event.by_memory:
        ante_cents = assumed_ante_cents(turn, seat)
        turn.round.seats[seat] = SeatState(stakes={"ante": ante_cents}, by_memory=True)
    turn.round.bonus_by_memory = dict(event.bonuses)
    if event.at_ms < state.paid_at_ms:
        state.paid_at_ms = 0  # the clock was set back: what is heard now is not of then
    state.phase = "betting"
    state.opened_by_nobody = state.on_duty is None
    turn.report_round("opened")
    return True


def bet_keyed(turn: Turn, event: BetKeyed) -> bool:
    """Put a seat into the round with the bet the dealer keyed; zero removes the bet."""
    check_seat(turn, event.seat)
    game = turn.game
    if event.bet not in bets_before_the_deal(game):
        known = event.bet in game.bet_names
        why = "That bet cannot be keyed before the deal." if known else NO_SUCH_BET
        raise Refused(why)
    if event.stake_cents > MAX_CENTS:
        raise Refused(f"Seat {event.seat}: that {bet_name(event.bet)} is too large.")
    why = why_no_bets(turn.settings, turn.state, event.seat)
    if why and event.stake_cents:
        raise Refused(f"{why}.")
    if event.bet in game.jackpot_bets:
        check_jackpot_bet(turn, event)
    play = turn.round.seat(event.seat)
    play.stakes[event.bet] = event.stake_cents
    play.by_memory = False
    if game.bonus is not None and event.bet == game.bonus.name:
        turn.round.bonus_by_memory.pop(event.seat, None)
    if event.bet == "ante" and not event.stake_cents:
        forget_seat(turn, event.seat)
    return True


def seats_by_memory(state: TableState) -> tuple[int, ...]:
    """List the seats that are in the next round until the dealer takes them out.

    They played the last one without a jackpot chip, so that no chip can tell. A player who had
    walked away is not there.
    """
    return tuple(seat for seat in state.without_chip if not _walked_away(state, seat))


def bonuses_by_memory(settings: TableSettings, state: TableState) -> dict[int, int]:
    """Return the bonuses that are placed again in the next round until the dealer takes them out.

    A player who had walked away is not there, and what is over the maximum now is not assumed.
    """
    most_cents = settings.shown_bonus_max_cents
    return {
        seat: cents
        for seat, cents in sorted(state.last_bonus_cents.items())
        if not _walked_away(state, seat) and (most_cents is None or cents <= most_cents)
    }


def _walked_away(state: TableState, seat: int) -> bool:
    """Return whether the player of a seat had left in the last round."""
    last = state.round.seats.get(seat)
    return last is not None and last.decision == "absent"


def remember_bonus(turn: Turn, seat: int) -> None:
    """Remember what a seat with an ante has placed on the bonus."""
    bonus, last = turn.game.bonus, turn.state.last_bonus_cents
    cents = turn.round.seats[seat].stakes.get(bonus.name, 0) if bonus else 0
    if cents:
        last[seat] = cents
    else:
        last.pop(seat, None)


def forget_seat(turn: Turn, seat: int) -> None:
    """No longer take a seat to be in without a chip, or to place a bonus."""
    if seat in turn.state.without_chip:
        turn.state.without_chip.remove(seat)
    turn.state.last_bonus_cents.pop(seat, None)
    turn.round.bonus_by_memory.pop(seat, None)


def bets_before_the_deal(game: Game) -> frozenset[str]:
    """Return the bets that are placed before the first card."""
    bonus = [game.bonus.name] if game.bonus else []
    return frozenset({"ante", *game.jackpot_bets, *bonus})


def check_jackpot_bet(turn: Turn, event: BetKeyed) -> None:
    """Refuse a jackpot bet that is not the prescribed one, or not in whole credits."""
    prescribed_cents, cents = turn.settings.jackpot_bet_cents, event.stake_cents
    credit = turn.game.jackpot_credits
    if cents and (cents % prescribed_cents if credit else cents != prescribed_cents):
        unit = "a multiple of" if credit else ""
        prescribed = turn.settings.money(prescribed_cents)
        words = " ".join(f"the jackpot bet is {unit} {prescribed}".split())
        raise Refused(f"Seat {event.seat}: {words}.")
    if cents and turn.state.is_locked(event.seat, event.bet):
        raise Refused(f"Seat {event.seat}: the coin spot has a fault and takes no bets.")
    if cents and not turn.state.link_healthy:
        raise Refused("The jackpot link is down: take no jackpot bets.")
    if cents and event.no_meter:
        raise Refused(f"{no_meter(turn.state)}: take no jackpot bets.")
    spot = turn.state.spots.get(event.seat, {}).get(event.bet)
    lies_there = spot is not None and spot.chip and spot.ready
    betting = turn.state.phase == "betting"
    if not cents and betting and lies_there and turn.state.edition >= NO_SILENT_CHIPS:
        raise Refused(f"Seat {event.seat}: a jackpot chip lies there; lift it, then it is no bet.")


def _check_joined(turn: Turn, event: SeatsJoined) -> None:
    for seat in event.seats:
        check_seat(turn, seat)
        check_not_restricted(turn, seat)
        if any(seat in seats for seats in turn.round.players):
            raise Refused(f"Seat {seat} already belongs to a player.")
    if len(set(event.seats)) != len(event.seats) or len(event.seats) < 2:  # noqa: PLR2004  # several
        raise Refused("Key two or more different seats for that player.")


def seats_joined(turn: Turn, event: SeatsJoined) -> bool:
    """Note that one player plays several seats: he examines the first, the others are blind."""
    _check_joined(turn, event)
    turn.round.players.append(list(event.seats))
    for seat in event.seats[1:]:
        if seat in turn.round.seats:
            turn.round.seats[seat].blind = True
    for seat in [seat for seat in event.seats if seat in turn.round.seats]:
        turn.round.seats[seat].under_min_before = under_min_before(turn, seat)
        if turn.round.seats[seat].decision == "absent":
            leave(turn, seat)
    if turn.state.phase == "deciding":
        go_on(turn)
    return True


def under_min_before(turn: Turn, seat: int) -> bool:
    """Return whether a wager under the minimum was settled for the player, at any of his seats.

    Which seats are one player's is known only for the round (Megalink §5.13, I-30).
    """
    joined = turn.round.players if turn.state.edition > 1 else []
    his = {seat}.union(*(seats for seats in joined if seat in seats))
    return not his.isdisjoint(turn.state.under_min)


def new_player(turn: Turn, event: NewPlayer) -> bool:
    """Forget what the table remembers about the last player at a seat."""
    check_seat(turn, event.seat)
    turn.state.last_ante_cents.pop(event.seat, None)
    forget_seat(turn, event.seat)
    play = turn.round.seats.get(event.seat)
    if turn.state.phase == "betting" and play is not None and play.by_memory:
        del turn.round.seats[event.seat]
    if event.seat in turn.state.under_min:
        turn.state.under_min.remove(event.seat)
    return True


def bets_cancelled(turn: Turn, _event: ReportWithdrawn) -> bool:
    """Drop what waits for somebody; or end a round in which nobody has bet."""
    if turn.drop_asked():
        return True
    keyed = [play for play in turn.round.seats.values() if not play.by_memory]
    if turn.state.chips() or any(any(play.stakes.values()) for play in keyed):
        close = ", or press CLOSE" if _may_close(turn) else ""
        if turn.state.spots_unknown:
            close = ", or report with MENU that the jackpot does not work"
        raise Refused(f"Bets lie on the table: hand them back first{close}.")
    turn.round.void = True
    turn.report_round("void")
    turn.state.phase = "idle"
    return True


def _may_close(turn: Turn) -> bool:
    """Return whether CLOSE would be accepted now: no fault stops it, and the jackpot is open."""
    state = turn.state
    try:
        _check_may_close(turn)
    except Refused:
        return False
    jackpot = bool(state.chips()) or _keyed_jackpot(turn)
    return state.takes_jackpot_bets or not jackpot


def _check_may_close(turn: Turn) -> None:
    if turn.state.spots_unknown:
        raise Refused(
            "It is not known what lies on the coin spots: leave the chips and wait a moment, or report "
            "with MENU that the jackpot does not work."
        )
    if turn.state.faults:
        check_not_locked(turn.state)
    check_boxes(turn)


def bets_closed(turn: Turn, event: BetsClosed) -> bool:
    """Close the bets; every chip on a ready spot is now a contribution."""
    state, playing = turn.state, turn.round.seats
    _check_may_close(turn)
    chips = state.chips()
    if not chips and not any(any(play.stakes.values()) for play in playing.values()):
        raise Refused("Nobody has bet yet. Press CANCEL if nobody wants to.")
    if chips or _keyed_jackpot(turn):
        _check_jackpot_open(turn, event)
    turn.round.meter_cents, turn.round.reset_cents = event.meter_cents, event.reset_cents
    turn.round.meter_books = event.meter_books
    turn.round.tracked, turn.round.closed_at_ms = event.tracked, turn.at_ms
    for seat, bet in chips:
        play = turn.round.seat(seat)
        play.stakes.setdefault(bet, turn.settings.jackpot_bet_cents)
        state.spots[seat][bet].ready = False
    for seat in [seat for seat, play in playing.items() if not any(play.stakes.values())]:
        del playing[seat]
    turn.round.seats = dict(sorted(playing.items()))
    state.last_bonus_cents = {}
    for seat, play in turn.round.seats.items():
        _close_seat(turn, seat, play)
    with_chip = {seat for seat, _ in chips}
    state.without_chip = [seat for seat in turn.round.dealt if seat not in with_chip]
    state.phase = "drawing"
    if not turn.game.draws:
        go_on(turn)
    return True


def _check_jackpot_open(turn: Turn, event: BetsClosed) -> None:
    """Refuse to close the bets with a jackpot bet among them while none is taken."""
    if not turn.state.link_healthy:
        raise Refused(
            "The jackpot link is down: hand back the jackpot chips, wait, or report it with MENU."
        )
    if event.meter_cents is None and turn.state.edition >= NO_SILENT_CHIPS:
        raise Refused(f"{no_meter(turn.state)}: hand back the jackpot chips, or wait.")


def _keyed_jackpot(turn: Turn) -> bool:
    jackpots = turn.game.jackpot_bets
    return any(play.stakes.get(bet) for play in turn.round.seats.values() for bet in jackpots)


def _close_seat(turn: Turn, seat: int, play: SeatState) -> None:
    """Settle what a seat has bet; a jackpot bet without an ante is returned, not contributed."""
    ante_cents = play.stakes.setdefault("ante", assumed_ante_cents(turn, seat))
    play.blind = any(seat in seats[1:] for seats in turn.round.players)
    play.under_min_before = under_min_before(turn, seat)
    if not ante_cents:
        turn.send_back(seat)
        return
    turn.state.last_ante_cents[seat] = ante_cents
    bonus, remembered_cents = turn.game.bonus, turn.round.bonus_by_memory.get(seat)
    if bonus is not None and remembered_cents:
        play.stakes.setdefault(bonus.name, remembered_cents)
    remember_bonus(turn, seat)
    turn.round.dealt.append(seat)
    for bet in turn.game.jackpot_bets:
        if play.stakes.get(bet):
            turn.contribute(seat, bet)


def lots_drawn(turn: Turn, event: LotsDrawn) -> bool:
    """Note the draws of the round, once, before the first card (I-16)."""
    turn.round.draws = Draws(
        magic_card=event.magic_card,
        lucky_seat=UNSET if event.lucky_seat is None else event.lucky_seat,
        lucky_dealer=event.lucky_dealer,
    )
    go_on(turn)
    return True


def assumed_ante_cents(turn: Turn, seat: int) -> int:
    """Return the ante of a seat where none was keyed: its last one, or else the minimum."""
    return turn.state.last_ante_cents.get(seat, turn.settings.ante_min_cents)


def check_seat(turn: Turn, seat: int) -> None:
    """Refuse a seat that the table does not have."""
    if seat > turn.settings.seats:
        raise Refused(f"No seat {seat} at this table.")
