"""A broker of the barest kind, which keeps what a table's link says to it.

It answers whoever connects, subscribes, publishes or asks whether it is there, and has nothing
to say itself. A real broker does not tell what a CONNECT held, nor how a table's own words came.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from firmware.link.settings import BrokerAddress
from sim.broker import HOST


class BrokerStub:
    """Keeps the keep-alive of each connection and every publication, in MQTT 3.1.1 or 5."""

    def __init__(self) -> None:
        self.keepalives_s: list[int] = []
        self.published: list[tuple[str, bytes]] = []
        self.said: list[str] = []
        """The kinds of packets, in order, each publication with its QoS."""
        self.gives_receipts = True
        self._five = False

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection until it ends."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                kind = (await reader.readexactly(1))[0]
                body = await reader.readexactly(await _length(reader))
                writer.write(self._answer(kind, body))
                await writer.drain()
        writer.close()

    def _answer(self, kind: int, body: bytes) -> bytes:
        match kind >> 4:
            case 1:  # CONNECT
                # After the protocol's name: its level, the flags, and the keep-alive.
                self._five = body[6] == 5
                self.keepalives_s.append(int.from_bytes(body[8:10]))
                return b"\x20\x03\x00\x00\x00" if self._five else b"\x20\x02\x00\x00"
            case 3:  # PUBLISH
                self.said.append(f"publish {(kind & 0x06) >> 1}")
                return self._taken(body, receipt=bool(kind & 0x06))
            case 8:  # SUBSCRIBE
                self.said.append("subscribe")
                topics = _count_topics(body[3 if self._five else 2 :])
                properties = b"\x00" if self._five else b""
                answer = body[:2] + properties + b"\x01" * topics
                return bytes([0x90, len(answer)]) + answer
            case 12:  # PINGREQ
                return b"\xd0\x00"
            case 14:  # DISCONNECT
                self.said.append("disconnect")
        return b""

    def _taken(self, body: bytes, *, receipt: bool) -> bytes:
        end = 2 + int.from_bytes(body[:2])
        topic, rest = body[2:end].decode(), body[end:]
        number, rest = (rest[:2], rest[2:]) if receipt else (b"", rest)
        # The link publishes without properties, so theirs is the length of nothing.
        self.published.append((topic, rest[1:] if self._five else rest))
        return b"\x40\x02" + number if receipt and self.gives_receipts else b""


@asynccontextmanager
async def broker_stub() -> AsyncIterator[tuple[BrokerStub, BrokerAddress]]:
    """Listen on a free port of this machine."""
    stub = BrokerStub()
    server = await asyncio.start_server(stub.serve, HOST, 0)
    try:
        yield stub, BrokerAddress(host=HOST, port=server.sockets[0].getsockname()[1])
    finally:
        server.close()


async def _length(reader: asyncio.StreamReader) -> int:
    """Read a length, seven bits in a byte, the lowest first."""
    length = shift = 0
    while True:
        byte = (await reader.readexactly(1))[0]
        length |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return length


def _count_topics(filters: bytes) -> int:
    """Count the topics of a subscription; each is a name and one byte more."""
    count = 0
    while filters:
        filters = filters[2 + int.from_bytes(filters[:2]) + 1 :]
        count += 1
    return count
