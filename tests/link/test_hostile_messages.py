"""Whatever anybody publishes: no exception, and no event that the message does not justify."""

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.link.health import Health
from firmware.link.hearing import Hearing
from firmware.link.meters import PublishedWatch
from firmware.link.outbox import Outbox
from firmware.link.stats import LinkStats
from firmware.protocol.messages import (
    Acknowledgement,
    AwardMessage,
    ControllerStatus,
    HeadAsked,
    MeterMessage,
    Mismatch,
    Rejection,
    UnitAccepted,
    UnitRefused,
)
from firmware.rules.contract import MAX_CENTS
from firmware.table.events import (
    Acknowledged,
    AnyDecision,
    AwardGranted,
    Decision,
    Event,
    FaultNoticed,
    LinkChanged,
    MeterMoved,
    PendingChanged,
)
from tests.link.ends import BOOKS, JOURNAL, TABLE, TOPICS, KeepingShell, contribution, settings

OWED = tuple(contribution(number).id for number in (1, 2, 3))
SUBSCRIBED = (TOPICS.answer(TABLE), TOPICS.controller, TOPICS.meter, TOPICS.pending)


class Ear:
    """A hearing of a table that owes three contributions."""

    def __init__(self, currency: str = "$") -> None:
        self.shell = KeepingShell()
        self.stats = LinkStats()
        self.asked: list[HeadAsked | None] = []
        """The questions that it was to answer; None for a status alone."""
        outbox = Outbox(8, 5.0)
        for number in (1, 2, 3):
            outbox.add(contribution(number))
        self.outbox = outbox
        chosen = settings()
        health = Health(chosen, outbox, lambda *_: None, 0.0)
        self.hearing = Hearing(
            TOPICS,
            self.shell,
            table=TABLE,
            journal=JOURNAL,
            boot="b",
            ask=self.asked.append,
            game="rws-holdem",
            outbox=outbox,
            health=health,
            stats=self.stats,
            currency=currency,
        )

    def is_accepted(self, books: str = BOOKS) -> "Ear":
        """Let a controller that keeps these books come and accept the unit, which then sends."""
        for topic, said in (
            (TOPICS.controller, ControllerStatus(online=True, books=books)),
            (TOPICS.answer(TABLE), UnitAccepted(journal=JOURNAL, boot="b", books=books)),
        ):
            self.hearing.take(topic, msgspec.json.encode(said), 0.0)
        assert self.hearing.accepted
        list(self.outbox.to_send(0.0))
        return self

    def takes(self, topic: str, payload: bytes) -> list[Event]:
        """Take a message, and give the events that come of it."""
        before, ignored = len(self.shell.events), self.stats.ignored
        self.hearing.take(topic, payload, now_s=0.0)
        events = self.shell.events[before:]
        # It is used or it is ignored, and whoever looks can see which.
        assert self.stats.ignored - ignored in (0, 1)
        assert not (events and self.stats.ignored > ignored)
        return events


@pytest.mark.parametrize("nonce", ["a b", "underfelt-head\n", "x" * 65, "é"])
def test_7_12_a_table_signs_nothing_with_a_nonce_that_is_none(nonce: str) -> None:
    ear = Ear()
    asked = HeadAsked(journal=JOURNAL, boot="b", record=1, nonce="n")
    ear.takes(TOPICS.answer(TABLE), msgspec.json.encode(asked))
    assert ear.asked == [asked]
    forged = msgspec.json.encode(msgspec.structs.replace(asked, nonce=nonce))
    ear.takes(TOPICS.answer(TABLE), forged)
    assert ear.asked == [asked]
    assert ear.stats.ignored == 1


@pytest.mark.parametrize(
    "claim",
    [
        f"{TABLE}.fedcba9876543210.1.1",
        f"{TABLE}.{JOURNAL}0.1.1",
        f"{TABLE}.{JOURNAL[:-1]}.1.1",
        f"{TABLE}1.{JOURNAL}.1.1",
        f"T2.{JOURNAL}.1.1",
        f"x{OWED[0]}",
        f"{TABLE}.{JOURNAL}",
    ],
)
def test_an_award_of_another_journal_is_not_for_this_table(claim: str) -> None:
    """A unit that was replaced has counted from 1, too: its claims are not paid here."""
    ear = Ear().is_accepted()
    award = msgspec.json.encode(AwardMessage(id=claim, amount_cents=5))
    assert ear.takes(TOPICS.answer(TABLE), award) == []
    assert ear.stats.ignored == 1
    assert "not from this table's journal" in ear.stats.last_ignored


