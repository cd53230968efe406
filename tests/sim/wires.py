"""A wire that can be cut: a TCP proxy on loopback between tables and their broker.

A connection that is cut ends on both sides with a reset, in the middle of whatever was
being said. Nothing keeps the tables from connecting again.
"""

import asyncio
from contextlib import suppress
from random import Random
from types import TracebackType
from typing import Self

from sim.broker import HOST


class Wire:
    """Every connection to a broker: `async with Wire(broker.port) as wire`."""

    def __init__(self, broker_port: int) -> None:
        self.port = 0
        """Where the tables connect, once it is laid."""
        self._broker_port = broker_port
        self._connections: dict[asyncio.StreamWriter, asyncio.StreamWriter] = {}
        self._carrying: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, HOST)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()
        # Also what was just being connected: nothing is left for the event loop to complain of.
        while self._carrying:
            self.cut(Random(0), part=1.0)
            await asyncio.wait(self._carrying, timeout=0.1)

    def cut(self, rng: Random, *, part: float) -> int:
        """Cut about such a part of the connections, and give how many that were."""
        cut = [each for each in self._connections.items() if rng.random() < part]
        for ends in cut:
            for end in ends:
                end.transport.abort()
        return len(cut)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        carrying = asyncio.create_task(self._carry(reader, writer))
        self._carrying.add(carrying)
        carrying.add_done_callback(self._carrying.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            from_broker, to_broker = await asyncio.open_connection(HOST, self._broker_port)
        except OSError:
            writer.transport.abort()
            return
        self._connections[writer] = to_broker
        try:
            await asyncio.gather(_pass_on(reader, to_broker), _pass_on(from_broker, writer))
        finally:
            del self._connections[writer]


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()
