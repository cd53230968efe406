"""The end of the table's journal, signed: what the table proves itself with on the jackpot link."""

from collections.abc import Callable

from msgspec.structs import replace

from firmware.journal.reader import chain_at
from firmware.journal.seals import OwnKey
from firmware.journal.writer import Journal
from firmware.protocol.messages import HeadAsked, Proof, SignedHead, proved_text, signed_text


class JournalHeads:
    """Says how far a journal has got, in the name of its table."""

    def __init__(
        self,
        table: str,
        journal_id: str,
        journal: Journal,
        key: OwnKey,
        went_on: Callable[[], int],
    ) -> None:
        """Ask the table after which record it went on by the last order in its journal."""
        self._table = table
        self._journal_id = journal_id
        self._journal = journal
        self._key = key
        self._went_on = went_on

    def signed(self, boot: str, connection: str, *, online: bool) -> SignedHead:
        """Return the last record and its chain, signed for a status or farewell of a connection."""
        record, chain = self._journal.head
        public, went_on = self._key.public, self._went_on()
        head = SignedHead(record=record, chain=chain, key=public, signature="", went_on=went_on)
        unit = self._table, self._journal_id
        text = signed_text(*unit, boot, connection, head, online=online)
        return replace(head, signature=self._key.sign(text))

    def proved(self, asked: HeadAsked) -> Proof:
        """Return the chain of the record that is asked for, signed for this one question."""
        chain = chain_at(self._journal.folder, asked.record)
        proof = Proof(record=asked.record, chain=chain, nonce=asked.nonce)
        text = proved_text(self._table, self._journal_id, asked.boot, proof)
        return replace(proof, signature=self._key.sign(text))