@pytest.mark.parametrize("ended", [False, True], ids=["owed", "no longer owed"])
@pytest.mark.parametrize("said", [Acknowledgement, partial(Rejection, reason="no")])
def test_an_answer_that_is_repeated_is_neither_news_nor_something_to_warn_of(
    said: Callable[..., Acknowledgement | Rejection],
    *,
    ended: bool,
    caplog: pytest.LogCaptureFixture,
) -> None:
    ear = Ear().is_accepted()
    answer = msgspec.json.encode(said(id=OWED[0]))
    assert len(ear.takes(TOPICS.answer(TABLE), answer)) == 1
    if ended:
        ear.outbox.drop(OWED[0])
    for _ in range(20):
        assert ear.takes(TOPICS.answer(TABLE), answer) == []
    assert (ear.stats.ignored, ear.stats.last_ignored, caplog.text) == (0, "", "")


def test_the_acknowledgement_of_a_claim_that_its_award_has_ended_is_as_it_should_be() -> None:
    ear = Ear().is_accepted()
    ear.outbox.drop(OWED[0])
    assert ear.takes(TOPICS.answer(TABLE), msgspec.json.encode(Acknowledgement(id=OWED[0]))) == []
    assert ear.stats.ignored == 0


def test_an_answer_to_what_this_table_never_owed_or_has_ended_otherwise_is_told() -> None:
    ear = Ear().is_accepted()
    ear.takes(TOPICS.answer(TABLE), msgspec.json.encode(Acknowledgement(id=OWED[0])))
    ear.outbox.drop(OWED[0])
    for told, answer in enumerate(
        (
            Acknowledgement(id=contribution(9).id),
            Rejection(id=contribution(9).id, reason="no"),
            Rejection(id=OWED[0], reason="no"),
        ),
        start=1,
    ):
        assert ear.takes(TOPICS.answer(TABLE), msgspec.json.encode(answer)) == []
        assert ear.stats.ignored == told
        assert ear.stats.last_ignored.endswith("it answers something not owed")


def test_of_what_is_no_longer_owed_only_so_much_is_remembered() -> None:
    outbox = Outbox(8, 5.0)
    for number in range(1, 1_102):
        outbox.add(contribution(number))
        outbox.drop(contribution(number).id)
    remembered = [outbox.says_nothing_new(contribution(n).id, "acknowledged") for n in (1, 1_101)]
    assert remembered == [False, True]


def test_a_question_to_an_earlier_start_is_not_answered_and_nothing_to_warn_of() -> None:
    ear = Ear()
    asked = HeadAsked(journal=JOURNAL, boot="earlier", record=1, nonce="n")
    assert ear.takes(TOPICS.answer(TABLE), msgspec.json.encode(asked)) == []
    assert (ear.asked, ear.stats.ignored) == ([], 0)


def test_an_award_of_this_journal_is_passed_on_owed_or_not() -> None:
    ear = Ear().is_accepted()
    for claim in (OWED[0], contribution(9).id):
        award = msgspec.json.encode(AwardMessage(id=claim, amount_cents=5))
        (event,) = ear.takes(TOPICS.answer(TABLE), award)
        assert isinstance(event, AwardGranted)
        assert (event.id, event.amount_cents) == (claim, 5)


def test_what_the_controller_counts_is_told_in_the_currency_of_the_table() -> None:
    ear = Ear("S$").is_accepted()
    counted = Mismatch(journal=JOURNAL, contributions=3, contributed_cents=123_450)
    (event,) = ear.takes(TOPICS.answer(TABLE), msgspec.json.encode(counted))
    assert isinstance(event, FaultNoticed)
    assert event.detail == "it has 3 contributions totalling S$1,234.50"


