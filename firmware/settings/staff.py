"""Who works at a table: number, name, role, and a PIN that is kept only as a hash.

A PIN has few digits, so the hash is slow (scrypt): somebody who copies a table file cannot
quickly try them all. Who may confirm a major has a PIN of at least six, and its hash says so
(`scrypt6`); that word is hashed with the PIN, so that a hash under another one fits no PIN at
all. What a role may do is up to the table.
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
_LONG_SCHEME = "scrypt6"
"""That of a PIN with at least `LONG_PIN` digits."""
LONG_PIN = 6
NEED_LONG_PIN: frozenset[Role] = frozenset({"pit_supervisor", "shift_manager"})
"""Who may confirm a major."""
EXAMPLE_PINS = ("2468", "246810")
"""The PINs of `hw/table.example.toml`, which everybody can read."""
EXAMPLE_HASHES = frozenset(
    {
        "scrypt$4f6abcedb5a4dda360ceb584ea90f1f7$7e10621baae3a1f25bc1d1e2a95ea5cd90986269da880e6ea1d4598b4bbde40c",
        "scrypt6$412b772cc206d4fbbac3eaf00b6c662b$f52c6d1e155b88fa7915c9e8f3383aa39314623e9af0bc4bf1bcd144a47d74dc",
        "scrypt6$ce0cdc726a032d7270cf93acd0e5be31$acc2d694aec4510008f0bbe61a7680c49f21f988c09a1b669ada694311e11319",
        "scrypt6$ccb30b21f526e55236d78cfd4dc78591$c6957f727451feb1af2b88177dd083d792c2585cedf9b6d9443540fb2ed66de8",
    }
)
"""Those PINs as they are in that file."""

StaffNumber = Annotated[str, Meta(pattern=r"^[0-9]{1,8}\Z")]
Hashed = Annotated[str, Meta(pattern=r"^scrypt6?\$[0-9a-f]{32}\$[0-9a-f]{64}\Z")]


class Staff(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody who may do something at the table; `pin` is `scrypt$<salt hex>$<hash hex>`."""

    number: StaffNumber
    name: Annotated[str, Meta(min_length=1, max_length=64)]
    role: Role
    pin: Hashed

    def __post_init__(self) -> None:
        """Refuse a name that would steer the terminal, the log or the page that shows it."""
        if not self.name.isprintable():
            raise ValueError("name: has characters that do not print; write it without them")

    @property
    def pin_is_too_short(self) -> bool:
        """Whether the PIN has fewer digits than the role needs."""
        return self.role in NEED_LONG_PIN and not self.pin.startswith(f"{_LONG_SCHEME}$")


def hash_pin(pin: str, salt: bytes) -> str:
    """Hash a PIN as the table file keeps it."""
    return _hashed(_LONG_SCHEME if len(pin) >= LONG_PIN else _SCHEME, pin, salt)


def _hashed(scheme: str, pin: str, salt: bytes) -> str:
    # The first scheme came before there were two, and has no word of its own in what is hashed.
    salted = salt if scheme == _SCHEME else f"{scheme}$".encode() + salt
    # 16 MiB and some tens of milliseconds per try, a second on the smallest Pi.
    hashed = hashlib.scrypt(pin.encode(), salt=salted, n=2**14, r=8, p=1, dklen=_HASH_BYTES)
    return f"{scheme}${salt.hex()}${hashed.hex()}"


NOBODY = f"{_SCHEME}${bytes(SALT_BYTES).hex()}${bytes(_HASH_BYTES).hex()}"
"""What the PIN of an unknown number is compared with: the hash of nothing known."""


def fits(kept: str, pin: str) -> bool:
    """Return whether a hash is that of a PIN; it takes as long for one that cannot be."""
    scheme, salt, _ = kept.split("$")
    same = hmac.compare_digest(_hashed(scheme, pin, bytes.fromhex(salt)), kept)
    return same and not (scheme == _LONG_SCHEME and len(pin) < LONG_PIN)


def identify(staff: Sequence[Staff], number: str, pin: str) -> Staff | None:
    """Return the person with this number and PIN.

    An unknown number takes the same time, so that trying does not reveal the numbers.
    """
    found = next((each for each in staff if each.number == number), None)
    return found if fits(NOBODY if found is None else found.pin, pin) else None
