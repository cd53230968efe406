"""Judges the vitals of a table: what is wrong, worst first, and what to do about it.

Pure: facts in (`firmware/maintenance/vitals.py`), sentences out. A cause comes before its
effects: a wrong clock, for example, before the certificate that is refused because of it.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Literal

from msgspec import Struct

from firmware.maintenance.vitals import DeviceVitals, FaultVitals, LinkVitals, Vitals
from firmware.protocol.link_problems import LINK_REMEDIES
from host_tools.diagnose import spot_board
from host_tools.journal.times import local_time, on_the_calendar

Severity = Literal["fault", "warning"]
_ORDER: dict[Severity, int] = {"fault": 0, "warning": 1}
# Within a severity, possible causes come before their effects.
_POWER, _CLOCK, _DISK, _DEVICE, _SPOT, _LINK, _BOOKS, _OTHER = range(8)

CLOCK_WARNING_MS = 5_000
CLOCK_FAULT_MS = 60_000
RTC_WARNING_MS = 5_000
CERTIFICATE_WARNING = timedelta(days=30)
_DROPPED_SHARE = 0.02
_LEAST_FRAMES = 50
_MANY_RECONNECTS = 3
_MANY_IGNORED = 10
CLAIM_WARNING_S = 10
"""A controller answers in a second or two; a claim of another table may come first."""
STAFF_WAIT_S = 120
"""A supervisor who was called is there by then."""
DEALER_WAIT_S = 600
"""No stage of a round takes a dealer and seven players so long."""
_EXPORT_RECORDS = 200_000
_MEGABYTE = 1_000_000
_RANKS = {
    "power_failing": _POWER,
    "under_voltage": _POWER,
    "hot": _POWER,
    "clock_jumped": _CLOCK,
    "clock_free": _CLOCK,
    "disk_full": _DISK,
    "journal_torn": _DISK,
    "snapshot_damaged": _DISK,
    "inbox_full": _DEVICE,
    "device_gone": _DEVICE,
    "device_babbles": _DEVICE,
    "device_silent": _DEVICE,
    "device_unfit": _DEVICE,
    "spots_unknown": _DEVICE,
    "cards_unread": _DEVICE,
    "sensor_stuck": _SPOT,
    "sensor_chatters": _SPOT,
    "count_mismatch": _BOOKS,
    "unit_refused": _BOOKS,
    "unit_closed": _BOOKS,
    "message_rejected": _BOOKS,
    "award_doubted": _BOOKS,
    "meter_doubted": _BOOKS,
    "sequence_fell": _BOOKS,
}


class Finding(Struct, frozen=True):
    """A problem: how bad it is, what it is, and what to do about it."""

    severity: Severity
    what: str
    remedy: str
    rank: int = _OTHER

    @property
    def sentence(self) -> str:
        """The finding in one line."""
        remedy = f"{self.remedy[:1].upper()}{self.remedy[1:]}".rstrip(".")
        return f"{self.severity.upper()}: {self.what.rstrip('.')}. {remedy}."


def judge(found: Vitals, laptop_ms: int) -> list[Finding]:
    """Return what is wrong with a table, worst first; `laptop_ms` is this machine's own clock."""
    judged = [
        *_clock(found, laptop_ms),
        *_faults(found),
        *_disk(found),
        *_devices(found),
        *_spot_board(found),
        *_link(found),
        *_waiting(found),
        *_person(found),
        *_staff(found),
    ]
    return sorted(judged, key=lambda each: (_ORDER[each.severity], each.rank))


def exit_status(findings: list[Finding]) -> int:
    """Return 0 if nothing is wrong, 1 for warnings, 2 for faults."""
    severities = {each.severity for each in findings}
    return 2 if "fault" in severities else 1 if "warning" in severities else 0


def _faults(found: Vitals) -> Iterator[Finding]:
    for fault in found.faults:
        # A fault that locks something stops play; one that has passed only waits to be cleared.
        severity: Severity = "warning" if fault.lock == "nothing" else "fault"
        remedy = spot_board.remedy(fault, found) or _fault_remedy(fault)
        yield Finding(severity, _fault_words(fault), remedy, _rank(fault))


def _rank(fault: FaultVitals) -> int:
    return _RANKS.get(fault.code, _OTHER)


