"""Opens only what is a file: reading a pipe or a device may never end, and writing may go anywhere.

What is written is its owner's alone: a journal has every card and the numbers of the staff. Whatever
cannot be opened is an `OSError` whose words say why, as the system's own do.
"""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

MOST_SETTINGS_BYTES = 1 << 20
"""Longer than any file that a person writes for a table."""
_OWNERS_ALONE = 0o600
_OTHERS = 0o077
"""What everybody else may do with a file."""
_NO_FILE = "It is a pipe or a device and not a file"


def read_regular(path: Path, most_bytes: int) -> bytes:
    """Read a whole file, unless it is longer than it can be."""
    with _opened(path, os.O_RDONLY, "rb") as file:
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
    with open_to_write(path) as file:
        file.write(text.encode())


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
        return os.fdopen(descriptor, mode)  # type: ignore[return-value]  # every mode is binary
    os.close(descriptor)
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise OSError(errno.EINVAL, _NO_FILE, str(path))


def _in_words(error: OSError, path: Path) -> OSError:
    if error.errno == errno.ENXIO:  # a pipe that nobody reads, a socket
        return OSError(errno.EINVAL, _NO_FILE, str(path))
    if error.errno == errno.ELOOP:
        return OSError(errno.ELOOP, "It is a link to another file", str(path))
    return error
