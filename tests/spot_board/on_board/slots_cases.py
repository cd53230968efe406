"""The program's choice on a real littlefs, which the power is cut from at every write of its flash."""

import gc
import os
import sys
import unittest

import vfs

sys.path.insert(0, sys.argv[1])

from firmware.spot_board import manifest
from firmware.spot_board.slots import Slot, Slots

BLOCK_BYTES = 4_096
BLOCKS = 12
MOUNT = "/board"


class PowerCut(Exception):  # noqa: N818  # what happens
    """The power is gone."""


class Flash:
    """A block device as the chip's is; after so many writes nothing is written any more."""

    def __init__(self) -> None:
        self.blocks = [bytearray(b"\xff" * BLOCK_BYTES) for _ in range(BLOCKS)]
        self.writes = 0
        self.last_write = -1

    def readblocks(self, block: int, buffer: bytearray, offset: int = 0) -> None:
        """Read bytes."""
        buffer[:] = self.blocks[block][offset : offset + len(buffer)]

    def writeblocks(self, block: int, buffer: bytes, offset: int = 0) -> None:
        """Write bytes, the first half of them if it is the last write."""
        data = bytes(buffer)[: len(buffer) // 2] if self._is_last() else bytes(buffer)
        self.blocks[block][offset : offset + len(data)] = data
        self._written()

    def ioctl(self, command: int, block: int) -> int:
        """Tell the size, or erase."""
        if command == 4:  # how many blocks
            return BLOCKS
        if command == 5:  # their size
            return BLOCK_BYTES
        if command == 6:  # erase
            count = BLOCK_BYTES // 2 if self._is_last() else BLOCK_BYTES
            self.blocks[block][:count] = b"\xff" * count
            self._written()
        return 0

    def _is_last(self) -> bool:
        return self.writes == self.last_write

    def _written(self) -> None:
        cut = self._is_last()
        self.writes += 1
        if cut:
            raise PowerCut


def mounted(flash: Flash) -> Slots:
    """Mount the file system."""
    vfs.mount(vfs.VfsLfs2(flash, progsize=256), MOUNT)
    return Slots(MOUNT)


def put(letter: str, content: str) -> None:
    """Put a program into a slot, its manifest last."""
    os.mkdir(f"{MOUNT}/{letter}")  # noqa: PTH102  # MicroPython has no pathlib
    with open(f"{MOUNT}/{letter}/one.mpy", "w") as file:  # noqa: PTH123  # the same
        file.write(content)
    with open(f"{MOUNT}/{letter}/{manifest.NAME}", "w") as file:  # noqa: PTH123  # the same
        file.write(manifest.write_manifest({"one.mpy": manifest.digest_of(content.encode())}))


def name(file_name: str, letter: str) -> None:
    """Name a slot."""
    with open(f"{MOUNT}/{file_name}", "w") as file:  # noqa: PTH123  # MicroPython has no pathlib
        file.write(letter)


def prepared() -> Flash:
    """Return a flash on which program a is chosen and program b is on trial."""
    flash = Flash()
    vfs.VfsLfs2.mkfs(flash, progsize=256)
    mounted(flash)
    put("a", "old")
    put("b", "new")
    name("chosen", "a")
    name("trial", "b")
    vfs.umount(MOUNT)
    return flash


def start_and_prove(flash: Flash) -> "Slot | None":
    """Start on a flash, and choose for good what runs."""
    slots = mounted(flash)
    try:
        slot = slots.choose(0)
        if slot is not None:
            slots.commit(slot)
        return slot
    finally:
        vfs.umount(MOUNT)


class SlotsTest(unittest.TestCase):
    """Two programs on a littlefs."""

    def test_a_power_cut_at_every_write_of_a_trial_leaves_the_old_program_or_the_new_one(
        self,
    ) -> None:
        """Never neither, and in the end the new one if it was chosen."""
        whole = prepared()
        before = whole.writes
        start_and_prove(whole)
        count = whole.writes - before
        self.assertTrue(count > 3)
        seen = set()
        for cut in range(count):
            gc.collect()
            flash = prepared()
            flash.last_write = flash.writes + cut
            try:  # noqa: SIM105  # MicroPython has no contextlib
                start_and_prove(flash)
            except (PowerCut, OSError):
                pass
            flash.last_write = -1
            slot = start_and_prove(flash)
            self.assertTrue(slot is not None)
            seen.add("" if slot is None else slot.letter)
            again = start_and_prove(flash)
            self.assertEqual(again and again.letter, slot and slot.letter)
        self.assertEqual(seen, {"a", "b"})

    def test_a_flash_that_is_blank_or_full_of_noise_does_not_mount(self) -> None:
        """So that the frozen program runs."""
        for fill in (b"\xff", b"\x00", b"\x5a"):
            flash = Flash()
            for block in flash.blocks:
                block[:] = fill * BLOCK_BYTES
            with self.assertRaises(OSError):
                mounted(flash)


if __name__ == "__main__":
    unittest.main()