def _fault_words(fault: FaultVitals) -> str:
    place = f" at {fault.where}" if fault.where else ""
    detail = f" ({fault.detail})" if fault.detail else ""
    over = ", now over" if fault.passed else ""
    return f"{fault.number} {fault.what}{place}{detail}, since {when(fault.since_ms)}{over}"


def _fault_remedy(fault: FaultVitals) -> str:
    if fault.ends == "by_itself":
        return fault.remedy
    who = fault.ends.replace("_", " ")
    key = f"KEY CLEAR {fault.code} {fault.where}".rstrip()
    if fault.passed:
        return f"have a {who} clear it at the panel ({key}, then number and PIN)"
    if "clear this" in fault.remedy:
        return f"{fault.remedy} (at the panel: {key})"
    return f"{fault.remedy}; then have a {who} clear it at the panel ({key})"


def _clock(found: Vitals, laptop_ms: int) -> Iterator[Finding]:
    clock = found.clock
    ahead_ms = clock.now_ms - laptop_ms
    if clock.now_ms and abs(ahead_ms) >= CLOCK_WARNING_MS:
        way = "ahead of" if ahead_ms > 0 else "behind"
        severity: Severity = "fault" if abs(ahead_ms) >= CLOCK_FAULT_MS else "warning"
        yield Finding(
            severity,
            f"The table's clock is {duration(abs(ahead_ms) / 1000)} {way} this laptop's",
            "check which of the two is right, then the table's time server (timedatectl on the "
            "table); the order of payment and every certificate depend on it",
            _CLOCK,
        )
    if clock.rtc is False:
        yield Finding(
            "warning",
            "The table has no real-time clock",
            "fit one: without it the clock is wrong after every loss of power until a time "
            "server answers",
            _CLOCK,
        )
    if clock.rtc_behind_ms is not None and abs(clock.rtc_behind_ms) >= RTC_WARNING_MS:
        way = "behind" if clock.rtc_behind_ms > 0 else "ahead of"
        yield Finding(
            "warning",
            f"The real-time clock is {duration(abs(clock.rtc_behind_ms) / 1000)} {way} the "
            "table's clock",
            "set it with 'sudo hwclock --systohc' on the table; if it happens again, replace its "
            "battery",
            _CLOCK,
        )


def _disk(found: Vitals) -> Iterator[Finding]:
    disk, journal = found.disk, found.journal
    told = any(fault.code == "disk_full" for fault in found.faults)
    if disk.free_bytes is not None and disk.free_bytes < 2 * disk.least_free_bytes and not told:
        yield Finding(
            "warning",
            f"The journal's disk has {disk.free_bytes // _MEGABYTE} MB left, and the table stops "
            f"at {disk.least_free_bytes // _MEGABYTE} MB",
            "close the table and run 'underfelt journal pull --mark'",
            _DISK,
        )
    damaged = any(fault.code == "snapshot_damaged" for fault in found.faults)
    for problem in () if damaged else journal.problems:
        yield Finding(
            "warning",
            f"At start-up the table had to work around a problem in the journal: {problem}",
            "pull the journal, verify it with 'underfelt journal verify', and replace the card "
            "if it happens again",
            _DISK,
        )
    if journal.torn_bytes and not any(fault.code == "journal_torn" for fault in found.faults):
        yield Finding(
            "warning",
            f"The last power cut tore off the last record of the journal ({journal.torn_bytes} bytes)",
            "nothing that had left the table was lost; check the hold-up supply",
            _DISK,
        )
    if journal.records - journal.exported_through > _EXPORT_RECORDS:
        yield Finding(
            "warning",
            f"{journal.records - journal.exported_through:,} records have not been exported yet",
            "close the table and run 'underfelt journal pull --mark'",
            _DISK,
        )


def _devices(found: Vitals) -> Iterator[Finding]:
    for device in found.devices:
        if any(fault.where == device.name for fault in found.faults):
            continue
        dropped = device.dropped / max(device.frames + device.dropped, 1)
        if device.frames + device.dropped >= _LEAST_FRAMES and dropped > _DROPPED_SHARE:
            yield _poor(device, f"{dropped:.0%} of what it sends cannot be read")
        elif device.reconnects >= _MANY_RECONNECTS:
            yield _poor(device, f"it has dropped out {device.reconnects} times since the start")


