"""Flash with a power cut in it: writing clears bits, erasing sets them, and either may be cut off half way."""

from random import Random

from firmware.spot_board.session import SECTOR_BYTES, SECTORS


class PowerCutError(Exception):
    """The power is gone."""


class Flash:
    """Two sectors, as `rp2.Flash` has them."""

    def __init__(self, seed: int = 0) -> None:
        self.sectors = [bytearray(b"\xff" * SECTOR_BYTES) for _ in range(SECTORS)]
        self.cut_at: int | None = None
        """How many writes and erasures are completed before the power is cut in the next one."""
        self.done = 0
        self._rng = Random(seed)

    def readblocks(self, block: int, buffer: bytearray, offset: int) -> None:
        """Read bytes."""
        buffer[:] = self.sectors[block][offset : offset + len(buffer)]

    def writeblocks(self, block: int, buffer: bytes, offset: int) -> None:
        """Clear bits; all of them, or some."""
        assert offset % 256 == 0
        assert len(buffer) % 256 == 0
        torn = self._is_torn()
        for place, byte in enumerate(buffer, offset):
            left = self._rng.randrange(256) if torn else 0
            self.sectors[block][place] &= byte | left
        self._ended(torn=torn)

    def ioctl(self, command: int, block: int) -> int:
        """Erase a sector, or some of its bits."""
        assert command == 6
        torn = self._is_torn()
        for place in range(SECTOR_BYTES):
            self.sectors[block][place] |= self._rng.randrange(256) if torn else 0xFF
        self._ended(torn=torn)
        return 0

    def damage(self, block: int, how: int) -> None:
        """Make a sector blank (0), all zeros (1) or random (2)."""
        fill = {0: b"\xff" * SECTOR_BYTES, 1: bytes(SECTOR_BYTES)}
        self.sectors[block][:] = fill.get(how) or self._rng.randbytes(SECTOR_BYTES)

    def _is_torn(self) -> bool:
        return self.done == self.cut_at

    def _ended(self, *, torn: bool) -> None:
        if torn:
            raise PowerCutError
        self.done += 1
