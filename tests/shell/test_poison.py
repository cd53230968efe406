"""A bug in the program is a fault at the table, not a dark table.

A handler, or the driver of a lamp, fails by the test's hand, after it has changed something.
With a real journal in a folder, and over restarts.
"""

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.journal.reader import records
from firmware.protocol.fault_catalogue import FAULTS
from firmware.shell.inbox import Arrival
from firmware.shell.runtime import Runtime
from firmware.table import dealing, phases, stages
from firmware.table.effects import AnyEffect, DrawLots, Send, SetLamp, ShowPrompt, ShowRefusal
from firmware.table.events import (
    BetsClosed,
    BetsOpened,
    CardDrawn,
    CardUnread,
    CoinSensed,
    Event,
    FaultClearAsked,
    FaultNoticed,
    FaultPassed,
    KeyTurned,
    LinkChanged,
    LotsDrawn,
    MeterMoved,
    RulingConfirmed,
    SeatsJoined,
    StaffIdentified,
)
from firmware.table.settings import CardSource, TableSettings
from firmware.table.table import FAILED, Table
from firmware.table.turn import Turn
from tests.table.playing import FLUSH, SETTINGS, Playing, at_reveal, refused, remembered, written

CARD = "Kh"
"""What an error's own words might name, and nobody may read."""


class Running:
    """A runtime as the firmware has it; frames count up, and what is done outside is kept."""

    def __init__(self, folder: Path, settings: TableSettings = SETTINGS) -> None:
        self.folder = folder
        self.frames = 0
        self.at_ms = 0
        self.effects: list[AnyEffect] = []
        self.acknowledged: list[Event] = []
        self.carry_out: Callable[[AnyEffect], None] = self.effects.append
        self.runtime = Runtime(settings, folder)
        self.happen(LinkChanged, healthy=True)
        self.happen(MeterMoved, meter_cents=100_000, sequence=1)

    def restart(self) -> None:
        """Stop and start again on the same journal."""
        self.runtime.close()
        self.runtime = Runtime(SETTINGS, self.folder)
        self.happen(LinkChanged, healthy=True)
        self.happen(MeterMoved, meter_cents=100_000, sequence=1)

    def happen(self, kind: type[Event], **fields: object) -> Event:
        """Let an event arrive, and keep that it was acknowledged."""
        self.at_ms += 1_000
        event = kind(at_ms=self.at_ms, **fields)
        self.effects.clear()
        self.runtime.handle(Arrival(event, lambda: self.acknowledged.append(event)), self.carry_out)
        return event

    def key(self, kind: type[Event], **fields: object) -> Event:
        """Press a key of the panel."""
        self.frames += 1
        return self.happen(kind, frame=self.frames, **fields)

    def clear_as_technician(self, where: str) -> None:
        """Let a technician clear the fault in his name."""
        self.happen(KeyTurned, on=True)
        self.key(FaultClearAsked, code="program_failed", where=where)
        self.key(StaffIdentified, staff="4001", name="the technician", role="technician")
        self.happen(KeyTurned, on=False)

    def phase(self) -> str:
        """Return the phase: a call, since it need not be what it was before an event."""
        return self.runtime.table.state.phase

    def refusals(self) -> list[str]:
        """List what the dealer was refused last."""
        return [effect.reason for effect in self.effects if isinstance(effect, ShowRefusal)]

    def faults(self) -> list[str]:
        """List the faults of the table."""
        return list(self.runtime.table.state.faults)


@pytest.fixture
def running(tmp_path: Path) -> Running:
    """Start a table on an empty folder."""
    return Running(tmp_path)


def poisoned(error: Exception) -> phases.Handler:
    """Make a handler that changes the state in several places, and then fails."""

    def handler(turn: Turn, _event: Event) -> bool:
        turn.state.last_ante_cents[3] = 1
        turn.round.rulings.append("half done")
        turn.report_round("void")
        turn.state.phase = "settling"
        raise error

    return handler


