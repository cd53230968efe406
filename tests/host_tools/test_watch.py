"""The live view, driven through a round by textual's pilot, on real table processes."""

import asyncio
import fcntl
import os
import pty
import re
import stat
import struct
import subprocess
import termios
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from threading import Timer

import pytest

from firmware.table.public import PublicTable
from host_tools.watch.app import TablePanel, WatchApp
from host_tools.watch.view import TableView
from sim.floor.dealer import Dealer
from sim.floor.floor import Floor, FloorSettings
from sim.table.hardware import TableHardware
from tests.host_tools.command import UNDERFELT, run
from tests.host_tools.tables import HANG_S, own_runtime_folder, with_a_table
from tests.host_tools.test_commands_end_to_end import stand_in_ssh
from tests.sim.floors import stacked

__all__ = ["own_runtime_folder"]

PLAN = stacked((1, 2), {1: "As 2d 9s 7c Ts", 2: "4d 4c 4h 9h 9c"}, "2c 3d 7s 8d Jh")


async def until(wanted: Callable[[], object]) -> None:
    """Wait for the view to show something."""
    while not wanted():  # noqa: ASYNC110  # a screen has no event for it
        await asyncio.sleep(0.05)


class WatchedDealer(Dealer):
    """A dealer who does the next thing only when the live view shows that it is due."""

    app: WatchApp

    async def _next_code(self) -> str:
        code = await super()._next_code()
        await until(lambda: self._phase_shown() == code)
        return code

    def _phase_shown(self) -> str:
        table = self.app.panels[0].seen.table
        return "" if table is None else table.phase


def keep_what_is_shown(panel: TablePanel, monkeypatch: pytest.MonkeyPatch) -> list[PublicTable]:
    """Note everything that a panel is told to show: a look now and then may miss what is short."""
    kept: list[PublicTable] = []
    show = panel.show

    def keep(seen: TableView) -> None:
        if seen.table is not None:
            kept.append(seen.table)
        show(seen)

    monkeypatch.setattr(panel, "show", keep)
    return kept


def on_screen(app: WatchApp) -> str:
    """Read the screen."""
    return app.export_screenshot().replace("&#160;", " ")


def test_a_round_is_seen_live_and_no_hand_before_it_is_face_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        dealer = WatchedDealer(table, Random(0))
        app = dealer.app = WatchApp(["sim:T1", "sim:T1"])
        async with app.run_test(size=(160, 50)) as pilot:
            panel = app.panels[0]
            await until(lambda: panel.seen.table is not None and not panel.seen.problem)
            kept = keep_what_is_shown(panel, monkeypatch)
            await dealer.play_round(PLAN)
            await until(lambda: any("idle" in line for line in panel.seen.news))
            # The screen is drawn a moment after the news has come.
            await until(lambda: "Press OPEN" in on_screen(app))
            assert "sim:T1" in on_screen(app)
            await pilot.press("z")
            assert app.panels[1].has_class("hidden")
            await pilot.press("z", "p")
            assert app.paused
            await pilot.press("p", "q")
        seen = [(shown.phase, any(seat.cards for seat in shown.seats)) for shown in kept]
        assert {"dealing", "deciding", "settling"} <= {phase for phase, _ in seen}
        assert not any(cards for phase, cards in seen if phase in {"dealing", "deciding"})
        await table.stop()

    with_a_table(tmp_path, play)


def test_a_picture_is_readable_by_its_owner_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def saved() -> None:
        async with WatchApp([f"unix:{tmp_path}/nowhere"]).run_test() as pilot:
            await pilot.press("s")
            await pilot.press("q")

    before = os.umask(0)
    try:
        asyncio.run(saved())
    finally:
        os.umask(before)
    (picture,) = tmp_path.glob("*.svg")
    assert stat.S_IMODE(picture.stat().st_mode) == 0o600
    assert picture.read_text(encoding="utf-8").startswith("<svg")