def test_a_meter_that_cannot_be_is_told_in_the_currency_of_the_table() -> None:
    watch = PublishedWatch(1, "S$")
    watch.judge(MeterMessage(books=BOOKS, sequence=1, meter_cents=100), 0.0)
    judged = watch.judge(MeterMessage(books=BOOKS, sequence=2, meter_cents=10**9), 1.0)
    assert "S$10,000,000.00 after S$1.00" in str(judged)


ANSWERS = (
    Acknowledgement(id=OWED[0]),
    AwardMessage(id=OWED[0], amount_cents=5),
    Rejection(id=OWED[0], reason="x"),
    Mismatch(journal=JOURNAL, contributions=3, contributed_cents=4),
)


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: type(answer).__name__)
@pytest.mark.parametrize("state", ["no controller", "not accepted", "refused", "several"])
def test_7_6_no_answer_counts_of_a_controller_that_has_not_accepted_this_unit(
    state: str, answer: msgspec.Struct
) -> None:
    ear, topic = Ear(), TOPICS.answer(TABLE)
    if state != "no controller":
        ear.takes(
            TOPICS.controller, msgspec.json.encode(ControllerStatus(online=True, books=BOOKS))
        )
    if state in {"refused", "several"}:
        ear.is_accepted()
    if state == "refused":
        refused = UnitRefused(journal=JOURNAL, boot="b", reason="an old copy")
        ear.takes(topic, msgspec.json.encode(refused))
    for books in ("other", BOOKS) * 2 if state == "several" else ():
        ear.takes(
            TOPICS.controller, msgspec.json.encode(ControllerStatus(online=True, books=books))
        )
    ignored = ear.stats.ignored
    assert ear.takes(topic, msgspec.json.encode(answer)) == []
    assert ear.stats.ignored == ignored + 1
    assert "has not accepted this unit, or is not believed" in ear.stats.last_ignored
    if state == "not accepted":
        assert len(ear.is_accepted().takes(topic, msgspec.json.encode(answer))) == 1


@pytest.mark.parametrize("answer", ANSWERS[:3], ids=lambda answer: type(answer).__name__)
def test_nothing_answers_what_was_not_sent_yet(answer: msgspec.Struct) -> None:
    ear = Ear().is_accepted()
    ear.outbox.begin_again()
    assert ear.takes(TOPICS.answer(TABLE), msgspec.json.encode(answer)) == []
    assert "was not sent to it yet" in ear.stats.last_ignored
    assert len(list(ear.outbox.to_send(1.0))) == len(OWED)
    assert len(ear.takes(TOPICS.answer(TABLE), msgspec.json.encode(answer))) == 1


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=8,
)
_ID = st.sampled_from([*OWED, "T2.x.1.1", f"{TABLE}.{JOURNAL}.9.1", ""]) | st.text(max_size=30)
_NUMBER = st.integers(-2, 5) | st.sampled_from([MAX_CENTS, MAX_CENTS + 1, 2**64, -(2**63)])
_CLAIM = st.fixed_dictionaries(
    {"id": _ID, "table": st.text(), "seat": _NUMBER, "tier": st.text(), "dealt_at_ms": _NUMBER}
)
_SAID_ON = {
    "acknowledgement": TOPICS.answer(TABLE),
    "award": TOPICS.answer(TABLE),
    "rejection": TOPICS.answer(TABLE),
    "mismatch": TOPICS.answer(TABLE),
    "unit_refused": TOPICS.answer(TABLE),
    "meter": TOPICS.meter,
    "pending": TOPICS.pending,
    "controller_status": TOPICS.controller,
}
_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "id": _ID,
    "amount_cents": _NUMBER,
    "reason": st.text(),
    "journal": st.sampled_from([JOURNAL, "x"]),
    "contributions": _NUMBER,
    "contributed_cents": _NUMBER,
    "meter_cents": _NUMBER,
    "sequence": _NUMBER,
    "books": st.sampled_from([BOOKS, "other", ""]),
    "online": st.booleans(),
    "claims": st.lists(_CLAIM, max_size=2),
}


