"""The questions that starts of units are asked, and whether a status is the answer to one.

Whoever has heard a status can say it again, and without TLS anybody can: that a start is there is
shown only by what it cannot have said before. So each question has a nonce of its own, with which
its answer is signed, and is answered once.
"""

import secrets

from firmware.journal.seals import is_signed
from firmware.protocol.messages import HeadAsked, TableStatus, proved_text
from sim.jackpot_controller.unit_orders import Unit

_NONCE_BYTES = 16


class Questions:
    """The questions of a link that were not answered yet."""

    def __init__(self) -> None:
        self._nonces: dict[Unit, dict[str, str]] = {}
        """The nonce of the question to each start."""

    def ask(self, unit: Unit, boot: str, record: int) -> HeadAsked:
        """Ask a start for the chain of a record; until it has answered, it is the same question."""
        nonce = self._nonces.setdefault(unit, {}).setdefault(boot, secrets.token_hex(_NONCE_BYTES))
        return HeadAsked(journal=unit[1], boot=boot, record=record, nonce=nonce)

    def is_answer(self, status: TableStatus) -> bool:
        """Return whether a status answers the question to its start, which is over with that."""
        unit, head, proof = (status.table, status.journal), status.head, status.proof
        nonce = self._nonces.get(unit, {}).get(status.boot)
        if nonce is None or head is None or proof is None or proof.nonce != nonce:
            return False
        if not is_signed(head.key, proof.signature, proved_text(*unit, status.boot, proof)):
            return False
        del self._nonces[unit][status.boot]
        return True

    def forget(self, unit: Unit) -> None:
        """Forget what the starts of a unit were asked: another one speaks for it now."""
        self._nonces.pop(unit, None)
