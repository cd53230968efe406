"""The manifest of a program: the SHA-256 of each of its files, and of all of them.

    <sha256> <path>
    …
    <sha256 of the lines above> *

It is in a slot of the board's file system beside the program, and what writes it there makes it with
this module too. The digest of all is what the greeting names a program by.
"""

import binascii
import hashlib

NAME = "manifest"
SHARED = (
    "firmware/__init__.py",
    "firmware/devices/__init__.py",
    "firmware/devices/lamp_patterns.py",
    "firmware/devices/line.py",
    "firmware/devices/sensing.py",
)
"""What belongs to the program beside all that is in this room."""
_ALL = "*"


def write_manifest(digests: "dict[str, str]") -> str:
    """Write the manifest of files, by path."""
    lines = "".join([f"{digests[path]} {path}\n" for path in sorted(digests)])
    return f"{lines}{digest_of(lines.encode())} {_ALL}\n"


def read_manifest(text: str) -> "tuple[dict[str, str], str] | None":
    """Return the digests of the files by path, and that of all; None if the manifest is damaged."""
    lines = text.split("\n")
    if len(lines) < 3 or lines[-1]:  # noqa: PLR2004  # a file, all, and nothing behind the end
        return None
    digests: dict[str, str] = {}
    for line in lines[:-2]:
        digest, _, path = line.partition(" ")
        digests[path] = digest
    digest, _, _ = lines[-2].partition(" ")
    return (digests, digest) if text == write_manifest(digests) else None


def digest_of(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hex."""
    return hex_of(hashlib.sha256(data))


def hex_of(hashed: "hashlib._Hash") -> str:
    """Return a SHA-256 in hex; MicroPython's cannot say it itself."""
    return binascii.hexlify(hashed.digest()).decode()
