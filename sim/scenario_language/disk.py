"""A small disk for the journal of a scenario, so that it can be full.

A file system in memory, mounted where the table keeps its journal. Only root may mount one; for
other users a scenario that needs it is skipped, and says so. Not simulated: a disk that is
slow, wears out, or lies about what it has written.
"""

import os
import shutil
import subprocess
from pathlib import Path

from firmware.errors import BadInput, UnderfeltError


class CannotBePlayed(UnderfeltError):  # noqa: N818  # the word users see
    """A scenario needs something that this machine does not have."""


class Disk:
    """A mounted disk, or none if the scenario does not need one."""

    def __init__(
        self,
        folder: Path,
        size_mb: int | None,
        *,
        remedy: str = "write 'disk 4 MB' below the table",
    ) -> None:
        """Mount the disk in the table's folder, or leave the journal in that folder.

        Where there is no small disk, `remedy` says how there would be one.
        """
        self.folder = folder
        self._remedy = remedy
        self._mounted = False
        if size_mb is not None:
            self.folder = folder / "disk"
            self._mount(size_mb)

    def leave(self, left_bytes: int | None) -> None:
        """Fill the disk but for `free_bytes`, or make room again (None)."""
        if not self._mounted:
            raise BadInput("disk", f"the table has no small disk; {self._remedy}")
        filler = self.folder / "filler"
        if left_bytes is None:
            filler.unlink(missing_ok=True)
            return
        with filler.open("ab") as file:
            free = os.statvfs(self.folder)
            room = free.f_bavail * free.f_frsize - left_bytes
            file.write(b"\0" * max(room, 0))

    def close(self) -> None:
        """Unmount the disk."""
        if self._mounted:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=False)  # noqa: S603, S607

    def _mount(self, size_mb: int) -> None:
        if os.geteuid() != 0 or shutil.which("mount") is None:
            raise CannotBePlayed("only root can mount a small disk, so this was not played")
        self.folder.mkdir(parents=True, exist_ok=True)
        command = ["mount", "-t", "tmpfs", "-o", f"size={size_mb}m", "none", str(self.folder)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603
        if done.returncode:
            raise CannotBePlayed(f"no small disk could be mounted: {done.stderr.strip()}")
        self._mounted = True
