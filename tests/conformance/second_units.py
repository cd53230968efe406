"""The units of the second controller: which start of which journal speaks for a table.

Written from the contract alone, chapter 7; imports nothing of the project.
"""

import secrets
import time
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

GONE_S = 10.0
FORGOTTEN_S = 60.0
"""Whoever has asked so long ago has given up: a table asks every 5 s, or every 30 s."""
Document = dict[str, Any]


class SecondUnits:
    """The units of all tables; what they know is in the books."""

    def __init__(self, books: Document, wrong: str = "") -> None:
        self.books, self.wrong = books, wrong
        self.asked: dict[str, float] = {}
        """When the known start of a journal was first asked for another one (7.9)."""
        self.heard: dict[str, float] = {}
        """When the known start last answered a question (7.12)."""
        self.gone: set[str] = set()
        """The journals whose known start did not answer (7.9)."""
        self.connections: dict[str, str] = {}
        """The newest connection on which the start that speaks has answered (7.7, 7.10)."""
        self.doubted: dict[str, float] = {}
        """When a farewell of another connection was heard (7.10)."""
        self.by_order: dict[str, Document] = {}
        """The starts that speak by an order that is not in their journal yet (7.11)."""
        self.orders: dict[str, Document] = {}
        """What the house has ordered of a journal, and the start that it is for (7.11)."""
        self.refused_last: dict[str, Document] = {}
        """The start of each journal that was refused last, and its head."""
        self.nonces: dict[tuple[str, str], str] = {}
        """The open question to each start of a journal (7.12)."""

    def refused(self, journal: str, boot: str, reason: str) -> Document:
        """Write a refusal (7.6)."""
        return {"message": "unit_refused", "journal": journal, "boot": boot, "reason": reason}

    def other_unit(self, table: str, journal: str) -> bool:
        """Register the first unit of a table, and say whether this is another one (7.1, 7.2)."""
        known = self.books["units"].setdefault(table, journal)
        return known != journal and self.wrong != "takes a second unit"

    def start_of(self, table: str, journal: str) -> str:
        """Return the start that speaks for a journal; empty if there is none."""
        return str((self.speaks(f"{table}.{journal}") or {}).get("boot", ""))

    def speaks(self, unit: str) -> Document | None:
        """Return the head of the known start, or of the one that speaks by order (7.11)."""
        known: Document | None = self.books["heads"].get(unit)
        return self.by_order.get(unit, known)

    def farewell(
        self, table: str, status: Document, *, is_online: bool
    ) -> tuple[bool, list[Document]]:
        """Return whether a status with `online` false counts, and what is asked (7.10)."""
        if self.books["units"].get(table) != status["journal"]:
            return False, []
        unit = f"{table}.{status['journal']}"
        speaks = self.speaks(unit)
        if speaks is None or self.wrong == "believes any last will":
            return True, []
        if not self.has_said_goodbye(table, status, speaks):
            return False, []
        newest = self.connections.get(unit) == status.get("connection", "")
        unsigned = self.wrong == "believes a last will that nobody has signed"
        if newest or unsigned or self.wrong == "believes an old last will":
            self.connections.pop(unit, None)
            return True, []
        if not is_online:
            return False, []
        self.doubted.setdefault(unit, time.monotonic())
        return False, [self.head_asked(unit, speaks["boot"], speaks)]

    def has_said_goodbye(self, table: str, status: Document, speaks: Document) -> bool:
        """Return whether a farewell is from the start that speaks, on whichever connection (7.10)."""
        if status.get("boot", "") != speaks["boot"]:
            return False
        if self.wrong == "believes a last will that nobody has signed":
            return True
        return self.is_signed(table, status, speaks["key"])

    def after_farewell(self, unit: str) -> Document | None:
        """Ask a start again of which a farewell was heard; return nothing once it is gone (7.10)."""
        speaks = self.speaks(unit)
        if speaks is not None and time.monotonic() - self.doubted[unit] < GONE_S:
            return self.head_asked(unit, speaks["boot"], speaks)
        del self.doubted[unit]
        self.gone.add(unit)
        return None

    def is_proved(self, unit: str, status: Document) -> bool:
        """Return whether the start that speaks has answered on this connection (7.7)."""
        speaks = self.speaks(unit)
        if speaks is None or speaks["boot"] != status.get("boot", "") or unit in self.gone:
            return False
        return bool(self.connections.get(unit) == status.get("connection", ""))

    def was_overtaken(self, table: str, status: Document) -> bool:
        """Return whether a later record of the journal was heard of before (4.7)."""
        known = self.speaks(f"{table}.{status['journal']}") or {}
        return bool((status.get("head") or known).get("record", 0) < known.get("record", 0))

    def judge(
        self, table: str, status: Document, *, known_is_online: bool, retained: bool
    ) -> tuple[bool, list[Document]]:
        """Return whether an online status is accepted, and what is answered about its start."""
        journal, boot = status["journal"], status.get("boot", "")
        if self.other_unit(table, journal):
            return False, [self.refused(journal, boot, "another unit speaks for this table")]
        unit = f"{table}.{journal}"
        head = status.get("head")
        answers = not retained and self.is_answer(table, status)
        ordered = self.is_ordered(table, status)
        why, ask = self.verdict(table, status, ordered=ordered, answers=answers)
        speaks = self.speaks(unit) if known_is_online and not why and not ask else None
        if speaks is not None and speaks["boot"] != boot:
            why, ask = self.beside(unit, speaks)
        if why:
            if head is not None:
                self.refused_last[unit] = {"boot": boot, "head": head}
            return False, [self.refused(journal, boot, why)]
        if ask:
            return False, [ask]
        if head is not None:
            alive = answers or (self.wrong == "believes what is said again" and not retained)
            if alive:
                self.heard[unit] = time.monotonic()
            self.keep(unit, status, ordered=ordered, answers=answers)
        return True, self.welcome(unit, status)

    def verdict(
        self, table: str, status: Document, *, ordered: bool, answers: bool
    ) -> tuple[str, Document | None]:
        """Judge a start by the known head, or by the order that is for it (7.8, 7.11)."""
        unit = f"{table}.{status['journal']}"
        known = self.books["heads"].get(unit)
        if not ordered:
            return self.against(table, status, known, answers=answers)
        if answers or self.is_proved(unit, status):
            return "", None
        return "", self.head_asked(unit, status["boot"], known or {"record": 0})

    def welcome(self, unit: str, status: Document) -> list[Document]:
        """Tell a start that waits that it is accepted, and from where it goes on (7.6, 7.11)."""
        journal, boot = status["journal"], status.get("boot", "")
        order = self.orders.get(unit, {})
        if not status.get("waits"):
            return []
        if self.wrong == "accepts nobody":
            return []
        books = "others" if self.wrong == "accepts for other books" else self.books["name"]
        accepted = {"message": "unit_accepted", "journal": journal, "boot": boot, "books": books}
        if order.get("boot") == boot and self.wrong != "goes on without a word":
            accepted["goes_on"] = order["goes_on"]
        if self.wrong == "lets anybody go on":
            counts = {"contributions": 0, "contributed_cents": 0}
            accepted["goes_on"] = {"through": 9, "round": 1, **counts, "by": "nobody"}
        return [accepted]

    def against(
        self, table: str, status: Document, known: Document | None, *, answers: bool
    ) -> tuple[str, Document | None]:
        """Say what is against a start, or what it has to prove first (7.5, 7.7, 7.8)."""
        head = status.get("head")
        if head is None:
            proves = known is None or self.wrong == "needs no head"
            return ("" if proves else "it proves no head"), None
        if not self.is_signed(table, status, head["key"]):
            return "its head is not signed with its key", None
        if known is None:
            ids = [id_.split(".") for id_ in self.books["entered"]]
            mine = [int(id_[2]) for id_ in ids if id_[:2] == [table, status["journal"]]]
            return ("records are missing" if head["record"] < max(mine, default=0) else ""), None
        if head["key"] != known["key"] and self.wrong != "accepts another key":
            return "it has another key than before", None
        return self.continues(f"{table}.{status['journal']}", status, known, answers=answers)

    def continues(
        self, unit: str, status: Document, known: Document, *, answers: bool
    ) -> tuple[str, Document | None]:
        """Ask a start, or say why it does not continue the known journal (7.7, 7.8)."""
        head, boot = status["head"], status["boot"]
        is_known = boot == known["boot"] and unit not in self.by_order
        if not answers and not (is_known and self.is_proved(unit, status)):
            return "", self.head_asked(unit, boot, known)
        if is_known and self.wrong == "accepts another chain":
            return "", None
        if is_known:
            other = head["record"] == known["record"] and head["chain"] != known["chain"]
            return ("its last record is another one" if other else ""), None
        return self.proved(unit, status, known)

    def proved(self, unit: str, status: Document, known: Document) -> tuple[str, Document | None]:
        """Say why a start that has answered does not continue the known journal (7.8)."""
        if status["head"]["record"] < known["record"]:
            return ("" if self.wrong == "accepts an older copy" else "records are missing"), None
        if self.wrong == "accepts what was played on":
            return "", None
        proof = status["proof"]
        if proof["record"] != known["record"]:  # it has grown since the question
            return "", self.head_asked(unit, status["boot"], known)
        same = proof["chain"] == known["chain"]
        return ("" if same else "it is a copy that was played on"), None

    def beside(self, unit: str, known: Document) -> tuple[str, Document | None]:
        """Ask the known start, which seems to be there, and judge by its answer (7.9)."""
        if self.wrong == "takes a second start":
            return "", None
        now_s = time.monotonic()
        forgotten_s = GONE_S + 5 if self.wrong == "forgets who waits" else FORGOTTEN_S
        if now_s - self.asked.get(unit, now_s) > forgotten_s:
            del self.asked[unit]
        since_s = self.asked.setdefault(unit, now_s)
        if self.heard.get(unit, 0.0) >= since_s or self.wrong == "refuses for ever":
            del self.asked[unit]
            return "another start is on the link", None
        if now_s - since_s >= GONE_S:
            del self.asked[unit]
            self.gone.add(unit)
            return "", None
        return "", self.head_asked(unit, known["boot"], known)

    def accept(self, table: str, journal: str, by: str) -> None:
        """Let the start that was refused last go on from what the books have (7.11)."""
        unit = f"{table}.{journal}"
        mine = {id_: each for id_, each in self.books["entered"].items() if id_.startswith(unit)}
        records = [int(id_.split(".")[2]) for id_ in mine]
        refused = self.refused_last[unit]
        after = refused["head"].get("went_on", 0) + 1
        through = max([self.books["heads"][unit]["record"], after, *records])
        number, cents = self.books["counts"].get(unit, (0, 0))
        goes_on = {
            "through": through - (self.wrong == "goes on too early"),
            "round": max((each.get("round", 0) for each in mine.values()), default=0),
            "contributions": number,
            "contributed_cents": cents,
            "by": by,
        }
        self.orders[unit] = {**refused, "goes_on": goes_on}
        self.by_order.pop(unit, None)

    def is_ordered(self, table: str, status: Document) -> bool:
        """Return whether a status is from the start, the key and the head of an order (7.11)."""
        journal, boot, head = status["journal"], status.get("boot", ""), status.get("head")
        order = self.orders.get(f"{table}.{journal}")
        if order is None or head is None or order["boot"] != boot:
            return False
        meant = order["head"]
        same = head["record"] > meant["record"] or head["chain"] == meant["chain"]
        mine = head["key"] == meant["key"] and head["record"] >= meant["record"]
        return same and mine and self.is_signed(table, status, head["key"])

    def head_asked(self, unit: str, boot: str, known: Document) -> Document:
        """Ask a start for what it has at the known record (7.8, 7.12)."""
        nonce = self.nonces.setdefault((unit, boot), secrets.token_hex(16))
        asked = {"journal": unit.partition(".")[2], "boot": boot, "record": known["record"]}
        return {"message": "head_asked", **asked, "nonce": nonce}

    def is_answer(self, table: str, status: Document) -> bool:
        """Return whether a status answers the open question to its start, which it closes (7.12)."""
        journal, boot = status["journal"], status.get("boot", "")
        proof, head = status.get("proof") or {}, status.get("head") or {}
        nonce = self.nonces.get((f"{table}.{journal}", boot))
        if nonce is None or proof.get("nonce") != nonce:
            return False
        about = f"{table} {journal} {boot} {nonce} {proof['record']} {proof['chain']}"
        if not self.has_signed(head.get("key", ""), proof, f"underfelt-proof {about}"):
            return False
        del self.nonces[f"{table}.{journal}", boot]
        return True

    def keep(self, unit: str, status: Document, *, ordered: bool, answers: bool) -> None:
        """Keep who speaks, and the newest head of a journal (7.7, 7.11)."""
        boot, head = status["boot"], status["head"]
        known, speaks = self.books["heads"].get(unit), self.speaks(unit)
        if answers or speaks is None:
            self.connections[unit] = status.get("connection", "")
        if answers:
            self.gone.discard(unit)
            self.doubted.pop(unit, None)
        newest = {"boot": boot, **{name: head[name] for name in ("record", "chain", "key")}}
        if ordered and not self.has_gone_on(unit, status):
            self.by_order[unit] = newest
            return
        grows = known is None or known["boot"] != boot or head["record"] > known["record"]
        if grows or unit in self.by_order:
            self.books["heads"][unit] = newest
            self.orders.pop(unit, None)
            self.by_order.pop(unit, None)

    def has_gone_on(self, unit: str, status: Document) -> bool:
        """Return whether an order is in the journal of the start that it is for (7.11)."""
        if self.wrong == "forgets for whom an order is":
            self.books["heads"][unit] = {"boot": status["boot"], **status["head"]}
        through = self.orders[unit]["goes_on"]["through"]
        return not status.get("waits") and bool(status["head"].get("went_on", 0) >= through)

    def is_signed(self, table: str, status: Document, key: str) -> bool:
        """Return whether a head is signed with a key, for a status or a farewell (7.5)."""
        head = status.get("head") or {}
        kind = "head" if status["online"] else "farewell"
        start = f"{table} {status['journal']} {status.get('boot', '')} {status.get('connection')}"
        end = f"{head.get('record')} {head.get('chain')} {head.get('went_on', 0)}"
        return self.has_signed(key, head, f"underfelt-{kind} {start} {end}")

    def has_signed(self, public: str, signed: Document, text: str) -> bool:
        """Return whether the owner of a key has signed a text."""
        try:
            key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
            key.verify(bytes.fromhex(signed.get("signature", "")), text.encode())
        except (InvalidSignature, ValueError):
            return self.wrong == "believes any signature"
        return True
