"""What each request of a host tool is answered with.

`Premises` is everything of the running firmware that maintenance may touch; the wiring
fills it. Reading is free; whatever changes something needs service mode, which needs a
closed table and a technician, and every use of it is in the journal.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_args

from msgspec import Struct, field

from firmware.errors import JournalError
from firmware.journal.retention import mark_exported
from firmware.maintenance.journal_files import listed, piece
from firmware.maintenance.protocol import (
    VERSION,
    AnyReply,
    AnyRequest,
    BeginService,
    Done,
    EndService,
    Examine,
    Examined,
    Hello,
    Identity,
    JournalExported,
    JournalFiles,
    JournalRead,
    Refusal,
    Show,
    Shown,
    TestLamp,
    TestText,
    Watch,
)
from firmware.staff import Staff
from firmware.table.effects import Pattern
from firmware.table.events import Event, ServiceBegun, ServiceDone, ServiceEnded
from firmware.table.public import public
from firmware.table.table import Table

_log = logging.getLogger(__name__)

MOST_WRONG_PINS = 3
_HEARD_KEPT = 20
_PATTERNS = get_args(Pattern)


class Premises(Struct):
    """The running firmware, as far as maintenance may touch it."""

    table: Table
    journal: Path
    version: str
    now_ms: Callable[[], int]
    put: Callable[[Event, Callable[[], None]], None]
    """Hand an event to the runtime; the callback comes once it is handled."""
    verify: Callable[[str, str], Staff | None]
    examine: Callable[[], dict[str, Any]]
    test_lamp: Callable[[int, str, Pattern], None]
    test_text: Callable[[str, str], bool]
    """Show a text on a device; false where there is no such device."""
    restore: Callable[[], None]
    """Show again what the table shows, after it was shown otherwise."""
    heard: deque[str] = field(default_factory=lambda: deque(maxlen=_HEARD_KEPT))
    """What devices have said in service mode; a card is only counted, never named."""
    wrong_pins: int = 0

    def in_service(self) -> bool:
        """Tell whether a technician is at work."""
        return self.table.state.phase == "service"

    def hear(self, device: str, text: str) -> None:
        """Keep what a device has said, while a technician is at work."""
        if self.in_service():
            is_card = device not in {"panel", "sign"}
            self.heard.append(f"{device}: a card was read" if is_card else f"{device}: {text}")

    async def happen(self, event: Event) -> None:
        """Let an event happen, and wait until it has."""
        handled = asyncio.Event()
        self.put(event, handled.set)
        await handled.wait()


async def answer(premises: Premises, request: AnyRequest) -> AnyReply:
    """Answer one request; `watch` begins like `show`, and the server repeats it."""
    if isinstance(request, BeginService):
        return await _begin_service(premises, request)
    if isinstance(request, JournalFiles | JournalRead):
        return _journal(premises, request)
    read = _READ.get(type(request))
    if read is not None:
        return read(premises, request.number)
    if not premises.in_service():
        reason = "this needs service mode: close the table, then give a technician's number and PIN"
        return Refusal(number=request.number, reason=reason)
    return await _serve(premises, request)


def shown(premises: Premises, number: int) -> Shown:
    """Show the table as everybody may see it."""
    table = premises.table
    heard = tuple(premises.heard) if premises.in_service() else ()
    return Shown(number=number, table=public(table.settings, table.state), heard=heard)


def _identity(premises: Premises, number: int) -> Identity:
    table = premises.table
    return Identity(
        number=number,
        protocol=VERSION,
        table=table.settings.name,
        game=table.settings.game,
        version=premises.version,
        journal=table.state.journal,
    )


def _examined(premises: Premises, number: int) -> Examined:
    return Examined(number=number, findings=premises.examine())


_READ: Mapping[type[AnyRequest], Callable[[Premises, int], AnyReply]] = {
    Hello: _identity,
    Show: shown,
    Watch: shown,
    Examine: _examined,
}


def _journal(premises: Premises, request: JournalFiles | JournalRead) -> AnyReply:
    try:
        if isinstance(request, JournalFiles):
            return listed(premises.journal, premises.table.state, request.number)
        return piece(premises.journal, premises.table.state, request)
    except (JournalError, OSError) as error:
        return Refusal(number=request.number, reason=str(error))


async def _begin_service(premises: Premises, request: BeginService) -> AnyReply:
    number = request.number
    if premises.table.state.phase != "closed":
        reason = "the table is not closed: finish the round and press CLOSETABLE at the panel"
        return Refusal(number=number, reason=reason)
    if premises.wrong_pins >= MOST_WRONG_PINS:
        reason = "too many wrong PINs since the table started: restart it at the table"
        return Refusal(number=number, reason=reason)
    staff = premises.verify(request.staff, request.pin)
    if staff is None or staff.role != "technician":
        premises.wrong_pins += 1
        _log.warning("service mode was refused to number %s", request.staff)
        return Refusal(number=number, reason="number and PIN are not a technician's")
    premises.wrong_pins = 0
    premises.heard.clear()
    await premises.happen(
        ServiceBegun(at_ms=premises.now_ms(), staff=staff.number, name=staff.name, role=staff.role)
    )
    return Done(number=number)


async def _serve(premises: Premises, request: AnyRequest) -> AnyReply:
    """Do what service mode allows, and put it into the record."""
    done = Done(number=request.number)
    match request:
        case EndService():
            await end_service(premises)
            return done
        case TestLamp(seat=seat, bet=bet, pattern=pattern):
            what = _lamp(premises, seat, bet, pattern)
        case TestText(device=device, text=text):
            what = f"text on the {device}" if premises.test_text(device, text) else ""
        case JournalExported(sequence=sequence):
            mark_exported(premises.journal, premises.table.state.journal, sequence)
            what = f"journal exported through record {sequence}"
        case _:
            what = ""
    if not what:
        return Refusal(number=request.number, reason="there is no such lamp or device here")
    await premises.happen(ServiceDone(at_ms=premises.now_ms(), what=what))
    return done


def _lamp(premises: Premises, seat: int, bet: str, wanted: str) -> str:
    settings = premises.table.settings
    pattern = next((pattern for pattern in _PATTERNS if pattern == wanted), None)
    if pattern is None or seat > settings.seats or bet not in settings.rules.jackpot_bets:
        return ""
    premises.test_lamp(seat, bet, pattern)
    return f"lamp of seat {seat} {bet}: {pattern}"


async def end_service(premises: Premises) -> None:
    """Give the table back, closed, and let it show what it shows."""
    await premises.happen(ServiceEnded(at_ms=premises.now_ms()))
    premises.restore()
