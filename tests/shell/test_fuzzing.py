"""Everything that comes from outside, spoilt at random, in great numbers: every door holds.

Good frames, requests and messages are cut, doubled, joined and changed by single bytes; events
have any fields that their class can hold. Nothing raises, nothing fails inside the table, and what
is taken is what its form allows. `make test` looks at some thousands, `make soak` at hundreds of
thousands; how many of each were good enough to be taken is told. `SEED=7` searches elsewhere.
"""

import asyncio
import os
from binascii import crc_hqx
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

import msgspec
import pytest

from firmware.devices.card_source import Kind, event_of
from firmware.devices.line import Decoder, Frame, encode
from firmware.maintenance.protocol import decode_request
from firmware.maintenance.protocol import encode as encode_reply
from firmware.maintenance.requests import Desk
from firmware.rules.games import GAMES
from firmware.table.events import AnyDecision, Decision
from tests.devices.intake import panel_event
from tests.link.ends import BOOKS, JOURNAL
from tests.link.test_hostile_messages import OWED, SUBSCRIBED, Ear
from tests.maintenance.tables import Bench
from tests.table.playing import Playing
from tests.table.random_events import any_event
from tests.table.rounds import settings_of

SOAK = bool(os.environ.get("SOAK"))
SEED = int(os.environ.get("SEED", "20"))
MANY = 300_000 if SOAK else 5_000
Tell = Callable[[str, str], None]


def spoilt(rng: Random, good: Sequence[bytes]) -> bytes:
    """Take something good, and do a few things to its bytes; or nothing."""
    data = bytearray(rng.choice(good))
    for _ in range(rng.choice((0, 1, 1, 2, 5))):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(6):
            case 0:
                data[at : at + 1] = bytes([rng.randrange(256)])
            case 1:
                del data[at : at + rng.randint(1, 8)]
            case 2:
                data[at:at] = data[at : at + rng.randint(1, 16)]
            case 3:
                data[at:at] = rng.choice(
                    (b"\n", b"\0", b'"', b"{", b"[", b"-1", b"9" * 25, b"*", b"!")
                )
            case 4:
                data[at:] = rng.choice(good)[at:]
            case _:
                data[at:at] = rng.choice(("é", "\u202e", "\x1b[2J", " ")).encode()
    return bytes(data)


SAID: dict[str, tuple[str, ...]] = {
    "panel": ("KEY OPEN", "KEY AMOUNT 3 ante 2500", "KEY CARDS 1 As Kd 2c 3c 4c", "KEY BET 1"),
    "shoe": ("CARD As", "UNREAD smudged", "AGAIN 4711 12 CARD As"),
    "shuffler": ("HAND As Kd 7c 7h 2s", "AGAIN 4711 3 HAND As Kd"),
}


def sealed(body: bytes) -> bytes:
    """Give spoilt bytes the right CRC: then only their form can be wrong."""
    return b"%s*%04X" % (body, crc_hqx(body, 0))


def _understood(kind: str, frame: Frame) -> bool:
    sources: dict[str, Kind] = {"shoe": "shoe", "shuffler": "shuffler"}
    if kind in sources:
        return event_of(sources[kind], frame.text, frame.number, 1) is not None
    return panel_event(frame.text, frame.number, 1) is not None


def test_whatever_a_line_brings_becomes_a_frame_of_the_right_form_or_nothing(
    record_property: Tell,
) -> None:
    rng, counted = Random(SEED), Counter[str]()
    good = {
        kind: [encode(Frame("message", number, text)) for number, text in enumerate(texts, 1)]
        for kind, texts in SAID.items()
    }
    bodies = {kind: [line.rpartition(b"*")[0] for line in lines] for kind, lines in good.items()}
    decoder = Decoder()
    for _ in range(MANY):
        kind = rng.choice(list(SAID))
        data = spoilt(rng, good[kind]) if rng.random() < 0.3 else sealed(spoilt(rng, bodies[kind]))
        counted.update(lines=1)
        for frame in decoder.feed(data + b"\n"):
            counted.update(frames=1, understood=_understood(kind, frame))
            if frame.kind != "announcement":
                assert 1 <= frame.number <= 999
    assert counted["understood"] > MANY / 20
    record_property(
        "measured",
        f"fuzzed frames: {counted['lines']} lines, {counted['frames']} good, "
        f"{counted['understood']} understood",
    )


