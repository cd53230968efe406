"""A second, small jackpot controller, written from `firmware/protocol/asyncapi.yaml` alone.

It imports nothing of the project but its own other half, `second_units.py`: what it knows of the link
is what a vendor reads. It serves the games that pay by the time of the deal. Numbers in comments are paragraphs of the contract. `wrong` names
one mistake that it makes on purpose, for the kit to find.

    python -m tests.conformance.second_controller PORT ROOT FILE [WRONG]
"""

import asyncio
import json
import os
import re
import secrets
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiomqtt

from tests.conformance.second_units import SecondUnits

GAME = "rws-casino-stud"
RESET_CENTS = 5_000_000
PARTS = 10_000
"""A part is a ten-thousandth of a cent, so that no rate leaves a remainder (4.5)."""
RATE = 2_500
HEARTBEAT_S = 2.0
PATIENCE_S = 20.0
HOLDS_BACK_S = 0.2
ID = re.compile(r"([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]{1,64})\.[0-9]{1,18}\.[0-9]{1,9}")
MOST = 2**53
KINDS = {"contribution", "reversal", "win", "verdict", "round", "fault"}
Document = dict[str, Any]
Said = tuple[str, Document, bool]
"""A topic, a document, and whether it is retained."""


def is_within_bounds(part: Any) -> bool:  # noqa: ANN401  # any JSON
    """Return whether no number of a document is too large, and none is broken (1.8)."""
    if isinstance(part, dict):
        return all(map(is_within_bounds, part.values()))
    if isinstance(part, list):
        return all(map(is_within_bounds, part))
    return not isinstance(part, float) and (not isinstance(part, int) or abs(part) <= MOST)


