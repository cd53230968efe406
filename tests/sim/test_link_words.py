"""What passes over the link is told in words, and what is only repeated is told once."""

from typing import Any

import msgspec
import pytest

from firmware.protocol.messages import (
    Acknowledgement,
    AwardMessage,
    ControllerStatus,
    HeadAsked,
    MeterMessage,
    Mismatch,
    PendingClaim,
    PendingMessage,
    Rejection,
    TableStatus,
    UnitAccepted,
    UnitRefused,
)
from firmware.protocol.obligations import (
    Contribution,
    FaultReport,
    Reversal,
    RoundReport,
    Verdict,
    Win,
)
from firmware.rules.contract import Claim
from sim.floor.link_words import link_sentence, link_story

OF_SEAT: dict[str, Any] = {"id": "T1.j.4.1", "table": "T1", "at_ms": 0, "round": 7, "seat": 3}
CLAIM = Claim(seat=3, tier="royal_flush_flop", on="player", level="major", percent=100)
PENDING = PendingClaim(id="T1.j.4.1", table="T1", seat=3, tier="royal_flush", dealt_at_ms=0)


def json(message: msgspec.Struct) -> str:
    return msgspec.json.encode(message).decode()


@pytest.mark.parametrize(
    ("topic", "message", "sentence"),
    [
        (
            "table/T1/owed",
            Contribution(**OF_SEAT, bet="jackpot_dealer", stake_cents=500),
            "T1 seat 3: contribution of S$5.00, jackpot on the dealer",
        ),
        (
            "table/T1/owed",
            Reversal(**OF_SEAT, contribution="T1.j.3.1", stake_cents=500),
            "T1 seat 3: contribution of S$5.00 returned",
        ),
        (
            "table/T1/owed",
            Win(**OF_SEAT, claim=CLAIM, dealt_at_ms=0),
            "T1 seat 3: win, royal flush on the flop (player's hand), major",
        ),
        ("table/T1/owed", Verdict(**OF_SEAT, win="x", confirmed=True), "T1 seat 3: win confirmed"),
        (
            "table/T1/owed",
            Verdict(**OF_SEAT, win="x", confirmed=True, paid_cents=100),
            "T1 seat 3: win confirmed, S$1.00 already paid",
        ),
        (
            "table/T1/owed",
            Verdict(**OF_SEAT, win="x", confirmed=False, reason="hand not shown"),
            "T1 seat 3: win withdrawn: hand not shown",
        ),
        (
            "table/T1/owed",
            RoundReport(id="x", table="T1", at_ms=0, round=7, stage="settled"),
            "T1 round 7: is over",
        ),
        (
            "table/T1/owed",
            FaultReport(id="x", table="T1", at_ms=0, code="c", where="w", text="Stuck."),
            "T1 fault reported: Stuck.",
        ),
        ("table/T1/answer", AwardMessage(id="x", amount_cents=2500), "award to T1: S$25.00"),
        ("table/T1/answer", Acknowledgement(id="x"), ""),
        ("table/T1/answer", Rejection(id="x", reason="unknown"), "rejected, T1: unknown"),
        ("table/T1/answer", UnitAccepted(journal="j", boot="b"), "T1 is accepted"),
        ("table/T1/answer", UnitRefused(journal="j", reason="closed"), "T1 is refused: closed"),
        (
            "table/T1/answer",
            HeadAsked(journal="j", boot="b", record=1),
            "T1 is asked to prove its journal",
        ),
        (
            "table/T1/answer",
            Mismatch(journal="j", contributions=1, contributed_cents=2),
            "the books and T1 count differently",
        ),
        ("table/T1/status", TableStatus(table="T1", journal="j", online=True), ""),
        (
            "table/T1/status",
            TableStatus(table="T1", journal="j", online=False),
            "T1 has left the link",
        ),
        (
            "controller/meter",
            MeterMessage(meter_cents=10_003_250, sequence=1),
            "meter S$100,032.50",
        ),
        (
            "controller/pending",
            PendingMessage(claims=(PENDING,), sequence=1),
            "pending: T1 seat 3, royal flush",
        ),
        ("controller/pending", PendingMessage(claims=(), sequence=1), "nothing is pending"),
        (
            "controller/status",
            ControllerStatus(online=True),
            "the jackpot controller is on the link",
        ),
    ],
)
def test_a_message_is_told_in_words(topic: str, message: msgspec.Struct, sentence: str) -> None:
    assert link_sentence(topic, json(message), "S$") == sentence
    of_link = "rws-holdem: " if topic.startswith("controller") else ""
    assert link_sentence(f"rws-holdem/{topic}", json(message), "S$") == f"{of_link}{sentence}"


@pytest.mark.parametrize("topic", ["table/T1/owed", "controller/meter", "x", "controller/\x1b[2J"])
def test_what_is_no_message_steers_nothing(topic: str) -> None:
    sentence = link_sentence(topic, '{"message": "\x1b]0;x"}')
    assert sentence.startswith("something that is no message of the link")
    assert sentence.isprintable()


def test_what_is_repeated_is_told_once_and_of_the_meter_only_the_last() -> None:
    first = Contribution(**OF_SEAT, bet="jackpot", stake_cents=500)
    again = Contribution(
        **{**OF_SEAT, "id": "T1.j.9.1", "round": 8}, bet="jackpot", stake_cents=500
    )
    meters = [MeterMessage(meter_cents=cents, sequence=cents) for cents in (100, 200)]
    on, off = ControllerStatus(online=True), ControllerStatus(online=False)
    owed = [("table/T1/owed", json(each)) for each in (first, first, again, first)]
    told = link_story(
        [
            *owed,
            *(("controller/meter", json(meter)) for meter in meters),
            *(("controller/status", json(status)) for status in (on, on, off, on)),
        ]
    )
    contribution = "T1 seat 3: contribution of $5.00, jackpot"
    online = "the jackpot controller is on the link"
    assert told == [contribution] * 2 + [
        "meter $2.00",
        online,
        online.replace(" on ", " off "),
        online,
    ]


def test_where_games_have_their_own_links_news_of_the_controller_say_whose() -> None:
    meters = [MeterMessage(meter_cents=cents, sequence=cents) for cents in (100, 200)]
    said = [
        *(("rws-holdem/controller/meter", json(meter)) for meter in meters),
        ("rws-casino-stud/controller/meter", json(meters[0])),
        ("rws-holdem/controller/meter", json(meters[0])),
        ("rws-holdem/controller/pending", json(PendingMessage(claims=(), sequence=1))),
    ]
    assert link_story(said) == [
        "rws-holdem: meter $2.00",
        "rws-casino-stud: meter $1.00",
        "rws-holdem: meter $1.00",
        "rws-holdem: nothing is pending",
    ]
