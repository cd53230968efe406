"""The board's flash memory: what it holds over resets, and a power cut in the middle of a write.

The emulator's memory is the truth while the chip has power; `Flash` keeps it when it has none. Which bytes
are the program's, the files' or the session's is no business of this file.
"""

from collections.abc import Callable

from rp2040py.peripherals.ssi import (
    CMD_BLOCK_ERASE,
    CMD_PAGE_PROGRAM,
    CMD_SECTOR_ERASE,
    RPSSI,
)
from rp2040py.rp2040 import RP2040

SIZE = 2 * 1024 * 1024
"""What a Pico has."""
_WRITES = (CMD_BLOCK_ERASE, CMD_PAGE_PROGRAM, CMD_SECTOR_ERASE)
_ERASED = b"\xff"


class Flash:
    """The memory, and how often it was written to or erased."""

    def __init__(self, contents: bytes, cut: Callable[[], None]) -> None:
        self._contents = bytearray(contents.ljust(SIZE, _ERASED))
        self._cut = cut
        self._chip: RP2040 | None = None
        self.on_write: Callable[[int, bytes, bytes], None] | None = None
        """Is told of each write where it is, what was there and what is there now."""
        self.writes = 0
        """How many pages were written and sectors erased, since the beginning."""
        self.cut_at: int | None = None
        """The write, counted as `writes` counts, in whose middle the power fails."""
        self.cut_done = 0.5
        """How much of that write still happens: nothing, a part, or all."""

    def wire(self, chip: RP2040) -> None:
        """Give a chip that was switched on its memory."""
        self._chip = chip
        chip.flash[:SIZE] = self._contents
        memory = chip.ssi
        happen = memory._apply_command  # noqa: SLF001  # the emulator has no other place for it

        def apply() -> None:
            self._apply(memory, chip, happen)

        memory._apply_command = apply  # type: ignore[method-assign]  # noqa: SLF001  # the same

    def keep(self) -> None:
        """Keep what the chip's memory holds now, at the moment its power goes."""
        if self._chip is not None:
            self._contents = bytearray(self._chip.flash[:SIZE])
            self._chip = None

    def __getitem__(self, place: slice) -> bytes:
        """Read some of it."""
        held = self._contents if self._chip is None else self._chip.flash
        return bytes(held[place])

    def put(self, offset: int, data: bytes) -> None:
        """Write over some of it, as no program of the chip does: a damage, or a new image by BOOTSEL."""
        held = self._contents if self._chip is None else self._chip.flash
        held[offset : offset + len(data)] = data

    def _apply(self, memory: RPSSI, chip: RP2040, happen: Callable[[], None]) -> None:
        command = bytes(memory._tx_buffer)  # noqa: SLF001  # the emulator shows it nowhere else
        if command[:1] and command[0] in _WRITES and len(command) > 3:  # noqa: PLR2004  # an address
            if self.cut_at == self.writes:
                self._half(command, chip, happen)
                self.writes += 1
                self.cut_at = None
                self._cut()
                return
            self.writes += 1
            if self.on_write is not None:
                self._told(command, chip, happen, self.on_write)
                return
        happen()

    @staticmethod
    def _told(
        command: bytes,
        chip: RP2040,
        happen: Callable[[], None],
        on_write: Callable[[int, bytes, bytes], None],
    ) -> None:
        place = _place(command)
        before = bytes(chip.flash[place])
        happen()
        on_write(place.start, before, bytes(chip.flash[place]))

    def _half(self, command: bytes, chip: RP2040, happen: Callable[[], None]) -> None:
        """Do a part of a write: the first bytes of a page, or of a sector."""
        place = _place(command)
        before = bytes(chip.flash[place])
        happen()
        done = int(len(before) * self.cut_done)
        chip.flash[place.start + done : place.stop] = before[done:]


def _place(command: bytes) -> slice:
    """Return the page or the sector that a command is about."""
    size = (
        256 if command[0] == CMD_PAGE_PROGRAM else 4096 if command[0] == CMD_SECTOR_ERASE else 65536
    )
    start = int.from_bytes(command[1:4], "big")
    start -= start % size
    return slice(start, start + size)
