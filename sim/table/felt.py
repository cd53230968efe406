"""The coin spots of a simulated table: its chips, sensors and lamps, on pins or on a spot board.

Whoever plays moves chips and sees lamps, and need not know which kind a spot is. A spot board is the
real program in a process of its own (`sim/spot_board/`); pins are driven by `hardware.py`.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from firmware.settings.board import Board
from firmware.table.effects import Pattern, SpotKey
from sim.spot_board.interpreter import find
from sim.spot_board.process import SpotBoardProcess
from sim.table.lamp_watch import LampWatch
from sim.table.pins import SensorLine

ENABLED_MS = 1_500
"""How long the lamp drivers stay on after the last change of the lamp enable (`hw/README.md`)."""


class Felt:
    """The spots of one table."""

    def __init__(self, board: Board, spots: Sequence[SpotKey], folder: Path) -> None:
        """Lay no chip anywhere; plug the spot board in, if the table has one."""
        self.board = board
        self.spots = list(spots)
        self.lamps = {spot: LampWatch() for spot in self.spots}
        self.spot_board: SpotBoardProcess | None = None
        """The spot board, if any of the spots is on one."""
        self._sensors = {spot: SensorLine() for spot in self.spots}
        self._sensor_pins = {(spot.seat, spot.bet): spot.sensor for spot in board.on_pins}
        self._lamp_spots = {spot.lamp: (spot.seat, spot.bet) for spot in board.on_pins}
        self._inputs = {(spot.seat, spot.bet): spot.input for spot in board.on_board}
        self._outputs = {(spot.seat, spot.bet): spot.output for spot in board.on_board}
        self._enabled_at_ms = 0.0
        """When the pin that enables the lamp drivers last changed."""
        if self._inputs:
            self.spot_board = SpotBoardProcess(folder / "spot-board", find(), folder / "spots")
            self.spot_board.on_change = self._board_lamps_changed

    # The chips and the sensors

    def place_chip(self, seat: int, bet: str = "jackpot") -> None:
        """Put a chip on a coin spot."""
        self._sensors[seat, bet].chip = True
        self._drive((seat, bet))

    def lift_chip(self, seat: int, bet: str = "jackpot") -> None:
        """Take the chip off a coin spot."""
        self._sensors[seat, bet].chip = False
        self._drive((seat, bet))

    def stick_sensor(self, seat: int, bet: str = "jackpot", *, level: bool | None) -> None:
        """Make a sensor stick at a level, or release it (None)."""
        self._sensors[seat, bet].stuck = level
        self._drive((seat, bet))

    async def chatter(self, seat: int, bet: str = "jackpot", *, times: int, hz: float) -> None:
        """Lift a chip and put it back this many times, as fast as a loose contact."""
        for _ in range(times):
            for level in (False, True):
                self.stick_sensor(seat, bet, level=level)
                await asyncio.sleep(0.5 / hz)
        self.stick_sensor(seat, bet, level=None)

    def chips(self) -> set[SpotKey]:
        """List the spots whose sensors see a chip."""
        return {spot for spot, sensor in self._sensors.items() if sensor.level}

    @property
    def spots_are_heard(self) -> bool:
        """Whether the table can hear of every spot: no spot board's cable is out."""
        return self.spot_board is None or self.spot_board.can_be_heard

    # The lamps

    def visible_pattern(self, seat: int, bet: str = "jackpot") -> Pattern:
        """Return what a lamp shows to the eye: nothing while its driver is not enabled."""
        enabled = (seat, bet) in self._outputs or self.lamps_are_enabled()
        return self.lamp_pattern(seat, bet) if enabled else "off"

    def lamps_are_enabled(self) -> bool:
        """Return whether the sign of life keeps the lamp drivers on: those of all spots."""
        fitted = self.board.pins.lamp_enable is not None and bool(self._lamp_spots)
        on_pins = not fitted or self._now_ms() - self._enabled_at_ms <= ENABLED_MS
        return on_pins and (self.spot_board is None or self.spot_board.lamps_enabled)

    def lamp_pattern(self, seat: int, bet: str = "jackpot") -> Pattern:
        """Return the pattern that the table gives a lamp, whether or not the driver of its pin is enabled.

        A spot board's lamps are known only as they are seen.
        """
        return self.lamps[seat, bet].pattern(self._now_ms())

    def lamps_rest(self) -> bool:
        """Return whether every lamp has been dark for so long that it is known to be off."""
        now_ms = self._now_ms()
        return all(lamp.rests(now_ms) and not lamp.lit for lamp in self.lamps.values())

    def _lamp_changed(self, pin: int, at_ms: float, *, lit: bool) -> None:
        lamp = self._lamp_spots.get(pin)
        if lamp is not None:
            self.lamps[lamp].changed(at_ms, lit=lit)
            self._wake()

    def _board_lamps_changed(self) -> None:
        if self.spot_board is None:
            return
        lit = self.spot_board.lamps()
        for spot, output in self._outputs.items():
            lamp = self.lamps[spot]
            if not self.spot_board.lamps_enabled:
                lamp.dark()
            elif lamp.lit != lit[output - 1]:
                lamp.changed(self._now_ms(), lit=lit[output - 1])
        self._wake()

    def _lamps_go_dark(self) -> None:
        """Take the power from the lamps on pins; a spot board's go dark by themselves."""
        for spot in self._lamp_spots.values():
            self.lamps[spot].dark()

    # What they are wired to

    def _drive(self, spot: SpotKey) -> None:
        level = self._sensors[spot].level
        if spot in self._sensor_pins:
            self.drive_pin(self._sensor_pins[spot], level)
        elif self.spot_board is not None:
            self.spot_board.set_level(self._inputs[spot], level)

    def drive_pin(self, pin: int, level: bool) -> None:  # noqa: FBT001  # a level is a level
        """Drive a pin of the table to a level."""
        raise NotImplementedError

    def _now_ms(self) -> float:
        return asyncio.get_running_loop().time() * 1000

    def _wake(self) -> None:
        """Tell whoever waits that something has changed."""
        raise NotImplementedError
