"""Which program runs: the one of slot `a` or `b` of the file system, or the frozen one.

    /a/, /b/      a program each: a tree of modules and its `manifest`
    /chosen       the letter of the slot that runs
    /trial        the letter of a slot that runs once, and is chosen if it proves itself

Whoever brings a new program writes it into the slot that is not chosen, then `/trial`. The board removes
that file before it tries the program, and chooses it only once it has run and been asked who it is: so a
power cut at any moment leaves the old program or the new one, and whatever is damaged, the frozen one.
"""

import hashlib
import os

from firmware.spot_board import manifest

LETTERS = ("a", "b")
MOST_CRASHES = 3
"""After so many resets in a row that nobody asked for, the frozen program runs."""
_PIECE_BYTES = 512


class Slot:
    """A program in the file system whose hashes are right."""

    def __init__(self, letter: str, path: str, digest: str) -> None:
        """Take what the manifest says."""
        self.letter = letter
        self.path = path
        self.digest = digest
        self.on_trial = False
        """Whether it has yet to prove itself."""


class Slots:
    """The slots of one file system."""

    def __init__(self, root: str) -> None:
        """Take the folder that the slots are in, without a slash at its end."""
        self._root = root

    def choose(self, crashes: int) -> "Slot | None":
        """Return the program to run now, after so many starts that failed; None is the frozen one."""
        if crashes >= MOST_CRASHES:
            return None
        try:
            trial = self._letter("trial")
            if trial is not None:
                os.remove(self._path("trial"))  # noqa: PTH107  # MicroPython has no pathlib
                slot = self._read(trial)
                if slot is not None:
                    slot.on_trial = True
                    return slot
            chosen = self._letter("chosen")
            return None if chosen is None else self._read(chosen)
        except OSError:
            return None

    def commit(self, slot: Slot) -> None:
        """Choose a program for every start from now on."""
        if self._letter("chosen") == slot.letter:
            return
        waiting = self._path("chosen.new")
        with open(waiting, "w") as file:  # noqa: PTH123  # MicroPython has no pathlib
            file.write(slot.letter)
        os.rename(waiting, self._path("chosen"))  # noqa: PTH104  # the same

    def _letter(self, name: str) -> "str | None":
        """Read a file that names a slot."""
        try:
            with open(self._path(name), "rb") as file:  # noqa: PTH123  # MicroPython has no pathlib
                content = file.read(2)
        except OSError:
            return None
        return next((letter for letter in LETTERS if letter.encode() == content), None)

    def _read(self, letter: str) -> "Slot | None":
        """Return a slot if all of it is as its manifest says."""
        path = self._path(letter)
        try:
            with open(f"{path}/{manifest.NAME}", "rb") as file:  # noqa: PTH123  # the same
                read = manifest.read_manifest(file.read().decode())
            if read is None:
                return None
            digests, digest = read
            right = all(_digest_of_file(f"{path}/{name}") == digests[name] for name in digests)
        except (OSError, ValueError):
            return None
        return Slot(letter, path, digest) if right else None

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}"


def _digest_of_file(path: str) -> str:
    hashed = hashlib.sha256()
    with open(path, "rb") as file:  # noqa: PTH123  # MicroPython has no pathlib
        while piece := file.read(_PIECE_BYTES):
            hashed.update(piece)
    return manifest.hex_of(hashed)
