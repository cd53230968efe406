"""The link on a real broker, with a controller that does as it is told.

What is owed arrives, oldest first, until it is acknowledged; the status says where the table
stands. What happens when things break is in `test_broken_links.py`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.protocol.messages import (
    Acknowledgement,
    AwardMessage,
    MeterMessage,
    Mismatch,
    PendingClaim,
    PendingMessage,
    Rejection,
    UnitRefused,
)
from firmware.protocol.obligations import FaultReport
from firmware.protocol.version import VERSION
from firmware.shell.wiring import Outputs
from firmware.table.effects import PublishStatus
from firmware.table.events import (
    Acknowledged,
    AwardGranted,
    BelievedMeter,
    FaultNoticed,
    LinkChanged,
    MeterMoved,
    PendingChanged,
)
from sim.broker import EmbeddedBroker, Mosquitto
from tests.link.ends import (
    BOOKS,
    JOURNAL,
    TABLE,
    TOPICS,
    both_protocols,
    contribution,
    controller_on,
    linked,
    needs_mosquitto_here,
    run,
    settings,
    until,
)

STATUS = PublishStatus(
    round=7,
    phase="dealing",
    dealt_at_ms=99,
    owed=2,
    contributions=12,
    contributed_cents=6_000,
    seen_pending=("T2.x.1.1",),
)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    needs_mosquitto_here()
    with Mosquitto(tmp_path_factory.mktemp("broker")) as started:
        yield started


@both_protocols
def test_what_is_owed_arrives_oldest_first_and_is_acknowledged(
    broker: Mosquitto, protocol: str
) -> None:
    async def scenario() -> None:
        async with (
            controller_on(broker) as controller,
            linked(settings(broker, protocol=protocol, window=4)) as table,
        ):
            owed = [contribution(number) for number in range(1, 21)]
            for obligation in owed:
                table.link.send(obligation)
            await table.until_acknowledged(20)
            first_heard = list(dict.fromkeys(controller.ids()))
            assert first_heard == [obligation.id for obligation in owed]
            await table.until_healthy()
            assert table.link.stats.acknowledged == 20
            assert table.link.stats.broker == f"127.0.0.1:{broker.port}"

    run(scenario)


def test_nothing_is_sent_beyond_the_window_before_an_answer(broker: Mosquitto) -> None:
    async def scenario() -> None:
        async with (
            controller_on(broker) as controller,
            linked(settings(broker, window=3, overdue_s=50)) as table,
        ):
            controller.acknowledges = lambda _: False
            await table.until_healthy()
            for number in range(1, 6):
                table.link.send(contribution(number))
            await until(lambda: len(controller.heard) == 3)
            # One answer, and not that to the oldest one, makes room for one more.
            await controller.answer(Acknowledgement(id=contribution(2).id))
            await until(lambda: len(controller.heard) == 4)
            assert controller.heard[3] == contribution(4)

    run(scenario)


def test_one_that_is_never_acknowledged_stalls_nobody_and_is_named(broker: Mosquitto) -> None:
    async def scenario() -> None:
        async with (
            controller_on(broker) as controller,
            linked(settings(broker, window=1)) as table,
        ):
            controller.acknowledges = lambda obligation: obligation != contribution(1)
            for number in range(1, 4):
                table.link.send(contribution(number))
            await table.until_acknowledged(2)
            await until(lambda: controller.ids().count(contribution(1).id) > 2)
            await table.until_problem("the jackpot controller has acknowledged nothing for 1 s")
            controller.acknowledges = lambda _: True
            await table.until_acknowledged(3)
            await table.until_healthy()

    run(scenario)


@both_protocols
def test_the_status_says_where_the_table_stands_and_that_it_is_gone(
    broker: Mosquitto, protocol: str
) -> None:
    async def scenario() -> None:
        async with controller_on(broker) as controller:
            async with linked(settings(broker, protocol=protocol)) as table:
                await until(lambda: bool(controller.statuses) and controller.statuses[-1].online)
                first = controller.statuses[-1]
                assert (first.table, first.journal, first.game) == (
                    TABLE,
                    JOURNAL,
                    "rws-casino-stud",
                )
                assert first.version == VERSION
                table.link.publish_status(STATUS)
                await until(lambda: controller.statuses[-1].round == 7)
                status = controller.statuses[-1]
                assert (status.phase, status.dealt_at_ms, status.owed) == ("dealing", 99, 2)
                assert (status.contributions, status.contributed_cents) == (12, 6_000)
                assert status.seen_pending == ("T2.x.1.1",)
            # A clean end says so itself: the last will is not sent for it.
            await until(lambda: not controller.statuses[-1].online)
            assert controller.statuses[-1].round == 7

    run(scenario)


def test_meter_and_pending_claims_become_events_and_old_ones_do_not(broker: Mosquitto) -> None:
    async def scenario() -> None:
        async with controller_on(broker) as controller, linked(settings(broker)) as table:
            await table.until_healthy()
            shell, stats = table.shell, table.link.stats

            def meter(sequence: int, books: str = BOOKS) -> MeterMessage:
                return MeterMessage(
                    meter_cents=100 + sequence, sequence=sequence, reset_cents=50, books=books
                )

            await controller.say(TOPICS.meter, meter(5))
            await until(lambda: len(shell.of(MeterMoved)) == 1)
            moved = shell.of(MeterMoved)[0]
            assert (moved.meter_cents, moved.sequence, moved.reset_cents) == (105, 5, 50)
            await controller.say(TOPICS.meter, meter(4))
            await until(lambda: stats.ignored == 1)
            assert "it is old: number 4 after 5" in stats.last_ignored
            await controller.say(TOPICS.meter, meter(9, books="somebody's"))
            await until(lambda: stats.ignored == 2)
            assert "from books other than" in stats.last_ignored
            assert len(shell.of(MeterMoved)) == 1

            claim = PendingClaim(id="T2.x.1.1", table="T2", seat=3, tier="major", dealt_at_ms=5)
            pending = PendingMessage(claims=(claim,), sequence=1, books=BOOKS)
            await controller.say(TOPICS.pending, pending)
            await until(lambda: len(shell.of(PendingChanged)) == 1)
            changed = shell.of(PendingChanged)[0]
            assert changed.ids == ("T2.x.1.1",)
            assert changed.words == ("table T2, seat 3: major",)

    run(scenario)


def test_a_meter_in_doubt_is_followed_once_the_fault_is_reported_as_cleared(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.link.meters.LASTS_S", 0.3)

    async def scenario() -> None:
        async with controller_on(broker) as controller, linked(settings(broker)) as table:
            await table.until_healthy()
            moved = table.shell.of

            async def say(cents: int, sequence: int) -> None:
                meter = MeterMessage(meter_cents=cents, sequence=sequence, books=BOOKS)
                await controller.say(TOPICS.meter, meter)

            await say(100, 1)
            await say(10**13, 2)
            # It is not repeated: time alone reveals that it lasts.
            await until(lambda: len(moved(MeterMoved)) == 2)
            assert [each.doubted for each in moved(MeterMoved)] == [False, True]
            assert [each.code for each in moved(FaultNoticed)] == ["meter_doubted"]
            report = FaultReport(
                id=f"{TABLE}.{JOURNAL}.9.1", table=TABLE, at_ms=1, code="meter_doubted",
                where="meter", text=moved(FaultNoticed)[0].detail, cleared=True, by="Ann",
            )  # fmt: skip
            table.link.send(report)
            await say(10**13 + 5, 3)
            await until(lambda: len(moved(MeterMoved)) == 3)
            assert not moved(MeterMoved)[-1].doubted

    run(scenario)


def test_after_a_restart_in_doubt_the_link_judges_the_meter_that_the_broker_has_kept(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.link.meters.LASTS_S", 0.3)

    async def scenario() -> None:
        believed = BelievedMeter(meter_cents=100, books=BOOKS)
        async with controller_on(broker) as controller:
            meter = MeterMessage(meter_cents=10**13, sequence=2, books=BOOKS)
            await controller.say(TOPICS.meter, meter, retain=True)
            async with linked(settings(broker), believed=believed) as table:
                await until(lambda: bool(table.shell.of(MeterMoved)))
                assert [each.doubted for each in table.shell.of(MeterMoved)] == [True]
                (fault,) = table.shell.of(FaultNoticed)
                assert fault.detail.endswith("$100,000,000,000.00 after $1.00")
            await controller.say(TOPICS.meter, b"", retain=True)

    run(scenario)


def test_a_retained_meter_of_other_books_is_not_believed(broker: Mosquitto) -> None:
    async def scenario() -> None:
        old = MeterMessage(meter_cents=999, sequence=10**6, books="old")
        async with controller_on(broker) as controller:
            await controller.say(TOPICS.meter, old, retain=True)
            async with linked(settings(broker)) as table:
                await table.until_healthy()
                await controller.say(
                    TOPICS.meter, MeterMessage(meter_cents=1, sequence=1, books=BOOKS)
                )
                await until(lambda: bool(table.shell.of(MeterMoved)))
                assert [moved.meter_cents for moved in table.shell.of(MeterMoved)] == [1]
            await controller.say(TOPICS.meter, b"", retain=True)

    run(scenario)


def test_a_meter_that_comes_before_its_controllers_status_counts_then(broker: Mosquitto) -> None:
    async def scenario() -> None:
        async with controller_on(broker) as controller, linked(settings(broker)) as table:
            await table.until_healthy()
            controller.beating = False
            await controller.say(TOPICS.meter, MeterMessage(meter_cents=7, sequence=1, books="new"))
            await until(lambda: table.link.stats.ignored == 1)
            await controller.say_status(online=True, books="new")
            await until(lambda: bool(table.shell.of(MeterMoved)))
            assert table.shell.of(MeterMoved)[0].meter_cents == 7

    run(scenario)


def test_answers_become_events_once_each(broker: Mosquitto) -> None:
    async def scenario() -> None:
        async with controller_on(broker) as controller, linked(settings(broker)) as table:
            controller.acknowledges = lambda _: False
            shell, stats = table.shell, table.link.stats
            await table.until_healthy()
            table.link.send(contribution(1))
            table.link.send(contribution(2))
            # Nothing answers what was not sent yet.
            await until(lambda: len(controller.heard) == 2)
            controller.accepts = False  # a unit that is refused asks again
            one, two = contribution(1).id, contribution(2).id
            for _ in range(2):
                await controller.answer(Acknowledgement(id=one))
                await controller.answer(Rejection(id=two, reason="no such\nround"))
                await controller.answer(AwardMessage(id=one, amount_cents=5))
                await controller.answer(
                    Mismatch(journal=JOURNAL, contributions=3, contributed_cents=1_500)
                )
                boot = controller.statuses[-1].boot
                await controller.answer(
                    UnitRefused(journal=JOURNAL, boot=boot, reason="T1 is live")
                )
            # What concerns somebody else is nobody's event.
            await controller.answer(Acknowledgement(id="T2.x.1.1"))
            await controller.answer(AwardMessage(id="T2.x.1.1", amount_cents=5))
            await controller.answer(Mismatch(journal="x", contributions=0, contributed_cents=0))
            await controller.answer(UnitRefused(journal="x", reason=""))
            await until(lambda: stats.ignored == 9)  # the second refusal among them
            assert [event.id for event in shell.of(Acknowledged)] == [one]
            assert {event.amount_cents for event in shell.of(AwardGranted)} == {5}
            faults = [(f.code, f.where, f.detail) for f in shell.of(FaultNoticed)]
            assert faults == [
                ("message_rejected", two, "no such?round"),
                ("count_mismatch", "", "it has 3 contributions totalling $15.00"),
                ("unit_refused", "", "T1 is live"),
            ]

    run(scenario)


def test_the_embedded_broker_serves_too(tmp_path: Path) -> None:
    async def scenario() -> None:
        with EmbeddedBroker(tmp_path) as embedded:
            async with controller_on(embedded), linked(settings(embedded)) as table:
                table.link.send(contribution(1))
                await table.until_acknowledged(1)
                await table.until_healthy()

    run(scenario)


def test_a_link_that_is_healthy_says_so_once(broker: Mosquitto) -> None:
    async def scenario() -> None:
        patient = settings(broker, stale_s=60, overdue_s=60)
        async with controller_on(broker) as controller, linked(patient) as table:
            await table.until_healthy()
            beats = controller.beats
            await until(lambda: controller.beats > beats + 10)
            assert [event.healthy for event in table.shell.of(LinkChanged)] == [True]

    run(scenario)


def test_the_firmware_hands_the_status_of_its_table_to_the_link() -> None:
    class Link:
        """Keeps what is reported."""

        def __init__(self) -> None:
            self.reported: list[PublishStatus] = []

        def publish_status(self, status: PublishStatus) -> None:
            """Keep it."""
            self.reported.append(status)

    nothing: Any = None
    link: Any = Link()
    Outputs(nothing, nothing, nothing, link, nothing).carry_out(STATUS)
    assert link.reported == [STATUS]
