"""A table with some spots on pins and some on a spot board, wired together as the firmware does it.

The pins are gpiozero's mock ones, the board is `tests/devices/spot_peer.py`, panel and sign are simulated
devices; nobody is on the link, and the house plays on without jackpot bets.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory

from firmware.journal import reader
from firmware.settings.table_file import load
from firmware.shell import wiring
from firmware.shell.systemd import Notifier
from firmware.table.events import CoinSensed, Decision, FaultNoticed
from sim.table.line_device import LineDevice
from tests.devices.spot_peer import SpotPeer
from tests.maintenance.tables import Peer

BOARD = """title = "One seat on a spot board, three on pins"

[pins]
lamp_enable = 21

[[spots]]
seat = 1
input = 14
output = 9
""" + "".join(
    f"\n[[spots]]\nseat = {seat}\nsensor = {3 + seat}\nlamp = {15 + seat}\n" for seat in (2, 3, 4)
)


class Floor:
    """The table and everything around it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.shown: list[str] = []
        self.board = SpotPeer()
        self.panel = LineDevice(self.shown.append, "panel")
        self.sign = LineDevice(lambda _text: None, "sign")
        self.factory = MockFactory()

    def write(self) -> Path:
        """Write the table file and its board."""
        (self.folder / "board.toml").write_text(BOARD, encoding="utf-8")
        (self.folder / "journal").mkdir()
        path = self.folder / "table.toml"
        path.write_text(
            f"""board = "board.toml"
journal = "{self.folder / "journal"}"
maintenance = "{self.folder / "socket"}"

[table]
name = "T1"
game = "rws-multilink-stud"
seats = 4
ante_min_cents = 2500
ante_max_cents = 100000
jackpot_bet_cents = 500
card_source = "manual"
house_policy = "no_jackpot_bets"

[serial]
panel = "{self.panel.path}"
sign = "{self.sign.path}"
spots = "{self.board.path}"

[link]
host = "127.0.0.1"
port = 1
""",
            encoding="utf-8",
        )
        return path

    async def until(self, wanted: Callable[[], bool]) -> None:
        """Wait until something is so."""
        async with asyncio.timeout(30):
            while not wanted():  # noqa: ASYNC110  # several processes' worth of things in one loop
                await asyncio.sleep(0.005)

    def records(self) -> list[Decision]:
        """Read what was written down."""
        return [record.event for record in reader.records(self.folder / "journal")]

    def chips(self) -> set[int]:
        """List the seats with a chip, by what was written down."""
        found: dict[int, bool] = {}
        for event in self.records():
            if isinstance(event, CoinSensed):
                found[event.seat] = event.present
        return {seat for seat, present in found.items() if present}

    async def vitals(self) -> dict[str, Any]:
        """Ask the running table for its vitals."""
        streams = await asyncio.open_unix_connection(str(self.folder / "socket"))
        reply = await Peer(*streams).ask("vitals")
        streams[1].close()
        vitals: dict[str, Any] = reply["vitals"]
        return vitals

    def close(self) -> None:
        """Take everything apart."""
        for device in (self.board, self.panel, self.sign):
            device.close()


@asynccontextmanager
async def running(floor: Floor) -> AsyncIterator[None]:
    """Run the firmware's own wiring."""
    path, stop = floor.write(), asyncio.Event()
    task = asyncio.create_task(wiring.run(path, load(path), floor.factory, stop, Notifier({})))
    try:
        yield
        stop.set()
        await task
    finally:
        task.cancel()
        floor.close()


Play = Callable[[Floor], Awaitable[None]]


def play(folder: Path, scene: Play, *, plugged: bool = True) -> None:
    """Play a scene at a running table."""

    async def played() -> None:
        floor = Floor(folder)
        if plugged:
            floor.board.plug_in()
        async with running(floor):
            await scene(floor)

    asyncio.run(played())


def test_spots_on_pins_and_on_a_spot_board_are_the_same_to_the_table(tmp_path: Path) -> None:
    async def scene(floor: Floor) -> None:
        await floor.panel.send("KEY OPEN")
        await floor.until(lambda: any(text.startswith("SHOW betting") for text in floor.shown))
        floor.board.levels[13] = True
        floor.factory.pin(6).drive_high()
        await floor.until(lambda: floor.chips() == {1, 3})
        await floor.until(lambda: floor.board.alive > 1)
        vitals = await floor.vitals()
        sensors = {each["where"]: (each["pin"], each.get("input")) for each in vitals["sensors"]}
        assert sensors["seat 1"] == (0, 14)
        assert sensors["seat 3"] == (6, None)
        board = vitals["spot_board"]
        assert (board["version"], board["program"]) == ("1.0", "frozen:0123456789ab")
        assert (board["session"], board["known"]) == (floor.board.wire.session, True)
        assert "spot board" in {each["name"] for each in vitals["devices"]}

    play(tmp_path, scene)


def test_a_healthy_start_writes_no_fault_of_the_board_down_and_no_bets_open_before_it_is_known(
    tmp_path: Path,
) -> None:
    async def scene(floor: Floor) -> None:
        pressed = asyncio.create_task(floor.panel.send("KEY OPEN"))
        await floor.until(lambda: "LEVELS" in floor.board.said)
        assert not pressed.done(), "the key waits for the board"
        await pressed
        await floor.until(lambda: any(text.startswith("SHOW betting") for text in floor.shown))
        faults = [event for event in floor.records() if isinstance(event, FaultNoticed)]
        assert "spot board" not in {fault.where for fault in faults}

    play(tmp_path, scene)


def test_without_the_board_bets_do_not_open_and_the_panel_says_why(tmp_path: Path) -> None:
    async def scene(floor: Floor) -> None:
        await floor.panel.send("KEY OPEN")
        await floor.until(lambda: any(text.startswith("REFUSED F206") for text in floor.shown))
        floor.board.plug_in()
        await floor.until(lambda: "LEVELS" in floor.board.said)
        async with asyncio.timeout(30):
            while not any(text.startswith("SHOW betting") for text in floor.shown):
                await floor.panel.send("KEY OPEN")
                await asyncio.sleep(0.1)

    play(tmp_path, scene, plugged=False)
