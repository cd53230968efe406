"""The number of this session, never one that this board has had before, whatever the random source does.

Starts are counted in two sectors of raw flash, outside any file system. Each start appends a record to both,
to the second only when it is in the first, so that a power cut at any moment, or the loss of either sector,
leaves the newest record in the other. A board that has lost both begins at a random count.
"""

from firmware.devices.line import crc_hqx  # type: ignore[attr-defined]  # the interpreter's

TYPE_CHECKING = False  # MicroPython has no module `typing`
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Flash(Protocol):
        """A block device as MicroPython has it; blocks are the sectors that are erased."""

        def readblocks(self, block: int, buffer: bytearray, offset: int) -> None:
            """Read bytes."""

        def writeblocks(self, block: int, buffer: bytes, offset: int) -> None:
            """Write bytes to what has been erased."""

        def ioctl(self, command: int, block: int) -> int | None:
            """Erase a block, among others."""


SECTOR_BYTES = 4_096
SECTORS = 2
PAGE_BYTES = 256
"""What flash is written in at least: room for one record."""
SESSIONS_PER_START = 1_000
MOST_STARTS = 999_999
_ERASE = 6
_MAGIC = b"UFs1"
_BLANK = b"\xff" * PAGE_BYTES
_COUNT_END = 8
_RECORD_END = 10


def next_session(flash: "Flash", random_bytes: "Callable[[int], bytes]") -> int:
    """Count this start, and return the number of its session."""
    random = int.from_bytes(random_bytes(4), "little")
    return count_start(flash, random) * SESSIONS_PER_START + random % SESSIONS_PER_START


def count_start(flash: "Flash", random: int) -> int:
    """Return how often this board has started, written down; it goes round after a million."""
    counts = [count for sector in range(SECTORS) for count in _counts(flash, sector)]
    start = _newest(counts) % MOST_STARTS + 1 if counts else random % MOST_STARTS + 1
    for sector in range(SECTORS):
        _append(flash, sector, _record(start))
    return start


def _newest(counts: "list[int]") -> int:
    """Return the count that none is ahead of, also just after they have gone round."""
    newest = counts[0]
    for count in counts:
        if 0 < (count - newest) % MOST_STARTS < MOST_STARTS // 2:
            newest = count
    return newest


def _counts(flash: "Flash", sector: int) -> "list[int]":
    pages = [_page(flash, sector, place) for place in range(SECTOR_BYTES // PAGE_BYTES)]
    counts = [_count(page) for page in pages]
    return [count for count in counts if count]


def _append(flash: "Flash", sector: int, record: bytes) -> None:
    """Write a record to the first page behind which all are blank; erase the sector if there is none."""
    last = SECTOR_BYTES // PAGE_BYTES - 1
    place = last + 1
    while place and _page(flash, sector, place - 1) == _BLANK:
        place -= 1
    while place <= last:
        flash.writeblocks(sector, record, place * PAGE_BYTES)
        if _page(flash, sector, place) == record:
            return
        place += 1  # a worn page
    flash.ioctl(_ERASE, sector)
    flash.writeblocks(sector, record, 0)


def _page(flash: "Flash", sector: int, place: int) -> bytes:
    page = bytearray(PAGE_BYTES)
    flash.readblocks(sector, page, place * PAGE_BYTES)
    return bytes(page)


def _record(count: int) -> bytes:
    head = _MAGIC + count.to_bytes(_COUNT_END - len(_MAGIC), "little")
    record = head + crc_hqx(head, 0).to_bytes(_RECORD_END - _COUNT_END, "little")
    return record + _BLANK[_RECORD_END:]


def _count(page: bytes) -> int:
    """Read a record; 0 if this is none."""
    count = int.from_bytes(page[len(_MAGIC) : _COUNT_END], "little")
    return count if 0 < count <= MOST_STARTS and page == _record(count) else 0
