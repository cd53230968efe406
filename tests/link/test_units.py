"""Which unit speaks for the table: the controller says so, before anything owed is sent."""

import asyncio
from collections.abc import Iterator

import pytest

from firmware.journal.seals import is_signed
from firmware.protocol.messages import HeadAsked, UnitRefused, proved_text, signed_text
from firmware.table.events import FaultNoticed
from sim.broker import Mosquitto
from tests.link.ends import (
    JOURNAL,
    TABLE,
    TOPICS,
    contribution,
    controller_on,
    linked,
    needs_mosquitto_here,
    run,
    settings,
    until,
)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    needs_mosquitto_here()
    with Mosquitto(tmp_path_factory.mktemp("broker")) as started:
        yield started


def test_nothing_owed_is_sent_and_the_link_is_not_healthy_before_the_unit_is_accepted(
    broker: Mosquitto,
) -> None:
    async def scenario() -> None:
        async with controller_on(broker) as controller, linked(settings(broker)) as table:
            controller.accepts = False
            table.link.send(contribution(1))
            await table.until_problem("has not accepted this unit")
            assert controller.heard == []
            assert controller.statuses[-1].waits
            controller.accepts = True  # it asks again by itself
            await table.until_acknowledged(1)
            await table.until_healthy()

    run(scenario)


def test_the_chain_of_the_record_that_the_controller_asks_for_comes_with_the_status(
    broker: Mosquitto,
) -> None:
    async def scenario() -> None:
        async with controller_on(broker) as controller, linked(settings(broker)) as table:
            await table.until_healthy()
            status = controller.statuses[-1]
            asked = HeadAsked(journal=JOURNAL, boot=status.boot, record=7, nonce="n-1")
            await controller.answer(asked)
            await until(lambda: controller.statuses[-1].proof is not None)
            head, proof = controller.statuses[-1].head, controller.statuses[-1].proof
            assert head is not None
            assert proof is not None
            assert (proof.record, proof.chain, proof.nonce) == (7, f"{7:064}", "n-1")
            text = proved_text(TABLE, JOURNAL, status.boot, proof)
            assert text == f"underfelt-proof {TABLE} {JOURNAL} {status.boot} n-1 7 {7:064}".encode()
            assert is_signed(head.key, proof.signature, text)
            text = signed_text(TABLE, JOURNAL, status.boot, status.connection, head)
            signed = f"{status.boot} {status.connection} {head.record} {head.chain} 0"
            assert text == f"underfelt-head {TABLE} {JOURNAL} {signed}".encode()
            assert is_signed(head.key, head.signature, text)

    run(scenario)


def test_a_refusal_of_an_earlier_start_is_not_believed_even_if_the_broker_keeps_it(
    broker: Mosquitto,
) -> None:
    async def scenario() -> None:
        async with controller_on(broker) as controller:
            for boot in ("", "0123456789abcdef"):
                refused = UnitRefused(journal=JOURNAL, boot=boot, reason="T1 is live")
                await controller.say(TOPICS.answer(TABLE), refused, retain=True)
                async with linked(settings(broker)) as table:
                    await table.until_healthy()
                    stats = table.link.stats
                    while stats.ignored < 1:  # noqa: ASYNC110  # it is given up with the scenario
                        await asyncio.sleep(0.01)
                    assert table.shell.of(FaultNoticed) == []
            await controller.say(TOPICS.answer(TABLE), b"", retain=True)

    run(scenario)


def test_two_units_with_one_journal_do_not_cut_each_other_off(broker: Mosquitto) -> None:
    async def scenario() -> None:
        chosen = settings(broker)
        async with controller_on(broker), linked(chosen) as one, linked(chosen) as other:
            await one.until_healthy()
            await other.until_healthy()
            assert [one.link.stats.connections, other.link.stats.connections] == [1, 1]

    run(scenario)
