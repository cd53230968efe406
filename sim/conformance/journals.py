"""The journals of the kit's tables: records with a chain, a key that signs their end, and copies."""

import hashlib
import secrets

from msgspec.structs import replace

from firmware.journal.seals import OwnKey
from firmware.protocol.messages import HeadAsked, Proof, SignedHead, proved_text, signed_text


class KitJournal:
    """A journal of which only the chain matters; nothing is written anywhere."""

    def __init__(self) -> None:
        self.name = f"kit-{secrets.token_hex(8)}"
        self.key = OwnKey(secrets.token_bytes(32))
        self.shown_key = self.key.public
        """The key that the head names; it is another one only for a forger."""
        self.went_on = 0
        """The `through` of the last order that is in it."""
        self._chains: list[str] = []
        self.write()

    @property
    def last(self) -> int:
        """The number of the last record."""
        return len(self._chains)

    def write(self, records: int = 1) -> int:
        """Add records, and return the number of the last."""
        for _ in range(records):
            before = self._chains[-1] if self._chains else ""
            text = f"{before} {secrets.token_hex(8)}".encode()
            self._chains.append(hashlib.sha256(text).hexdigest())
        return self.last

    def chain_at(self, record: int) -> str:
        """Return the chain of a record; empty if the journal does not have it."""
        return self._chains[record - 1] if 0 < record <= self.last else ""

    def head(self, table: str, boot: str, connection: str, *, online: bool = True) -> SignedHead:
        """Return the last record and its chain, signed for a connection, or for its farewell."""
        head = SignedHead(
            record=self.last,
            chain=self.chain_at(self.last),
            key=self.shown_key,
            signature="",
            went_on=self.went_on,
        )
        text = signed_text(table, self.name, boot, connection, head, online=online)
        return replace(head, signature=self.key.sign(text))

    def proved(self, table: str, asked: HeadAsked) -> Proof:
        """Return the chain of the record that is asked for, signed for this question."""
        proof = Proof(record=asked.record, chain=self.chain_at(asked.record), nonce=asked.nonce)
        text = proved_text(table, self.name, asked.boot, proof)
        return replace(proof, signature=self.key.sign(text))

    def copied(self, *, without: int = 0) -> "KitJournal":
        """Copy the whole card, or make the copy some records ago."""
        copy = KitJournal()
        copy.name, copy.key, copy.shown_key = self.name, self.key, self.shown_key
        copy.went_on = self.went_on
        copy._chains = self._chains[: self.last - without]
        return copy

    def with_another_key(self, *, shown: bool) -> "KitJournal":
        """Copy the records alone: whoever has them signs with another key, and may hide that."""
        copy = self.copied()
        copy.key = OwnKey(secrets.token_bytes(32))
        copy.shown_key = copy.key.public if shown else self.shown_key
        return copy
