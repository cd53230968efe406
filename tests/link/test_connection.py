"""What a table's connection is like: seen from its own socket, and by whoever takes it.

The brokers here answer and no more; what real ones make of the link is in `test_link.py`.
"""

import asyncio
import socket
from itertools import count

import aiomqtt
import msgspec
import pytest

from firmware.link import mqtt
from firmware.link.client import LinkClient
from firmware.link.settings import BrokerAddress, LinkSettings
from firmware.protocol.messages import TableStatus
from firmware.protocol.version import VERSION
from firmware.table.effects import PublishStatus
from tests.link.broker_stub import BrokerStub, broker_stub
from tests.link.ends import TABLE, TOPICS, both_protocols, linked, run, settings, until

_DEALING = PublishStatus(
    round=7, phase="dealing", dealt_at_ms=99, owed=2, contributions=12, contributed_cents=6_000
)


@both_protocols
def test_small_messages_do_not_wait_for_each_other_in_the_kernel(protocol: str) -> None:
    async def scenario() -> None:
        async with broker_stub() as (_, address):
            client = LinkClient(
                settings(protocol=protocol), address, "table", aiomqtt.Will("gone"), tls=None
            )
            async with client:
                connected = client._client.socket()  # noqa: SLF001  # nothing else leads to it
                assert isinstance(connected, socket.socket)
                assert connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    run(scenario)


def test_a_table_that_is_stopped_while_it_connects_says_nothing_of_its_event_loop() -> None:
    """The thread that connects goes on after the loop has ended; so does what throws the socket away."""

    async def made() -> LinkClient:
        address = BrokerAddress(host="127.0.0.1", port=1)
        return LinkClient(settings(), address, "table", None, tls=None)

    client = asyncio.run(made())._client  # noqa: SLF001  # what the thread has
    with socket.create_server(("127.0.0.1", 0)) as server:
        client.connect(*server.getsockname())
        client.__del__()  # an error in here would be printed, and nowhere caught
        assert client.socket() is None


@both_protocols
def test_a_broker_is_told_to_miss_a_table_after_seconds(protocol: str) -> None:
    async def scenario() -> None:
        async with (
            broker_stub() as (stub, address),
            linked(settings(port=address.port, protocol=protocol)),
        ):
            await until(lambda: bool(stub.keepalives_s))
        # A broker says the last will after one and a half times this; a table's link is stale
        # after 6 s by default.
        assert set(stub.keepalives_s) == {5}

    run(scenario)


@both_protocols
def test_the_status_is_said_again_every_half_minute_because_an_old_last_will_may_come_late(
    protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loop's clock is put forward, second by second; nothing else makes the table speak."""

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        now_s, ahead_s = loop.time, 0
        monkeypatch.setattr(loop, "time", lambda: now_s() + ahead_s)
        async with broker_stub() as (stub, address), linked(_patient(address, protocol)) as table:
            await until(lambda: len(_statuses(stub)) == 1)
            table.link.publish_status(_DEALING)
            await until(lambda: len(_statuses(stub)) == 2)
            # The table waits for the receipt first, and its half minute begins after it.
            for ahead_s in count():
                await asyncio.sleep(0.01)
                if ahead_s >= 40 or len(_statuses(stub)) > 2:
                    break
            await until(lambda: len(_statuses(stub)) > 2)
            assert ahead_s >= 25
            _, told, again = _statuses(stub)[:3]
            assert (again.online, again.round, again.phase) == (True, 7, "dealing")
            assert again == told
            assert len(stub.keepalives_s) == 1, "it was said on a new connection"

    run(scenario)


@both_protocols
def test_answers_are_subscribed_before_the_status_that_they_may_answer(protocol: str) -> None:
    async def scenario() -> None:
        async with (
            broker_stub() as (stub, address),
            linked(settings(port=address.port, protocol=protocol)),
        ):
            await until(lambda: bool(_statuses(stub)))
        assert stub.said[:2] == ["subscribe", "publish 1"]

    run(scenario)


@both_protocols
def test_the_farewell_is_confirmed_before_the_connection_ends(protocol: str) -> None:
    async def scenario() -> None:
        async with broker_stub() as (stub, address):
            async with linked(settings(port=address.port, protocol=protocol)):
                await until(lambda: bool(_statuses(stub)))
            await until(lambda: "disconnect" in stub.said)
            assert stub.said[-2:] == ["publish 1", "disconnect"]
            assert not _statuses(stub)[-1].online

    run(scenario)


@both_protocols
def test_a_broker_that_confirms_nothing_does_not_keep_the_table_from_ending(
    protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mqtt, "_FAREWELL_S", 0.3)

    async def scenario() -> None:
        async with broker_stub() as (stub, address):
            async with linked(settings(port=address.port, protocol=protocol, overdue_s=60)):
                await until(lambda: bool(_statuses(stub)))
                stub.gives_receipts = False
            assert not _statuses(stub)[-1].online

    run(scenario)


def test_the_status_names_the_version_of_the_firmware() -> None:
    async def scenario() -> None:
        async with broker_stub() as (stub, address), linked(settings(port=address.port)):
            await until(lambda: bool(_statuses(stub)))
            assert _statuses(stub)[0].version == VERSION

    run(scenario)


def _patient(address: BrokerAddress, protocol: str) -> LinkSettings:
    """Make settings that a clock which jumps does not upset."""
    return settings(port=address.port, protocol=protocol, overdue_s=1_000)


def _statuses(stub: BrokerStub) -> list[TableStatus]:
    """Read what the table has said about itself so far."""
    topic = TOPICS.status(TABLE)
    return [
        msgspec.json.decode(payload, type=TableStatus)
        for at, payload in stub.published
        if at == topic
    ]
