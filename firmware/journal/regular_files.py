"""Opens only what is a file: reading a pipe or a device may never end, and writing may go anywhere.

Whatever cannot be opened is an `OSError` whose words say why, as the system's own do.
"""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

MOST_SETTINGS_BYTES = 1 << 20
"""Longer than any file that a person writes for a table."""
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
    file = _opened(path, os.O_WRONLY | os.O_CREAT, "wb")
    file.truncate()
    return file


def open_to_append(path: Path) -> BinaryIO:
    """Open a file to append what somebody else sends: this one, and not one that a link names."""
    return _opened(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, "ab")


def write_text(path: Path, text: str) -> None:
    """Write a file anew."""
    with open_to_write(path) as file:
        file.write(text.encode())


def check_writable(path: Path) -> None:
    """Find out whether this file could be written, and leave everything as it is."""
    there = os.path.lexists(path)
    _opened(path, os.O_WRONLY | os.O_CREAT, "ab").close()
    if not there:
        path.unlink()


def _opened(path: Path, flags: int, mode: str) -> BinaryIO:
    try:
        # Without O_NONBLOCK a pipe would wait for its other end.
        descriptor = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
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
