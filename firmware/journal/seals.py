"""The table's own key: what it signs is from this table and not from somebody with a copy.

Made at the first start, beside the segments and readable by nobody else: on a table no other
place can be written. It is no file of the journal: `journal pull` does not copy it. Whoever has the
whole card has the key too: only the heads that the jackpot controller keeps convict them.

`cryptography` is imported when the first key is made or read, not with the firmware.
"""

import hashlib
import os
import secrets
from pathlib import Path

from firmware.errors import JournalError

KEY_FILE = "head.key"
_KEY_BYTES = 32
_OTHERS = 0o077


class OwnKey:
    """An Ed25519 key."""

    def __init__(self, secret: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415  # see above
            Ed25519PrivateKey,
        )

        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw().hex()
        """The public key, in hexadecimal."""

    def sign(self, text: bytes) -> str:
        """Return the signature of a text, in hexadecimal."""
        return self._key.sign(text).hex()


def own_key(folder: Path) -> OwnKey:
    """Read the key of a table, or make one if there is none."""
    path = folder / KEY_FILE
    try:
        secret = path.read_bytes()
        mode = path.stat().st_mode
    except FileNotFoundError:
        secret, mode = _made(folder, path), 0
    except OSError as error:
        raise JournalError(f"{path}: the table's key cannot be read: {error.strerror}") from None
    if mode & _OTHERS:
        raise JournalError(f"{path}: is readable by others than its owner: run chmod 600 {path}")
    if len(secret) != _KEY_BYTES:
        raise JournalError(
            f"{path}: is not a key; remove it, and have the shift manager accept the new one"
        )
    return OwnKey(secret)


def sealed(key: OwnKey, snapshot: bytes, journal: str, first: int) -> bytes:
    """Write a snapshot with its seal, in a line of its own."""
    signature = key.sign(_seal_text(snapshot, journal, first))
    return snapshot + f"\n{key.public} {signature}\n".encode()


def is_sealed(key: OwnKey, data: bytes, journal: str, first: int) -> bool:
    """Return whether this table has written a snapshot, for this place of this journal."""
    snapshot, _, seal = data.partition(b"\n")
    public, _, signature = seal.decode("ascii", "replace").strip().partition(" ")
    text = _seal_text(snapshot, journal, first)
    return public == key.public and is_signed(public, signature, text)


def _seal_text(snapshot: bytes, journal: str, first: int) -> bytes:
    digest = hashlib.sha256(snapshot).hexdigest()
    return f"underfelt-snapshot {journal} {first} {digest}".encode()


def is_signed(public: str, signature: str, text: bytes) -> bool:
    """Return whether the owner of a public key has signed a text."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415  # as above
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415  # as above
        Ed25519PublicKey,
    )

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(
            bytes.fromhex(signature), text
        )
    except (InvalidSignature, ValueError):
        return False
    return True


def _made(folder: Path, path: Path) -> bytes:
    """Make a key and put it in its place, on the disk."""
    secret, temporary = secrets.token_bytes(_KEY_BYTES), path.with_name(f"{path.name}.tmp")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            os.write(descriptor, secret)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        temporary.rename(path)
        held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(held)
        finally:
            os.close(held)
    except OSError as error:
        raise JournalError(f"{path}: the table's key cannot be written: {error.strerror}") from None
    return secret
