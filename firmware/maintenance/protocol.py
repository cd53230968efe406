r"""The stream protocol between host tools and a table, version 1: one JSON document per line.

    tool  → table    {"request": "hello", "number": 1, …}\n
    table → tool     {"reply": "hello", "number": 1, …}\n

A reply carries the number of its request; `watch` is answered again and again until the
stream ends. A request longer than `LONGEST_REQUEST` ends the stream, and no reply is longer than
`LONGEST_REPLY`. What is not understood is answered with a `Refusal`, and the stream continues.

Pure: bytes in, documents out. The socket is in `server.py`.
"""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from firmware.maintenance.log_tail import LogEntry
from firmware.rules.bounds import Count, RecordNumber
from firmware.table.public import PublicTable

PROTOCOL_VERSION = 1
LONGEST_REQUEST = 4_096
LONGEST_REPLY = 1 << 20
JOURNAL_CHUNK = 32_768
RequestNumber = Annotated[int, Meta(ge=0, le=2**31)]
ShortText = Annotated[str, Meta(max_length=200)]


class Request(Struct, frozen=True, kw_only=True, tag_field="request", forbid_unknown_fields=True):
    """Something that a tool asks."""

    number: RequestNumber


class Hello(Request, frozen=True, kw_only=True, tag="hello"):
    """Who are you? The first request of every stream."""


class Show(Request, frozen=True, kw_only=True, tag="show"):
    """Show the table as it is now."""


class Watch(Request, frozen=True, kw_only=True, tag="watch"):
    """Show the table whenever it changes, until the stream ends."""


class ReadVitals(Request, frozen=True, kw_only=True, tag="vitals"):
    """Ask for everything that a diagnosis needs."""


class LogLines(Request, frozen=True, kw_only=True, tag="log_lines"):
    """Ask for the last lines of the log."""


class JournalFiles(Request, frozen=True, kw_only=True, tag="journal_files"):
    """Ask for the list of journal files, as far as they may be read now."""


class JournalRead(Request, frozen=True, kw_only=True, tag="journal_read"):
    """Ask for a piece of a journal file."""

    name: ShortText
    offset: Count


class JournalExported(Request, frozen=True, kw_only=True, tag="journal_exported"):
    """Mark the journal as exported through a record; needs service mode."""

    sequence: RecordNumber


class BeginService(Request, frozen=True, kw_only=True, tag="begin_service"):
    """Start work on the closed table."""

    staff: ShortText
    pin: ShortText


class EndService(Request, frozen=True, kw_only=True, tag="end_service"):
    """Finish work on the table, which stays closed."""


class TestLamp(Request, frozen=True, kw_only=True, tag="test_lamp"):
    """Drive a lamp by hand; needs service mode."""

    __test__ = False  # pytest would take the name for a test

    seat: Annotated[int, Meta(ge=1, le=9)]
    bet: ShortText
    pattern: ShortText


class TestText(Request, frozen=True, kw_only=True, tag="test_text"):
    """Show a text on the panel or the sign; needs service mode."""

    __test__ = False  # pytest would take the name for a test

    device: ShortText
    text: ShortText


class TestSwitch(Request, frozen=True, kw_only=True, tag="test_switch"):
    """Announce that a switch is moved to test it; needs service mode. `show` has its level.

    A cover that is opened after this, and closed before service mode ends, leaves no fault.
    """

    __test__ = False  # pytest would take the name for a test

    switch: ShortText


class TestLampEnable(Request, frozen=True, kw_only=True, tag="test_lamp_enable"):
    """Withdraw the sign of life from the lamp drivers, or give it again; needs service mode."""

    __test__ = False  # pytest would take the name for a test

    given: bool


AnyRequest = (
    Hello
    | Show
    | Watch
    | ReadVitals
    | LogLines
    | JournalFiles
    | JournalRead
    | JournalExported
    | BeginService
    | EndService
    | TestLamp
    | TestText
    | TestSwitch
    | TestLampEnable
)
"""What may be asked."""


class Reply(Struct, frozen=True, kw_only=True, tag_field="reply"):
    """An answer, with the number of what it answers."""

    number: int


class Identity(Reply, frozen=True, kw_only=True, tag="hello"):
    """Who a table is."""

    protocol: int
    table: str
    game: str
    version: str
    journal: str


class Shown(Reply, frozen=True, kw_only=True, tag="show"):
    """The table as everybody may see it, and in service mode what devices and switches do."""

    table: PublicTable
    heard: tuple[str, ...] = ()
    """The last things that devices have said."""
    heard_times: dict[str, int] = {}
    """How often each device has said something since service mode began."""
    switches: dict[str, bool] = {}
    """The level of each switch that the board has: power good, cover closed, key turned."""


class VitalsRead(Reply, frozen=True, kw_only=True, tag="vitals"):
    """What a diagnosis needs, by subject: plain data, so that any version of a tool can read it."""

    vitals: dict[str, Any]


class Logged(Reply, frozen=True, kw_only=True, tag="log_lines"):
    """The last lines of the log, oldest first; an older table has no entries."""

    lines: tuple[str, ...]
    entries: tuple[LogEntry, ...] = ()


class JournalFile(Struct, frozen=True):
    """One file of the journal, and how many of its bytes may be read."""

    name: str
    bytes: int


class JournalListed(Reply, frozen=True, kw_only=True, tag="journal_files"):
    """The files of the journal, oldest first."""

    files: tuple[JournalFile, ...]
    held_back: bool
    """Whether the round under way is held back: it has cards that lie face down."""


class JournalPiece(Reply, frozen=True, kw_only=True, tag="journal_read"):
    """A piece of a journal file: `JOURNAL_CHUNK` bytes, or what is left of it; empty at its end."""

    data: bytes


class Done(Reply, frozen=True, kw_only=True, tag="done"):
    """It is done; service mode begins with the technician's name."""

    name: str = ""


class Refusal(Reply, frozen=True, kw_only=True, tag="refusal"):
    """It is not done, and why."""

    reason: str


AnyReply = Identity | Shown | VitalsRead | Logged | JournalListed | JournalPiece | Done | Refusal
"""What may be answered."""

_requests: msgspec.json.Decoder[AnyRequest] = msgspec.json.Decoder(AnyRequest)
_encoder = msgspec.json.Encoder()


def encode(document: Request | Reply) -> bytes:
    """Write a document as its line."""
    return _encoder.encode(document) + b"\n"


def decode_request(line: bytes) -> AnyRequest:
    """Read a request; raises `msgspec.DecodeError` if it is not one."""
    return _requests.decode(line)
