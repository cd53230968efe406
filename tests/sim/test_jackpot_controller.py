"""The jackpot controller as tables meet it: its own process, on both brokers.

Each test has its own database and topics' root; the broker is shared where it lives
through the test. Time limits only guard against hanging.
"""

import signal
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from firmware.protocol.messages import (
    Acknowledgement,
    AwardMessage,
    Mismatch,
    Rejection,
    UnitRefused,
)
from firmware.protocol.obligations import AnyObligation
from sim.broker import Broker, EmbeddedBroker, Mosquitto, mosquitto_path
from sim.jackpot_controller.store import LedgerTotals
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
from tests.sim.links import Link, Table, client

BROKERS = pytest.mark.parametrize("kind", [EmbeddedBroker, Mosquitto], scope="module")


def skip_without(kind: type[Broker]) -> None:
    """Say loudly what is not tested on this machine."""
    if kind is Mosquitto and mosquitto_path() is None:
        pytest.skip("NOT TESTED ON MOSQUITTO: it is not installed (apt-get install mosquitto)")


@pytest.fixture(scope="module")
def broker(kind: type[Broker], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """Run a broker for the tests that leave it alone."""
    skip_without(kind)
    with kind(tmp_path_factory.mktemp("broker")) as running:
        yield running


@pytest.fixture
def link(broker: Broker, tmp_path: Path) -> Iterator[Link]:
    """Make a link of its own, with a controller that is not started yet."""
    with Link(broker, tmp_path) as made:
        yield made


@BROKERS
def test_a_contribution_is_acknowledged_as_often_as_it_is_sent_and_counts_once(link: Link) -> None:
    async def scenario(table: Table) -> None:
        assert await table.meter(1) == 10_000_000
        for _ in range(3):
            await table.send(contribution(1))
            assert await table.answer() == Acknowledgement(id="T1.j.1.1")
        assert await table.meter(2) == 10_000_125

    link.play(scenario)
    assert link.totals().contributions == 1


@BROKERS
def test_a_minor_has_its_award_before_its_acknowledgement(link: Link) -> None:
    async def scenario(table: Table) -> None:
        for _ in range(2):
            await table.send(win(2, FLUSH))
            assert await table.answer() == AwardMessage(id="T1.j.2.1", amount_cents=10_000)
            assert await table.answer() == Acknowledgement(id="T1.j.2.1")

    link.play(scenario)
    assert link.totals().awarded_cents == 10_000


@BROKERS
def test_a_major_is_acknowledged_and_pending_and_awarded_when_it_is_confirmed(link: Link) -> None:
    royal, confirmed = win(2, ROYAL), verdict(4, win(2, ROYAL))

    async def scenario(table: Table) -> None:
        before = await table.pending()
        await table.send(replace(contribution(1), seat=2), royal)
        assert await table.answer() == Acknowledgement(id="T1.j.1.1")
        assert await table.answer() == Acknowledgement(id=royal.id)
        assert (await table.pending(royal.id)).sequence == before.sequence + 1
        await table.stand(status("T1", royal.id, game=""))  # its count is not compared
        await table.send(contribution(3), confirmed)
        assert await table.answer() == Acknowledgement(id="T1.j.3.1")
        for again in (confirmed, royal, confirmed):
            assert await table.answer() == AwardMessage(
                id=royal.id, amount_cents=10_000_125, meter_cents=10_000_125
            )
            assert await table.answer() == Acknowledgement(
                id=royal.id if again is royal else confirmed.id
            )
            await table.send(royal if again is confirmed else confirmed)
        assert (await table.pending()).sequence == before.sequence + 2
        # The reset is one change of the meter, the reserve another.
        assert await table.meter(4) == 10_000_125

    link.play(scenario)
    assert link.totals().awarded_cents == 10_000_125


@BROKERS
def test_rws_claims_of_two_tables_are_paid_by_the_deal(link: Link) -> None:
    first, late = win(1, ROYAL, "T2", dealt=10), win(1, ROYAL, "T1", dealt=20)

    async def scenario(one: Table, two: Table) -> None:
        await one.stand(status("T1"))
        await two.stand(status("T2", dealt=5))
        await one.send(late, verdict(2, late))
        await two.pending(late.id)
        await two.stand(status("T2", late.id, dealt=5, owed=1))
        await two.send(first)
        for table in (one, two):
            await table.pending(first.id, late.id)
            dealt = 5 if table is two else None
            await table.stand(status(table.name, first.id, late.id, dealt=dealt, phase="settling"))
        await two.send(verdict(2, first))
        assert await two.award() == whole_meter(first.id)
        assert await one.award() == whole_meter(late.id)
        await one.pending()

    link.play(scenario, "T1", "T2")
    assert link.totals().awards == 2


@BROKERS
def test_a_dead_table_holds_a_claim_until_the_house_overrules_it(link: Link) -> None:
    royal = win(1, ROYAL)

    async def scenario(one: Table, two: Table) -> None:
        await one.stand(status("T1", royal.id))
        await two.stand(status("T2", dealt=5))
        await two.stand(status("T2", online=False))
        await one.send(royal, verdict(2, royal), contribution(3))
        while await one.answer() != Acknowledgement(id="T1.j.3.1"):
            pass
        shown = link.command("show")
        assert "waits for table T2, which is offline" in shown
        assert link.command("overrule", "--table=T2", "--by=4711") == "carried out\n"
        assert await one.award() == whole_meter(royal.id)
        assert "overrule T2 by 4711: carried out" in link.command("show")

    link.play(scenario, "T1", "T2")
    assert link.accounts().meter_cents == 10_000_125


@BROKERS
def test_two_royals_at_one_megalink_table_share(broker: Broker, tmp_path: Path) -> None:
    first, second = win(1, ROYAL), win(2, replace(ROYAL, seat=3))
    game = "mbs-megalink-stud"

    async def scenario(table: Table) -> None:
        await table.stand(status("T1", game=game, owed=2))
        await table.send(first, second, verdict(3, first), verdict(4, second))
        while await table.acknowledged() != "T1.j.4.1":
            pass
        await table.pending(first.id, second.id)
        await table.stand(status("T1", first.id, second.id, game=game))
        assert await table.award() == whole_meter(first.id, winners=2)
        assert await table.award() == whole_meter(second.id, winners=2)

    with Link(broker, tmp_path, game) as link:
        link.play(scenario)
        assert link.totals().resets_cents == 30_000_000


@BROKERS
def test_a_count_that_differs_is_told_to_the_table_and_shown(link: Link) -> None:
    async def scenario(table: Table) -> None:
        await table.send(contribution(1))
        assert await table.answer() == Acknowledgement(id="T1.j.1.1")
        await table.stand(status("T1", contributions=(2, 1_000)))
        assert await table.answer() == Mismatch(journal="j", contributions=1, contributed_cents=500)

    link.play(scenario)
    assert "the table counts 2 contributions of 1000 cents" in link.command("show")
    assert "does not agree with the books" in link.log.read_text(encoding="utf-8")


@BROKERS
def test_a_second_unit_of_a_table_is_refused(link: Link) -> None:
    async def scenario(table: Table, same_name: Table) -> None:
        await table.stand(status("T1"))
        await same_name.stand(status("T1", journal="k"))
        answer = await table.answer()
        assert isinstance(answer, UnitRefused)
        assert answer.journal == "k"
        await table.send(contribution(1))
        assert await table.acknowledged() == "T1.j.1.1"

    link.play(scenario, "T1", "T1")


@BROKERS
def test_what_the_controller_says_names_its_books(link: Link) -> None:
    async def scenario(table: Table) -> None:
        said = []
        for topic in (table.topics.controller, table.topics.meter, table.topics.pending):
            await table.client.subscribe(topic, qos=1)
            message = await table.next_on(topic)
            said.append(msgspec.json.decode(bytes(message.payload)))
        assert len({each["books"] for each in said}) == 1
        assert said[0]["books"]
        assert said[0]["game"] == "rws-casino-stud"
        assert said[1]["reset_cents"] == 10_000_000

    link.play(scenario)


@BROKERS
def test_a_killed_controller_loses_and_doubles_nothing(link: Link) -> None:
    owed = [contribution(number) for number in range(1, 41)]

    async def scenario(table: Table) -> None:
        await table.send(*owed[:10])
        await table.answer()
        link.end(signal.SIGKILL)
        await table.until_status(online=False)
        await table.send(*owed[10:20])
        link.start()
        await table.until_status(online=True)
        await table.send(*owed)
        missing = {each.id for each in owed}
        while missing:
            missing.discard(await table.acknowledged())
        # Answers of the first life may stand in for those of the second; one more cannot.
        await table.send(contribution(41))
        while await table.acknowledged() != "T1.j.41.1":
            pass
        assert await table.meter(42) == 10_005_125

    link.play(scenario)
    totals = link.totals()
    assert (totals.contributions, totals.stakes_cents) == (41, 41 * 500)


BAD = {
    "empty": b"",
    "not JSON": b"\xff\x00{",
    "another message": b'{"message":"meter","meter_cents":1,"sequence":1}',
    "half a contribution": b'{"message":"contribution","id":"T1.j.9.1"}',
    "a number beyond reading": b'{"message":"contribution","id":' + b"9" * 5_000 + b"}",
    "huge": msgspec.json.encode(replace(contribution(9), bet="x" * 70_000)),
    "another table's": msgspec.json.encode(contribution(9, table="T2")),
    "an id without end": msgspec.json.encode(
        replace(contribution(9), id="T1.j." + "9" * 1_000 + ".1")
    ),
}
"""What is dropped without an answer."""
NEVER: list[AnyObligation] = [
    replace(contribution(9), id="T2.j.9.1"),
    contribution(9, -500),
    win(9, replace(ROYAL, tier="joker")),
    win(9, replace(FLUSH, amount=None, percent=100)),
    reversal(9, contribution(1, 600)),
    verdict(9, win(8, ROYAL), confirmed=False, paid_cents=500),
    contribution(1, 600),
]
"""What is understood and rejected; the last is an id that stands for something else."""


@BROKERS
def test_a_bad_document_is_dropped_or_rejected_and_the_next_one_served(link: Link) -> None:
    async def scenario(table: Table) -> None:
        await table.send(contribution(1))
        assert await table.answer() == Acknowledgement(id="T1.j.1.1")
        for payload in BAD.values():
            await table.say(payload)
        for obligation in NEVER:
            await table.say(msgspec.json.encode(obligation))
            answer = await table.answer()
            assert isinstance(answer, Rejection)
            assert answer.id == obligation.id
        await table.send(contribution(2))
        assert await table.answer() == Acknowledgement(id="T1.j.2.1")

    link.play(scenario)
    assert link.end(signal.SIGTERM) == 0
    assert link.totals() == LedgerTotals(2, 1_000, 2_500_000, 0, 0, 0, 0, 0, 10_000_000)
    shown = link.command("show")
    assert f"T1 dropped: {len(BAD)}" in shown
    assert f"T1 rejected: {len(NEVER)}" in shown


@BROKERS
def test_a_controller_that_is_told_to_stop_says_so(link: Link) -> None:
    async def scenario(table: Table) -> None:
        assert link.end(signal.SIGTERM) == 0
        await table.until_status(online=False)
        async with client(link) as late:
            await late.subscribe(table.topics.controller, qos=1)
            at_the_late = Table(table.topics, late)
            await at_the_late.until_status(online=False)

    link.play(scenario)


@pytest.mark.parametrize("kind", [EmbeddedBroker, Mosquitto])
def test_a_controller_outlives_its_broker(kind: type[Broker], tmp_path: Path) -> None:
    skip_without(kind)

    async def before(table: Table) -> None:
        await table.send(contribution(1))
        await table.answer()

    async def after(table: Table) -> None:
        await table.send(contribution(1), contribution(2))
        assert await table.answer() == Acknowledgement(id="T1.j.1.1")
        assert await table.answer() == Acknowledgement(id="T1.j.2.1")
        assert await table.meter(3) == 10_000_250

    with kind(tmp_path) as broker, Link(broker, tmp_path) as link:
        link.play(before)
        broker.kill()
        broker.start()
        link.join(after)
        assert link.end(signal.SIGINT) == 0
        assert link.totals().contributions == 2


def test_a_controller_without_a_broker_can_be_stopped(tmp_path: Path) -> None:
    with Link(EmbeddedBroker(tmp_path), tmp_path) as link:
        link.start()
        while not link.log.exists() or "no broker answers at" not in link.log.read_text():
            assert link.controller is not None
            assert link.controller.poll() is None
        assert link.end(signal.SIGTERM) == 0