@st.composite
def _nearly_good(draw: st.DrawFn) -> tuple[str, bytes]:
    """Make a message where it belongs, with every field, and often one of them wrong."""
    kind = draw(st.sampled_from(sorted(_SAID_ON)))
    document = {"message": kind} | {name: draw(value) for name, value in _FIELDS.items()}
    spoilt = draw(st.none() | st.sampled_from(sorted(document)))
    if spoilt is not None:
        document[spoilt] = draw(_JSON)
    return _SAID_ON[kind], msgspec.json.encode(document)


_TOPICS = st.sampled_from([*SUBSCRIBED, TOPICS.owed(TABLE), "underfelt"]) | st.text(max_size=20)
_NONSENSE = st.binary(max_size=200) | _JSON.map(msgspec.json.encode)
_MISPLACED = st.tuples(_TOPICS, _nearly_good().map(lambda message: message[1]) | _NONSENSE)


@given(st.lists(_nearly_good() | _MISPLACED, max_size=12))
def test_any_bytes_on_any_topic_make_no_event_that_is_not_justified(
    messages: list[tuple[str, bytes]],
) -> None:
    ear = Ear().is_accepted()
    for topic, payload in messages:
        for event in ear.takes(topic, payload):
            assert _justified(event, topic, payload)
            if isinstance(event, Decision):
                # What may be written into the journal can be read from it.
                line = msgspec.json.encode(event)
                assert msgspec.json.decode(line, type=AnyDecision) == event
    acknowledged = [event.id for event in ear.shell.of(Acknowledged)]
    assert len(acknowledged) == len(set(acknowledged))


def _justified(event: Event, topic: str, payload: bytes) -> bool:  # noqa: PLR0911  # a kind each
    """Judge an event by the message it came of, without the code that made it."""
    document = msgspec.json.decode(payload)
    kind = document["message"]
    match event:
        case Acknowledged(id=owed):
            return topic == TOPICS.answer(TABLE) and kind == "acknowledgement" and owed in OWED
        case AwardGranted(id=claim, amount_cents=cents):
            ours = claim.startswith(f"{TABLE}.{JOURNAL}.") and 0 <= cents <= MAX_CENTS
            return topic == TOPICS.answer(TABLE) and kind == "award" and ours
        case FaultNoticed(code="sequence_fell", where="books"):
            return topic == TOPICS.controller
        case FaultNoticed(code=code, detail=detail):
            kinds = {
                "rejection": "message_rejected",
                "mismatch": "count_mismatch",
                "unit_refused": "unit_closed" if document.get("closed") else "unit_refused",
            }
            short = detail.isprintable() and len(detail) <= 200
            return topic == TOPICS.answer(TABLE) and kinds[kind] == code and short
        case MeterMoved(meter_cents=cents):
            # Heard now, or held until the controller named its books.
            return topic in (TOPICS.meter, TOPICS.controller) and 0 <= cents <= MAX_CENTS
        case PendingChanged(words=words):
            plain = all(each.isprintable() and len(each) <= 200 for each in words)
            return topic in (TOPICS.pending, TOPICS.controller) and plain
        case LinkChanged():
            return topic == TOPICS.controller
    return False


_METERS = st.tuples(st.just("meter"), st.integers(0, 6), st.sampled_from([BOOKS, "other"]))
_STATUSES = st.tuples(st.just("status"), st.integers(0, 1), st.sampled_from([BOOKS, "other"]))


@given(st.lists(_METERS | _STATUSES, max_size=30))
def test_the_meter_is_always_of_the_live_books_and_never_goes_back(
    said: list[tuple[str, int, str]],
) -> None:
    ear, live = Ear(), ""
    newest: dict[str, int] = {}
    for what, number, books in said:
        if what == "status":
            live = books if number else ""
            payload = msgspec.json.encode(ControllerStatus(online=bool(number), books=books))
            events = ear.takes(TOPICS.controller, payload)
            accepted = UnitAccepted(journal=JOURNAL, boot="b", books=books)
            events += ear.takes(TOPICS.answer(TABLE), msgspec.json.encode(accepted))
        else:
            # The books are told by the amount: the event does not name them.
            cents = number * 10 + (books == BOOKS)
            document = {"message": "meter", "meter_cents": cents, "sequence": number}
            events = ear.takes(TOPICS.meter, msgspec.json.encode({**document, "books": books}))
        for event in events:
            if isinstance(event, FaultNoticed):
                assert (what, event.code, event.where) == ("status", "sequence_fell", "books")
                continue
            assert isinstance(event, MeterMoved)
            assert not ear.hearing.several, "of several controllers none is believed"
            of = BOOKS if event.meter_cents % 10 else "other"
            assert of == live
            assert event.sequence >= newest.get(of, 0)
            newest[of] = event.sequence