def _spot_board(found: Vitals) -> Iterator[Finding]:
    what, remedy = spot_board.restarts(found)
    if what:
        yield Finding("warning", what, remedy, _DEVICE)


def _poor(device: DeviceVitals, why: str) -> Finding:
    return Finding(
        "warning",
        f"The {device.name} on {device.port} is not reliable: {why}",
        "replace its cable, keep it away from the lamp wires, and check again",
        _DEVICE,
    )


def _link(found: Vitals) -> Iterator[Finding]:
    link = found.link
    expires = expiry(link.certificate_expires)
    now = on_the_calendar(found.clock.now_ms)
    if not link.healthy:
        problem = link.problem or link.last_problem or "it has not connected yet"
        owed = f"; {link.owed} messages are waiting for it" if link.owed else ""
        what = f"The jackpot link is down: {problem}{owed}"
        yield Finding("fault", what, _link_remedy(link), _LINK)
    elif expires is not None and now is not None and expires - now < CERTIFICATE_WARNING:
        left = duration((expires - now).total_seconds())
        yield Finding(
            "warning",
            f"The table's certificate expires in {left}",
            f"issue a new one and put it with its key at {link.certificate}: it is read at the next "
            "connection",
            _LINK,
        )


def _waiting(found: Vitals) -> Iterator[Finding]:
    """Return what a healthy link does not do: an award that does not come, messages in vain."""
    link = found.link
    if link.healthy and link.claim_waits_s >= CLAIM_WARNING_S:
        yield Finding(
            "warning",
            f"A claim made {duration(link.claim_waits_s)} ago has no award yet",
            "see whether another table's claim comes first, then ask the house why the jackpot "
            "controller does not award it",
            _LINK,
        )
    if link.ignored >= _MANY_IGNORED and link.ignored > _DROPPED_SHARE * link.acknowledged:
        last = f"; the last: {link.last_ignored}" if link.last_ignored else ""
        yield Finding(
            "warning",
            f"{link.ignored:,} messages on the jackpot link were not believed or not understood{last}",
            "find out who sends them: the firmware's log has each",
            _LINK,
        )


def _person(found: Vitals) -> Iterator[Finding]:
    """Return for whom the table has waited too long: nothing is broken, and nothing goes on."""
    waits = found.waits
    if waits is None:
        return
    waited_s = (found.clock.now_ms - waits.since_ms) / 1000
    if waited_s < (DEALER_WAIT_S if waits.who == "dealer" else STAFF_WAIT_S):
        return
    since = f"for {duration(waited_s)}, since {when(waits.since_ms)}"
    yield Finding(
        "warning",
        f"Round {found.round} waits for the {waits.who} {since}",
        f"send the {waits.who} to table {found.table}; its panel says: {waits.what}",
        _OTHER,
    )


def _link_remedy(link: LinkVitals) -> str:
    """Return what to check first for the code of a problem; newer tables may have more codes."""
    known = (text for code, text in LINK_REMEDIES.items() if code == link.code)
    remedy = next(known, LINK_REMEDIES["lost"])
    return remedy.format(certificate=link.certificate or "its place")


def _staff(found: Vitals) -> Iterator[Finding]:
    if found.secrets_are_open:
        yield Finding(
            "fault",
            f"Others than the firmware can read the hashes of the PINs in {found.table_file}",
            f"run 'chown underfelt {found.table_file}' and 'chmod 600 {found.table_file}' on the "
            "table, and give new PINs to the staff if others have used the machine",
        )
    if found.table and not found.technicians:
        yield Finding(
            "warning",
            "Nobody can use service mode",
            "add a technician under [[staff]] in the table file ('underfelt staff hash-pin')",
        )


def expiry(text: str | None) -> datetime | None:
    """Return when a certificate expires, as the table has read it."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC) if text else None
    except (ValueError, OverflowError):
        return None


def when(at_ms: int) -> str:
    """Return a moment in words, in the time zone of whoever reads it."""
    return local_time(at_ms)


def duration(seconds: float) -> str:
    """Return a duration in words, in two units at most."""
    left = max(int(seconds), 0)
    parts: list[str] = []
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)):
        if left >= size or (unit == "s" and not parts):
            parts.append(f"{left // size} {unit}")
            left %= size
    return " ".join(parts[:2])