class SecondController:
    """One link: its books in one file, its place on one broker."""

    def __init__(self, port: int, root: str, path: Path, wrong: str = "") -> None:
        self.port, self.root, self.path, self.wrong = port, root, path, wrong
        self.statuses: dict[str, Document] = {}
        self.early: dict[str, float] = {}
        self.held_back: list[asyncio.Task[None]] = []
        self.books: Document = {
            "name": secrets.token_hex(8),
            "fund": RESET_CENTS * PARTS,
            "reserve": 0,
            "locked": False,
            "sequence": {"meter": 0, "pending": 0},
            "entered": {},
            "claims": {},
            "units": {},
            "heads": {},
            "counts": {},
        }
        if path.exists():
            self.books = json.loads(path.read_text())
        self.units = SecondUnits(self.books, wrong)

    # ── the connection ───────────────────────────────────────────────────────

    async def run(self) -> None:
        """Serve for ever."""
        will = aiomqtt.Will(
            f"{self.root}/controller/status", json.dumps(self.status(online=False)), 1, retain=True
        )
        async with aiomqtt.Client(
            "127.0.0.1",
            self.port,
            identifier=f"second-{self.root}",
            will=None if self.wrong == "no will" else will,
            keepalive=5,
            socket_options=[(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],  # 2.2: at once
        ) as client:
            self.client = client
            for topic in ("owed", "status"):  # 1.6
                await client.subscribe(f"{self.root}/table/+/{topic}", qos=1)
            for said in (self.meter(), self.pending()):
                await self.publish(said)
            beating = asyncio.create_task(self.beat())
            try:
                async for message in client.messages:
                    payload = message.payload if isinstance(message.payload, bytes) else b""
                    for said in self.take(message.topic.value, payload, retained=message.retain):
                        if self.wrong == "holds meters back" and said[0].endswith("meter"):
                            self.held_back.append(asyncio.create_task(self.publish_later(said)))
                        else:
                            await self.publish(said)
            finally:
                beating.cancel()

    async def beat(self) -> None:
        """Say every two seconds that it is online (2.1)."""
        while True:
            said = (f"{self.root}/controller/status", self.status(online=True), True)
            await self.publish(said)
            for each in self.look_for_the_gone():
                await self.publish(each)
            await asyncio.sleep(60 if self.wrong == "no heartbeat" else HEARTBEAT_S)

    def look_for_the_gone(self) -> list[Said]:
        """Ask starts again that may be gone, and note those that have not answered (7.10)."""
        said = []
        for table, unit in [(each.partition(".")[0], each) for each in self.units.doubted]:
            asked = self.units.after_farewell(unit)
            if asked is None:
                self.statuses[table] = {**self.statuses.get(table, {}), "online": False}
            else:
                said.append(self.answer(table, **asked))
        return said

    async def publish(self, said: Said) -> None:
        """Publish with QoS 1, retained or not (1.2)."""
        topic, document, retain = said
        if self.wrong == "meter not retained" and topic.endswith("meter"):
            retain = False
        if self.wrong == "answers retained" and topic.endswith("answer"):
            retain = True
        qos = 0 if self.wrong == "qos 0" else 1
        await self.client.publish(topic, json.dumps(document), qos=qos, retain=retain)

    async def publish_later(self, said: Said) -> None:
        """Publish something a while later."""
        await asyncio.sleep(HOLDS_BACK_S)
        await self.publish(said)

    # ── what is published ────────────────────────────────────────────────────

    def status(self, *, online: bool) -> Document:
        """Write the controller's status (2.1)."""
        return {
            "message": "controller_status",
            "online": online,
            "books": self.books["name"],
            "game": GAME,
        }

    def meter(self) -> Said:
        """Write the meter (3.4, 3.5)."""
        document = {
            "message": "meter",
            "meter_cents": self.meter_cents,
            "sequence": self.books["sequence"]["meter"],
            "reset_cents": RESET_CENTS,
            "books": self.books["name"],
        }
        return f"{self.root}/controller/meter", document, True

    def pending(self) -> Said:
        """Write the pending claims, and what they hold (5.6, 5.11)."""
        claims = [
            {
                "id": id_,
                "table": win["table"],
                "seat": win["seat"],
                "tier": win["claim"]["tier"],
                "dealt_at_ms": win["dealt_at_ms"],
                "percent": None if self.wrong == "no percent" else win["claim"].get("percent"),
            }
            for id_, win in self.waiting()
        ]
        document = {
            "message": "pending",
            "claims": claims,
            "sequence": self.books["sequence"]["pending"],
            "books": self.books["name"],
            "locked_cents": None if self.wrong == "no locked meter" else self.locked_cents,
            "reset_cents": RESET_CENTS,
        }
        return f"{self.root}/controller/pending", document, True

    @property
    def locked_cents(self) -> int | None:
        """The meter that the pending claims hold, less what was paid since (5.11)."""
        if self.wrong == "holds what was paid" and self.waiting():
            return int(self.books["held"])
        return self.meter_cents if self.waiting() else None

    def shown(self) -> tuple[int, list[str], int | None]:
        """Return what is published now: the meter, the pending claims, and what they hold."""
        return self.meter_cents, [id_ for id_, _ in self.waiting()], self.locked_cents

    @property
    def meter_cents(self) -> int:
        """The meter as displayed, rounded down (4.5)."""
        return int(self.books["fund"]) // PARTS

    def answer(self, table: str, **document: object) -> Said:
        """Write an answer to one table."""
        return f"{self.root}/table/{table}/answer", document, False

    # ── what comes ───────────────────────────────────────────────────────────

    def take(self, topic: str, payload: bytes, *, retained: bool) -> list[Said]:
        """Take a message; what is not one is dropped (1.8)."""
        _, table, kind = topic.removeprefix(self.root).rsplit("/", 2)
        try:
            document = json.loads(payload)
        except (ValueError, RecursionError):
            return []
        if not isinstance(document, dict) or not is_within_bounds(document):
            return []
        own = document.get("table") == table or self.wrong == "believes anybody"
        if not own or (kind == "owed") != (document.get("message") in KINDS):
            return []
        if kind == "status":
            return self.table_status(table, document, retained=retained)
        if self.wrong == "refuses unknown fields" and "colour" in document:
            return []
        return self.owed(table, document)

    def owed(self, table: str, document: Document) -> list[Said]:
        """Take what a table owes, once (3.1 to 3.3)."""
        id_ = document.get("id")
        found = ID.fullmatch(str(id_))
        rejected = self.answer(table, message="rejection", id=id_, reason="it cannot be entered")
        if found is None or (found[1] != table and self.wrong != "believes anybody"):
            return [rejected]
        known = self.books["entered"].get(id_)
        twice = self.wrong == "applies twice" and document["message"] == "contribution"
        if known is not None and not twice:  # 3.2
            if known != document and self.wrong != "other contents":
                return [rejected]
            return self.answered_again(table, document)
        if self.units.other_unit(table, found[2]):
            boot = self.units.start_of(table, found[2])
            reason = "another unit speaks for this table"
            return [self.answer(table, **self.units.refused(found[2], boot, reason))]
        if self.rests_on(document):
            since = self.early.setdefault(str(id_), time.monotonic())  # 2.5
            patience_s = 0 if self.wrong == "answers early" else PATIENCE_S
            return [] if time.monotonic() - since < patience_s else [rejected]
        return self.entered(table, document, f"{table}.{found[2]}")

    def rests_on(self, document: Document) -> bool:
        """Return whether something that it rests on has not come yet."""
        needs = document.get("contribution") or document.get("win")
        return needs is not None and needs not in self.books["entered"]

    def entered(self, table: str, document: Document, unit: str) -> list[Said]:
        """Enter something, save it, and only then say what follows from it (4.1, 5.4)."""
        shown = self.shown()
        self.books["entered"][document["id"]] = document
        self.apply(document, unit)
        awards = self.pay()
        moved = [*self.news(shown)]
        self.save()
        acknowledged = self.answer(table, message="acknowledgement", id=document["id"])
        withdraws = document["message"] == "verdict" and not document["confirmed"]
        if self.wrong == "meter before award" and awards:
            return [*moved, *awards, acknowledged]
        if withdraws and self.wrong == "awards before a withdrawal":
            return [*awards, acknowledged, *moved]
        if withdraws or self.wrong == "acknowledges first":
            return [acknowledged, *awards, *moved]
        return [*awards, acknowledged, *moved]

    def news(self, shown: tuple[int, list[str], int | None]) -> Iterator[Said]:
        """Yield what has changed of meter and pending claims, under a new sequence (3.5)."""
        said = []
        if self.meter_cents != shown[0]:
            if self.wrong != "reuses a sequence":
                self.books["sequence"]["meter"] += 1
            said.append(self.meter())
        if self.shown()[1:] != shown[1:]:
            self.books["sequence"]["pending"] += 1
            said.append(self.pending())
        yield from reversed(said) if self.wrong == "pending before meter" else said

    def answered_again(self, table: str, document: Document) -> list[Said]:
        """Answer as the first time (3.2, 5.5)."""
        acknowledged = self.answer(table, message="acknowledgement", id=document["id"])
        claim = self.books["claims"].get(document.get("win") or document["id"], {})
        if claim.get("state") != "awarded":
            return [acknowledged]
        more = 1 if self.wrong == "awards differ" else 0
        return [self.award({**claim, "amount": claim["amount"] + more}), acknowledged]

    def award(self, claim: Document) -> Said:
        """Write an award, and what it is a share of (5.3, 5.10)."""
        win, award = claim["win"], {"amount_cents": claim["amount"], "winners": 1}
        if self.wrong != "no meter in an award":
            award["meter_cents"] = claim["meter"]
        return self.answer(win["table"], message="award", id=win["id"], **award)

    # ── the books ────────────────────────────────────────────────────────────

    def apply(self, document: Document, unit: str) -> None:
        """Change the books by something new."""
        match document["message"]:
            case "contribution":
                self.contribute(document["stake_cents"], unit, 1)
            case "reversal":
                if self.wrong != "keeps what is reversed":
                    self.contribute(-document["stake_cents"], unit, -1)
            case "win":
                final = document.get("final", True) or self.wrong == "needs no verdict"
                state = "confirmed" if final else "open"
                self.books["claims"][document["id"]] = {"win": document, "state": state}
                if document["claim"]["level"] == "major":
                    self.books["held"] = self.meter_cents
                    self.books["locked"] = True  # 5.6
            case "verdict":
                self.decide(document)

    def contribute(self, stake_cents: int, unit: str, number: int) -> None:
        """Put the link's part of a stake on the meter, or into the reserve (4.5, 5.6)."""
        locked = self.books["locked"] and self.wrong != "does not lock"
        self.books["reserve" if locked else "fund"] += stake_cents * RATE
        count = self.books["counts"].setdefault(unit, [0, 0])
        count[0] += number
        count[1] += stake_cents

    def decide(self, verdict: Document) -> None:
        """Make a claim final, note that it is paid, or withdraw it (5.7 to 5.9)."""
        claim = self.books["claims"][verdict["win"]]
        if verdict["confirmed"]:
            paid_cents = verdict.get("paid_cents")
            if claim["state"] != "awarded":
                pays = paid_cents is None or self.wrong == "awards what is paid"
                claim["state"] = "confirmed" if pays else "paid"
                claim["paid"] = paid_cents
            elif paid_cents is not None:
                claim["state"] = "booked"  # 5.8: the house bears the difference
        elif self.wrong != "pays what is withdrawn":
            if claim["state"] == "awarded":  # 5.9
                whole = claim["win"]["claim"].get("percent") == 100
                back = claim["amount"] if claim["win"]["claim"].get("percent") else 0
                put_in = RESET_CENTS if whole and self.wrong != "keeps the reset value" else 0
                self.books["fund"] += (back - put_in) * PARTS
            claim["state"] = "withdrawn"
            self.books["claims"].update(self.called_off(verdict))
        else:
            claim["state"] = "confirmed" if claim["state"] == "open" else claim["state"]

    def called_off(self, verdict: Document) -> Document:
        """Let nothing be awarded on what is withdrawn at the same time (5.9)."""
        if self.wrong == "forgets what else is withdrawn":
            return {}
        found = {id_: self.books["claims"].get(id_) for id_ in verdict.get("also_withdraws", [])}
        return {
            id_: claim | {"state": "open"}
            for id_, claim in found.items()
            if claim is not None and claim["state"] == "confirmed"
        }

    def waiting(self) -> list[tuple[str, Document]]:
        """Return the pending claims, the first entered first."""
        return [
            (id_, claim["win"])
            for id_, claim in self.books["claims"].items()
            if claim["state"] in {"open", "confirmed", "paid"}
            and claim["win"]["claim"].get("percent")
        ]

    def pay(self) -> list[Said]:
        """Pay what may be paid now (6), and unlock the meter when nothing is left."""
        claims = self.books["claims"]
        said = [
            self.paid_out(claim, claim["win"]["claim"]["amount"])
            for claim in claims.values()
            if claim["state"] == "confirmed" and not claim["win"]["claim"].get("percent")
        ]
        waiting = [win for _, win in self.waiting()]
        waiting.sort(key=lambda win: (win["dealt_at_ms"], win["table"], win["seat"]))
        if self.wrong == "younger first":
            waiting.reverse()
        undecided = any(claims[win["id"]]["state"] == "open" for win in waiting)  # 6.1
        for win in [] if undecided else waiting:
            if not self.is_clear(win, waiting):
                break  # 6.4
            claim, percent = claims[win["id"]], win["claim"].get("percent")
            amount = self.meter_cents * percent // 100  # 5.7
            if claim["state"] == "paid":
                amount = claim["paid"]
                claim["state"] = "booked"
            else:
                said.append(self.paid_out(claim, amount))
            left = max(0, self.books["fund"] - amount * PARTS)
            self.books["fund"] = left + (RESET_CENTS * PARTS if percent == 100 else 0)
        if self.books["locked"] and not self.waiting():
            self.books["locked"] = False
            if self.wrong != "loses the reserve":
                self.books["fund"] += self.books["reserve"]
            self.books["reserve"] = 0
        return said

    def paid_out(self, claim: Document, amount_cents: int) -> Said:
        """Note an award in the books, and write it."""
        percent = claim["win"]["claim"].get("percent")
        claim["state"], claim["amount"] = "awarded", amount_cents
        claim["meter"] = self.meter_cents if percent else None
        return self.award(claim)

    def is_clear(self, win: Document, waiting: list[Document]) -> bool:
        """Return whether nothing older can come from its own table, or from another (6.2)."""
        others = [table for table in self.books["units"] if table != win["table"]]
        return self.round_is_known(win, waiting) and all(
            self.has_answered(win, table) and not self.may_be_older(win, table, waiting)
            for table in others
        )

    def round_is_known(self, win: Document, waiting: list[Document]) -> bool:
        """Return whether the table of a claim has sent all claims of its round (6.2, 6.3)."""
        if self.wrong == "pays while its own table owes":
            return True
        round_ = win["table"], win["round"]
        beside = [each for each in waiting if (each["table"], each["round"]) == round_]
        return all(self.has_answered(each, win["table"]) for each in beside)

    def has_answered(self, win: Document, table: str) -> bool:
        """Return whether the newest status of a table is its answer to a claim (6.2, 6.5, 6.6)."""
        status = self.statuses.get(table, {})
        if self.wrong != "pays without the absent" and (
            not status.get("online") or status.get("owed")
        ):
            return False
        return win["id"] in status.get("seen_pending", []) or self.wrong == "pays what is not seen"

    def may_be_older(self, win: Document, table: str, waiting: list[Document]) -> bool:
        """Return whether a round of a table may still bring a claim that is paid first (6.2)."""
        status = self.statuses.get(table, {})
        dealt = status.get("dealt_at_ms")
        if dealt is None or (dealt, table) > (win["dealt_at_ms"], win["table"]):
            return False
        if self.wrong == "pays before older hands":
            return False
        if status.get("phase") != "settling":
            return True
        seen = status.get("seen_pending", [])
        waits = any(
            (each["table"], each["round"]) == (table, status["round"]) and each["id"] in seen
            for each in waiting
        )
        return not waits and self.wrong != "pays before older rounds are paid"

    def save(self) -> None:
        """Put the books on the disk (4.1)."""
        if self.wrong == "forgets":
            return
        new = self.path.with_suffix(".new")
        with new.open("w") as file:
            forgotten: Document = {"heads": {}} if self.wrong == "forgets heads" else {}
            json.dump(self.books | forgotten, file)
            file.flush()
            os.fsync(file.fileno())
        new.rename(self.path)

    # ── statuses and units ───────────────────────────────────────────────────

    def table_status(self, table: str, status: Document, *, retained: bool) -> list[Said]:
        """Take a table's status: accept its start, pay what it clears, and compare its count."""
        journal, newest = status["journal"], self.statuses.get(table, {})
        about: list[Document] = []
        if status["online"]:
            accepted, about = self.units.judge(
                table, status, known_is_online=newest.get("online", False), retained=retained
            )
        else:
            is_online = newest.get("online", False)
            accepted, about = self.units.farewell(table, status, is_online=is_online)
        said = [self.answer(table, **each) for each in about]
        if not accepted:
            return said
        late = self.units.was_overtaken(table, status)
        self.statuses[table] = status
        shown = self.shown()
        said += self.pay()
        said += self.news(shown)
        self.save()
        counts = status["online"] and status.get("game") and not status.get("owed")
        if counts and not retained and not late:  # 4.7
            number, cents = self.books["counts"].get(f"{table}.{journal}", (0, 0))
            theirs = status.get("contributions", 0), status.get("contributed_cents", 0)
            if theirs != (number, cents) and self.wrong != "compares no counts":
                told = {"contributions": number, "contributed_cents": cents}
                said.append(self.answer(table, message="mismatch", journal=journal, **told))
        return said


def main() -> None:
    """Run it as a process, until it is killed."""
    port, root, path, *wrong = sys.argv[1:]
    with suppress(KeyboardInterrupt):
        asyncio.run(SecondController(int(port), root, Path(path), *wrong).run())


if __name__ == "__main__":
    main()


async def ended(serving: asyncio.Task[None]) -> None:
    """End a controller.

    Python 3.11's `wait_for`, which aiomqtt uses, can lose a cancellation (`firmware/link/tasks.py`).
    """
    while not serving.done():
        serving.cancel()
        await asyncio.wait([serving], timeout=0.1)