def test_deep_nesting_is_ignored() -> None:
    ear = Ear()
    for topic in SUBSCRIBED:
        for payload in (b"[" * 60_000, b'{"x":' * 12_000, b'{"message":' + b"[" * 60_000):
            assert ear.takes(topic, payload) == []
    assert ear.stats.ignored == 3 * len(SUBSCRIBED)


_ORDER = ("through", "round", "contributions", "contributed_cents")
_HUGE = ["9" * 5_000, str(10**30), str(2**64), str(2**63), str(2**53 + 1)]
_WRONG_NUMBERS = {
    "answer": {
        '"mismatch","journal":"J","contributions":N,"contributed_cents":0': _HUGE,
        '"mismatch","journal":"J","contributions":0,"contributed_cents":N': _HUGE,
        '"award","id":"T1.J.5.1","amount_cents":N': [*_HUGE, "-1"],
        '"award","id":"T1.J.5.1","amount_cents":5,"winners":N': [*_HUGE, "0", "-1"],
        '"head_asked","journal":"J","boot":"b","record":N': [*_HUGE, "-1", str(10**12 + 1)],
        **{
            '"unit_accepted","journal":"J","boot":"b","books":"B","goes_on":{'
            + ",".join(f'"{each}":{"N" if each == field else 5}' for each in _ORDER)
            + ',"by":"1"}': [*_HUGE, "-1"]
            for field in _ORDER
        },
    },
    "meter": {
        '"meter","books":"B","meter_cents":5,"sequence":N': [*_HUGE, "-1"],
        '"meter","books":"B","meter_cents":N,"sequence":9': [*_HUGE, "-1"],
    },
    "pending": {
        '"pending","books":"B","sequence":N,"claims":[]': [*_HUGE, "-1"],
        '"pending","books":"B","sequence":1,"locked_cents":5,"claims":[{"id":"T2.x.1.1","table":"T2",'
        '"seat":1,"tier":"royal_flush","dealt_at_ms":1,"percent":N}]': [
            *_HUGE,
            *("-1000", "0", "101"),
        ],
    },
}


@pytest.mark.parametrize(
    ("kind", "text", "number"),
    [
        (kind, text, number)
        for kind, texts in _WRONG_NUMBERS.items()
        for text, wrong in texts.items()
        for number in wrong
    ],
    ids=lambda part: str(part)[:40],
)
def test_1_8_a_number_that_no_controller_can_mean_is_ignored_and_what_comes_after_is_taken(
    kind: str, text: str, number: str
) -> None:
    ear = Ear()
    for said in (
        ControllerStatus(online=True, books=BOOKS),
        UnitAccepted(journal=JOURNAL, boot="b", books=BOOKS),
        UnitRefused(journal=JOURNAL, boot="b", reason="records are missing"),
        UnitAccepted(journal=JOURNAL, boot="b", books=BOOKS),
    ):
        topic = TOPICS.controller if isinstance(said, ControllerStatus) else TOPICS.answer(TABLE)
        ear.takes(topic, msgspec.json.encode(said))
    text = text.replace('"J"', f'"{JOURNAL}"').replace("T1.J.", f"{TABLE}.{JOURNAL}.")
    document = text.replace('"B"', f'"{BOOKS}"').replace(":N", f":{number}")
    on = {"answer": TOPICS.answer(TABLE), "meter": TOPICS.meter, "pending": TOPICS.pending}
    assert ear.takes(on[kind], f'{{"message":{document}}}'.encode()) == []
    assert "it is not understood" in ear.stats.last_ignored
    meter = MeterMessage(meter_cents=5, sequence=1, books=BOOKS)
    (moved,) = ear.takes(TOPICS.meter, msgspec.json.encode(meter))
    assert isinstance(moved, MeterMoved)
