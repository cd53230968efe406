"""The controller's desk without a broker: units, counts, and peers that mean no good.

Messages go in as bytes, as they would come from the broker; what is said comes out.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.journal.seals import OwnKey
from firmware.protocol.messages import (
    Acknowledgement,
    AwardMessage,
    Mismatch,
    Rejection,
    SignedHead,
    TableStatus,
    Topics,
    UnitRefused,
    signed_text,
)
from firmware.protocol.obligations import AnyObligation
from sim.jackpot_controller.commands import Command, record_command, result, run_commands
from sim.jackpot_controller.desk import MAX_PAYLOAD_BYTES, PATIENCE, LinkDesk
from sim.jackpot_controller.report import LinkReport, report
from sim.jackpot_controller.show import page
from sim.jackpot_controller.store import JackpotLinkSettings, Store
from tests.sim.jackpot_messages import (
    FLUSH,
    ROYAL,
    contribution,
    reversal,
    status,
    verdict,
    whole_meter,
    win,
)

pytestmark = pytest.mark.usefixtures("believed")

NOW = datetime(2026, 1, 1, 20, tzinfo=UTC)
LINK = JackpotLinkSettings("rws-casino-stud", 10_000_000, 2_500)
TOPICS = Topics("underfelt")


class Office:
    """A desk, and the tables before it."""

    def __init__(self, path: Path, *, auto_takeover: bool = False) -> None:
        self.desk = LinkDesk(Store.open(path, LINK), auto_takeover=auto_takeover)

    def owe(self, obligation: AnyObligation) -> list[msgspec.Struct]:
        """Let a table owe something, and return what it is answered."""
        payload = msgspec.json.encode(obligation)
        return self.answers(obligation.table, TOPICS.owed(obligation.table), payload)

    def stand(self, said: TableStatus, *, retained: bool = False) -> list[msgspec.Struct]:
        """Let a table say where it stands, and return what it is answered."""
        topic = TOPICS.status(said.table)
        return self.answers(said.table, topic, msgspec.json.encode(said), retained=retained)

    def answers(
        self, table: str, topic: str, payload: bytes, *, retained: bool = False
    ) -> list[msgspec.Struct]:
        """Give what a table is answered to anything on a topic."""
        out = self.desk.take(topic, payload, NOW, retained=retained)
        return [each.document for each in out if each.topic == TOPICS.answer(table)]

    def command(self, kind: str, table: str, journal: str = "") -> str | None:
        """Give a command of the house, carry it out, and return what came of it."""
        database = self.desk.store.database
        given = Command("underfelt", msgspec.convert(kind, Any), table, journal, "4711")
        number = record_command(database, given, NOW)
        run_commands(self.desk, NOW)
        return result(database, number)

    def report(self) -> LinkReport:
        """Read what `show` shows."""
        self.desk.write()
        return report(self.desk.store.database, "underfelt", running=True)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    """Open a desk on new books."""
    opened = Office(tmp_path / "jackpot.db")
    yield opened
    opened.desk.store.close()


def of_unit(obligation: AnyObligation, journal: str) -> AnyObligation:
    """Let another unit of the same table say it."""
    return replace(obligation, id=obligation.id.replace(".j.", f".{journal}."))


# ── units ────────────────────────────────────────────────────────────────────


def test_a_second_unit_is_refused_while_the_first_is_on_the_link(office: Office) -> None:
    assert office.stand(status("T1")) == []
    (refused,) = office.stand(status("T1", journal="k"))
    assert refused == UnitRefused(journal="k", reason="another unit of table T1 is on the link: j")
    (refused,) = office.owe(of_unit(contribution(1), "k"))
    assert isinstance(refused, UnitRefused)
    assert office.owe(contribution(1)) == [Acknowledgement(id="T1.j.1.1")]
    assert office.desk.store.totals().contributions == 1


def test_a_unit_that_is_offline_must_be_closed_before_another_takes_its_place(
    office: Office,
) -> None:
    office.stand(status("T1"))
    office.owe(contribution(1))
    office.stand(status("T1", online=False))
    (refused,) = office.stand(status("T1", journal="k"))
    assert refused == UnitRefused(journal="k", reason="unit j of table T1 must be closed first")
    assert office.command("close-unit", "T1", "j") == "carried out"
    assert office.stand(status("T1", journal="k")) == []
    assert office.owe(of_unit(contribution(1), "k")) == [Acknowledgement(id="T1.k.1.1")]
    # The old unit has its old answers, and nothing new.
    assert office.owe(contribution(1)) == [Acknowledgement(id="T1.j.1.1")]
    (refused,) = office.owe(contribution(2))
    assert isinstance(refused, UnitRefused)
    assert "closed" in refused.reason
    assert office.report().tables[0].closed_units == 1


def test_takeover_is_automatic_where_the_house_wants_it_so(tmp_path: Path) -> None:
    office = Office(tmp_path / "jackpot.db", auto_takeover=True)
    office.stand(status("T1"))
    assert isinstance(office.stand(status("T1", journal="k"))[0], UnitRefused)
    office.stand(status("T1", online=False))
    assert office.stand(status("T1", journal="k")) == []
    assert isinstance(office.stand(status("T1"))[0], UnitRefused)
    office.desk.store.close()


def test_7_3_a_unit_that_was_taken_over_is_told_that_it_is_closed_and_no_order_opens_it(
    tmp_path: Path,
) -> None:
    office = Office(tmp_path / "jackpot.db", auto_takeover=True)
    office.stand(status("T1"))
    (other,) = office.stand(status("T1", journal="k"))
    office.stand(status("T1", online=False))
    office.stand(status("T1", journal="k"))
    refused = [*office.stand(status("T1")), *office.owe(contribution(2))]
    assert [each.closed for each in (other, *refused) if isinstance(each, UnitRefused)] == [
        *(False, True, True)
    ]
    assert "is closed: its box needs" in (office.command("accept-unit", "T1", "j") or "")
    # What the table is told to do: another journal, once the unit that replaced it is gone.
    office.stand(status("T1", journal="k", online=False))
    assert office.stand(status("T1", journal="new")) == []
    assert office.owe(of_unit(contribution(1), "new")) == [Acknowledgement(id="T1.new.1.1")]
    office.desk.store.close()


def test_a_unit_that_was_online_is_not_replaced_because_the_controller_restarted(
    tmp_path: Path,
) -> None:
    before = Office(tmp_path / "jackpot.db", auto_takeover=True)
    before.stand(status("T1"))
    before.desk.store.close()
    after = Office(tmp_path / "jackpot.db", auto_takeover=True)
    assert isinstance(after.stand(status("T1", journal="k"))[0], UnitRefused)
    assert after.stand(status("T1")) == []
    after.desk.store.close()


def test_i_29_a_table_of_another_game_is_refused(office: Office) -> None:
    (refused,) = office.stand(status("T1", game="rws-holdem"))
    assert isinstance(refused, UnitRefused)
    assert "rws-holdem" in refused.reason
    assert isinstance(office.owe(contribution(1))[0], UnitRefused)
    assert office.desk.store.totals().contributions == 0
    assert office.stand(status("T1")) == []
    assert office.owe(contribution(1)) == [Acknowledgement(id="T1.j.1.1")]


def test_a_closed_unit_is_not_waited_for(office: Office) -> None:
    office.stand(status("T2"))
    office.stand(status("T2", online=False))
    royal = win(1, ROYAL)
    office.owe(royal)
    office.stand(status("T1", royal.id))
    assert office.owe(verdict(2, royal)) == [Acknowledgement(id="T1.j.2.1")]
    (waiting,) = office.report().pending
    assert waiting.waits_for == ("table T2, which is offline",)
    assert office.command("close-unit", "T2", "j") == "carried out"
    assert office.owe(royal)[0] == whole_meter(royal.id)


def test_commands_that_cannot_be_are_refused_in_words(office: Office) -> None:
    office.stand(status("T1"))
    refusals = {
        office.command("overrule", "T1"),
        office.command("close-unit", "T1", "x"),
        office.command("close-unit", "T1", "j"),
        office.command("close-unit", "T1", "j"),
    }
    assert refusals == {
        "refused: table: nothing is pending, so there is nothing to overrule",
        "refused: journal: table T1 has no unit x",
        "carried out",
        "refused: journal: unit j of table T1 is closed already",
    }


def test_an_award_is_told_to_the_table_that_has_it_whoever_made_it_possible(
    office: Office,
) -> None:
    royal = win(1, ROYAL)
    office.stand(status("T2", dealt=-5))
    office.owe(royal)
    office.stand(status("T1", royal.id))
    office.owe(verdict(2, royal))
    topic, payload = TOPICS.status("T2"), msgspec.json.encode(status("T2", royal.id))
    out = office.desk.take(topic, payload, NOW)
    assert out[0].topic == TOPICS.answer("T1")
    assert out[0].document == whole_meter(royal.id)
    assert [each.topic for each in out[1:]] == [TOPICS.meter, TOPICS.pending]


def test_6_2_a_younger_hand_is_not_paid_while_an_older_one_of_its_table_is_still_owed(
    office: Office,
) -> None:
    """Seat 1 was dealt first; its win was lost once on the way (4.2)."""
    older, younger = win(5, ROYAL, dealt=1), win(6, replace(ROYAL, seat=2), dealt=9)
    office.owe(contribution(1))
    office.stand(status("T1", dealt=1, owed=2))
    office.owe(younger)
    office.stand(status("T1", younger.id, dealt=1, owed=3, phase="settling"))
    assert office.owe(verdict(8, younger)) == [Acknowledgement(id="T1.j.8.1")]
    office.owe(older)
    office.owe(verdict(7, older))
    both = status("T1", older.id, younger.id, dealt=1, phase="settling")
    of_the_older, of_the_younger, *_ = office.stand(both)
    assert of_the_older == AwardMessage(
        id=older.id, amount_cents=10_000_125, meter_cents=10_000_125
    )
    assert of_the_younger == whole_meter(younger.id)


# ── counts ───────────────────────────────────────────────────────────────────


def test_a_count_that_differs_is_a_mismatch_until_it_agrees(office: Office) -> None:
    office.stand(status("T1"))
    for number in (1, 2, 3):
        office.owe(contribution(number))
    office.owe(reversal(4, contribution(3)))
    assert office.stand(status("T1", contributions=(2, 1_000))) == []
    for wrong in ((3, 1_500), (2, 999)):
        (mismatch,) = office.stand(status("T1", contributions=wrong))
        assert mismatch == Mismatch(journal="j", contributions=2, contributed_cents=1_000)
    (shown,) = office.report().mismatches
    assert "the table counts 2 contributions of 999 cents, the books have 2 of 1000" in shown
    assert office.stand(status("T1", contributions=(2, 1_000))) == []
    assert office.report().mismatches == ()


def test_a_status_that_was_overtaken_says_nothing_about_the_books(office: Office) -> None:
    """What a table said before a power cut may be delivered after what it has said since."""
    office.stand(signed(status("T1"), 1))
    office.owe(contribution(1))
    assert office.stand(signed(status("T1", contributions=(1, 500)), 3)) == []
    assert office.stand(signed(status("T1"), 1)) == []
    (mismatch,) = office.stand(signed(status("T1"), 4))
    assert isinstance(mismatch, Mismatch)


def test_4_7_no_time_that_a_status_names_ends_the_comparing_of_counts(office: Office) -> None:
    office.stand(signed(status("T1"), 1))
    office.owe(contribution(1))
    right = status("T1", contributions=(1, 500))
    assert office.stand(replace(signed(right, 2), at_ms=2**52)) == []
    for wrong in (signed(status("T1"), 2), signed(status("T1"), 3)):
        (mismatch,) = office.stand(replace(wrong, at_ms=5))
        assert isinstance(mismatch, Mismatch)


def signed(said: TableStatus, record: int) -> TableStatus:
    """Let a status prove how far its journal has got."""
    key, chain = OwnKey(b"k" * 32), f"{record:064x}"
    head = SignedHead(record=record, chain=chain, key=key.public, signature="")
    text = signed_text(said.table, said.journal, said.boot, said.connection, head)
    return replace(said, head=replace(head, signature=key.sign(text)))


@pytest.mark.parametrize(
    ("said", "retained"),
    [
        (status("T1", contributions=(7, 7), owed=1), False),
        (status("T1", contributions=(7, 7), online=False), False),
        (status("T1", contributions=(7, 7), game=""), False),
        (status("T1", contributions=(7, 7)), True),
    ],
)
def test_a_count_is_compared_only_when_it_is_the_tables_last_word(
    office: Office, said: TableStatus, *, retained: bool
) -> None:
    assert office.stand(said, retained=retained) == []


def test_a_replaced_unit_is_counted_by_itself(tmp_path: Path) -> None:
    office = Office(tmp_path / "jackpot.db", auto_takeover=True)
    office.stand(status("T1"))
    office.owe(contribution(1))
    office.stand(status("T1", online=False))
    assert office.stand(status("T1", journal="k")) == []
    office.owe(of_unit(contribution(1), "k"))
    assert office.stand(status("T1", journal="k", contributions=(1, 500))) == []
    office.desk.store.close()


# ── peers that mean no good ──────────────────────────────────────────────────

HONEST = [
    contribution(1),
    reversal(2, contribution(1)),
    win(3, FLUSH),
    win(4, ROYAL),
    verdict(5, win(4, ROYAL), paid_cents=5),
    status("T1", "T1.j.4.1", dealt=3),
]
ODD: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**40), 10**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
    | st.sampled_from(["T1", "T2", "T1.j.1.1", "T1.k.1.1", "contribution", "win", "table_status"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2)
    ),
    max_leaves=4,
)


@st.composite
def hostile(draw: st.DrawFn) -> tuple[str, bytes]:
    """Draw a message that is honest but for some of its values, or not at all."""
    topic = draw(st.sampled_from([TOPICS.owed("T1"), TOPICS.status("T1"), TOPICS.owed("T2")]))
    if draw(st.integers(0, 4)) == 0:
        return topic, draw(st.binary(max_size=40))
    document = json.loads(msgspec.json.encode(draw(st.sampled_from(HONEST))))
    for key in draw(st.lists(st.sampled_from(sorted(document)), max_size=2)):
        document[key] = draw(ODD)
    if isinstance(document.get("claim"), dict) and draw(st.booleans()):
        document["claim"][draw(st.sampled_from(["seat", "tier", "percent", "amount"]))] = draw(ODD)
    return topic, json.dumps(document).encode()


@given(st.lists(hostile(), max_size=12))
@settings(max_examples=60, deadline=None)
def test_no_message_ends_the_desk_or_moves_a_cent_that_is_not_accounted_for(
    messages: list[tuple[str, bytes]],
) -> None:
    with TemporaryDirectory() as folder:
        office = Office(Path(folder) / "jackpot.db")
        for topic, payload in messages:
            for each in office.desk.take(topic, payload, NOW):
                msgspec.json.encode(each.document)
        shown, totals = office.report(), office.desk.store.totals()
        accounts = office.desk.store.accounts
        held = accounts.meter_parts + accounts.reserve_parts + accounts.overflow_parts
        added = totals.contributed_parts - totals.reversed_parts
        moved = (totals.resets_cents - totals.from_meter_cents) * 10_000
        assert held == moved + added + accounts.house_parts
        assert shown.hits == totals.awards
        office.desk.store.close()


def test_a_payload_beyond_reason_is_not_even_read(office: Office) -> None:
    padded = msgspec.json.encode(contribution(1)) + b" " * MAX_PAYLOAD_BYTES
    assert office.answers("T1", TOPICS.owed("T1"), padded) == []
    assert office.report().refused[0].startswith("T1 dropped: 1, last at")
    assert office.answers("T1", TOPICS.owed("T1"), padded[:MAX_PAYLOAD_BYTES]) == [
        Acknowledgement(id="T1.j.1.1")
    ]


@pytest.mark.parametrize("name", ["", "T 1", "T1/owed", "x" * 33, "T\n1"])
def test_a_name_that_no_table_can_have_is_dropped(office: Office, name: str) -> None:
    payload = msgspec.json.encode(replace(contribution(1), table=name, id=f"{name}.j.1.1"))
    assert office.desk.take(TOPICS.owed(name), payload, NOW) == []
    assert office.report().refused[0].startswith("? dropped: 1")
    assert office.report().tables == ()


# ── what comes before something that it rests on ─────────────────────────────


def early(office: Office, obligation: AnyObligation, after_s: float) -> list[msgspec.Struct]:
    """Let something come some seconds after the first, and return what is said."""
    payload = msgspec.json.encode(obligation)
    at = NOW + timedelta(seconds=after_s)
    said = office.desk.take(TOPICS.owed(obligation.table), payload, at)
    return [each.document for each in said if each.topic == TOPICS.answer(obligation.table)]


def test_what_only_came_too_early_is_not_rejected(tmp_path: Path) -> None:
    office = Office(tmp_path / "jackpot.db")
    added, royal = contribution(1), win(2, ROYAL)
    again = replace(win(4, ROYAL), dealt_at_ms=royal.dealt_at_ms)
    for first in (reversal(6, added), verdict(3, royal, confirmed=False)):
        assert early(office, first, 0) == []
    assert early(office, royal, 1) == [Acknowledgement(id=royal.id)]
    assert early(office, again, 2) == [], "the first is not withdrawn yet"
    assert early(office, added, 3) == [Acknowledgement(id=added.id)]
    for obligation in (verdict(3, royal, confirmed=False), again, reversal(6, added)):
        assert early(office, obligation, 5) == [Acknowledgement(id=obligation.id)]


def test_what_rests_on_something_that_never_comes_is_rejected_in_the_end(tmp_path: Path) -> None:
    office = Office(tmp_path / "jackpot.db")
    orphan = verdict(3, win(2, ROYAL))
    assert early(office, orphan, 0) == []
    assert early(office, orphan, PATIENCE.seconds - 1) == []
    (answer,) = early(office, orphan, PATIENCE.seconds)
    assert isinstance(answer, Rejection)
    # What rests on something rejected has nothing to wait for.
    never = win(5, replace(ROYAL, tier="joker"))
    assert isinstance(early(office, never, 30)[0], Rejection)
    (answer,) = early(office, verdict(6, never), 31)
    assert isinstance(answer, Rejection)
    office.desk.write()
    assert "T1 too early: 2" in page(report(office.desk.store.database, "underfelt", running=True))
