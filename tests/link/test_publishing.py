"""What is owed is handed to the broker in order, and a refusal is not overlooked."""

import asyncio
from typing import Any

import msgspec
import pytest

from firmware.link.problems import NotAllowed
from firmware.link.publishing import Publishing
from firmware.link.settings import BrokerAddress, LinkSettings
from firmware.link.stats import LinkStats
from tests.link.ends import run


class Client:
    """Stands where the link's client stands, and keeps what is published."""

    def __init__(self, *, not_allowed: bool) -> None:
        self.not_allowed = not_allowed
        self.published: list[tuple[str, bytes, int]] = []

    async def publish(self, topic: str, payload: bytes, qos: int) -> None:
        """Take it; in MQTT 5 the receipt may say that it was refused."""
        self.published.append((topic, payload, qos))


def test_what_is_owed_is_published_in_order_each_with_a_receipt() -> None:
    async def scenario() -> None:
        client: Any = Client(not_allowed=False)
        publishing = Publishing(client, "owed")
        for payload in (b"1", b"2", b"3"):
            publishing.start(payload)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(publishing.until_failed(), timeout=0.05)
        # At least once, and no more than that: the controller applies each id once.
        assert client.published == [("owed", payload, 1) for payload in (b"1", b"2", b"3")]
        publishing.close()

    run(scenario)


def test_a_publication_that_the_broker_refuses_ends_the_connection_and_is_named() -> None:
    async def scenario() -> None:
        client: Any = Client(not_allowed=True)
        publishing = Publishing(client, "owed")
        publishing.start(b"1")
        with pytest.raises(NotAllowed, match="publish on owed"):
            await asyncio.wait_for(publishing.until_failed(), timeout=30)

    run(scenario)


def test_what_the_settings_leave_out_and_what_they_must_not_say() -> None:
    assert LinkSettings(host="one").brokers[0].port == 1883
    assert BrokerAddress(host="two").port == 1883
    for waits in ("stale_s", "overdue_s"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"host": "one", waits: 0}, LinkSettings)


def test_nothing_has_happened_before_the_first_connection() -> None:
    stats = LinkStats()
    assert (stats.connections, stats.sent, stats.acknowledged, stats.ignored) == (0, 0, 0, 0)
