"""Who works at a table: number, name, role, and a PIN that is kept only as a hash.

A PIN has few digits, so the hash is slow (scrypt): somebody who copies a table file cannot
quickly try them all. What a role may do is up to the table.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from firmware.protocol.fault_catalogue import Role

SALT_BYTES = 16
_HASH_BYTES = 32
_SCHEME = "scrypt"

StaffNumber = Annotated[str, Meta(pattern=r"^[0-9]{1,8}\Z")]
Hashed = Annotated[str, Meta(pattern=r"^scrypt\$[0-9a-f]{32}\$[0-9a-f]{64}\Z")]


class Staff(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody who may do something at the table; `pin` is `scrypt$<salt hex>$<hash hex>`."""

    number: StaffNumber
    name: Annotated[str, Meta(min_length=1, max_length=64)]
    role: Role
    pin: Hashed


def hash_pin(pin: str, salt: bytes) -> str:
    """Hash a PIN as the table file keeps it."""
    # 16 MiB and some tens of milliseconds per try, a second on the smallest Pi.
    hashed = hashlib.scrypt(pin.encode(), salt=salt, n=2**14, r=8, p=1, dklen=_HASH_BYTES)
    return f"{_SCHEME}${salt.hex()}${hashed.hex()}"


_NOBODY = f"{_SCHEME}${bytes(SALT_BYTES).hex()}${bytes(_HASH_BYTES).hex()}"
"""What the PIN of an unknown number is compared with: the hash of nothing known."""


def identify(staff: Sequence[Staff], number: str, pin: str) -> Staff | None:
    """Return the person with this number and PIN.

    An unknown number takes the same time, so that trying does not reveal the numbers.
    """
    found = next((each for each in staff if each.number == number), None)
    kept = found.pin if found is not None else _NOBODY
    salt = bytes.fromhex(kept.split("$")[1])
    fits = hmac.compare_digest(hash_pin(pin, salt), kept)
    return found if fits else None
