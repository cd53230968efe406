"""What the firmware proves about itself before anything is sent out.

In this order: the table file (`config.py`), what it names on this machine (`on_site.py`), the
evaluator's tables (here), the journal (read and verified by `runtime.py`), the pins (claimed by
the devices). Whatever fails ends the process with one sentence.
"""

import hashlib

from firmware.errors import UnderfeltError
from firmware.rules import hand_tables

HAND_TABLES_SHA256 = "dd15faa9c4b3615dd12a38f04a95e52ad612b11eca06108e8cc7d033802a0f42"
"""The checksum of `hand_tables.bin`; a test says what it should be after `make tables`."""


class SelfTestFailed(UnderfeltError):  # noqa: N818  # the words of the log
    """A part of the program itself is not what it was when it was released."""


def check_hand_tables() -> None:
    """Prove that the tables by which hands are ranked are those that were released."""
    found = hashlib.sha256(hand_tables.FILE.read_bytes()).hexdigest()
    if found != HAND_TABLES_SHA256:
        raise SelfTestFailed(f"{hand_tables.FILE}: is damaged; install the software again")