@pytest.mark.parametrize(
    "error",
    [KeyError(CARD), BadInput("cards", CARD), AssertionError(CARD), ZeroDivisionError()],
)
def test_a_handler_that_fails_leaves_the_state_and_locks_new_rounds_until_somebody_clears_it(
    running: Running,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
) -> None:
    running.key(BetsOpened)
    with monkeypatch.context() as patched:
        patched.setitem(phases.PHASES["betting"], SeatsJoined, poisoned(error))  # type: ignore[misc]  # a dict
        with caplog.at_level(logging.ERROR):
            event = running.key(SeatsJoined, seats=(1, 2))
    after = running.runtime.table.state

    # Nothing half done is left; the frame is acknowledged, and refused in words.
    assert after.phase == "betting"
    assert 3 not in after.last_ante_cents
    assert after.round.rulings == []
    assert event in running.acknowledged
    assert FAILED in [effect.reason for effect in _all(running, ShowRefusal)]

    # It is a fault with a place and no card in it, and the traceback is in the log.
    assert running.faults() == ["program_failed panel"]
    detail = after.faults["program_failed panel"].detail
    assert detail.startswith(f"seats joined: {type(error).__name__} at test_poison.py:")
    assert "raise error" in caplog.text
    assert CARD not in detail + caplog.text

    # The same frame again is not repeated for ever: it stays refused and does nothing.
    at = written(running.runtime.table.state)
    running.runtime.handle(Arrival(event), running.carry_out)
    assert written(running.runtime.table.state) == at

    # New rounds are locked, also after a restart.
    running.key(BetsClosed)
    assert running.refusals() == [FAULTS["program_failed"].sentence("panel")]
    running.restart()
    assert running.faults() == ["program_failed panel"]
    running.key(BetsClosed)
    assert running.refusals() == [FAULTS["program_failed"].sentence("panel")]

    # Somebody named clears it, and the round is played.
    running.clear_as_technician("panel")
    assert running.faults() == []
    running.happen(CoinSensed, seat=1, present=True)
    running.key(BetsClosed)
    assert running.runtime.table.state.phase == "dealing"
    running.restart()
    assert running.faults() == []


def _all(running: Running, kind: type[ShowRefusal]) -> list[ShowRefusal]:
    return [effect for effect in running.effects if isinstance(effect, kind)]


