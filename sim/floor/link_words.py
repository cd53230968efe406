"""What passes over the jackpot link, in words, for somebody who watches the floor.

Pure: a topic and a document in, a sentence out, or nothing where there is nothing to tell: a
status that repeats itself, or that something has been acknowledged, which the lamps show.
"""

from collections.abc import Iterable

import msgspec

from firmware.protocol.messages import (
    AnyAnswer,
    AnyObligation,
    AwardMessage,
    ControllerStatus,
    HeadAsked,
    MeterMessage,
    Mismatch,
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
from firmware.rules.words import OWNERS, bet_name, money, tier_words

_METER_TOPIC = "controller/meter"
_STAGES = {
    "opened": "bets are open",
    "dealt": "the hands are dealt",
    "settled": "is over",
    "void": "is void",
}


def link_story(messages: Iterable[tuple[str, str]], currency: str = "$") -> list[str]:
    """Tell what has passed over the link: nothing twice that was only repeated."""
    told: list[str] = []
    last: dict[str, str] = {}
    last_topic = ""
    for topic, text in messages:
        # What is owed is said until it is acknowledged; a status and a meter from time to time.
        said_before = text if topic.endswith("/owed") else topic
        if last.get(said_before) == text:
            continue
        last[said_before] = text
        sentence = link_sentence(topic, text, currency)
        if sentence and topic == last_topic and topic.endswith(_METER_TOPIC):
            told.pop()  # the same meter, which has moved on
        if sentence:
            told.append(sentence)
            last_topic = topic
    return told


def link_sentence(topic: str, text: str, currency: str = "$") -> str:
    """Say what a message on a topic under the root is about; nothing if it is not worth telling."""
    try:
        said = _said(topic.split("/"), text, currency)
    except msgspec.DecodeError:
        said = f"something that is no message of the link, on {topic}"
    # On a broker that runs already, anybody may say anything.
    return "".join(each if each.isprintable() else "?" for each in said)


def _said(topic: list[str], text: str, currency: str) -> str:
    # A floor of several games has a link for each, below the root.
    match topic:
        case [*_, "table", table, "owed"]:
            return f"{table} {_owed(msgspec.json.decode(text, type=AnyObligation), currency)}"
        case [*_, "table", table, "answer"]:
            return _answer(table, msgspec.json.decode(text, type=AnyAnswer), currency)
        case [*_, "table", table, "status"]:
            online = msgspec.json.decode(text, type=TableStatus).online
            return "" if online else f"{table} has left the link"
        case [*link, "controller", about]:
            # With several links, a sentence says first whose it is; a table has a name.
            return ": ".join([*link[-1:], _controller(about, text, currency)])
    raise msgspec.DecodeError(topic)


def _owed(owed: AnyObligation, currency: str) -> str:
    match owed:
        case Contribution():
            amount = money(owed.stake_cents, currency)
            return f"seat {owed.seat}: contribution of {amount}, {bet_name(owed.bet)}"
        case Reversal():
            return f"seat {owed.seat}: contribution of {money(owed.stake_cents, currency)} returned"
        case Win(claim=claim):
            hand = f"{tier_words(claim.tier)} ({OWNERS[claim.on]})"
            return f"seat {owed.seat}: win, {hand}, {claim.level}"
        case Verdict():
            return f"seat {owed.seat}: {_verdict(owed, currency)}"
        case RoundReport():
            return f"round {owed.round}: {_STAGES[owed.stage]}"
        case FaultReport():
            return f"fault {'over' if owed.cleared else 'reported'}: {owed.text}"


def _verdict(owed: Verdict, currency: str) -> str:
    if not owed.confirmed:
        return f"win withdrawn{f': {owed.reason}' if owed.reason else ''}"
    if owed.paid_cents is not None:
        return f"win confirmed, {money(owed.paid_cents, currency)} already paid"
    return "win confirmed"


def _answer(table: str, answer: AnyAnswer, currency: str) -> str:
    said = ""
    match answer:
        case AwardMessage():
            said = f"award to {table}: {money(answer.amount_cents, currency)}"
        case Rejection():
            said = f"rejected, {table}: {answer.reason}"
        case UnitAccepted():
            said = f"{table} is accepted"
        case UnitRefused():
            said = f"{table} is refused: {answer.reason}"
        case Mismatch():
            said = f"the books and {table} count differently"
        case HeadAsked():
            said = f"{table} is asked to prove its journal"
    return said


def _controller(about: str, text: str, currency: str) -> str:
    match about:
        case "meter":
            meter = msgspec.json.decode(text, type=MeterMessage)
            return f"meter {money(meter.meter_cents, currency)}"
        case "pending":
            claims = msgspec.json.decode(text, type=PendingMessage).claims
            named = (f"{each.table} seat {each.seat}, {tier_words(each.tier)}" for each in claims)
            return f"pending: {'; '.join(named)}" if claims else "nothing is pending"
        case "status":
            online = msgspec.json.decode(text, type=ControllerStatus).online
            return f"the jackpot controller is {'on' if online else 'off'} the link"
    raise msgspec.DecodeError(about)
