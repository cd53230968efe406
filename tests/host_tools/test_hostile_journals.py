"""A journal may have been written by anybody: its text steers no terminal, and reading it ends."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from firmware.journal.records import GENESIS, encode
from firmware.journal.writer import Journal
from firmware.shell.folding import snapshot_of
from firmware.table.events import (
    DealerSignedOn,
    Decision,
    MajorDenied,
    MeasureAsked,
    ServiceBegun,
    ServiceDone,
    ServiceEnded,
    StaffRefused,
    TableClosed,
    TableOpened,
)
from firmware.table.table import Table
from host_tools.journal.times import NO_SUCH_TIME
from tests.host_tools.hostile import EVIL, Tool, is_harmless, tool
from tests.table.playing import SETTINGS, STRAIGHT_FLUSH, at_reveal, owed_in

__all__ = ["tool"]

YEAR_10000_MS = 253_402_300_800_000


def eventful() -> list[Decision]:
    """Play a round in which everything that has words has some."""
    playing = at_reveal(STRAIGHT_FLUSH)
    (win,) = owed_in(playing.reveal())
    playing.fault("device_gone", "shoe", "unplugged")
    playing.fault_passes("device_gone", "shoe")
    playing.press(DealerSignedOn, staff="100", name="a dealer", role="dealer")
    playing.press(StaffRefused, staff="999")
    playing.press(MajorDenied, seat=1, reason="the camera shows another card")
    playing.confirm_as("pit_supervisor")
    playing.acknowledge(win.id)
    playing.link(healthy=False, problem="no broker answers")
    playing.link(healthy=True)
    playing.paid()
    playing.restart()
    playing.press(MeasureAsked, seat=2, measure="bar")
    playing.confirm_as("shift_manager")
    playing.press(TableClosed)
    playing.take(ServiceBegun(at_ms=playing.now(), staff="4", name="a tech", role="technician"))
    playing.take(ServiceDone(at_ms=playing.now(), what="text on the panel"))
    playing.take(ServiceEnded(at_ms=playing.now()))
    playing.press(TableOpened)
    return playing.journal


PLAYED = eventful()


def write(folder: Path, events: Sequence[Any]) -> None:
    """Write records that hold together, whatever a table would have said to them."""
    folder.mkdir(exist_ok=True)
    chain, lines = GENESIS, []
    for sequence, event in enumerate(events, start=1):
        line, chain = encode(sequence, chain, event)
        lines.append(line)
    (folder / "journal.log").write_bytes(b"".join(lines))


def with_text(event: Decision) -> Iterator[dict[str, Any]]:
    """Yield an event once for each of its texts, with that one hostile."""
    document = msgspec.to_builtins(event)
    for name, value in document.items():
        if name != "event" and isinstance(value, str):
            yield document | {name: EVIL}


def spoken(folder: Path, tool: Tool) -> str:
    """Read a journal with every command, and return all that they print and write."""
    page = folder.with_name("page.html")
    runs = [
        tool("journal", "show", "--prompts", str(folder)),
        tool("journal", "replay", str(folder)),
        tool("journal", "replay", "--json", str(folder)),
        tool("journal", "verify", str(folder)),
        tool("journal", "verify", "--json", str(folder)),
        tool("journal", "export", str(folder), "--html", str(page), "--csv", f"{folder}-csv"),
    ]
    files = [page, *folder.with_name(f"{folder.name}-csv").glob("*.csv")]
    written = [each.read_text(encoding="utf-8") for each in files if each.exists()]
    assert all(ran.status in {0, 1, 2} for ran in runs)
    return "\n".join([ran.out + ran.err for ran in runs] + written)


def test_no_text_of_a_record_steers_the_terminal(tmp_path: Path, tool: Tool) -> None:
    told = 0
    kinds = set()
    for place, event in enumerate(PLAYED):
        if type(event) in kinds:
            continue
        kinds.add(type(event))
        for number, changed in enumerate(with_text(event)):
            folder = tmp_path / f"{place}-{number}"
            write(folder, [*PLAYED[:place], changed, *PLAYED[place + 1 :]])
            text = spoken(folder, tool)
            assert is_harmless(text), changed
            told += "owned" in text
    assert told > 10


def test_a_record_that_is_none_is_told_harmlessly(tmp_path: Path, tool: Tool) -> None:
    write(tmp_path / "j", PLAYED)
    path = tmp_path / "j" / "journal.log"
    path.write_bytes(path.read_bytes() + EVIL.replace("\n", "").encode() + b" 0 0 {}\n")
    assert is_harmless(spoken(tmp_path / "j", tool))


@pytest.mark.parametrize("at_ms", [YEAR_10000_MS, -YEAR_10000_MS, 2**53, -(2**53)])
def test_a_time_that_no_calendar_has_is_said_to_be_none(
    tmp_path: Path, at_ms: int, tool: Tool
) -> None:
    *before, last = PLAYED
    write(tmp_path / "j", [*before, msgspec.structs.replace(last, at_ms=at_ms)])
    shown = tool("journal", "show", str(tmp_path / "j"))
    assert shown.status == 0
    assert f"  {NO_SUCH_TIME}  {len(PLAYED):>6}  " in shown.out
    first, *rest = PLAYED
    write(tmp_path / "k", [msgspec.structs.replace(first, at_ms=at_ms), *rest])
    assert tool("journal", "show", str(tmp_path / "k")).status == 0
    assert is_harmless(spoken(tmp_path / "k", tool))


@pytest.mark.parametrize("at_ms", [2**53 + 1, 2**62, -(2**62), 10**30])
def test_a_time_that_no_record_may_have_is_one_sentence(
    tmp_path: Path, at_ms: int, tool: Tool
) -> None:
    *before, last = PLAYED
    write(tmp_path / "j", [*before, msgspec.structs.replace(last, at_ms=at_ms)])
    shown = tool("journal", "show", str(tmp_path / "j"))
    assert shown.status == 2
    assert shown.err.count("\n") == 1
    assert is_harmless(spoken(tmp_path / "j", tool))


def test_a_round_at_a_time_that_no_calendar_has_is_replayed_or_refused_in_a_sentence(
    tmp_path: Path, tool: Tool
) -> None:
    late = [msgspec.structs.replace(event, at_ms=YEAR_10000_MS) for event in PLAYED]
    write(tmp_path / "j", late)
    assert is_harmless(spoken(tmp_path / "j", tool))


@pytest.mark.parametrize("name", ["000000000001.journal", "journal.log", "000000000002.snapshot"])
def test_a_pipe_in_the_place_of_a_file_is_one_sentence(
    tmp_path: Path, name: str, tool: Tool
) -> None:
    folder = tmp_path / "j"
    folder.mkdir()
    if name.endswith("snapshot"):
        table = Table(SETTINGS)
        with Journal(folder) as journal:
            for event in PLAYED[:1]:
                table.step(event)
                journal.append(event, table.state.sequence)
            assert journal.rotate(lambda: snapshot_of(table), table.state.journal) == ""
        (folder / name).unlink()
    os.mkfifo(folder / name)
    for command in ("verify",) if name.endswith("snapshot") else ("show", "replay", "verify"):
        ran = tool("journal", command, str(folder))
        assert ran.status in {1, 2}
        assert f"{folder / name}: is not a file" in ran.out + ran.err
