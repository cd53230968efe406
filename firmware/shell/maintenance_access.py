"""Opens the running firmware to maintenance: its vitals, and what may be tested or done.

`maintenance/access.py` is the door, filled here; what is answered through it is in
`maintenance/requests.py`.
"""

import os
import platform
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import asdict

from firmware.devices.lamp_enable import LampEnable
from firmware.devices.serial_port import PortStats, SerialPort
from firmware.devices.switches import Switches
from firmware.journal.files import segment_files, snapshot_files
from firmware.journal.retention import exported_through
from firmware.link.mqtt import JackpotLink
from firmware.maintenance.access import Access
from firmware.maintenance.journal_files import JournalFolder
from firmware.maintenance.log_tail import LogTail
from firmware.maintenance.vitals import (
    ClockVitals,
    DeviceVitals,
    DiskVitals,
    FaultVitals,
    JournalVitals,
    LinkVitals,
    MachineVitals,
    SensorVitals,
    SpotBoardVitals,
    SwitchVitals,
    Vitals,
)
from firmware.maintenance.waits import Waits
from firmware.protocol.fault_catalogue import FAULTS, spot_place
from firmware.protocol.obligations import Win
from firmware.protocol.version import VERSION
from firmware.settings import machine_checks
from firmware.settings.staff import identify
from firmware.settings.table_file import TableFile
from firmware.shell import machine_health
from firmware.shell.clock import now_ms
from firmware.shell.inbox import Inbox
from firmware.shell.runtime import CarryOut, Runtime
from firmware.shell.spot_wiring import WiredSpots
from firmware.table.effects import AnyEffect, Pattern, SetLamp, ShowPrompt, ShowSign
from firmware.table.state import TableState

_MEGABYTE = 1_000_000
_SHOWING = SetLamp | ShowPrompt | ShowSign


class Device(Protocol):
    """A serial device as maintenance sees it."""

    port: SerialPort
    stats: PortStats
    baud: int


class Parts(Struct, frozen=True, kw_only=True):
    """The parts of the running firmware that maintenance may look at."""

    path: Path
    """The table file."""
    file: TableFile
    runtime: Runtime
    inbox: Inbox
    spots: WiredSpots
    switches: Switches
    lamp_enable: LampEnable
    ports: Mapping[str, Device]
    link: JackpotLink
    version: str = VERSION
    started_ms: int = field(default_factory=now_ms)
    started_s: float = field(default_factory=time.monotonic)
    """The same on the monotonic clock."""
    waits: Waits = field(default_factory=Waits)


def vitals_of(parts: Parts) -> Vitals:
    """Ask every part for its facts: what is known already or can be read at once."""
    file, table = parts.file, parts.runtime.table
    readings = machine_health.read_machine(file.health, Path(file.journal))
    return Vitals(
        table=table.settings.name,
        game=table.settings.game,
        version=parts.version,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        board=file.board.title,
        seats=table.settings.seats,
        card_source=table.settings.card_source,
        currency=table.settings.currency,
        phase=table.state.phase,
        round=table.state.round.number,
        waits=parts.waits.vitals(table, parts.inbox.now_ms()),
        started_ms=parts.started_ms,
        uptime_s=round(time.monotonic() - parts.started_s, 1),
        silent_since_ms=parts.runtime.silent_since_ms,
        table_file=str(parts.path),
        secrets_are_open=machine_checks.secrets_are_open(parts.path, file),
        technicians=sum(each.role == "technician" for each in file.staff),
        sensors=_sensors(parts),
        switches=_switches(parts),
        spot_board=_spot_board(parts),
        lamp_enable_pin=file.pins.lamp_enable,
        devices=tuple(_device(name, device) for name, device in parts.ports.items()),
        link=_link(parts),
        clock=_clock(parts, synchronised=readings.synchronised),
        disk=_disk(parts),
        journal=_journal(parts),
        machine=MachineVitals(
            temperature_c=readings.temperature_c,
            hot_c=file.health.hot_c,
            under_voltage=readings.under_voltage,
        ),
        faults=_faults(parts),
    )


def _sensors(parts: Parts) -> tuple[SensorVitals, ...]:
    lines = {(spot.seat, spot.bet): spot for spot in parts.file.spots}
    board = parts.spots.board
    is_known = board is None or (board.known and board.reads_now)
    has_read = board is not None and board.has_read
    return tuple(
        SensorVitals(
            where=spot_place(*spot),
            pin=lines[spot].sensor or 0,
            input=lines[spot].input,
            level=reading.level if is_known or lines[spot].input is None else None,
            last=reading.level
            if has_read and not is_known and lines[spot].input is not None
            else None,
            chattering=reading.chatters,
            stuck=reading.stuck,
            edges=reading.edges,
        )
        for spot, reading in parts.spots.all.readings().items()
    )


def _spot_board(parts: Parts) -> SpotBoardVitals | None:
    board = parts.spots.board
    if board is None:
        return None
    greeting = board.greeting
    return SpotBoardVitals(
        version="" if greeting is None else greeting.version,
        program="" if greeting is None else greeting.program,
        session=board.line.session,
        restarts=board.restarts,
        known=board.known,
        why_unknown=board.why_unknown,
    )


