"""Puts the kit's tables on the link: connects them, and listens for all of them."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import aiomqtt
from msgspec.structs import replace

from firmware.link.client import LinkClient
from firmware.link.settings import LinkSettings
from firmware.link.tasks import until_one_ends
from sim.conformance.tables import KitTable
from sim.conformance.watching import Watch
from sim.connection import connected, named


@asynccontextmanager
async def seated(
    link: LinkSettings, watch: Watch, names: Sequence[str], patience_s: float
) -> AsyncIterator[list[KitTable]]:
    """Connect tables to the first broker that answers, and listen for all of them."""
    async with AsyncExitStack() as stack:
        tables = [KitTable(name, watch, patience_s) for name in names]
        for table in tables:
            table.client = await _connected(link, table, stack)
            for topic in (watch.topics.controller, watch.topics.answer(table.name)):
                await table.client.subscribe(topic, qos=1)
            for topic in (watch.topics.meter, watch.topics.pending):
                await table.client.subscribe(topic, qos=1)
        listening = asyncio.create_task(
            until_one_ends([_listen(each, first=each is tables[0]) for each in tables])
        )
        try:
            yield tables
            for table in tables:
                await table.say_status(online=False)
        finally:
            listening.cancel()
            await asyncio.wait([listening])


async def _connected(link: LinkSettings, table: KitTable, stack: AsyncExitStack) -> LinkClient:
    """Connect a table, to one broker after the other until one answers."""
    gone = table.encoded(replace(table.status, online=False))
    will = aiomqtt.Will(table.watch.topics.status(table.name), gone, qos=1, retain=True)
    own, client_name = named(link, table.name), f"{table.name}-{secrets.token_hex(8)}"
    *others, last = link.brokers
    for broker in others:
        with suppress(aiomqtt.MqttError, OSError):
            return await stack.enter_async_context(connected(own, broker, client_name, will))
    return await stack.enter_async_context(connected(own, last, client_name, will))


async def _listen(table: KitTable, *, first: bool) -> None:
    async for received in table.client.messages:
        message = table.watch.take(table.name, received, first=first)
        for unit in (table, *table.others):
            await unit.hear(message)
