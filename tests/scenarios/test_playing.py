"""How scenarios are played: shown, kept, found by a name, and with cards by a seed."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware.journal.reader import records
from firmware.rules.cards import CODES
from firmware.table.events import CardDrawn
from tests.sim.processes import HANG_S

COMMAND = str(Path(sys.executable).with_name("underfelt-sim"))
TOOL = str(Path(sys.executable).with_name("underfelt"))
PATIENCE_S = 120
ROUND = """# Mine
table rws-multilink-stud, 5 seats, shoe
open
coins 1 3
close
deal
"""


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "XDG_RUNTIME_DIR": str(folder)}


def played(folder: Path, *arguments: str) -> str:
    """Play a file that ends with a deal, and give what was printed."""
    file = folder / "mine.table"
    file.write_text(ROUND, encoding="utf-8")
    run = subprocess.run(
        [COMMAND, "play", *arguments, str(file)],
        capture_output=True,
        check=True,
        text=True,
        timeout=PATIENCE_S,
        env=environment(folder),
    )
    return run.stdout


def cards_in(journal: Path) -> list[str]:
    events = [record.event for record in records(journal)]
    return [event.card for event in events if isinstance(event, CardDrawn)]


def test_a_scenario_is_shown_and_its_journal_is_kept(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    shown = played(tmp_path, "--show", "--keep", str(kept))
    assert shown.startswith("Mine\n  at sim:mine\n\n  lamps  all off\n  panel  Press OPEN")
    for sentence in ("open", "coins 1 3", "close", "deal"):
        assert re.search(rf"\nmine.table:\d: {sentence}\n  lamps  .*\n  panel  .*\n", shown)
    assert "Jackpot chips: seats 1, 3." in shown
    assert f"the journal is kept: underfelt journal show {kept / 'mine'}\n" in shown
    verified = subprocess.run(
        [TOOL, "journal", "verify", str(kept / "mine")], capture_output=True, check=False, text=True
    )
    assert verified.returncode == 0, verified.stdout
    # It has every card and the staff, as a journal that was pulled.
    modes = {path.stat().st_mode & 0o777 for path in (kept / "mine").iterdir()}
    folders = {path.stat().st_mode & 0o777 for path in (kept, kept / "mine")}
    assert (folders, modes) == ({0o700}, {0o600})
    first = cards_in(kept / "mine")
    assert first != list(CODES)[: len(first)]
    assert len({card[1] for card in first}) > 1, "the cards are not shuffled"
    # Again: the same cards, in another folder; with another seed, others.
    again = played(tmp_path, "--keep", str(kept))
    assert f"{kept / 'mine-2'}\n" in again
    assert cards_in(kept / "mine-2") == first
    played(tmp_path, "--keep", str(kept), "--seed", "2")
    assert cards_in(kept / "mine-3") != first


def test_a_folder_that_cannot_be_kept_in_is_said_before_anything_is_played(
    tmp_path: Path,
) -> None:
    file, taken = tmp_path / "mine.table", tmp_path / "taken"
    file.write_text(ROUND, encoding="utf-8")
    taken.touch()
    run = subprocess.run(
        [COMMAND, "play", "--keep", str(taken), str(file)],
        capture_output=True,
        check=False,
        text=True,
        env=environment(tmp_path),
    )
    assert run.returncode == 1
    assert (
        run.stderr
        == f"underfelt-sim: --keep: {taken}: a file, but a folder is needed; choose another name\n"
    )


@contextmanager
def playing(folder: Path, file: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [COMMAND, "play", str(file)], stdout=subprocess.PIPE, text=True, env=environment(folder)
    ) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE_S)


def test_tables_have_names_while_they_play_and_two_never_have_the_same(tmp_path: Path) -> None:
    file, links = tmp_path / "a story.table", tmp_path / "underfelt-sim"
    file.write_text(ROUND + "wait 600 s\n", encoding="utf-8")
    with playing(tmp_path, file) as first, playing(tmp_path, file) as second:
        until(lambda: names(links) == ["a-story", "a-story-2"])
        for name in ("a-story", "a-story-2"):
            asked = subprocess.run(
                [TOOL, "diagnose", f"sim:{name}"],
                capture_output=True,
                check=False,
                text=True,
                env=environment(tmp_path),
            )
            assert "rws-multilink-stud" in asked.stdout
    assert names(links) == []
    assert (first.returncode, second.returncode) == (130, 130)


def names(links: Path) -> list[str]:
    places = links.iterdir() if links.is_dir() else ()
    return sorted(place.name for place in places if place.is_dir() and any(place.iterdir()))


def until(wanted: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + PATIENCE_S
    while not wanted():
        if time.monotonic() > ends_s:
            pytest.fail("it did not come about")
        time.sleep(0.1)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_scenario_that_is_stopped_while_it_waits_ends_without_a_traceback(
    tmp_path: Path, number: signal.Signals
) -> None:
    file = tmp_path / "waits.table"
    file.write_text("# it waits\ntable rws-multilink-stud, 5 seats, shoe\nopen\nwait 60 s\n")
    playing = subprocess.Popen(
        [COMMAND, "play", "--show", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert playing.stdout is not None
    while "wait 60 s" not in playing.stdout.readline():
        pass
    playing.send_signal(number)
    shown, complained = playing.communicate(timeout=HANG_S)
    assert complained == ""
    assert shown.endswith("stopped; the tables have ended\n")
