"""Examines the running firmware: asks every part for its facts (`maintenance/findings.py`).

Only what is known already or can be read at once: nobody waits for an examination.
"""

import os
import platform
import time
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

from msgspec import Struct, field

from firmware import health
from firmware.clock import now_ms
from firmware.config import Config
from firmware.devices.coin_spots import CoinSpots, place_of
from firmware.devices.serial_port import PortStats, SerialPort
from firmware.inbox import Inbox
from firmware.journal.files import segment_files, snapshot_files
from firmware.journal.retention import exported_through
from firmware.link.mqtt import JackpotLink
from firmware.maintenance.findings import (
    ClockFinding,
    DeviceFinding,
    DiskFinding,
    FaultFinding,
    Findings,
    JournalFinding,
    LinkFinding,
    MachineFinding,
    SensorFinding,
)
from firmware.runtime import Runtime
from firmware.table.faults import FAULTS

_MEGABYTE = 1_000_000


class Device(Protocol):
    """A serial device as an examination sees it."""

    port: SerialPort
    stats: PortStats
    baud: int


class Parts(Struct, frozen=True, kw_only=True):
    """The parts of the running firmware that are examined."""

    config: Config
    runtime: Runtime
    inbox: Inbox
    spots: CoinSpots
    ports: Mapping[str, Device]
    link: JackpotLink
    version: str = field(default_factory=lambda: version("underfelt"))
    started_ms: int = field(default_factory=now_ms)
    started_s: float = field(default_factory=time.monotonic)
    """The same on the clock that nobody sets."""


def examine(parts: Parts) -> Findings:
    """Find out how everything fares."""
    config, table = parts.config, parts.runtime.table
    readings = health.read(config.health, Path(config.journal))
    return Findings(
        table=table.settings.name,
        game=table.settings.game,
        version=parts.version,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        board=config.board.title,
        seats=table.settings.seats,
        card_source=table.settings.card_source,
        phase=table.state.phase,
        round=table.state.round.number,
        started_ms=parts.started_ms,
        uptime_s=round(time.monotonic() - parts.started_s, 1),
        silent_since_ms=parts.runtime.silent_since_ms,
        technicians=sum(each.role == "technician" for each in config.staff),
        sensors=_sensors(parts),
        devices=tuple(_device(name, device) for name, device in parts.ports.items()),
        link=_link(parts),
        clock=_clock(parts, synchronised=readings.synchronised),
        disk=_disk(parts),
        journal=_journal(parts),
        machine=MachineFinding(
            temperature_c=readings.temperature_c,
            hot_c=config.health.hot_c,
            under_voltage=readings.under_voltage,
        ),
        faults=_faults(parts),
    )


def _sensors(parts: Parts) -> tuple[SensorFinding, ...]:
    pins = {(spot.seat, spot.bet): spot.sensor for spot in parts.config.spots}
    return tuple(
        SensorFinding(
            where=place_of(spot),
            pin=pins[spot],
            level=reading.level,
            chattering=reading.chatters,
            stuck=reading.stuck,
            edges=reading.edges,
        )
        for spot, reading in parts.spots.readings().items()
    )


def _device(name: str, device: Device) -> DeviceFinding:
    stats = device.stats
    return DeviceFinding(
        name=name,
        port=device.port.path,
        baud=device.baud,
        open=device.port.is_open,
        frames=stats.frames,
        dropped=stats.dropped,
        repeated=stats.repeated,
        resent=stats.resent,
        reconnects=stats.reconnects,
        last_problem=stats.last_problem,
    )


def _link(parts: Parts) -> LinkFinding:
    state, stats, settings = parts.runtime.table.state, parts.link.stats, parts.config.link
    return LinkFinding(
        healthy=state.link_healthy,
        problem=state.link_problem,
        brokers=tuple(map(str, settings.brokers)),
        broker=stats.broker,
        connected_since_ms=stats.connected_since_ms,
        connections=stats.connections,
        sent=stats.sent,
        acknowledged=stats.acknowledged,
        ignored=stats.ignored,
        last_ignored=stats.last_ignored,
        last_problem=stats.last_problem,
        certificate=settings.certificate or "",
        certificate_expires=stats.certificate_expires,
        owed=len(state.owed),
        meter_cents=state.meter_cents,
    )


def _clock(parts: Parts, *, synchronised: bool | None) -> ClockFinding:
    at_ms = parts.inbox.now_ms()
    rtc = parts.config.health.rtc
    rtc_s = health.rtc_s(rtc)
    return ClockFinding(
        now_ms=at_ms,
        synchronised=synchronised,
        rtc=rtc_s is not None if rtc else None,
        rtc_behind_ms=None if rtc_s is None else at_ms - rtc_s * 1000,
        quality=parts.runtime.table.state.clock,
    )


def _disk(parts: Parts) -> DiskFinding:
    least_free_bytes = parts.config.health.least_free_mb * _MEGABYTE
    try:
        disk = os.statvfs(parts.config.journal)
    except OSError:
        return DiskFinding(least_free_bytes=least_free_bytes)
    return DiskFinding(
        free_bytes=disk.f_bavail * disk.f_frsize,
        total_bytes=disk.f_blocks * disk.f_frsize,
        least_free_bytes=least_free_bytes,
    )


def _journal(parts: Parts) -> JournalFinding:
    folder, state = Path(parts.config.journal), parts.runtime.table.state
    segments = [path for _, path in segment_files(folder)]
    return JournalFinding(
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


def _faults(parts: Parts) -> tuple[FaultFinding, ...]:
    found = []
    for fault in parts.runtime.table.state.faults.values():
        kind = FAULTS[fault.code]
        found.append(
            FaultFinding(
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