def test_a_card_that_the_program_failed_on_is_one_that_the_table_no_longer_follows(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose the next card is would be wrong, so the dealer keys what matters."""
    running.key(BetsOpened)
    running.happen(CoinSensed, seat=1, present=True)
    running.key(BetsClosed)
    with monkeypatch.context() as patched:

        def fail(*_: object) -> None:
            raise IndexError(CARD)

        patched.setattr(dealing, "give", fail)
        running.happen(CardDrawn, frame=1, card=CARD)
    state = running.runtime.table.state
    assert running.faults() == ["program_failed shoe"]
    assert state.round.drawn == []
    assert state.round.source == "manual"
    assert state.phase == "ruling"  # no player has seen a card: the round is interrupted
    running.key(RulingConfirmed)
    assert running.runtime.table.state.round.void


def test_a_round_that_cannot_be_settled_is_ended_by_the_shift_manager(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    playing = at_reveal(FLUSH)
    with monkeypatch.context() as patched:

        def fail(_turn: Turn) -> None:
            raise ArithmeticError

        patched.setattr(stages, "settle_or_key", fail)
        assert playing.reveal() == refused(FAILED)
    assert playing.phase() == "revealing"
    playing.report("other")
    playing.choose("void")
    playing.confirm_as("shift_manager")
    assert playing.state.round.void
    playing.paid()
    assert playing.phase() == "idle"


def test_a_lamp_that_cannot_be_set_is_a_fault_and_the_rest_is_carried_out(
    running: Running, caplog: pytest.LogCaptureFixture
) -> None:
    done: list[AnyEffect] = []

    def carry_out(effect: AnyEffect) -> None:
        if isinstance(effect, SetLamp):
            raise OSError(5, "the pin is gone")
        done.append(effect)

    running.carry_out = carry_out
    event = running.key(BetsOpened)
    assert event in running.acknowledged
    assert running.faults() == ["device_gone pins"]
    assert any(isinstance(effect, ShowPrompt) for effect in done)
    assert any(isinstance(effect, Send) for effect in done)
    assert "OSError" in caplog.text
    assert running.runtime.table.state.phase == "betting"
    # A start that can drive its pins again says so.
    running.happen(FaultPassed, code="device_gone", where="pins")
    assert running.faults() == []


def test_a_fault_is_noted_although_what_follows_from_it_fails(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    running.key(BetsOpened)
    running.happen(CoinSensed, seat=1, present=True)
    running.key(BetsClosed)
    with monkeypatch.context() as patched:
        patched.setattr("firmware.table.irregularities.reports.reader_failed", fail)
        running.happen(FaultNoticed, code="device_gone", where="shoe")
    assert running.faults() == ["device_gone shoe", "program_failed"]
    # The record says so: a mended program folds the journal to the table that wrote it.
    before = remembered(running.runtime.table.state)
    assert remembered(folded_again(running).state) == before
    running.restart()
    assert running.faults() == ["device_gone shoe", "program_failed"]


def folded_again(running: Running) -> Table:
    """Fold the journal on the disk."""
    events = (record.event for record in records(running.folder))
    return Table.recovered(SETTINGS, events)


def test_a_table_that_played_on_after_a_failed_consequence_starts_again(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Carried out in the replay, the ruling would make every later record impossible."""
    running.key(BetsOpened)
    running.happen(CoinSensed, seat=1, present=True)
    running.key(BetsClosed)

    def fail(turn: Turn) -> None:
        turn.state.phase = "ruling"
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr("firmware.table.linking.link_lost", fail)
        running.happen(LinkChanged, healthy=False, problem="no broker")
    assert running.phase() == "dealing"
    running.happen(LinkChanged, healthy=True)
    for number, card in enumerate(
        ("2c", "3c", "4c", "5c", "6c", "7c", "8d", "9d", "Td", "Jd", "Qd"), 1
    ):
        running.happen(CardDrawn, frame=number, card=card)
    before = remembered(running.runtime.table.state)
    assert running.phase() == "deciding"
    assert remembered(folded_again(running).state) == before
    running.restart()


def test_lots_that_were_not_taken_in_are_drawn_again_when_the_fault_is_cleared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    playing = Playing(replace(SETTINGS, game="mbs-singapore-stud"))
    playing.open()
    playing.chip(1)
    playing.close()
    with monkeypatch.context() as patched:
        patched.setitem(phases.PHASES["drawing"], LotsDrawn, poisoned(ValueError()))  # type: ignore[misc]  # a dict
        playing.lots("2c")
    playing.fault("program_failed")
    playing.clear("program_failed")
    assert any(isinstance(effect, DrawLots) for effect in playing.confirm_as("technician"))
    playing.lots("2c")
    assert playing.phase() == "dealing"


def test_a_chip_that_the_program_failed_on_is_read_again_when_the_fault_is_cleared(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    running.runtime.read_again = lambda: read.append("again")
    with monkeypatch.context() as patched:
        patched.setitem(phases.IN_EVERY_PHASE, CoinSensed, poisoned(OverflowError()))  # type: ignore[misc]  # a dict
        running.happen(CoinSensed, seat=1, present=True)
    assert running.faults() == ["program_failed"]
    assert read == []
    running.clear_as_technician("")
    assert running.faults() == []
    assert read == ["again"]


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
def test_an_unread_card_that_the_program_failed_on_is_placed_at_what_deals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: CardSource
) -> None:
    running = Running(tmp_path, replace(SETTINGS, card_source=source))
    running.key(BetsOpened)
    running.happen(CoinSensed, seat=1, present=True)
    running.key(BetsClosed)
    with monkeypatch.context() as patched:
        patched.setitem(phases.PHASES["dealing"], CardUnread, poisoned(OSError()))  # type: ignore[misc]  # a dict
        running.happen(CardUnread, frame=1)
    assert running.faults() == [f"program_failed {source}"]
    assert running.runtime.table.state.round.source == "manual"


def test_a_fault_that_cannot_even_be_noted_is_logged_and_the_table_plays_on(
    running: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as patched:
        patched.setitem(
            phases.IN_EVERY_PHASE,  # type: ignore[misc]  # a dict
            FaultNoticed,
            poisoned(RecursionError()),
        )
        running.happen(FaultNoticed, code="hot")
    assert running.faults() == []
    assert caplog.text.count("program_failed: fault noticed: RecursionError") == 2
    running.key(BetsOpened)
    assert running.runtime.table.state.phase == "betting"


def test_an_event_that_cannot_be_completed_is_refused_and_a_fact_is_noted_all_the_same(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a decision rests on (the meter) is copied into it before the table steps."""
    running.key(BetsOpened)
    running.happen(CoinSensed, seat=1, present=True)

    def fail(*_: object) -> Event:
        raise TypeError

    with monkeypatch.context() as patched:
        patched.setattr(Table, "completed", fail)
        running.key(BetsClosed)
        assert running.runtime.table.state.phase == "betting"
        running.happen(LinkChanged, healthy=False, problem="no broker")
        assert not running.runtime.table.state.link_healthy
    assert running.faults() == ["program_failed panel", "program_failed"]
