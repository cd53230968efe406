"""Table and card source on one power strip: cut off together, at every line of the program.

The source keeps what it got no answer to and sends it again in its next session, as the line
protocol tells its maker. Whether the table had written it down or not, it is taken once, and
never for a card of another deck. `make test` cuts at every line of the loop and the journal,
`make soak` at every line of the firmware.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Self

import pytest
from msgspec import Struct
from msgspec.structs import replace

import firmware
from firmware.devices.card_source import Kind, event_of
from firmware.journal.reader import records
from firmware.shell.inbox import Arrival
from firmware.shell.runtime import Runtime
from firmware.table.events import SESSION_FRAMES, Decision, FromSource
from firmware.table.settings import TableSettings
from tests.table.playing import SETTINGS
from tests.table.rounds import dealing

SOAK = bool(os.environ.get("SOAK"))
FIRMWARE = Path(firmware.__file__).parent
CUT_IN = ("",) if SOAK else ("shell/runtime.py", "journal/")
"""Where the power is cut: under these paths of the firmware."""
SAYS: dict[Kind, tuple[str, str]] = {
    "shoe": ("CARD 2d", "CARD 3d"),
    "shuffler": ("HAND 2d 3d 4d 5d 7d", "HAND 2h 3h 4h 5h 7h"),
}


Trace = Callable[[FrameType, str, object], "Trace | None"]


class PowerCutError(BaseException):
    """The power is gone: nothing in the program may catch it."""


class Source(Struct):
    """A shoe or shuffler with non-volatile memory for one message."""

    kind: Kind
    marks: bool = True
    session: int = 4_711
    number: int = 0
    kept: str = ""

    def say(self, runtime: Runtime, text: str) -> None:
        """Send a message, and forget it once it is acknowledged."""
        self.number += 1
        self.kept = self.kept or f"AGAIN {self.session} {self.number} {text}"
        frame = self.session * SESSION_FRAMES + self.number
        event = event_of(self.kind, text, frame, at_ms=9_000 + self.number)
        assert event is not None
        runtime.handle(Arrival(event, self.acknowledged))

    def acknowledged(self) -> None:
        """Forget what was kept."""
        self.kept = ""

    def power_on(self, runtime: Runtime) -> None:
        """Begin a session, with what was kept."""
        self.session, self.number = self.session + 1, 0
        if self.kept:
            self.say(runtime, self.kept if self.marks else self.kept.split(" ", 3)[3])


class Cut:
    """Cuts the power at a line of the program, counted from the first."""

    def __init__(self, at_line: int) -> None:
        self._left = at_line
        self.happened = False

    def __enter__(self) -> Self:
        sys.settrace(self._called)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        sys.settrace(None)
        return kind is PowerCutError

    def _called(self, frame: FrameType, _what: str, _arg: object) -> "Trace | None":
        path = Path(frame.f_code.co_filename)
        inside = path.is_relative_to(FIRMWARE)
        if inside and path.relative_to(FIRMWARE).as_posix().startswith(CUT_IN):
            return self._line
        return None

    def _line(self, _frame: FrameType, what: str, _arg: object) -> "Trace | None":
        if what == "line":
            self._left -= 1
            if self._left < 0:
                self.happened = True
                sys.settrace(None)
                raise PowerCutError
        return self._line


def begun(settings: TableSettings, journal: list[Decision], folder: Path) -> None:
    """Write the journal of a round whose bets are closed."""
    folder.mkdir()
    runtime = Runtime(settings, folder)
    for event in journal[1:]:
        runtime.handle(Arrival(event))
    runtime.close()


def cuts(before: Path, folder: Path) -> Iterator[int]:
    """Count the lines, with a journal of its own for each."""
    for line in range(100_000):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(before, folder)
        yield line


@pytest.mark.parametrize("marks", [True, False], ids=["marked", "unmarked"])
@pytest.mark.parametrize("kind", ["shoe", "shuffler"])
def test_a_card_is_taken_once_wherever_the_power_of_both_is_cut(
    kind: Kind, *, marks: bool, tmp_path: Path, record_property: Callable[[str, str], None]
) -> None:
    settings = replace(SETTINGS, card_source=kind)
    begun(settings, dealing(settings).journal, tmp_path / "before")
    first, second = SAYS[kind]
    stored = 0
    for line in cuts(tmp_path / "before", tmp_path / "T1"):
        runtime, source = Runtime(settings, tmp_path / "T1"), Source(kind, marks)
        with Cut(line) as cut:
            source.say(runtime, first)
        runtime.close()
        stored += bool(source.kept) and bool(taken(tmp_path / "T1"))
        runtime = Runtime(settings, tmp_path / "T1")
        source.power_on(runtime)
        assert not source.kept
        source.say(runtime, second)
        state = runtime.table.state
        runtime.close()
        assert state.round.drawn == [*first.split()[1:], *second.split()[1:]]
        noticed = [each.irregularity for each in state.round.waiting]
        assert {state.incident.irregularity, *noticed} == {"interruption"}
        if not cut.happened:
            break
    counted = f"{line} cuts, {stored} of them after the record and before the answer"
    record_property("measured", f"power strip, {kind}, {'' if marks else 'un'}marked: {counted}")
    assert not cut.happened
    assert 0 < stored < line


def taken(folder: Path) -> list[FromSource]:
    """List the cards in a journal."""
    return [r.event for r in records(folder) if isinstance(r.event, FromSource)]
