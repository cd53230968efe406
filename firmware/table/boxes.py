"""Which betting boxes take no bets, and why: a fault under the house's policy, or a barred player.

Also who may bar or restrict a player, which the game says (`Game.bar`, `Game.restrict`). What a
fault does to a round under way is in `irregularities/reports.py`; who confirms, in
`irregularities/authority.py`.
"""

from firmware.errors import Refused
from firmware.protocol.fault_catalogue import FAULTS
from firmware.rules.game import Measure
from firmware.rules.words import by_pin, paragraphs, spaced
from firmware.table.events import MeasureAsked
from firmware.table.settings import TableSettings
from firmware.table.state import AFTER_THE_CLOSE, AskedMeasure, TableState
from firmware.table.turn import Turn


def policy_in_force(settings: TableSettings, state: TableState) -> str:
    """Return what to do while the jackpot is down: as decided at the table, or the house's setting.

    The setting counts only where the rules leave the choice to the house; elsewhere a
    person decides each time (`jackpot_fault_persists`).
    """
    game = settings.rules
    cases = game.irregularities.get("jackpot_fault_persists", (game.silent,))
    house_decides = any(case.authority == "house" for case in cases)
    return state.policy or (settings.house_policy if house_decides else "close_table")


def plays_without_link(settings: TableSettings, state: TableState) -> bool:
    """Return whether a round can be opened as far as the jackpot link goes."""
    return state.link_healthy or policy_in_force(settings, state) == "no_jackpot_bets"


def why_no_bets(settings: TableSettings, state: TableState, seat: int) -> str:
    """Say why a box takes no bets of any kind; nothing if it takes them."""
    if seat in state.barred:
        return (
            f"Seat {seat} is barred ({paragraphs([settings.rules.bar.rule])}): take no bets there"
        )
    if _is_disallowed(settings, state, seat):
        cases = settings.rules.irregularities["jackpot_fault_persists"]
        rule = paragraphs([cases[0].rule])
        return f"Seat {seat} takes no bets: its jackpot spot has a fault ({rule})"
    return ""


def _is_disallowed(settings: TableSettings, state: TableState, seat: int) -> bool:
    """Return whether the house allows no bets on a box because its spot has a fault (I-42)."""
    if not (state.faults and state.edition):
        return False
    locked = any(state.is_locked(seat, bet) for bet in settings.rules.jackpot_bets)
    return locked and policy_in_force(settings, state) == "disallow_box"


def check_boxes(turn: Turn) -> None:
    """Refuse to close the bets while something lies on a box that takes none."""
    state = turn.state
    for seat in range(1, turn.settings.seats + 1):
        why = why_no_bets(turn.settings, state, seat)
        player = turn.round.seats.get(seat)
        keyed = player is not None and any(player.stakes.values())
        if why and (keyed or (seat in state.barred and state.has_chip(seat))):
            raise Refused(f"{why}; hand back what lies there, and key 0 for what was keyed.")
    for seats in turn.round.players:
        _check_one_position(turn, seats)


def _check_one_position(turn: Turn, seats: list[int]) -> None:
    """Refuse to close the bets while a restricted player has bets on another position."""
    state = turn.state
    for restricted in [seat for seat in seats if seat in state.restricted]:
        for other in [seat for seat in seats if seat != restricted]:
            player = turn.round.seats.get(other)
            if state.has_chip(other) or (player is not None and any(player.stakes.values())):
                rule = paragraphs([turn.game.restrict.rule])
                raise Refused(
                    f"Seat {other}: the player may play seat {restricted} only ({rule}); "
                    "hand back what lies there."
                )


def forget_policy(state: TableState) -> None:
    """Let what was decided about a failed jackpot end with the failure.

    Boxes that were closed stay so while a spot has a fault, whatever the link does.
    """
    at_spots = any(FAULTS[fault.code].lock == "spot" for fault in state.faults.values())
    if not (state.edition and state.policy == "disallow_box" and at_spots):
        state.policy = None


# Players who are barred or restricted


def measure_asked(turn: Turn, event: MeasureAsked) -> bool:
    """Note that a player is to be barred or restricted, or that this is to end.

    Whoever the rules name comes next; asked again before he comes, it is dropped.
    """
    state, seat = turn.state, event.seat
    if seat > turn.settings.seats:
        raise Refused(f"No seat {seat} at this table.")
    asked = AskedMeasure(seat, event.measure)
    in_force = {"bar": seat in state.barred, "restrict": seat in state.restricted}
    if event.measure == "lift" and not any(in_force.values()):
        raise Refused(f"Seat {seat} is neither barred nor restricted.")
    if in_force.get(event.measure):
        done = {"bar": "barred", "restrict": "restricted"}[event.measure]
        raise Refused(f"Seat {seat} is {done} already.")
    if state.measure == asked:
        turn.drop("measure")
        return True
    turn.ask()
    state.measure = asked
    return True


def measure_of(settings: TableSettings, state: TableState, asked: AskedMeasure) -> Measure:
    """Return the paragraph and the authority of what was asked for; lifting needs the same."""
    lifts_bar = asked.measure == "lift" and asked.seat in state.barred
    game = settings.rules
    return game.bar if asked.measure == "bar" or lifts_bar else game.restrict


def measure_words(settings: TableSettings, state: TableState, asked: AskedMeasure) -> str:
    """Tell the panel who has to confirm what was asked for."""
    measure = measure_of(settings, state, asked)
    what = {
        "bar": f"To bar seat {asked.seat}",
        "restrict": f"To restrict seat {asked.seat} to one position",
        "lift": f"To lift what keeps seat {asked.seat} from betting",
    }[asked.measure]
    who = f"{spaced(measure.authority)} or above"
    return f"{by_pin(who)} {what} ({paragraphs([measure.rule])})."


def take_measure(turn: Turn, asked: AskedMeasure, by: str) -> None:
    """Do what was asked for, in somebody's name; it holds until it is lifted.

    Where bets are open the barred box, or the restricted player's other boxes, take none any
    more. A hand in play is not touched: it is reported, and ruled on.
    """
    state, seat = turn.state, asked.seat
    state.measure = None
    if asked.measure == "lift":
        state.barred.pop(seat, None)
        state.restricted.pop(seat, None)
    elif asked.measure == "bar":
        state.barred[seat] = by
        _clear_box(turn, seat)
        _tell_of_hand_in_play(turn, seat)
    else:
        state.restricted[seat] = by
        for seats in [seats for seats in turn.round.players if seat in seats]:
            for other in seats:
                if other != seat:
                    _clear_box(turn, other)


def _clear_box(turn: Turn, seat: int) -> None:
    if turn.state.doing == "betting":
        turn.round.seats.pop(seat, None)


def _tell_of_hand_in_play(turn: Turn, seat: int) -> None:
    """Say that a bar is about later rounds: what becomes of the hand in play is ruled on."""
    state = turn.state
    if state.edition > 1 and state.doing in AFTER_THE_CLOSE and seat in turn.round.seats:
        turn.round.rulings.append(
            f"Seat {seat} is barred and finishes this round. To give its bets back, report it."
        )


def check_not_restricted(turn: Turn, seat: int) -> None:
    """Refuse that a restricted player plays several positions."""
    if seat in turn.state.restricted:
        rule = paragraphs([turn.game.restrict.rule])
        raise Refused(f"Seat {seat}'s player is restricted to one position ({rule}).")
