"""The loop of the board: looks at all spots every 5 ms, and in between hears and answers the table.

Time-triggered, without interrupts of pins: a line that chatters takes no time from the others. What all
this means is in `board.py`; who starts it, and with which program, is in `start.py`.
"""

import gc
import time

from firmware.spot_board import chip
from firmware.spot_board.board import Board
from firmware.spot_board.clock import Clock
from firmware.spot_board.pins import Pins
from firmware.spot_board.usb import UsbLine

TYPE_CHECKING = False  # MicroPython has no module `typing`
if TYPE_CHECKING:
    from collections.abc import Callable

LOOK_MS = 5
GARBAGE_BYTES = 16_384
"""Collected after so many: MicroPython searches memory from its beginning for most of what it allocates, so a
look takes four times as long when the memory is full of what nobody needs any more."""
WELL_MS = 10_000
"""A program that has run for so long does not count as one that cannot start."""


def run(session: int, program: str, line: UsbLine, on_asked: "Callable[[], None]") -> None:
    """Be a spot board until the line is given up; tell when the table has asked who is there."""
    board, pins = Board(session, program), Pins()
    clock = Clock(time.ticks_ms, time.ticks_diff)  # type: ignore[attr-defined]  # MicroPython's
    gc.threshold(GARBAGE_BYTES)  # type: ignore[attr-defined]  # MicroPython's
    watchdog = chip.watch()
    look_ms = 0
    asked = well = False
    while not board.released:
        watchdog.feed()
        at_ms = clock.now_ms()
        board.look(pins.levels(), at_ms)
        pins.light(board.lit(at_ms))
        pins.blink(at_ms)
        look_ms = _next_look_ms(look_ms, at_ms)
        _talk(board, pins, line, clock, look_ms)
        if board.asked and not asked:
            asked = True
            on_asked()
        if not well and at_ms >= WELL_MS:
            well = True
            chip.runs_well()
    chip.stop_watching()
    pins.light(0)


def _next_look_ms(look_ms: int, at_ms: int) -> int:
    """Return when to look next: in step, unless something has taken longer than a look may."""
    return look_ms + LOOK_MS if at_ms - look_ms < LOOK_MS else at_ms + LOOK_MS


def _talk(board: Board, pins: Pins, line: UsbLine, clock: Clock, until_ms: int) -> None:
    """Hear and answer the table until it is time to look again."""
    while True:
        at_ms = clock.now_ms()
        if line.free:
            line.say(board.say(at_ms), at_ms)
        line.write(at_ms)
        if board.released or at_ms >= until_ms:
            return
        heard = line.wait(until_ms - at_ms)
        if heard:
            board.hear(heard, clock.now_ms())
            if board.kick():
                pins.kick()