def _switches(parts: Parts) -> tuple[SwitchVitals, ...]:
    levels = parts.switches.levels()
    return tuple(
        SwitchVitals(name=switch, pin=pin, level=levels.get(switch))
        for switch, pin in parts.switches.pins.items()
    )


def _device(name: str, device: Device) -> DeviceVitals:
    return DeviceVitals(
        **asdict(device.stats),
        name=name,
        port=device.port.path,
        baud=device.baud,
        open=device.port.is_open,
    )


def _link(parts: Parts) -> LinkVitals:
    state, settings = parts.runtime.table.state, parts.file.link
    return LinkVitals(
        **asdict(parts.link.stats),
        healthy=state.link_healthy,
        problem=state.link_problem,
        code=state.link_problem_code or "",
        brokers=tuple(map(str, settings.brokers)),
        certificate=settings.certificate or "",
        owed=len(state.owed),
        meter_cents=state.meter_cents,
        claim_waits_s=claim_waits_s(state, parts.inbox.now_ms()),
    )


def claim_waits_s(state: TableState, now_ms: int) -> float:
    """Return how long ago the oldest claim was made that waits for the controller alone."""
    claims = state.round.claims
    made_ms = [
        owed.at_ms
        for owed in state.owed.values()
        if isinstance(owed, Win) and not (owed.id in claims and claims[owed.id].unconfirmed)
    ]
    return max(now_ms - min(made_ms), 0) / 1000 if made_ms else 0.0


def _clock(parts: Parts, *, synchronised: bool | None) -> ClockVitals:
    at_ms = parts.inbox.now_ms()
    rtc = parts.file.health.rtc
    rtc_s = machine_health.rtc_s(rtc)
    return ClockVitals(
        now_ms=at_ms,
        synchronised=synchronised,
        rtc=rtc_s is not None if rtc else None,
        rtc_behind_ms=None if rtc_s is None else at_ms - rtc_s * 1000,
        quality=parts.runtime.table.state.clock,
    )


def _disk(parts: Parts) -> DiskVitals:
    least_free_bytes = parts.file.health.least_free_mb * _MEGABYTE
    try:
        disk = os.statvfs(parts.file.journal)
    except OSError:
        return DiskVitals(least_free_bytes=least_free_bytes)
    return DiskVitals(
        free_bytes=disk.f_bavail * disk.f_frsize,
        total_bytes=disk.f_blocks * disk.f_frsize,
        least_free_bytes=least_free_bytes,
    )


def _journal(parts: Parts) -> JournalVitals:
    folder, state = Path(parts.file.journal), parts.runtime.table.state
    segments = [path for _, path in segment_files(folder)]
    return JournalVitals(
        id=state.journal,
        folder=str(folder),
        records=state.sequence,
        bytes=sum(path.stat().st_size for path in segments),
        segments=len(segments),
        snapshots=len(snapshot_files(folder)),
        exported_through=exported_through(folder, state.journal),
        torn_bytes=parts.runtime.torn_bytes,
        problems=parts.runtime.problems,
    )


def _faults(parts: Parts) -> tuple[FaultVitals, ...]:
    found = []
    for fault in parts.runtime.table.state.faults.values():
        kind = FAULTS[fault.code]
        found.append(
            FaultVitals(
                code=fault.code,
                number=kind.number,
                where=fault.where,
                what=kind.what,
                detail=fault.detail,
                remedy=kind.remedy,
                lock=kind.lock,
                ends=kind.ends,
                since_ms=fault.at_ms,
                passed=fault.passed,
            )
        )
    return tuple(found)


def maintenance_access(parts: Parts, carry_out: CarryOut, log_tail: LogTail) -> Access:
    """Put together what maintenance may touch."""
    table = parts.runtime.table
    parts.waits.look(table, parts.started_ms)

    def test_lamp(seat: int, bet: str, pattern: Pattern) -> None:
        carry_out(SetLamp(seat, bet, pattern))

    def test_text(device: str, text: str) -> bool:
        effects: dict[str, AnyEffect] = {
            "panel": ShowPrompt("service", (text,)),
            "sign": ShowSign(table.state.meter_cents, text),
        }
        if device in effects:
            carry_out(effects[device])
        return device in effects

    def enable_lamps(given: bool) -> bool:  # noqa: FBT001  # given or withheld
        parts.lamp_enable.withheld = not given
        return parts.lamp_enable.fitted

    def restore() -> None:
        enable_lamps(given=True)
        for effect in table.resumed():
            if isinstance(effect, _SHOWING):
                carry_out(effect)

    return Access(
        table=table,
        journal=JournalFolder(Path(parts.file.journal)),
        version=parts.version,
        now_ms=parts.inbox.now_ms,
        put=parts.inbox.put,
        identify=partial(identify, parts.file.staff),
        vitals=partial(vitals_of, parts),
        log_lines=log_tail.lines,
        log_entries=log_tail.entries,
        test_lamp=test_lamp,
        test_text=test_text,
        remove_exported=parts.runtime.remove_exported,
        restore=restore,
        waits=parts.waits,
        switch_levels=parts.switches.levels,
        enable_lamps=enable_lamps,
    )
