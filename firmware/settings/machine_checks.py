"""What must be true of this machine: certificates, journal folder, ports, hand tables.

Before anything is sent out the firmware proves, in this order: the table file
(`table_file.py`), the certificates and folder that it names (here), the evaluator's tables
(here), the journal (read and verified by `shell/runtime.py`) and the pins (claimed by the
devices). Any failure ends the process with one sentence. A port may come and go, which
`devices/` handles; `underfelt check --here` checks ports too.
"""

import hashlib
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from firmware.devices.bootsel import WAITS, pico_waits
from firmware.errors import BadInput, SelfTestFailed
from firmware.link.tls import client_context
from firmware.rules import hand_tables
from firmware.settings.staff import EXAMPLE_HASHES, EXAMPLE_PINS, Staff, fits
from firmware.settings.table_file import TableFile

HAND_TABLES_SHA256 = "dd15faa9c4b3615dd12a38f04a95e52ad612b11eca06108e8cc7d033802a0f42"
"""The checksum of `hand_tables.bin`; a test says what it should be after `make tables`."""


def check_before_start(path: Path, file: TableFile) -> None:
    """Check what must be there before the firmware starts."""
    check_pins(path, file)
    check_certificates(path, file)
    check_journal(path, file)
    check_hand_tables()


def check_pins(path: Path, file: TableFile) -> None:
    """Refuse the hashes of the example, whose PINs everybody knows."""
    for entry, each in enumerate(file.staff, 1):
        if each.pin in EXAMPLE_HASHES:
            raise _known_pin(path, entry)


def try_known_pins(path: Path, file: TableFile) -> None:
    """Refuse a PIN that everybody knows, however it is hashed.

    That takes a second for each of the staff on the smallest Pi, so a start does without it.
    """
    with ThreadPoolExecutor() as pool:  # hashing leaves the interpreter to the others
        for entry, known in enumerate(pool.map(_has_known_pin, file.staff), 1):
            if known:
                raise _known_pin(path, entry)


def _has_known_pin(each: Staff) -> bool:
    return any(fits(each.pin, pin) for pin in EXAMPLE_PINS)


def _known_pin(path: Path, entry: int) -> BadInput:
    remedy = "make one with 'underfelt staff entry'"
    reason = f"is the PIN of the example file, which everybody knows; {remedy}"
    return BadInput(str(path), f"staff.pin (entry {entry}): {reason}")


def check_secrets(path: Path, file: TableFile) -> None:
    """Check that nobody but the firmware can read the hashes of the PINs."""
    if secrets_are_open(path, file):
        remedy = f"run 'chown underfelt {path}' and 'chmod 600 {path}'"
        raise BadInput(
            str(path), f"others than the firmware can read the PINs' hashes in it; {remedy}"
        )


def secrets_are_open(path: Path, file: TableFile) -> bool:
    """Return whether others than its owner can read the hashes of the PINs.

    A start only warns of it: a table that does not start helps nobody who wants to play.
    """
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return bool(file.staff) and bool(mode & (stat.S_IRWXG | stat.S_IRWXO))


def check_hand_tables() -> None:
    """Prove that the tables by which hands are ranked are those that were released."""
    found = hashlib.sha256(hand_tables.FILE.read_bytes()).hexdigest()
    if found != HAND_TABLES_SHA256:
        raise SelfTestFailed(f"{hand_tables.FILE}: is damaged; reinstall the software")


def check_certificates(path: Path, file: TableFile) -> None:
    """Check that the files of the link's TLS can be read and belong together."""
    if file.link.ca is None:
        return
    try:
        client_context(file.link, file.table.name)
    except BadInput as error:
        remedy = "put the right file there, or correct the key"
        raise BadInput(str(path), f"{error}; {remedy}") from None


def check_journal(path: Path, file: TableFile) -> None:
    """Check that the folder of the journal is there and can be written."""
    folder = Path(file.journal)
    if not folder.is_dir():
        remedy = f"create it with 'mkdir -p {folder}', or correct the key"
        raise BadInput(str(path), f"journal: there is no folder {folder}; {remedy}")
    if not os.access(folder, os.W_OK | os.X_OK):
        remedy = "give it to the user of the service with chown"
        raise BadInput(str(path), f"journal: {folder} cannot be written; {remedy}")


def check_ports(path: Path, file: TableFile) -> None:
    """Check that every serial port is there and can be opened."""
    for device in ("cards", "panel", "sign", "spots"):
        port = getattr(file.serial, device)
        if port is None:
            continue
        if not Path(port).exists():
            if device == "spots" and pico_waits():
                raise BadInput(str(path), f"serial.spots: there is no {port}, but {WAITS}")
            adapter = "the spot board" if device == "spots" else "its adapter"
            remedy = f"plug {adapter} in, or name its port under [serial]"
            raise BadInput(str(path), f"serial.{device}: there is no {port}; {remedy}")
        if not os.access(port, os.R_OK | os.W_OK):
            remedy = "add this user to the group dialout"
            raise BadInput(str(path), f"serial.{device}: no permission for {port}; {remedy}")
