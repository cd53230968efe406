"""The hardware of one simulated table, seen from outside its process.

Shoe, panel and sign, the power switch, and the coin spots of `felt.py`. Only pins (over a
socket) and bytes (over pseudo-terminals) cross to the table process; the hardware outlives it,
as chips and cards outlive a power cut. What a dealer does with it is in `dealer.py`.
"""

import asyncio
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from firmware.devices.card_source import CardProtocol
from firmware.link.mqtt import LinkSettings
from firmware.settings import board as boards
from firmware.table.settings import TableSettings
from sim import lifeline
from sim.table.angel_eye_shoe import AngelEyeShoe
from sim.table.boards import Wiring, board_name
from sim.table.felt import Felt
from sim.table.line_device import LineDevice
from sim.table.pty_port import PluggedDevice
from sim.table.table_file import PIN, table_file

_REPORTS = 3
"""How often a shoe of the Angel Eye family reports a card."""
_TAKEN_S = 2.0
"""How long to wait for a card to be taken that nobody acknowledges."""
SWITCHED_S = 0.15
"""Longer than a switch or a sensor is debounced."""
_KEY_FIRST = "Turn the key first"
DISPLAY = "200x60"
"""Larger than any prompt, so that whoever plays by the panel reads whole lines."""


class Screen(Struct):
    """What panel and sign show."""

    code: str = ""
    lines: tuple[str, ...] = ()
    refusal: str = ""
    meter_cents: int | None = None
    sign: str = ""


class Fitting(Struct, frozen=True, kw_only=True):
    """How a table is fitted out, where that is not the usual way."""

    display: str = DISPLAY
    card_protocol: CardProtocol = "line"
    wiring: Wiring = ""


