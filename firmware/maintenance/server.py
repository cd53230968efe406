"""The socket: one stream per tool, one line per request, one line per answer.

A UNIX socket that only the table's own group can open; nothing listens on a network. A
stream that sends nonsense is told so and, if it continues, closed; one that does not read
its answers holds up nobody else, and not for ever. Hanging up ends service mode. Whatever a
peer does, the table plays on.
"""

import asyncio
import logging
import os
import socket
from contextlib import suppress
from pathlib import Path

import msgspec

from firmware.errors import Refused
from firmware.maintenance.access import Access
from firmware.maintenance.complaints import Complaints
from firmware.maintenance.protocol import (
    LONGEST_REQUEST,
    BeginService,
    Done,
    EndService,
    Refusal,
    Reply,
    Watch,
    decode_request,
    encode,
)
from firmware.maintenance.requests import Desk, end_service, shown
from firmware.table.events import Event

_log = logging.getLogger(__name__)

MOST_STREAMS = 8
MOST_MISTAKES = 10
"""After this many refused requests a stream is closed."""
FIRST_WORD_S = 10.0
QUIET_S = 900.0
"""A stream that asks nothing for this long, and does not watch, is closed."""
STALLED_S = 30.0
"""A stream that does not read its answers for this long is closed."""
FRAME_S = 0.05
"""A table is shown no more often than this; states in between are not sent."""
_UMASK = 0o117
_MOST_WORDS = 200


class MaintenanceServer:
    """The maintenance socket of one table."""

    def __init__(self, access: Access, path: str) -> None:
        """Prepare the socket; an empty path means no maintenance."""
        self._desk = Desk(access)
        self._path = Path(path) if path else None
        self._streams: set[_Stream] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._complaints = Complaints(_log)

    async def run(self) -> None:
        """Serve until cancelled; if the socket cannot be opened, the table runs without it."""
        listener = None if self._path is None else _listener(self._path)
        if self._path is None or listener is None:
            await asyncio.Event().wait()
            return
        server = await asyncio.start_unix_server(
            self._connected, sock=listener, limit=LONGEST_REQUEST
        )
        async with server:
            try:
                await server.serve_forever()
            finally:
                _remove(self._path)
                for task in self._tasks:
                    task.cancel()
                await asyncio.gather(*self._tasks, return_exceptions=True)

    def happened(self, event: Event) -> None:
        """Tell the watching streams that the table may look different now."""
        try:
            self._desk.access.hear(event)
        except Exception as error:  # noqa: BLE001  # whatever is wrong here, the table plays on
            _failed(error)
        for stream in self._streams:
            stream.news.set()

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._streams) >= MOST_STREAMS:
            self._complaints.say("too many tools are connected")
            writer.write(encode(Refusal(number=0, reason="too many tools are connected")))
            writer.close()
            return
        stream = _Stream(self._desk, writer, self._complaints)
        self._streams.add(stream)
        try:
            await stream.serve(reader)
        except TimeoutError:
            self._complaints.say("a stream was closed: it neither asks nor reads")
        except (ConnectionResetError, BrokenPipeError):
            pass  # a tool that hangs up, with or without reading its last answer
        except OSError as error:
            self._complaints.say(f"a stream has ended: {error.strerror or error}")
        except Exception as error:  # noqa: BLE001  # whatever is wrong here, the table plays on
            _failed(error)
        finally:
            self._streams.discard(stream)
            await stream.leave()
            # Not `close`: what a peer does not read would be kept for it.
            writer.transport.abort() if stream.stalled else writer.close()
            with suppress(OSError):
                await writer.wait_closed()


def _listener(path: Path) -> socket.socket | None:
    """Make the socket, closed to others from the start; None if it cannot be opened."""
    listener = socket.socket(socket.AF_UNIX)
    before = os.umask(_UMASK)
    try:
        path.unlink(missing_ok=True)
        listener.bind(str(path))
    except OSError as error:
        listener.close()
        _log.warning("%s: no maintenance: %s", path, error.strerror or error)
        return None
    finally:
        os.umask(before)
    return listener


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _failed(error: Exception) -> None:
    # The kind of the error alone: its text could name a card.
    _log.error("maintenance: a stream has failed with %s", type(error).__name__)


class _Stream:
    """One tool at the other end."""

    def __init__(self, desk: Desk, writer: asyncio.StreamWriter, complaints: Complaints) -> None:
        self.news = asyncio.Event()
        """Set when the table may look different."""
        self.stalled = False
        self._desk = desk
        self._writer = writer
        self._complaints = complaints
        self._mistakes = 0
        self._serves = False
        """Whether service mode was begun on this stream."""
        self._watching: asyncio.Task[None] | None = None

    async def serve(self, reader: asyncio.StreamReader) -> None:
        """Answer until the tool hangs up, or too many of its requests were refused."""
        patience_s: float | None = FIRST_WORD_S
        while self._mistakes < MOST_MISTAKES:
            try:
                async with asyncio.timeout(patience_s):
                    line = await reader.readuntil(b"\n")
            except asyncio.IncompleteReadError:
                return
            except asyncio.LimitOverrunError:
                await self._refuse(f"a line of more than {LONGEST_REQUEST} bytes")
                return
            await self._take(line)
            patience_s = QUIET_S if self._watching is None else None
        self._complaints.say("a stream was closed: too many requests were refused")

    async def leave(self) -> None:
        """End what belongs to the stream; a technician who hangs up has finished."""
        if self._watching is not None:
            self._watching.cancel()
        if self._serves and self._desk.access.in_service():
            with suppress(Refused):
                await end_service(self._desk.access)

    async def _take(self, line: bytes) -> None:
        try:
            request = decode_request(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            await self._refuse(f"not understood: {ascii(str(error)[:_MOST_WORDS])[1:-1]}")
            return
        reply = await self._desk.answer(request, serves=self._serves)
        if isinstance(reply, Refusal):
            self._mistakes += 1
            self._complaints.say(f"a request was refused: {reply.reason}")
        elif isinstance(request, BeginService | EndService) and isinstance(reply, Done):
            self._serves = isinstance(request, BeginService)
        await self._send(reply)
        if isinstance(request, Watch) and self._watching is None:
            self._watching = asyncio.create_task(self._watch(request.number, encode(reply)))

    async def _watch(self, number: int, sent: bytes) -> None:
        """Show the table again whenever it looks different."""
        try:
            while True:
                now = encode(shown(self._desk.access, number))
                if now != sent:
                    await self._write(now)
                sent = now
                await asyncio.sleep(FRAME_S)
                await self.news.wait()
                self.news.clear()
        except (ConnectionResetError, BrokenPipeError):
            pass  # as above
        except OSError as error:
            self._complaints.say(f"a stream has ended: {error.strerror or error}")
        except Exception as error:  # noqa: BLE001  # whatever is wrong here, the table plays on
            _failed(error)
            self._writer.transport.abort()

    async def _refuse(self, reason: str) -> None:
        self._mistakes += 1
        self._complaints.say(f"a request was refused: {reason}")
        await self._send(Refusal(number=0, reason=reason))

    async def _send(self, reply: Reply) -> None:
        await self._write(encode(reply))

    async def _write(self, line: bytes) -> None:
        self._writer.write(line)
        try:
            async with asyncio.timeout(STALLED_S):
                await self._writer.drain()
        except TimeoutError:
            self.stalled = True
            # Ends the other half of the stream too, which may be waiting for a request.
            self._writer.transport.abort()
            raise
