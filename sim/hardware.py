"""The hardware of one simulated table, seen from outside its process.

Sensors, lamps, shoe, panel and sign, and the power switch. Only pins (over a socket)
and bytes (over pseudo-terminals) cross to the table process; the hardware outlives it,
as chips and cards outlive a power cut. What a dealer does with it is in `dealer.py`.
"""

import asyncio
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from firmware import board as boards
from firmware.errors import BadInput
from firmware.link.mqtt import LinkSettings
from firmware.table.effects import Pattern
from firmware.table.settings import TableSettings
from sim.lamp_watch import LampWatch
from sim.line_device import LineDevice

FIRST_SENSOR_PIN = 4
FIRST_LAMP_PIN = 18
"""The pins of the first spot on every shipped board."""
MOST_SPOTS = 12
"""What a board that is not shipped has pins for: sensors on 4–15, lamps on 16–27."""

Spot = tuple[int, str]
"""A coin spot by seat and jackpot bet."""


class Screen(Struct):
    """What panel and sign show."""

    code: str = ""
    lines: tuple[str, ...] = ()
    refusal: str = ""
    meter_cents: int | None = None
    sign: str = ""


class TableHardware:
    """A table's hardware and the process of its firmware."""

    def __init__(self, settings: TableSettings, link: LinkSettings, folder: Path) -> None:
        """Build the hardware in a folder that holds its socket, table file and journal."""
        self.settings = settings
        self.folder = folder
        self.screen = Screen()
        self.spots: list[Spot] = [
            (seat, bet)
            for seat in range(1, settings.seats + 1)
            for bet in settings.rules.jackpot_bets
        ]
        folder.mkdir(parents=True, exist_ok=True)
        board = _board_name(settings, self.spots, folder)
        self.board = boards.find(board, folder)
        self._sensor_pins = {(spot.seat, spot.bet): spot.sensor for spot in self.board.spots}
        self._lamp_spots = {spot.lamp: (spot.seat, spot.bet) for spot in self.board.spots}
        self.lamps = {spot: LampWatch() for spot in self.spots}
        self.process: asyncio.subprocess.Process | None = None
        self.on_change: Callable[[], None] = lambda: None
        self._changed = asyncio.Event()
        self._chips: dict[Spot, bool] = dict.fromkeys(self.spots, False)
        self._pins: asyncio.StreamWriter | None = None
        self._server: asyncio.Server | None = None
        self.cards = LineDevice(lambda _text: None)
        self.panel = LineDevice(self._panel_shows)
        self.sign = LineDevice(self._sign_shows)
        (folder / "table.toml").write_text(self._table_file(board, link), encoding="utf-8")

    # The power

    async def start(self) -> None:
        """Switch the table on: start the firmware's own `main` in a process."""
        if self._server is None:
            self._server = await asyncio.start_unix_server(self._pins_connected, self._socket_path)
        with (self.folder / "firmware.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *self._command(),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    async def kill(self) -> None:
        """Pull the plug."""
        if self.process is not None:
            self.process.kill()
            await self.process.wait()
            self._lamps_go_dark()

    async def stop(self) -> int:
        """Ask the firmware to stop, and give its exit status."""
        if self.process is None:
            return 0
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        return await self.process.wait()

    async def close(self) -> None:
        """Stop the firmware and take the hardware apart."""
        await self.stop()
        if self._server is not None:
            self._server.close()
        for device in (self.cards, self.panel, self.sign):
            device.close()

    # The felt

    def place_chip(self, seat: int, bet: str = "jackpot") -> None:
        """Put a chip on a coin spot."""
        self._drive((seat, bet), chip=True)

    def lift_chip(self, seat: int, bet: str = "jackpot") -> None:
        """Take the chip off a coin spot."""
        self._drive((seat, bet), chip=False)

    async def press(self, key: str) -> None:
        """Press a key of the panel and wait until the table has taken it."""
        await self.panel.send(f"KEY {key}")

    async def draw(self, card: str) -> None:
        """Draw a card from the shoe and wait until the table has taken it."""
        await self.cards.send(f"CARD {card}")

    async def dispense(self, cards: Sequence[str]) -> None:
        """Let the shuffler dispense a hand and wait until the table has taken it."""
        await self.cards.send(f"HAND {' '.join(cards)}")

    def lamp_pattern(self, seat: int, bet: str = "jackpot") -> Pattern:
        """Read the lamp language off a lamp."""
        return self.lamps[seat, bet].pattern(self._now_ms())

    async def until(self, wanted: Callable[[], bool]) -> None:
        """Wait until the hardware shows what is wanted; time alone may bring it about."""
        while not wanted():
            self._changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(0.05):
                    await self._changed.wait()

    # What the table does

    def _panel_shows(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        if word == "SHOW":
            self.screen.code, *lines = rest.split("|")
            self.screen.lines, self.screen.refusal = tuple(lines), ""
        elif word == "REFUSED":
            self.screen.refusal = rest
        self._wake()

    def _sign_shows(self, text: str) -> None:
        meter, _, self.screen.sign = text.removeprefix("SIGN ").partition("|")
        self.screen.meter_cents = None if meter == "-" else int(meter)
        self._wake()

    async def _pins_connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._pins = writer
        self._tell_first_levels()
        with suppress(ConnectionError):
            async for line in reader:
                self._pins_say(line.decode("ascii").split())
        writer.close()

    def _tell_first_levels(self) -> None:
        for spot, chip in self._chips.items():
            self._drive(spot, chip=chip)
        if self._pins is not None:
            self._pins.write(b"go\n")

    def _pins_say(self, words: list[str]) -> None:
        _, number, level = words
        self._lamp_changed(int(number), self._now_ms(), lit=level == "1")

    def _lamp_changed(self, pin: int, at_ms: float, *, lit: bool) -> None:
        lamp = self._lamp_spots.get(pin)
        if lamp is not None:
            self.lamps[lamp].changed(at_ms, lit=lit)
            self._wake()

    def _lamps_go_dark(self) -> None:
        for lamp in self.lamps.values():
            lamp.dark()

    def _now_ms(self) -> float:
        return asyncio.get_running_loop().time() * 1000

    def _drive(self, spot: Spot, *, chip: bool) -> None:
        self._chips[spot] = chip
        pin = self._sensor_pins[spot]
        if self._pins is not None and not self._pins.is_closing():
            self._pins.write(f"pin {pin} {int(chip)}\n".encode("ascii"))

    def _wake(self) -> None:
        self.on_change()
        self._changed.set()

    def _command(self) -> list[str]:
        """Give the command that starts the table."""
        config = self.folder / "table.toml"
        pins = str(self._socket_path)
        return [sys.executable, "-m", "sim.table_process", pins, "--config", str(config)]

    @property
    def _socket_path(self) -> Path:
        return self.folder / "pins.sock"

    def _table_file(self, board: str, link: LinkSettings) -> str:
        table = self.settings
        return f"""board = "{board}"
journal = "{self.folder.resolve()}"

[table]
name = "{table.name}"
game = "{table.game}"
card_source = "{table.card_source}"
seats = {table.seats}
ante_min_cents = {table.ante_min_cents}
ante_max_cents = {table.ante_max_cents}
jackpot_bet_cents = {table.jackpot_bet_cents}

[serial]
cards = "{self.cards.path}"
panel = "{self.panel.path}"
sign = "{self.sign.path}"

[link]
host = "{link.host}"
port = {link.port}
root = "{link.root}"
"""


def _board_name(settings: TableSettings, spots: list[Spot], folder: Path) -> str:
    """Give the shipped board that has these spots, or write one that does."""
    bets = tuple(settings.rules.jackpot_bets)
    for name, board in boards.shipped().items():
        if board.has_spots(settings.seats, bets):
            return name
    if len(spots) > MOST_SPOTS:
        raise BadInput("seats", f"the simulated board has pins for {MOST_SPOTS} spots")
    text = "".join(
        f'\n[[spots]]\nseat = {seat}\nbet = "{bet}"\nsensor = {4 + place}\nlamp = {16 + place}\n'
        for place, (seat, bet) in enumerate(spots)
    )
    (folder / "board.toml").write_text(f'title = "Simulated"\n{text}', encoding="utf-8")
    return "board.toml"