def test_whatever_is_published_becomes_an_event_that_the_journal_can_hold_or_is_ignored(
    record_property: Tell,
) -> None:
    rng, counted = Random(SEED), Counter[str]()
    award = {"message": "award", "id": OWED[0], "amount_cents": 5}
    claim = {"id": OWED[0], "table": "T2", "seat": 1, "tier": "flush", "dealt_at_ms": 1}
    good = [
        msgspec.json.encode(document)
        for document in (
            award,
            {"message": "acknowledgement", "id": OWED[1]},
            {"message": "rejection", "id": OWED[2], "reason": "no such table"},
            {"message": "unit_refused", "journal": JOURNAL, "reason": "another unit"},
            {"message": "meter", "meter_cents": 5, "sequence": 1, "books": BOOKS},
            {"message": "pending", "claims": [claim], "sequence": 1, "books": BOOKS},
            {"message": "controller_status", "online": True, "books": BOOKS},
        )
    ]
    ear = Ear()
    for number in range(MANY):
        if number % 500 == 0:
            ear = Ear().is_accepted()
        events = ear.takes(rng.choice(SUBSCRIBED), spoilt(rng, good))
        counted.update(messages=1, taken=bool(events))
        for event in events:
            if isinstance(event, Decision):
                line = msgspec.json.encode(event)
                assert msgspec.json.decode(line, type=AnyDecision) == event
    assert counted["taken"] > MANY / 100
    told = f"{counted['messages']} messages, {counted['taken']} made an event"
    record_property("measured", f"fuzzed link: {told}")


def test_whatever_is_asked_without_service_changes_nothing(
    record_property: Tell, tmp_path: Path
) -> None:
    rng, counted = Random(SEED), Counter[str]()
    documents: list[dict[str, object]] = [
        {"request": "hello"},
        {"request": "show"},
        {"request": "vitals"},
        {"request": "log"},
        {"request": "journal_files"},
        {"request": "journal_read", "name": "000000000001.journal", "offset": 0},
        {"request": "begin_service", "staff": "400", "pin": "0000"},
        {"request": "test_lamp", "seat": 1, "bet": "jackpot", "pattern": "steady"},
        {"request": "journal_exported", "through": 1},
        {"request": "end_service"},
    ]
    good = [msgspec.json.encode({**document, "number": 1}) for document in documents]

    async def ask() -> None:
        bench = Bench(tmp_path)
        desk, records = Desk(bench.access), bench.runtime.table.state.sequence
        for _ in range(MANY // 5):
            line = spoilt(rng, good)
            counted.update(requests=1)
            with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                reply = await desk.answer(decode_request(line), serves=False)
                refused = type(reply).__name__ == "Refusal"
                counted.update(understood=1, answered=not refused)
                assert b"\n" not in encode_reply(reply)[:-1]
        assert bench.runtime.table.state.sequence == records
        assert bench.done == []
        bench.runtime.close()

    asyncio.run(ask())
    assert counted["answered"] > MANY / 500
    told = f"{counted['understood']} understood, {counted['answered']} answered"
    record_property("measured", f"fuzzed maintenance: {counted['requests']} requests, {told}")


@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_event_makes_the_table_fail(game: str, record_property: Tell) -> None:
    rng, counted = Random(SEED), Counter[str]()
    playing = Playing(settings_of(game))
    for number in range(MANY // 5):
        if number % 200 == 0:
            playing = Playing(settings_of(game, rng.choice(("shoe", "shuffler", "manual"))))
        event = playing.table.completed(any_event(rng, playing))
        outcome = playing.table.step(event)
        assert outcome.failure is None
        counted.update(events=1, decided=outcome.decided)
    told = f"{counted['events']} events, {counted['decided']} decided"
    record_property("measured", f"fuzzed {game}: {told}, none failed")
