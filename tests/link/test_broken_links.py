"""The link when things break: brokers die, hang and move, the controller falls silent.

Whatever it is, the table says which, and nothing that is owed is lost.
"""

import asyncio
import gc
import signal
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import aiomqtt
import pytest

from firmware.link.client import LARGEST_BYTES
from firmware.link.settings import BrokerAddress
from firmware.protocol.messages import Acknowledgement, ControllerStatus
from firmware.table.events import Acknowledged, LinkChanged
from sim.broker import HOST, Mosquitto, free_port
from tests.link.ends import (
    BOOKS,
    ROOT,
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
from tests.sim.wires import Wire


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    needs_mosquitto_here()
    with Mosquitto(tmp_path) as started:
        yield started


@both_protocols
def test_a_broker_that_was_killed_is_found_again_and_everything_is_sent_again(
    broker: Mosquitto, protocol: str
) -> None:
    async def scenario() -> None:
        # Patient, so that a slow answer of the broker is not taken for a lost connection.
        async with linked(settings(broker, protocol=protocol, overdue_s=30)) as table:
            async with controller_on(broker) as controller:
                controller.acknowledges = lambda _: False
                await table.until_healthy()
                table.link.send(contribution(1))
                table.link.send(contribution(2))
                await until(lambda: len(controller.heard) >= 2)
                broker.kill()
                await table.until_problem(f"no broker answers at {HOST}:{broker.port} (connection")
                table.link.send(contribution(3))
            broker.start()
            async with controller_on(broker) as controller:
                await table.until_acknowledged(3)
                ids = list(dict.fromkeys(controller.ids()))
                assert ids == [contribution(number).id for number in (1, 2, 3)]
                await table.until_healthy()
            assert table.link.stats.connections == 2

    run(scenario)


def test_the_next_broker_in_the_list_takes_over(tmp_path: Path) -> None:
    needs_mosquitto_here()
    first, second = (Mosquitto(_folder(tmp_path, name)) for name in ("first", "second"))

    async def scenario() -> None:
        with first, second:
            async with (
                linked(settings(first, second)) as table,
                controller_on(second) as controller,
            ):
                async with controller_on(first):
                    await table.until_healthy()
                    assert table.link.stats.broker == f"{HOST}:{first.port}"
                    first.kill()
                table.link.send(contribution(1))
                await table.until_acknowledged(1)
                await table.until_healthy()
                assert table.link.stats.broker == f"{HOST}:{second.port}"
                assert controller.heard[0] == contribution(1)
                second.kill()
                problem = await table.until_problem("; ")
                assert problem.split("; ") == [
                    f"no broker answers at {HOST}:{each.port} (connection refused)"
                    for each in (first, second)
                ]

    run(scenario)


def test_a_broker_without_a_controller_is_left_for_the_next(tmp_path: Path) -> None:
    needs_mosquitto_here()
    first, second = (Mosquitto(_folder(tmp_path, name)) for name in ("first", "second"))

    async def scenario() -> None:
        with first, second:
            async with (
                linked(settings(first, second)) as table,
                controller_on(second),
            ):
                await table.until_healthy()
                assert table.link.stats.broker == f"{HOST}:{second.port}"

    run(scenario)


def _folder(parent: Path, name: str) -> Path:
    (parent / name).mkdir()
    return parent / name


@both_protocols
def test_a_connection_that_hangs_is_given_up(broker: Mosquitto, protocol: str) -> None:
    async def scenario() -> None:
        async with (
            linked(settings(broker, protocol=protocol)) as table,
            controller_on(broker),
        ):
            await table.until_healthy()
            broker.send_signal(signal.SIGSTOP)
            try:
                table.link.send(contribution(1))
                await table.until_problem(f"no broker answers at {HOST}:{broker.port} (")
            finally:
                broker.send_signal(signal.SIGCONT)
        async with linked(settings(broker, protocol=protocol)) as table, controller_on(broker):
            table.link.send(contribution(1))
            await table.until_acknowledged(1)

    run(scenario)


def test_a_connection_that_was_cut_without_a_word_is_noticed_with_nothing_to_send(
    broker: Mosquitto,
) -> None:
    async def scenario() -> None:
        async with linked(settings(broker)) as table, controller_on(broker):
            await table.until_healthy()
            broker.send_signal(signal.SIGSTOP)
            try:
                await table.until_problem("the broker answers but the jackpot controller is silent")
                await table.until_problem(f"no broker answers at {HOST}:{broker.port}")
            finally:
                broker.send_signal(signal.SIGCONT)
            await table.until_healthy()

    run(scenario)


def test_a_port_that_takes_connections_and_says_nothing_is_no_broker() -> None:
    async def scenario() -> None:
        with closing(socket.create_server((HOST, 0))) as mute:
            port = mute.getsockname()[1]
            chosen = settings(port=port)
            async with linked(chosen) as table:
                await table.until_problem(
                    f"no broker answers at {HOST}:{port} (it accepts connections but says nothing)"
                )

    run(scenario)


def test_a_name_that_nobody_knows_is_named() -> None:
    async def scenario() -> None:
        chosen = settings(host="jackpot.invalid")
        async with linked(chosen) as table:
            await table.until_problem("the name jackpot.invalid is not known")

    run(scenario)


def test_a_name_that_can_be_nobodys_is_no_end_of_the_firmware() -> None:
    async def scenario() -> None:
        async with linked(settings(host="jackpot..example")) as table:
            await table.until_problem("'jackpot..example' is not a valid host name")

    run(scenario)


def test_nothing_is_sent_twice_to_a_controller_that_answers(broker: Mosquitto) -> None:
    async def scenario() -> None:
        async with controller_on(broker) as controller:
            async with linked(settings(broker, overdue_s=30)) as table:
                for number in range(1, 10):
                    table.link.send(contribution(number))
                await table.until_acknowledged(9)
            assert controller.ids() == [contribution(number).id for number in range(1, 10)]

    run(scenario)


def test_a_controller_that_falls_silent_goes_and_comes_back_is_told_apart(
    broker: Mosquitto,
) -> None:
    async def scenario() -> None:
        async with linked(settings(broker, overdue_s=30)) as table:
            await table.until_problem("the broker answers but the jackpot controller is silent")
            async with controller_on(broker) as controller:
                await table.until_healthy()
                controller.beating = False
                await table.until_problem("the jackpot controller is silent")
                controller.beating = True
                await table.until_healthy()
            await table.until_problem("the jackpot controller is off or cut off")
            table.link.send(contribution(1))
            async with controller_on(broker):
                await table.until_acknowledged(1)
                await table.until_healthy()
            assert table.link.stats.connections == 1

    run(scenario)


def test_a_controller_of_another_game_is_not_this_tables(broker: Mosquitto) -> None:
    async def scenario() -> None:
        async with controller_on(broker) as controller, linked(settings(broker)) as table:
            await table.until_healthy()
            controller.beating = False
            other = ControllerStatus(online=True, books=BOOKS, game="rws-holdem")
            await controller.say(TOPICS.controller, other)
            await table.until_problem("the jackpot controller is for rws-holdem")

    run(scenario)


def test_answers_that_are_lost_are_asked_for_again(broker: Mosquitto) -> None:
    async def scenario() -> None:
        async with controller_on(broker) as controller, linked(settings(broker)) as table:
            lost = {contribution(number).id for number in (1, 3)}
            controller.acknowledges = lambda obligation: (
                obligation.id not in lost or controller.ids().count(obligation.id) > 1
            )
            await table.until_healthy()
            for number in range(1, 5):
                table.link.send(contribution(number))
            await table.until_acknowledged(4)
            acknowledged = [event.id for event in table.shell.of(Acknowledged)]
            assert sorted(acknowledged) == [contribution(number).id for number in range(1, 5)]
            assert acknowledged[2:] == [contribution(number).id for number in (1, 3)]

    run(scenario)


def test_answers_in_another_order_and_twice_are_taken_once_each(broker: Mosquitto) -> None:
    async def scenario() -> None:
        async with controller_on(broker) as controller, linked(settings(broker)) as table:
            controller.acknowledges = lambda _: False
            await table.until_healthy()
            for number in range(1, 4):
                table.link.send(contribution(number))
            await until(lambda: len(controller.heard) == 3)  # nothing answers what was not sent
            for number in (3, 3, 1, 2, 1, 2):
                await controller.answer(Acknowledgement(id=contribution(number).id))
            await controller.answer(Acknowledgement(id=contribution(4).id))
            await until(lambda: table.link.stats.ignored == 1)
            assert table.link.stats.last_ignored.endswith("it answers something not owed")
            ids = [event.id for event in table.shell.of(Acknowledged)]
            assert ids == [contribution(number).id for number in (3, 1, 2)]

    run(scenario)


@both_protocols
def test_a_message_that_is_too_long_is_ignored(broker: Mosquitto, protocol: str) -> None:
    async def scenario() -> None:
        async with (
            controller_on(broker) as controller,
            linked(settings(broker, protocol=protocol)) as table,
        ):
            await table.until_healthy()
            await controller.answer(b"[" * (LARGEST_BYTES + 1))
            await controller.answer(b'"' + b"x" * 2_000_000 + b'"')
            await controller.answer(b"end")
            await until(lambda: "on underfelt/table/T1/answer" in table.link.stats.last_ignored)
            await until(lambda: "malformed" in table.link.stats.last_ignored)
            table.link.send(contribution(1))
            await table.until_acknowledged(1)

    run(scenario)


def test_connections_cut_while_a_table_speaks_are_no_failure_of_the_event_loop(
    broker: Mosquitto,
) -> None:
    # What fails in the event loop itself is taken for the pins, and locks the table.
    failures: list[dict[str, Any]] = []

    async def scenario() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, what: failures.append(what))
        rng = Random(20)
        async with controller_on(broker), Wire(broker.port) as wire:
            through = settings(port=wire.port, backoff_s=0.01, backoff_max_s=0.02)
            async with linked(through) as table:
                for number in range(1, 101):
                    await until(lambda: table.link.stats.broker is not None)
                    for place in range(10):
                        table.link.send(contribution(10 * number + place))
                    await asyncio.sleep(rng.choice((0.0, 0.001, 0.002, 0.005)))
                    wire.cut(rng, part=1.0)
                    await asyncio.sleep(0)
                await table.until_healthy()
        gc.collect()

    run(scenario)
    assert not failures


