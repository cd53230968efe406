"""What a tool and a table say to each other: a request and its reply.

`with open_table("sim:T1") as table: table.ask(Show)`. `targets.py` connects; tables are followed
in `watch/following.py`. A refusal, a table of another version and a broken connection are one
sentence each.

What answers may be hostile, so an answer ends, in time and in size, and what is taken of it is
text that prints and numbers that a table can have.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec

from firmware.maintenance.protocol import (
    LONGEST_REPLY,
    PROTOCOL_VERSION,
    AnyReply,
    AnyRequest,
    Hello,
    Identity,
    Refusal,
    Reply,
    encode,
)
from host_tools.connection.targets import (
    Connection,
    TableTarget,
    TargetError,
    connect,
    parse_target,
)
from host_tools.terminal import plain

REPLY_TIMEOUT_S = 15.0
WHOLE_REPLY_S = 60.0
"""A reply has come to its end after this, however slowly it comes."""
_CHUNK = 65_536
_LARGEST = 2**63
R = TypeVar("R", bound=Reply)


class RefusedError(TargetError):
    """The table refused a request."""


class TableStream:
    """An open stream to a table."""

    def __init__(self, way: Connection) -> None:
        self._way = way
        self._number = 0
        self._waiting = b""
        way.socket.settimeout(REPLY_TIMEOUT_S)
        self.identity = self._greeted()

    @property
    def target(self) -> TableTarget:
        """The table at the other end, as it was typed."""
        return self._way.target

    def ask(self, wanted: type[R], make: Callable[[int], AnyRequest]) -> R:
        """Send a request and return its reply; a refusal raises `RefusedError`."""
        self._send(make)
        reply = self._reply()
        if isinstance(reply, Refusal):
            raise RefusedError(f"{self.target.text}: {reply.reason}")
        if not isinstance(reply, wanted):
            raise self.other_version()
        return reply

    def close(self) -> None:
        """Hang up."""
        self._way.close()

    def _greeted(self) -> Identity:
        try:
            self._send(lambda number: Hello(number=number))
            reply = self._reply()
        except TargetError:
            self._way.close()
            raise
        if isinstance(reply, Refusal):
            self._way.close()
            raise RefusedError(f"{self.target.text}: {reply.reason}")
        if not isinstance(reply, Identity) or reply.protocol != PROTOCOL_VERSION:
            self._way.close()
            spoken = f" ({reply.protocol})" if isinstance(reply, Identity) else ""
            raise self.other_version(spoken)
        return reply

    def other_version(self, spoken: str = "") -> TargetError:
        """Return what to say about an answer that this tool does not understand."""
        return other_version(self.target.text, spoken)

    def _send(self, make: Callable[[int], AnyRequest]) -> None:
        self._number += 1
        try:
            self._way.socket.sendall(encode(make(self._number)))
        except OSError:
            raise self._ended() from None

    def _reply(self) -> AnyReply:
        return read_reply(self._line(), self.target.text)

    def _line(self) -> bytes:
        began_s = time.monotonic()
        while b"\n" not in self._waiting:
            slow = time.monotonic() - began_s > WHOLE_REPLY_S
            if slow or len(self._waiting) > LONGEST_REPLY:
                raise TargetError(f"{self.target.text}: what answers there is not a table")
            try:
                data = self._way.socket.recv(_CHUNK)
            except TimeoutError:
                raise TargetError(
                    f"{self.target.text}: the table has not answered for {REPLY_TIMEOUT_S:g} s"
                ) from None
            except OSError:
                raise self._ended() from None
            if not data:
                raise self._ended()
            self._waiting += data
        line, _, self._waiting = self._waiting.partition(b"\n")
        return line

    def _ended(self) -> TargetError:
        why = self._way.last_words() or "the table closed the connection; is it restarting?"
        return TargetError(f"{self.target.text}: {why}")


def read_reply(line: bytes, target: str) -> AnyReply:
    """Read what a table has answered, with its texts made plain."""
    try:
        reply: AnyReply = msgspec.convert(_taken(msgspec.json.decode(line)), AnyReply)
    except (msgspec.DecodeError, ValueError, RecursionError):
        raise other_version(target) from None
    return reply


def other_version(target: str, spoken: str = "") -> TargetError:
    """Return what to say about an answer that this tool does not understand."""
    return TargetError(
        f"{target}: the table speaks another version of the protocol{spoken} than "
        f"this tool ({PROTOCOL_VERSION}); install the tool that matches the table's firmware"
    )


def _taken(value: Any) -> Any:  # noqa: ANN401  # any JSON document
    """Return an answer with its texts made plain; a number that no table has is refused."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, list):
        return [_taken(each) for each in value]
    if isinstance(value, dict):
        return {plain(key): _taken(each) for key, each in value.items()}
    if isinstance(value, int | float) and not abs(value) < _LARGEST:
        raise ValueError(value)
    return value


@contextmanager
def open_table(text: str) -> Iterator[TableStream]:
    """Open the stream to a table, and hang up afterwards."""
    stream = TableStream(connect(parse_target(text)))
    try:
        yield stream
    finally:
        stream.close()
