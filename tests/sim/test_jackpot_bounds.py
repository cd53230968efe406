"""Numbers that no table can mean (contract 1.8): dropped, told, and what comes after is served."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from firmware.journal.seals import OwnKey
from firmware.protocol.messages import (
    Acknowledgement,
    SignedHead,
    TableStatus,
    Topics,
    UnitAccepted,
    signed_text,
)
from firmware.rules.bounds import MOST_RECORD, MOST_WHOLE
from sim.jackpot_controller.desk import LinkDesk
from sim.jackpot_controller.store import JackpotLinkSettings, Store
from tests.sim.jackpot_messages import ROYAL, contribution, status, win

NOW = datetime(2026, 1, 1, 20, tzinfo=UTC)
LINK = JackpotLinkSettings("rws-casino-stud", 10_000_000, 2_500)
TOPICS = Topics("underfelt")
KEY = OwnKey(b"e" * 32)
TOO_LARGE = (2**53 + 1, 2**63 - 1, 2**63, 2**64, 10**30, 10**5_000 - 1)


@pytest.fixture
def books(tmp_path: Path) -> Path:
    """Name new books."""
    return tmp_path / "books.db"


def signed(record: int, boot: str = "z") -> TableStatus:
    """Make a status that proves a head with this number, whatever it is."""
    head = SignedHead(record=record, chain="f" * 64, key=KEY.public, signature="")
    head = replace(head, signature=KEY.sign(signed_text("T1", "j", boot, "", head)))
    return replace(status("T1"), boot=boot, head=head, waits=True)


def numbers(document: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401  # any JSON
    """Yield where a document has a number."""
    if isinstance(document, dict):
        for key, value in document.items():
            yield from numbers(value, (*at, key))
    elif isinstance(document, int) and not isinstance(document, bool):
        yield at


def changed(document: Any, at: tuple[Any, ...], number: int) -> bytes:  # noqa: ANN401  # any JSON
    """Write a document with another number at one place; any number of digits."""
    document = msgspec.json.decode(msgspec.json.encode(document))
    *way, last = at
    part = document
    for key in way:
        part = part[key]
    part[last] = "the number"
    digits = "9" * 5_000 if number > MOST_WHOLE**2 * 100 else str(number)
    return msgspec.json.encode(document).replace(b'"the number"', digits.encode())


def full_status() -> dict[str, Any]:
    """Make a status that has every number."""
    full = msgspec.to_builtins(signed(5))
    full |= {"dealt_at_ms": 5, "proof": {"record": 5, "chain": ""}}
    return dict(full)


STATUS = full_status()
OWED = {
    "contribution": msgspec.to_builtins(contribution(2)),
    "win": msgspec.to_builtins(win(3, ROYAL)),
}


def serves(desk: LinkDesk) -> None:
    """Have the desk write what it has heard, and serve another table."""
    desk.write()
    other = contribution(1, table="T2")
    answers = desk.take(TOPICS.owed("T2"), msgspec.json.encode(other), NOW)
    assert Acknowledgement(id=other.id) in [each.document for each in answers]


@pytest.mark.parametrize("at", [*numbers(STATUS)], ids=".".join)
def test_1_8_a_status_with_a_number_that_no_table_can_mean_is_dropped_and_told(
    books: Path, at: tuple[Any, ...]
) -> None:
    desk = LinkDesk(Store.open(books, LINK))
    for number in TOO_LARGE:
        payload = changed(STATUS, at, number)
        assert desk.take(TOPICS.status("T1"), payload, NOW, retained=True) == []
    desk.write()
    told = desk.store.database.execute("SELECT table_name, kind, count FROM notice").fetchall()
    assert told == [("T1", "dropped", len(TOO_LARGE))]
    serves(desk)
    desk.store.close()
    LinkDesk(Store.open(books, LINK)).store.close()


@pytest.mark.parametrize(
    ("kind", "at"),
    [(kind, at) for kind, document in OWED.items() for at in numbers(document)],
    ids=str,
)
def test_1_8_something_owed_with_a_number_that_no_table_can_mean_is_dropped(
    books: Path, kind: str, at: tuple[Any, ...]
) -> None:
    desk = LinkDesk(Store.open(books, LINK))
    desk.take(TOPICS.owed("T1"), msgspec.json.encode(contribution(1)), NOW)
    for number in TOO_LARGE:
        assert desk.take(TOPICS.owed("T1"), changed(OWED[kind], at, number), NOW) == []
    serves(desk)
    desk.store.close()


@pytest.mark.parametrize("number", [MOST_WHOLE, -MOST_WHOLE])
def test_1_8_the_largest_numbers_that_may_be_said_harm_nobody(books: Path, number: int) -> None:
    desk = LinkDesk(Store.open(books, LINK))
    desk.take(TOPICS.owed("T1"), msgspec.json.encode(contribution(1)), NOW)
    for at in numbers(STATUS):
        desk.take(TOPICS.status("T1"), changed(STATUS, at, number), NOW)
    for document in OWED.values():
        for at in numbers(document):
            desk.take(TOPICS.owed("T1"), changed(document, at, number), NOW)
    serves(desk)
    desk.store.close()


def test_7_5_a_head_beyond_any_journal_does_not_end_the_controller_at_its_next_start(
    books: Path,
) -> None:
    for _ in range(2):
        desk = LinkDesk(Store.open(books, LINK))
        forged = msgspec.json.encode(signed(2**63))
        assert desk.take(TOPICS.status("T1"), forged, NOW, retained=True) == []
        serves(desk)
        desk.store.close()
    desk = LinkDesk(Store.open(books, LINK))
    last = msgspec.json.encode(signed(MOST_RECORD))
    (accepted, *_) = desk.take(TOPICS.status("T1"), last, NOW)
    assert isinstance(accepted.document, UnitAccepted)
    desk.store.close()
