"""The socket: one stream a tool, a line a request, a line an answer.

A UNIX socket that only the table's own group can open; nothing listens on a network. A
stream that sends what is not understood is answered and, if it goes on, ended; one that
does not read its answers waits alone. Leaving in service mode gives the table back.
"""

import asyncio
import logging
from contextlib import suppress
from pathlib import Path

import msgspec

from firmware.maintenance.protocol import (
    LONGEST_LINE,
    AnyRequest,
    BeginService,
    Done,
    EndService,
    Refusal,
    Reply,
    Watch,
    decode_request,
    encode,
)
from firmware.maintenance.requests import Premises, answer, end_service, shown

_log = logging.getLogger(__name__)

MOST_STREAMS = 8
MOST_MISTAKES = 10
SOCKET_MODE = 0o660


class MaintenanceServer:
    """The maintenance socket of one table."""

    def __init__(self, premises: Premises, path: Path) -> None:
        self._premises = premises
        self._path = path
        self._streams = 0
        self._changed = asyncio.Condition()
        self._notices: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Serve until cancelled."""
        self._path.unlink(missing_ok=True)
        server = await asyncio.start_unix_server(self._serve, self._path, limit=LONGEST_LINE)
        self._path.chmod(SOCKET_MODE)
        async with server:
            try:
                await server.serve_forever()
            finally:
                self._path.unlink(missing_ok=True)

    def changed(self) -> None:
        """Tell whoever watches that the table may look different now."""
        if self._streams and not self._notices:
            task = asyncio.get_running_loop().create_task(self._notify())
            self._notices.add(task)
            task.add_done_callback(self._notices.discard)

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._streams >= MOST_STREAMS:
            writer.write(encode(Refusal(number=0, reason="too many tools are connected")))
            writer.close()
            return
        self._streams += 1
        stream = _Stream(self._premises, self._changed, writer)
        try:
            await stream.serve(reader)
        except (ConnectionError, BrokenPipeError) as error:
            _log.info("a maintenance stream has ended: %s", error)
        finally:
            self._streams -= 1
            await stream.leave()
            writer.close()
            with suppress(ConnectionError, BrokenPipeError):
                await writer.wait_closed()


class _Stream:
    """One tool at the other end."""

    def __init__(
        self, premises: Premises, changed: asyncio.Condition, writer: asyncio.StreamWriter
    ) -> None:
        self._premises = premises
        self._changed = changed
        self._writer = writer
        self._mistakes = 0
        self._serves = False
        """Whether service mode was begun on this stream."""
        self._watching: asyncio.Task[None] | None = None

    async def serve(self, reader: asyncio.StreamReader) -> None:
        """Answer until the tool hangs up, or has sent too much that is not understood."""
        while self._mistakes < MOST_MISTAKES:
            try:
                line = await reader.readuntil(b"\n")
            except asyncio.IncompleteReadError:
                return
            except asyncio.LimitOverrunError:
                await self._refuse(f"a line of more than {LONGEST_LINE} bytes")
                return
            await self._take(line)
        _log.warning("a maintenance stream was ended: it sends what is not understood")

    async def leave(self) -> None:
        """End what belongs to the stream; a technician who hangs up has finished."""
        if self._watching is not None:
            self._watching.cancel()
        if self._serves and self._premises.in_service():
            await end_service(self._premises)

    async def _take(self, line: bytes) -> None:
        try:
            request = decode_request(line)
        except msgspec.DecodeError as error:
            await self._refuse(f"not understood: {error}")
            return
        reply = await answer(self._premises, request)
        self._note(request, reply)
        await self._send(reply)
        if isinstance(request, Watch) and self._watching is None:
            self._watching = asyncio.create_task(self._watch(request.number))

    def _note(self, request: AnyRequest, reply: Reply) -> None:
        if isinstance(reply, Refusal):
            _log.warning("a maintenance request was refused: %s", reply.reason)
        elif isinstance(request, BeginService | EndService) and isinstance(reply, Done):
            self._serves = isinstance(request, BeginService)

    async def _watch(self, number: int) -> None:
        """Show the table again whenever it looks different; what was overtaken is not sent."""
        sent = encode(shown(self._premises, number))
        with suppress(ConnectionError, BrokenPipeError):
            while True:
                async with self._changed:
                    await self._changed.wait()
                now = encode(shown(self._premises, number))
                if now != sent:
                    self._writer.write(now)
                    await self._writer.drain()
                    sent = now

    async def _refuse(self, reason: str) -> None:
        self._mistakes += 1
        _log.warning("a maintenance request was refused: %s", reason)
        await self._send(Refusal(number=0, reason=reason))

    async def _send(self, reply: Reply) -> None:
        self._writer.write(encode(reply))
        await self._writer.drain()