def test_a_network_that_flaps_does_not_flood_the_journal(broker: Mosquitto) -> None:
    async def scenario() -> None:
        async with controller_on(broker) as controller, linked(settings(broker)) as table:
            await table.until_healthy()
            for _ in range(200):
                await controller.say_status(online=False)
                await controller.say_status(online=True)
            await table.until_healthy()
            # Two hundred ups and downs take far less than a second each.
            assert len(table.shell.of(LinkChanged)) < 100

    run(scenario)


def test_a_table_that_dies_is_said_to_be_gone_by_its_last_will(broker: Mosquitto) -> None:
    async def scenario() -> None:
        async with controller_on(broker) as controller, linked(settings(broker)) as table:
            await table.until_healthy()
            # Somebody takes its name on the broker, which cuts it off without its own word.
            status = controller.statuses[-1]
            assert status.online
            with closing(socket.create_connection((HOST, broker.port))) as other:
                identifier = f"underfelt-{TABLE}-{status.journal}-{status.boot}".encode()
                body = b"\x00\x04MQTT\x04\x02\x00\x05" + len(identifier).to_bytes(2) + identifier
                other.sendall(bytes([0x10, len(body)]) + body)
                await until(lambda: any(not each.online for each in controller.statuses))
            await until(lambda: controller.statuses[-1].online)

    run(scenario)


def test_the_same_problem_again_and_again_is_one_change() -> None:
    async def scenario() -> None:
        nowhere = BrokerAddress(host=HOST, port=free_port())
        chosen = settings(port=nowhere.port)
        async with linked(chosen) as table:
            await table.until_problem(f"no broker answers at {nowhere} (connection refused)")
            changes = len(table.shell.of(LinkChanged))
            await asyncio.sleep(2)
            # The same problem again is no change.
            assert len(table.shell.of(LinkChanged)) == changes == 1

    run(scenario)


def test_the_topics_begin_with_the_root_of_the_settings(broker: Mosquitto) -> None:
    async def scenario() -> None:
        async with (
            aiomqtt.Client(HOST, broker.port) as listener,
            linked(settings(broker, root="casino/one")),
        ):
            await listener.subscribe([("casino/#", 1), (f"{ROOT}/#", 1)])
            first = await anext(aiter(listener.messages))
            assert first.topic.value == f"casino/one/table/{TABLE}/status"

    run(scenario)
