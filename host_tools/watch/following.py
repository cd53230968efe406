"""Follows tables on the event loop: reads a table's stream, and connects again when it is lost.

No thread waits for a table, so no pool of threads decides how many can be watched. What is said on
a stream is in `connection/table_stream.py`, how a table looks in `view.py`.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from msgspec import Struct
from msgspec.structs import replace

from firmware.errors import UnderfeltError
from firmware.maintenance.protocol import (
    LONGEST_REPLY,
    PROTOCOL_VERSION,
    AnyReply,
    AnyRequest,
    Hello,
    Identity,
    Refusal,
    Shown,
    Watch,
    encode,
)
from firmware.table.public import PublicTable
from host_tools.connection.table_stream import (
    REPLY_TIMEOUT_S,
    RefusedError,
    other_version,
    read_reply,
)
from host_tools.connection.targets import (
    CONNECT_S,
    Connection,
    TableTarget,
    TargetError,
    connect,
    parse_target,
    why_not,
)
from host_tools.watch.view import TableView, news

AGAIN_S = 1.0
_NEWS_KEPT = 50
_LAST_WORDS_S = 2.0
_LOOK_S = 0.1
_CLOCK = "%H:%M:%S"


async def follow(target: str, take: Callable[[TableView], None]) -> None:
    """Hand over a table whenever it looks different, or cannot be reached; for ever."""
    seen = TableView(target)
    while True:
        try:
            async with _stream(parse_target(target)) as stream:
                async for table in stream.watch():
                    seen = seen_now(seen, table)
                    take(seen)
                    # Whatever a table sends, the keys and the other tables have their turn.
                    await asyncio.sleep(0)
        except UnderfeltError as error:
            if str(error) != seen.problem:
                seen = lost_now(seen, str(error))
                take(seen)
        await asyncio.sleep(AGAIN_S)


def seen_now(before: TableView, table: PublicTable) -> TableView:
    """Return a view with the table as it is now, and what is new with the time of day here."""
    is_back = before.table is not None and before.lost_at
    told = ["connected again"] if is_back else []
    return TableView(
        before.target, table, "", _with_time(before.news, told + news(before.table, table))
    )


def lost_now(before: TableView, problem: str) -> TableView:
    """Return a view of a table that cannot be reached: since when, and why."""
    why = problem.removeprefix(f"{before.target}: ")
    told = [f"not connected: {why}"] if before.table is not None and not before.lost_at else []
    lost_at = before.lost_at or time.strftime(_CLOCK)
    told_before = _with_time(before.news, told)
    return replace(before, problem=problem, lost_at=lost_at, news=told_before)


def _with_time(before: tuple[str, ...], sentences: list[str]) -> tuple[str, ...]:
    clock = time.strftime(_CLOCK)
    return (*before, *(f"{clock} {sentence}" for sentence in sentences))[-_NEWS_KEPT:]


class _Stream(Struct):
    """An open stream to a table, and the ssh at its other end, if there is one."""

    target: TableTarget
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    way: Connection | None = None

    async def watch(self) -> AsyncIterator[PublicTable]:
        """Yield the table now and whenever it changes, until the stream ends."""
        async with _patience(self.target):
            reply = await self._asked(Hello(number=1))
        if not isinstance(reply, Identity) or reply.protocol != PROTOCOL_VERSION:
            spoken = f" ({reply.protocol})" if isinstance(reply, Identity) else ""
            raise other_version(self.target.text, spoken)
        async with _patience(self.target):
            reply = await self._asked(Watch(number=2))
        while True:
            if isinstance(reply, Shown):
                yield reply.table
            reply = await self._reply()

    async def close(self) -> None:
        """Hang up."""
        self.writer.close()
        with suppress(OSError):
            await self.writer.wait_closed()
        if self.way is not None:
            self.way.close()

    async def _asked(self, request: AnyRequest) -> AnyReply:
        self.writer.write(encode(request))
        return await self._reply()

    async def _reply(self) -> AnyReply:
        try:
            line = await self.reader.readuntil(b"\n")
        except asyncio.LimitOverrunError:
            raise TargetError(f"{self.target.text}: what answers there is not a table") from None
        except (asyncio.IncompleteReadError, OSError):
            raise await self._ended() from None
        reply = read_reply(line, self.target.text)
        if isinstance(reply, Refusal):
            raise RefusedError(f"{self.target.text}: {reply.reason}")
        return reply

    async def _ended(self) -> TargetError:
        said = await _last_words(self.way) if self.way is not None else ""
        why = said or "the table closed the connection; is it restarting?"
        return TargetError(f"{self.target.text}: {why}")


@asynccontextmanager
async def _stream(target: TableTarget) -> AsyncIterator[_Stream]:
    """Connect to a table, and hang up afterwards."""
    stream = await (_by_ssh(target) if target.kind == "ssh" else _by_socket(target))
    try:
        yield stream
    finally:
        await stream.close()


async def _by_socket(target: TableTarget) -> _Stream:
    try:
        async with asyncio.timeout(CONNECT_S):
            ends = await asyncio.open_unix_connection(target.path, limit=LONGEST_REPLY)
    except OSError as error:
        raise TargetError(f"{target.text}: {why_not(error, target)}") from None
    return _Stream(target, *ends)


async def _by_ssh(target: TableTarget) -> _Stream:
    way = connect(target)
    if way.process is not None and way.process.stderr is not None:
        # A connection that ssh shares with others keeps it open after its own end.
        os.set_blocking(way.process.stderr.fileno(), False)
    ends = await asyncio.open_unix_connection(sock=way.socket, limit=LONGEST_REPLY)
    return _Stream(target, *ends, way)


@asynccontextmanager
async def _patience(target: TableTarget) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(REPLY_TIMEOUT_S):
            yield
    except TimeoutError:
        raise TargetError(
            f"{target.text}: the table has not answered for {REPLY_TIMEOUT_S:g} s"
        ) from None


async def _last_words(way: Connection) -> str:
    """Return the last line that ssh printed, if it ends soon; nothing else waits for it."""
    for _ in range(round(_LAST_WORDS_S / _LOOK_S)):
        if way.process is None or way.process.poll() is not None:
            return way.last_words()
        await asyncio.sleep(_LOOK_S)
    return ""
