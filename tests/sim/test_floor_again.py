"""A floor that goes on in the folder of another: from every phase, after every death, under every name."""

import asyncio
import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.journal.reader import newest, records
from firmware.table.events import Restarted, RoundPaid
from host_tools.connection import targets
from sim.floor import running
from sim.floor.floor import Floor, FloorError, FloorSettings
from sim.floor.naming import running_names
from sim.hands.client import TableHands
from tests.pairing import SOAK
from tests.sim.processes import HANG_S, command_line, descendants, stop, wait_until, wait_until_gone

COMMAND = str(Path(sys.executable).with_name("underfelt-sim"))
READ = ("dealing", "deciding", "revealing", "settling")
ALSO = (
    ("rws-holdem", "shoe", "dealing"),
    ("mbs-singapore-stud", "shuffler", "dealing"),
    ("rws-casino-stud", "manual", "dealing"),
)
NOT_BELOW = ("betting", "settling")
"""The phases in which no game and source is left by the test of these."""


@pytest.fixture(autouse=True)
def _own_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the names of these floors from those of others on this machine."""
    names = tmp_path / "names"
    names.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(names))


def settings(game: str = "rws-multilink-stud", source: str = "shoe") -> FloorSettings:
    """Describe a floor of one table."""
    return FloorSettings(tables=1, game=game, card_source=source)  # type: ignore[arg-type]  # of the test


async def left_in(folder: Path, phase: str, floor_settings: FloorSettings, cards: int = 0) -> None:
    """Play until a table is in a phase, and end the floor there."""
    async with Floor(folder, floor_settings) as floor, asyncio.timeout(HANG_S):
        dealer, *_ = floor.dealers
        screen = dealer.hardware.screen
        playing = asyncio.create_task(dealer.play())
        await dealer.hardware.until(lambda: screen.code == phase)
        await asyncio.sleep(0.05 * cards)
        playing.cancel()
        with suppress(asyncio.CancelledError):
            await playing


async def played_on(folder: Path, floor_settings: FloorSettings) -> None:
    """Start a floor in the same folder, and play a round."""
    async with Floor(folder, floor_settings) as floor, asyncio.timeout(HANG_S):
        await floor.play(rounds=1)


def check_goes_on(folder: Path, floor_settings: FloorSettings) -> None:
    """Check that a floor goes on, and that the round in which it woke up is over too."""
    asyncio.run(played_on(folder, floor_settings))
    events = [record.event for record in records(folder / "T1")]
    woken = max(place for place, event in enumerate(events) if isinstance(event, Restarted))
    assert any(isinstance(event, RoundPaid) for event in events[woken:])


def test_an_option_that_is_changed_while_a_round_is_open_is_refused_before_any_table_begins(
    tmp_path: Path,
) -> None:
    """Else other tables would begin rounds with it, and no option would fit the folder any more."""
    folder = tmp_path / "floor"
    asyncio.run(left_in(folder, "betting", replace(settings(), tables=2)))
    before = [newest(folder / name) for name in ("T1", "T2")]
    for changed, option in (
        ({"card_source": "shuffler"}, "--source shoe"),
        ({"seats": 4}, "--seats 5"),
    ):
        with pytest.raises(
            FloorError, match=f"is still open, and was begun with {option}: start it so"
        ):
            asyncio.run(played_on(folder, replace(settings(), tables=2, **changed)))
    assert [newest(folder / name) for name in ("T1", "T2")] == before
    # A table more is no change of the others.
    asyncio.run(played_on(folder, replace(settings(), tables=3)))


@pytest.mark.parametrize("phase", ["betting", *READ] if SOAK else NOT_BELOW)
def test_a_floor_that_was_ended_in_any_phase_goes_on(tmp_path: Path, phase: str) -> None:
    asyncio.run(left_in(tmp_path / "floor", phase, settings()))
    check_goes_on(tmp_path / "floor", settings())


@pytest.mark.parametrize(
    ("game", "source", "phase"),
    [
        ("rws-holdem", "shuffler", "revealing"),
        ("mbs-singapore-stud", "shoe", "deciding"),
        ("mbs-megalink-stud", "angel-eye", "dealing"),
        ("rws-casino-stud", "manual", "revealing"),
        ("rws-multilink-stud", "manual", "claiming"),
        *(ALSO if SOAK else ()),
    ],
)
def test_every_game_and_source_goes_on(tmp_path: Path, game: str, source: str, phase: str) -> None:
    asyncio.run(left_in(tmp_path / "floor", phase, settings(game, source)))
    check_goes_on(tmp_path / "floor", settings(game, source))


def test_a_floor_that_was_ended_while_a_ruling_was_open_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "floor"
    asyncio.run(left_in(folder, "dealing", settings()))

    async def woken() -> None:
        async with Floor(folder, settings()) as floor, asyncio.timeout(HANG_S):
            (table,) = floor.tables
            await table.until(lambda: table.screen.code == "ruling")

    asyncio.run(woken())
    check_goes_on(folder, settings())


def test_ctrl_c_in_mid_deal_and_the_same_command_again(tmp_path: Path) -> None:
    words = [COMMAND, "floor", "--tables=1", f"--folder={tmp_path / 'floor'}"]
    with started([*words, "--pause=0.3"]) as floor:
        wait_until(lambda: drawn(tmp_path / "floor") > 3, lambda: drawn(tmp_path / "floor"))
        floor.send_signal(signal.SIGINT)
        assert floor.wait(HANG_S) == 0
    again = subprocess.run(
        [*words, "--pause=0", "--rounds=1"],
        capture_output=True,
        text=True,
        timeout=HANG_S,
        check=False,
    )
    assert again.returncode == 0, again.stderr
    assert "T1: round 2 is paid" in again.stdout


def drawn(folder: Path) -> int:
    """Count the cards in the journal of a table."""
    journal = folder / "T1" / "000000000001.journal"
    return journal.read_bytes().count(b'"card_drawn"') if journal.exists() else 0


@contextmanager
def started(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command, which is killed at the latest when the test ends."""
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=nowhere, stdout=nowhere) as process:
        try:
            yield process
        finally:
            process.kill()


