"""Handlers of the journal and the power: its beginning, a restart, a changed table file.

A restart is a fact and is never refused. What it means for a round under way is ruled in
`irregularities/reports.py`; the shell checks that the table file was not changed during a
round before it restarts the table.
"""

from collections.abc import Iterable, Iterator
from functools import partial

from firmware.errors import Refused
from firmware.protocol.fault_catalogue import spot_place
from firmware.table.events import JournalOpened, Restarted
from firmware.table.faults import end_fault
from firmware.table.held import find_round
from firmware.table.irregularities.reports import interrupted
from firmware.table.irregularities.tries import begin_anew
from firmware.table.settings import TableSettings
from firmware.table.stages import TURNED_UP, turn_up_board, turn_up_dealers_last
from firmware.table.state import AT_REST, RoundState, TableState, sign_off
from firmware.table.turn import Turn

_CARD_SOURCES = frozenset({"shoe", "shuffler"})


def journal_opened(turn: Turn, event: JournalOpened) -> bool:
    """Begin a journal; beginning it twice would let ids repeat."""
    if turn.state.journal:
        raise Refused("this table already has a journal")
    if event.table != turn.settings.name:
        raise Refused(f"this journal belongs to table {event.table}")
    turn.state.journal = event.journal
    turn.state.edition = event.edition
    turn.settings = event.settings or turn.settings
    return True


def restarted(turn: Turn, event: Restarted) -> bool:
    """Note the restart; what it interrupts follows the rules of the game."""
    state = turn.state
    older, state.edition = state.edition < TURNED_UP <= event.edition, event.edition
    if older and not state.round.corrected:
        # An older firmware went by the order of the deal, which only a correction upsets.
        turn_up_board(turn)
        turn_up_dealers_last(turn)
    # Who was at work, at the key or at the other end of the link is no longer known.
    state.link_healthy = False
    state.link_problem = "the table has just started"
    state.link_problem_code = "starting"
    begin_anew(state)
    state.key_on = False
    turn.drop("clearing", "measure")
    if state.edition >= 2 and state.doing == "settling":  # noqa: PLR2004  # an edition
        # This may be an old copy of the card: it does not know what has happened since.
        state.round.may_be_paid = True
    if state.edition >= 2:  # noqa: PLR2004  # the same
        find_round(state)
    if state.phase == "service":
        state.phase = "closed"
    if state.phase in AT_REST and state.on_duty is not None:
        sign_off(state)  # in a round it is still the same dealer
    if event.settings is not None and state.phase in AT_REST:
        reconcile = event.dropped is not None
        turn.follow.append(partial(_take_settings_over, new=event.settings, reconcile=reconcile))
    turn.follow.append(interrupted)
    return True


# A table file that was changed between rounds


def _take_settings_over(turn: Turn, *, new: TableSettings, reconcile: bool) -> None:
    """Let what the table file says hold from now on."""
    if reconcile and new != turn.settings:
        _reconcile(turn, new)
    turn.settings = new


def left_behind(state: TableState, old: TableSettings, new: TableSettings) -> tuple[str, ...]:
    """List what the table remembers but a changed table file has no place for."""
    if new == old or state.phase not in AT_REST:
        return ()
    return (
        *(f"{spot_place(seat, bet)}: {what}" for seat, bet, what in _lost_spots(state, new)),
        *(f"seat {seat}: last ante" for seat in _lost_antes(state, old, new)),
        *(f"seat {seat}: under the minimum" for seat in _lost_seats(state.under_min, old, new)),
        *(f"seat {seat}: in by memory" for seat in _lost_seats(state.without_chip, old, new)),
        *(f"seat {seat}: barred" for seat in _lost_seats(state.barred, old, new)),
        *(f"seat {seat}: restricted" for seat in _lost_seats(state.restricted, old, new)),
        *(f"fault {key}" for key in _lost_faults(state, new)),
    )


def _reconcile(turn: Turn, new: TableSettings) -> None:
    """Drop the spots, chips, seats and faults that the changed table file does not have."""
    state, old = turn.state, turn.settings
    for seat, bet, _ in list(_lost_spots(state, new)):
        del state.spots[seat][bet]
        if not state.spots[seat]:
            del state.spots[seat]
    _forget_seats(state, old, new)
    for key in _lost_faults(state, new):
        end_fault(turn, key, by="a changed table file")
    # The last round is in the journal; its seats and cards belong to another layout.
    number, first_record = turn.round.number, turn.round.first_record
    turn.begin_round(RoundState(number=number, first_record=first_record))


def _forget_seats(state: TableState, old: TableSettings, new: TableSettings) -> None:
    """Forget what is remembered of seats that the changed table file does not have."""
    for seat in _lost_antes(state, old, new):
        del state.last_ante_cents[seat]
    for remembered in (state.under_min, state.without_chip):
        for seat in _lost_seats(remembered, old, new):
            remembered.remove(seat)
    for measures in (state.barred, state.restricted):
        for seat in _lost_seats(measures, old, new):
            del measures[seat]
    for seat in _lost_seats(state.last_bonus_cents, old, new):
        del state.last_bonus_cents[seat]


def _lost_spots(state: TableState, new: TableSettings) -> Iterator[tuple[int, str, str]]:
    for seat, spots in sorted(state.spots.items()):
        for bet, spot in spots.items():
            if seat > new.seats or bet not in new.rules.jackpot_bets:
                yield seat, bet, "a chip" if spot.chip else "a spot"


def _lost_seats(seats: Iterable[int], old: TableSettings, new: TableSettings) -> list[int]:
    """List the remembered seats that are gone: all of them if the game has changed."""
    return [seat for seat in seats if seat > new.seats or old.game != new.game]


def _lost_antes(state: TableState, old: TableSettings, new: TableSettings) -> list[int]:
    """List the seats whose last ante is not one that the table would assume now."""
    gone = _lost_seats(state.last_ante_cents, old, new)
    antes = state.last_ante_cents.items()
    return [
        seat
        for seat, cents in antes
        if seat in gone or not new.ante_min_cents <= cents <= new.ante_max_cents
    ]


def _lost_faults(state: TableState, new: TableSettings) -> list[str]:
    """List the faults, by key, of spots and card sources that are gone."""
    spots = {
        spot_place(seat, bet) for seat in range(1, new.seats + 1) for bet in new.rules.jackpot_bets
    }

    def is_gone(where: str) -> bool:
        lost_spot = where.startswith("seat ") and where not in spots
        return lost_spot or (where in _CARD_SOURCES and where != new.card_source)

    # A failure of the program itself is ended by a technician, by name, and nothing else.
    return [
        key
        for key, fault in state.faults.items()
        if fault.code != "program_failed" and is_gone(fault.where)
    ]
