"""The answer to each request from a host tool.

Reading is free; changing anything needs service mode, which needs a closed table and a
technician, belongs to the stream that began it, and is journalled with every use.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from firmware.devices.panel_keys import is_staff_number
from firmware.errors import JournalError, Refused
from firmware.journal.retention import mark_exported
from firmware.maintenance.access import Access
from firmware.maintenance.journal_files import readable_through
from firmware.maintenance.protocol import (
    PROTOCOL_VERSION,
    AnyReply,
    AnyRequest,
    BeginService,
    Done,
    EndService,
    Hello,
    Identity,
    JournalExported,
    JournalFiles,
    JournalRead,
    Logged,
    LogLines,
    ReadVitals,
    Refusal,
    Show,
    Shown,
    TestLamp,
    TestLampEnable,
    TestSwitch,
    TestText,
    VitalsRead,
    Watch,
)
from firmware.settings.staff import Staff
from firmware.table.effects import Pattern
from firmware.table.events import ServiceBegun, ServiceDone, ServiceEnded, ServiceRefused
from firmware.table.public import public

_log = logging.getLogger(__name__)

NOT_ACCEPTED = (
    "not accepted: check number and PIN, which must be a technician's; after wrong tries, wait"
)
"""The one answer to everything that is wrong: it tells nobody which PIN was right."""
_PATTERNS = get_args(Pattern)


class Desk(Struct):
    """What all streams of a table share: its access, and whose PIN is being checked."""

    access: Access
    asking: asyncio.Lock = msgspec.field(default_factory=asyncio.Lock)
    """One PIN is checked at a time; others are refused meanwhile, and not looked at."""

    async def answer(self, request: AnyRequest, *, serves: bool) -> AnyReply:
        """Answer one request; `serves` says whether this stream has begun service mode.

        `watch` begins like `show`, and the server repeats it.
        """
        try:
            return await self._answered(request, serves=serves)
        except (Refused, JournalError) as error:
            return Refusal(number=request.number, reason=str(error))
        except OSError as error:
            return Refusal(number=request.number, reason=f"not possible: {error.strerror}")

    async def _answered(self, request: AnyRequest, *, serves: bool) -> AnyReply:
        access, number = self.access, request.number
        if isinstance(request, JournalFiles):
            return access.journal.listed(access.table.state, number)
        if isinstance(request, JournalRead):
            return access.journal.piece(access.table.state, request)
        read = _READ.get(type(request))
        if read is not None:
            return read(access, number)
        if isinstance(request, BeginService):
            return Done(number=number, name=await self._begin_service(request))
        if not serves or not access.in_service():
            raise Refused(
                "this needs service mode: close the table, then give a technician's number and PIN"
            )
        await _serve(access, request)
        return Done(number=number)

    async def _begin_service(self, request: BeginService) -> str:
        """Begin service mode, and return whose; whatever is wrong gets the same answer."""
        access = self.access
        _check_closed(access)
        if self.asking.locked():
            raise Refused(NOT_ACCEPTED)
        async with self.asking:
            # A PIN is slow to hash, and the table plays on meanwhile.
            staff = await asyncio.to_thread(access.identify, request.staff, request.pin)
            access.begin(staff.name if staff is not None else "")
            await access.happen(_tried(request, staff, access.now_ms()))
        if staff is None or not access.in_service():
            _log.warning("service mode was refused to number %a", request.staff[:8])
            raise Refused(NOT_ACCEPTED)
        return staff.name


def _tried(request: BeginService, staff: Staff | None, at_ms: int) -> ServiceBegun | ServiceRefused:
    """Return what becomes of a PIN that was tried; the table counts the wrong ones."""
    if staff is None or staff.role != "technician":
        number = request.staff if is_staff_number(request.staff) else "?"
        return ServiceRefused(at_ms=at_ms, staff=number)
    return ServiceBegun(at_ms=at_ms, staff=staff.number, name=staff.name, role=staff.role)


def _check_closed(access: Access) -> None:
    if access.in_service():
        raise Refused("a technician is already at work on this table")
    if access.table.state.phase != "closed":
        raise Refused("the table is not closed: finish the round and press CLOSETABLE on the panel")


def shown(access: Access, number: int) -> Shown:
    """Show the table as everybody may see it."""
    table = access.table
    everybody_sees = Shown(number=number, table=public(table.settings, table.state))
    if not access.in_service():
        return everybody_sees
    return replace(
        everybody_sees,
        heard=tuple(access.heard),
        heard_times=dict(access.heard_times),
        switches=dict(access.switch_levels()),
    )


def _identity(access: Access, number: int) -> Identity:
    table = access.table
    return Identity(
        number=number,
        protocol=PROTOCOL_VERSION,
        table=table.settings.name,
        game=table.settings.game,
        version=access.version,
        journal=table.state.journal,
    )


def _vitals(access: Access, number: int) -> VitalsRead:
    return VitalsRead(number=number, vitals=msgspec.to_builtins(access.vitals()))


def _logged(access: Access, number: int) -> Logged:
    return Logged(number=number, lines=access.log_lines(), entries=access.log_entries())


_READ: Mapping[type[AnyRequest], Callable[[Access, int], AnyReply]] = {
    Hello: _identity,
    Show: shown,
    Watch: shown,
    ReadVitals: _vitals,
    LogLines: _logged,
}


async def _serve(access: Access, request: AnyRequest) -> None:
    """Do what service mode allows, and record it."""
    match request:
        case EndService():
            await end_service(access)
            return
        case TestLamp(seat=seat, bet=bet, pattern=pattern):
            what = _lamp(access, seat, bet, pattern)
        case TestText(device=device, text=text):
            what = _text(access, device, text)
        case TestSwitch(switch=switch):
            what = _switch(access, switch)
        case TestLampEnable(given=given):
            what = _lamp_enable(access, given=given)
        case JournalExported(sequence=sequence):
            what = _exported(access, sequence)
        case _:
            raise Refused("this table does not know how to do that")
    await access.happen(ServiceDone(at_ms=access.now_ms(), what=what))


def _exported(access: Access, sequence: int) -> str:
    """Mark what an auditor has; old segments may then be removed, so not ahead of time."""
    state = access.table.state
    if sequence > readable_through(state):
        raise Refused(f"the journal ends at record {readable_through(state)}")
    mark_exported(access.journal.path, state.journal, sequence)
    # At once: a table that is locked because its disk is full ends no segment by itself.
    access.remove_exported()
    return f"journal exported through record {sequence}"


def _lamp(access: Access, seat: int, bet: str, wanted: str) -> str:
    settings = access.table.settings
    pattern = next((pattern for pattern in _PATTERNS if pattern == wanted), None)
    if pattern is None or seat > settings.seats or bet not in settings.rules.jackpot_bets:
        raise Refused("no such lamp or pattern here")
    access.test_lamp(seat, bet, pattern)
    return f"lamp of seat {seat} {bet}: {pattern}"


def _text(access: Access, device: str, text: str) -> str:
    if not access.test_text(device, text):
        raise Refused("no such device here; use panel or sign")
    return f"text on the {device}"


def _lamp_enable(access: Access, *, given: bool) -> str:
    if not access.enable_lamps(given):
        raise Refused("this table's board has no lamp enable")
    return f"lamp enable {'given again' if given else 'withdrawn'}"


def _switch(access: Access, switch: str) -> str:
    """Note which switch is tested; a cover that was open, or not answered for, stays a fault."""
    fitted = access.switch_levels()
    if switch not in fitted:
        raise Refused(f"this table's board has no such switch; it has {_listed(fitted)}")
    if switch == "cover" and "cover_open" not in access.table.state.faults:
        access.opens_cover = access.technician
    return f"test of the switch {switch}"


def _listed(fitted: Iterable[str]) -> str:
    return ", ".join(fitted) or "none"


async def end_service(access: Access) -> None:
    """End service with the table closed, and show its own state again."""
    try:
        await _answer_for_cover(access)
    finally:
        try:
            await access.happen(ServiceEnded(at_ms=access.now_ms()))
        finally:
            access.restore()


async def _answer_for_cover(access: Access) -> None:
    """End the fault of a cover that was opened in a test; the table looks whether it is closed."""
    name, access.opens_cover = access.opens_cover, ""
    if name:
        what = "test of the switch cover ended"
        await access.happen(ServiceDone(at_ms=access.now_ms(), what=what, cover_closed_by=name))