def all_started(pid: int) -> bool:
    """Return whether everything of a floor of one table runs."""
    parts = ("sim.broker", "sim.jackpot_controller", "/T1/pins.sock")
    below = descendants(pid).values()
    return all(any(part in command for command in below) for part in parts)


@pytest.mark.parametrize(
    ("number", "stopped"),
    [
        *((number, "nothing") for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT)),
        # A floor that ends in order waits for what was stopped: only its death leaves that alone.
        *((signal.SIGKILL, stopped) for stopped in ("nothing", "table", "controller")),
    ],
)
def test_no_death_of_a_floor_leaves_a_process_or_a_name(
    number: signal.Signals, stopped: str
) -> None:
    with started([COMMAND, "floor", "--tables=1"]) as floor:
        wait_until(lambda: all_started(floor.pid), lambda: descendants(floor.pid))
        wait_until(lambda: targets.running_tables() == ["T1"], targets.running_tables)
        below = descendants(floor.pid)
        part = {"table": "/T1/pins.sock", "controller": "sim.jackpot_controller"}.get(stopped)
        for pid, command in below.items():
            if part is not None and part in command:
                stop(pid)
        floor.send_signal(number)
        floor.wait(HANG_S)
        wait_until_gone(below)
        assert targets.running_tables() == []


def test_a_terminal_that_is_closed_ends_the_floor_in_order() -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(COMMAND, [COMMAND, "floor", "--tables=1"])  # noqa: S606  # our own command
    try:
        wait_until(lambda: read(terminal) and all_started(pid), lambda: descendants(pid))
        below = descendants(pid)
    finally:
        os.close(terminal)
    _, status = os.waitpid(pid, 0)
    assert not os.WIFSIGNALED(status)
    assert not any(map(command_line, below))


def read(terminal: int) -> bool:
    """Read what a terminal shows, so that nobody has to wait to write; it goes on being open."""
    while select.select([terminal], [], [], 0)[0]:
        os.read(terminal, 65_536)
    return True


def test_a_second_floor_of_the_same_names_has_others_and_takes_none_away(tmp_path: Path) -> None:
    async def both() -> None:
        two = replace(settings(), tables=2)
        async with Floor(tmp_path / "first", settings()) as first:
            async with Floor(tmp_path / "second", two) as second:
                assert second.names == {"T1": "T1-2", "T2": "T2-2"}
                assert targets.running_tables() == running_names() == ["T1", "T1-2", "T2-2"]
                for name, floor in (("T1", first), ("T1-2", second)):
                    assert targets.parse_target(f"sim:{name}").folder == floor.tables[0].folder
                    with TableHands(name) as hands:
                        assert (await asyncio.to_thread(hands.state)).table == name
            assert targets.running_tables() == ["T1"]
        assert targets.running_tables() == []

    asyncio.run(both())


def test_a_floor_says_by_which_names_its_tables_are_found_and_counts_its_rounds(
    tmp_path: Path,
) -> None:
    async def both() -> subprocess.CompletedProcess[str]:
        async with Floor(tmp_path / "first", settings()):
            command = [COMMAND, "floor", "--tables=2", "--rounds=3", "--pause=0"]
            return await asyncio.to_thread(
                subprocess.run, command, capture_output=True, text=True, check=False
            )

    told = asyncio.run(both()).stdout.splitlines()
    here = "another floor has tables of these names; here T1 is sim:T1-2, T2 is sim:T2-2"
    assert told[1] == here
    for name in ("T1-2", "T2-2"):
        paid = [line.split(",")[0] for line in told if line.startswith(f"{name}: ")]
        assert paid == [f"{name}: round {number} is paid" for number in (1, 2, 3)]


def test_a_floor_that_was_killed_is_not_found_and_its_name_is_free(tmp_path: Path) -> None:
    folder = tmp_path / "floor"
    with started([COMMAND, "floor", "--tables=1", f"--folder={folder}"]) as floor:
        wait_until(lambda: targets.running_tables() == ["T1"], targets.running_tables)
        floor.kill()
        floor.wait()
    assert targets.running_tables() == []
    with pytest.raises(targets.TargetError, match="no simulated table is running"):
        targets.parse_target("sim:T1")
    (left,) = (running.links_folder() / "T1").iterdir()
    asyncio.run(played_on(tmp_path / "other", settings()))
    assert not left.is_symlink()


def test_two_floors_in_one_folder_are_one_sentence(tmp_path: Path) -> None:
    async def both() -> subprocess.CompletedProcess[str]:
        async with Floor(tmp_path / "floor", settings()):
            return await asyncio.to_thread(
                subprocess.run,
                [COMMAND, "floor", f"--folder={tmp_path / 'floor'}"],
                capture_output=True,
                text=True,
                check=False,
            )

    second = asyncio.run(both())
    assert second.returncode == 2
    assert not second.stdout
    assert "another floor is playing in" in second.stderr
    assert second.stderr.count("\n") == 1
