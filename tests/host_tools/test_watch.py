"""The live view, driven through a round by textual's pilot, on real table processes."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random

from host_tools.watch.app import WatchApp
from sim.floor.dealer import Dealer
from sim.floor.floor import Floor
from sim.table.hardware import TableHardware
from tests.host_tools.tables import own_runtime_folder, with_a_table
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


def on_screen(app: WatchApp) -> str:
    """Read the screen."""
    return app.export_screenshot().replace("&#160;", " ")


def test_a_round_is_seen_live_and_no_hand_before_it_is_face_up(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        dealer = WatchedDealer(table, Random(0))
        app = dealer.app = WatchApp(["sim:T1", "sim:T1"])
        seen: list[tuple[str, bool]] = []
        async with app.run_test(size=(160, 50)) as pilot:
            panel = app.panels[0]
            await until(lambda: panel.seen.table is not None and not panel.seen.problem)
            playing = asyncio.create_task(dealer.play_round(PLAN))
            while not playing.done():
                shown = panel.seen.table
                assert shown is not None
                seen.append((shown.phase, any(seat.cards for seat in shown.seats)))
                await asyncio.sleep(0.01)
            await playing
            await until(lambda: any("idle" in line for line in panel.seen.news))
            # The screen is drawn a moment after the news has come.
            await until(lambda: "Press OPEN" in on_screen(app))
            assert "sim:T1" in on_screen(app)
            await pilot.press("z")
            assert app.panels[1].has_class("hidden")
            await pilot.press("z", "p")
            assert app.paused
            await pilot.press("p", "q")
        assert {"dealing", "deciding", "settling"} <= {phase for phase, _ in seen}
        assert not any(cards for phase, cards in seen if phase in {"dealing", "deciding"})
        await table.stop()

    with_a_table(tmp_path, play)


def test_a_table_that_goes_away_is_shown_as_lost_and_comes_back(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        app = WatchApp(["sim:T1"])
        async with app.run_test(size=(120, 40)) as pilot:
            (panel,) = app.panels
            await until(lambda: panel.seen.table is not None)
            await table.kill()
            await until(lambda: panel.seen.problem)
            assert panel.has_class("lost")
            await table.start()
            await until(lambda: not panel.seen.problem)
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