class TableHardware(Felt):
    """A table's hardware and the process of its firmware."""

    def __init__(
        self,
        settings: TableSettings,
        link: LinkSettings,
        folder: Path,
        fitted: Fitting | None = None,
    ) -> None:
        """Build the hardware in a folder that holds its socket, table file and journal."""
        fitted = fitted or Fitting()
        self.settings = settings
        self.folder = folder
        self.screen = Screen()
        spots = [
            (seat, bet)
            for seat in range(1, settings.seats + 1)
            for bet in settings.rules.jackpot_bets
        ]
        folder.mkdir(parents=True, exist_ok=True)
        board = board_name(settings, spots, folder, fitted.wiring)
        super().__init__(boards.find(board, folder), spots, folder)
        self.process: asyncio.subprocess.Process | None = None
        self.clock_ahead_s = 0
        """How far off the clock of the table's controller is, from its next start."""
        self.on_change: Callable[[], None] = lambda: None
        self._changed = asyncio.Event()
        self._switches = {"power_good": True, "cover": True, "key": False}
        self._clock_off_ms = 0
        self._pins: asyncio.StreamWriter | None = None
        self._server: asyncio.Server | None = None
        self.cards = LineDevice(lambda _text: None, card_kind(settings), folder / "cards")
        self._angel_eye: AngelEyeShoe | None = None
        if fitted.card_protocol == "angel-eye":
            self.cards.close()
            self._angel_eye = AngelEyeShoe(folder / "cards")
        self.panel = LineDevice(self._panel_shows, "panel", folder / "panel", more=fitted.display)
        self.sign = LineDevice(self._sign_shows, "sign", folder / "sign")
        ports = {**self._ports(), "card_protocol": fitted.card_protocol}
        text = table_file(settings, link, board, ports, folder)
        path = folder / "table.toml"
        path.touch()
        path.chmod(0o600)  # as on a table: it has the hashes of PINs
        path.write_text(text, encoding="utf-8")

    # The power

    async def start(self) -> None:
        """Switch the table on: start the firmware's own `main` in a process."""
        if self._server is None:
            self._server = await asyncio.start_unix_server(self._pins_connected, self._socket_path)
        with (self.folder / "firmware.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *self._command(),
                stdin=asyncio.subprocess.PIPE,
                stdout=log,
                stderr=log,
                # Control-C is for the parent, which then stops it; and the kernel ends a group of
                # its own although it is stopped, once its parent is gone.
                process_group=0,
            )

    async def kill(self) -> None:
        """Pull the plug; the spot board has its power from the controller."""
        if self.process is not None:
            await self.kill_firmware()
            self._lamps_go_dark()
            if self.spot_board is not None:
                self.spot_board.restart()

    async def kill_firmware(self) -> None:
        """Kill the firmware alone: what else there is keeps its power."""
        if self.process is not None:
            self.process.kill()
            await self.process.wait()

    async def stop(self) -> int:
        """Ask the firmware to stop, and return its exit status."""
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
        for device in (self._angel_eye or self.cards, self.panel, self.sign, self.spot_board):
            if device is not None:
                device.close()

    # The switches and the devices

    def set_switch(self, switch: str, *, on: bool) -> None:
        """Set a switch of the board: power good, cover closed, key turned."""
        self._switches[switch] = on
        pin = getattr(self.board.pins, switch)
        if pin is not None:
            self.drive_pin(pin, on)

    def switch(self, switch: str) -> bool:
        """Return how a switch is set."""
        return self._switches[switch]

    def set_clock_off(self, milliseconds: int) -> None:
        """Make the table's clock jump; the offset lasts through every restart."""
        self._clock_off_ms += milliseconds
        self._tell_clock()

    async def authority(self, number: str) -> None:
        """Turn the key, enter somebody's number and PIN, and turn it back."""
        self.set_switch("key", on=True)
        await asyncio.sleep(SWITCHED_S)
        await self.enter(number, PIN)
        self.set_switch("key", on=False)
        await asyncio.sleep(SWITCHED_S)

    async def enter(self, number: str, pin: str) -> None:
        """Enter number and PIN; once more if the table has not noticed the turned key yet."""
        while True:
            self.screen.refusal = ""
            await self.press(f"AUTH {number} {pin}")
            if not (self._switches["key"] and _KEY_FIRST in self.screen.refusal):
                return
            await asyncio.sleep(SWITCHED_S)

    async def press(self, key: str) -> None:
        """Press a key on the panel and wait until the table has taken it."""
        await self.panel.send(f"KEY {key}")

    async def draw(self, card: str) -> None:
        """Draw a card from the shoe, and wait until the table has taken it.

        A shoe of the Angel Eye family is never told, and reports a card three times instead: here the
        journal tells, so that cards do not come faster than a line carries them.
        """
        if self._angel_eye is not None:
            before = self._journal_bytes()
            self._angel_eye.draw(card, times=_REPORTS)
            with suppress(TimeoutError):
                async with asyncio.timeout(_TAKEN_S):
                    await self.until(lambda: self._journal_bytes() > before)
            return
        await self.cards.send(f"CARD {card}")

    async def dispense(self, cards: Sequence[str]) -> None:
        """Dispense a hand from the shuffler and wait until the table has taken it."""
        await self.cards.send(f"HAND {' '.join(cards)}")

    def _journal_bytes(self) -> int:
        return sum(file.stat().st_size for file in self.folder.glob("*.journal"))

    async def until(self, wanted: Callable[[], bool]) -> None:
        """Wait until the hardware shows what is wanted; time alone may be enough."""
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
            self.screen.refusal = rest.replace("|", " ")
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
        # Nobody waits for this task: one that is cancelled with all others would be told as an error.
        with suppress(ConnectionError, asyncio.CancelledError):
            async for line in reader:
                self._pins_say(line.decode("ascii").split())
        writer.close()

    def _tell_first_levels(self) -> None:
        for spot in self.spots:
            self._drive(spot)
        for switch, on in self._switches.items():
            self.set_switch(switch, on=on)
        if self._clock_off_ms:
            self._tell_clock()
        if self._pins is not None:
            self._pins.write(b"go\n")

    def _pins_say(self, words: list[str]) -> None:
        _, number, level = words
        if int(number) == self.board.pins.lamp_enable:
            self._enabled_at_ms = self._now_ms()
        self._lamp_changed(int(number), self._now_ms(), lit=level == "1")

    def drive_pin(self, pin: int, level: bool) -> None:  # noqa: FBT001  # a level is a level
        """Drive a pin of the table to a level."""
        if self._pins is not None and not self._pins.is_closing():
            self._pins.write(f"pin {pin} {int(level)}\n".encode("ascii"))

    def _tell_clock(self) -> None:
        if self._pins is not None and not self._pins.is_closing():
            self._pins.write(f"clock {self._clock_off_ms}\n".encode("ascii"))

    def _wake(self) -> None:
        self.on_change()
        self._changed.set()

    def _command(self) -> list[str]:
        """Return the command that starts the table on a lifeline."""
        config = self.folder / "table.toml"
        pins = str(self._socket_path)
        clock = ["--clock-ahead-s", str(self.clock_ahead_s)]
        return lifeline.module("sim.table.process", pins, *clock, "--config", str(config))

    @property
    def _socket_path(self) -> Path:
        return self.folder / "pins.sock"

    def _ports(self) -> dict[str, str]:
        devices: dict[str, PluggedDevice] = {
            "cards": self.cards,
            "panel": self.panel,
            "sign": self.sign,
        }
        if self.spot_board is not None:
            devices["spots"] = self.spot_board
        return {name: str(device.path) for name, device in devices.items()}


def card_kind(settings: TableSettings) -> str:
    """Return the name of the device that deals; a plain shoe has none."""
    return "shuffler" if settings.card_source == "shuffler" else "shoe"
