"""Opens only what is a file: reading a pipe or a device may never end, and writing may go anywhere.

What is written is its owner's alone: a journal has every card and the numbers of the staff. Whatever
cannot be opened is an `OSError` whose words say why, as the system's own do. One that comes later, such
as that of a full disk, names no file by itself: here it does.
"""

import errno
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

MOST_SETTINGS_BYTES = 1 << 20
"""Longer than any file that a person writes for a table."""
_OWNERS_ALONE = 0o600
_OTHERS = 0o077
"""What everybody else may do with a file."""
_NO_FILE = "It is a pipe or a device and not a file"


def read_regular(path: Path, most_bytes: int) -> bytes:
    """Read a whole file, unless it is longer than it can be."""
    with naming(path), _opened(path, os.O_RDONLY, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        data = file.read(most_bytes + 1) if size <= most_bytes else b""
    if max(size, len(data)) > most_bytes:
        raise OSError(errno.EFBIG, f"It is longer than {most_bytes:,} bytes", str(path))
    return data


def open_to_read(path: Path) -> BinaryIO:
    """Open a file to read parts of it."""
    return _opened(path, os.O_RDONLY, "rb")


def open_to_write(path: Path) -> BinaryIO:
    """Open a file to write it anew."""
    file = _kept_to_the_owner(_opened(path, os.O_WRONLY | os.O_CREAT, "wb"))
    file.truncate()
    return file


def open_to_append(path: Path) -> BinaryIO:
    """Open a file to append what somebody else sends: this one, and not one that a link names."""
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
    return _kept_to_the_owner(_opened(path, flags, "ab"))


def make_folder(path: Path) -> None:
    """Make a folder that only its owner may look into; one that is there stays as it is."""
    for parent in reversed([path, *path.parents]):
        if not parent.is_dir():
            parent.mkdir(0o700)


def write_text(path: Path, text: str) -> None:
    """Write a file anew."""
    with naming(path), open_to_write(path) as file:
        file.write(text.encode())


def replace_text(path: Path, text: str) -> None:
    """Write a file anew, so that whoever reads it meanwhile reads all of the old or of the new."""
    place = path.resolve()
    if place.exists():
        open_to_read(place).close()
    written = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        with naming(path), _opened(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, "wb") as file:
            file.write(text.encode())
            # Who collects it is somebody else: only what everybody may know is written so.
            os.fchmod(file.fileno(), 0o644)
            file.flush()
            os.fsync(file.fileno())
        with naming(path):
            written.replace(place)
    except OSError:
        with suppress(OSError):
            written.unlink()
        raise


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name a file in every error of reading or writing it, as a user knows it."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


def check_writable(path: Path) -> None:
    """Find out whether this file could be written, and leave everything as it is."""
    there = os.path.lexists(path)
    _opened(path, os.O_WRONLY | os.O_CREAT, "ab").close()
    if not there:
        path.unlink()


def _kept_to_the_owner(file: BinaryIO) -> BinaryIO:
    """Take from others what an older file lets them do, before anything is written to it."""
    mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
    if mode & _OTHERS:
        os.fchmod(file.fileno(), mode & ~_OTHERS)
    return file


def _opened(path: Path, flags: int, mode: str) -> BinaryIO:
    try:
        # Without O_NONBLOCK a pipe would wait for its other end.
        descriptor = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC, _OWNERS_ALONE)
    except OSError as error:
        raise _in_words(error, path) from None
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISREG(kind):
        raw = _NamedFile(descriptor, mode, path)
        return io.BufferedReader(raw) if mode == "rb" else io.BufferedWriter(raw)
    os.close(descriptor)
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise OSError(errno.EINVAL, _NO_FILE, str(path))


class _NamedFile(io.FileIO):
    """A file whose errors name it: the system's own do not, once it is open."""

    def __init__(self, descriptor: int, mode: str, path: Path) -> None:
        super().__init__(descriptor, mode)
        self._path = path

    def write(self, data: Any) -> int:  # noqa: ANN401  # any buffer
        """Write some of the data."""
        with naming(self._path):
            return super().write(data)

    def readinto(self, data: Any) -> int:  # noqa: ANN401  # any buffer
        """Read into the data."""
        with naming(self._path):
            return super().readinto(data)


def _in_words(error: OSError, path: Path) -> OSError:
    if error.errno == errno.ENXIO:  # a pipe that nobody reads, a socket
        return OSError(errno.EINVAL, _NO_FILE, str(path))
    if error.errno == errno.ELOOP:
        return OSError(errno.ELOOP, "It is a link to another file", str(path))
    return error
