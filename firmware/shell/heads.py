"""The end of the table's journal, signed: what the table proves itself with on the jackpot link."""

from firmware.journal.reader import chain_at
from firmware.journal.seals import OwnKey
from firmware.journal.writer import Journal
from firmware.protocol.messages import SignedHead, signed_text


class JournalHeads:
    """Says how far a journal has got, in the name of its table."""

    def __init__(self, table: str, journal_id: str, journal: Journal, key: OwnKey) -> None:
        self._table = table
        self._journal_id = journal_id
        self._journal = journal
        self._key = key

    def signed(self, boot: str) -> SignedHead:
        """Return the last record and its chain, signed for this start of the firmware."""
        record, chain = self._journal.head
        text = signed_text(self._table, self._journal_id, boot, record, chain)
        signature = self._key.sign(text)
        return SignedHead(record=record, chain=chain, key=self._key.public, signature=signature)

    def chain_at(self, record: int) -> str:
        """Return the chain of an earlier record; empty if the journal does not have it."""
        return chain_at(self._journal.folder, record)