def test_a_table_that_goes_away_is_shown_as_lost_and_comes_back(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        app = WatchApp(["sim:T1"])
        async with app.run_test(size=(120, 40)) as pilot:
            (panel,) = app.panels
            await until(lambda: panel.seen.table is not None)
            await table.kill()
            await until(lambda: panel.seen.problem)
            assert panel.has_class("lost")
            await until(lambda: "NOT CONNECTED since" in on_screen(app))
            await table.start()
            await until(lambda: not panel.seen.problem)
            assert any("connected again" in each for each in panel.seen.news)
            await pilot.press("q")

    with_a_table(tmp_path, play)


def test_a_fault_is_shown_in_words(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        app = WatchApp(["sim:T1"])
        async with app.run_test(size=(140, 40)) as pilot:
            (panel,) = app.panels
            await until(lambda: panel.seen.table is not None)
            table.sign.unplug()
            await until(lambda: panel.has_class("faulty"))
            await until(lambda: "F201" in on_screen(app))
            await pilot.press("q")

    with_a_table(tmp_path, play)


def test_sixteen_tables_are_all_reached_and_drawn(tmp_path: Path) -> None:
    names = [f"T{number}" for number in range(1, 17)]

    async def watched() -> None:
        async with Floor(tmp_path / "floor", FloorSettings(tables=16)), asyncio.timeout(HANG_S):
            app = WatchApp([f"sim:{name}" for name in names])
            async with app.run_test(size=(80, 24)) as pilot:
                panels = app.panels
                await until(lambda: all(panel.seen.table is not None for panel in panels))
                await until(lambda: are_listed(app, names))
                for place, panel in enumerate(panels):
                    assert [each for each in panels if not each.has_class("hidden")] == [panel]
                    await until(partial(is_in_full, app, names[place]))
                    await pilot.press("tab")
                await pilot.press("up")
                assert app.current == 15
                await pilot.press("q")

    asyncio.run(watched())


def are_listed(app: WatchApp, names: list[str]) -> bool:
    """Return whether all tables are on the screen."""
    shown = on_screen(app)
    return all(re.search(rf"\b{name}\b", shown) for name in names)


def is_in_full(app: WatchApp, name: str) -> bool:
    """Return whether a table is drawn with its address, its prompt and its sign."""
    shown = on_screen(app)
    wanted = (rf"sim:{name}\b", "Press OPEN", r"Ante \$25\.00", "link up")
    return all(re.search(part, shown) for part in wanted)


@pytest.mark.parametrize("size", [(80, 24), (200, 50)])
def test_as_many_tables_as_have_room_are_side_by_side(size: tuple[int, int]) -> None:
    async def looked() -> None:
        app = WatchApp(["unix:/nowhere/1", "unix:/nowhere/2"])
        async with app.run_test(size=size) as pilot:
            expected = [False, True] if size == (80, 24) else [False, False]
            await until(lambda: hidden(app) == expected)
            await pilot.resize_terminal(200, 50)
            await until(lambda: hidden(app) == [False, False])
            await pilot.click(app.panels[1])
            await until(lambda: app.current == 1)
            await pilot.press("q")

    asyncio.run(looked())


def hidden(app: WatchApp) -> list[bool]:
    """Tell of each table whether it is hidden."""
    return [panel.has_class("hidden") for panel in app.panels]


def test_in_a_real_terminal_a_table_is_drawn_until_q_is_pressed(tmp_path: Path) -> None:
    def watched() -> tuple[bytes, int]:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        running = subprocess.Popen(
            [UNDERFELT, "watch", "sim:T1"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm-256color"},
        )
        os.close(theirs)
        hangs = Timer(HANG_S, running.kill)
        hangs.start()
        said, asked = b"", False
        with suppress(OSError):  # of the terminal's end
            while data := os.read(ours, 65_536):
                said += data
                if not asked and b"Press OPEN" in said:
                    asked = os.write(ours, b"q") == 1
        hangs.cancel()
        return said, running.wait()

    async def play(_floor: Floor, _table: TableHardware) -> None:
        said, status = await asyncio.to_thread(watched)
        assert status == 0
        assert b"Traceback" not in said
        assert b"sign" in said

    with_a_table(tmp_path, play)


def test_without_a_terminal_watch_says_so_and_ends() -> None:
    ran = run("watch", "unix:/nowhere/maintenance.sock")
    assert ran.status == 2
    assert not ran.out
    assert ran.err == (
        "underfelt: watch: this needs a terminal to draw on and to take keys from; without one,"
        " use 'underfelt diagnose unix:/nowhere/maintenance.sock', with --json for data\n"
    )


def test_a_paused_picture_says_so_as_long_as_it_is_frozen(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        app = WatchApp(["sim:T1"])
        async with app.run_test(size=(80, 24)) as pilot:
            (panel,) = app.panels
            await until(lambda: "Press OPEN" in on_screen(app))
            await pilot.press("p")
            await until(lambda: "PAUSED" in on_screen(app))
            before = panel.seen
            await table.press("SIGNON 100 4321")
            await table.press("OPEN")
            await table.until(lambda: table.screen.code == "betting")
            await until(lambda: app.latest(panel) is not before)
            assert panel.seen is before
            await pilot.pause()
            assert "PAUSED" in on_screen(app)
            assert "idle" in on_screen(app)
            await pilot.press("p")
            # What happened meanwhile is shown, whether or not something happens now.
            await until(lambda: "betting" in on_screen(app))
            assert "PAUSED" not in on_screen(app)
            await pilot.press("q")

    with_a_table(tmp_path, play)


def test_tables_are_watched_through_ssh_and_its_last_words_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        stand_in_ssh(tmp_path, table, monkeypatch)
        app = WatchApp(["ssh://pi@table7", "ssh://pi@nowhere"])
        async with app.run_test(size=(160, 40)) as pilot:
            near, lost = app.panels
            await until(lambda: near.seen.table is not None)
            await until(lambda: "Could not resolve hostname" in lost.seen.problem)
            await pilot.press("q")

    with_a_table(tmp_path, play)
