"""The vitals of a table: plain facts about every part of it, without a judgement.

Every field has a default, so that different versions of tools and tables understand each
other; None is what this machine does not report. Nothing here is a secret or a card. What a
fact means is decided in `host_tools/diagnose/`.
"""

from msgspec import Struct, field

from firmware.devices.serial_port import PortStats
from firmware.link.stats import LinkStats


class SensorVitals(Struct, frozen=True, kw_only=True):
    """The sensor of one coin spot."""

    where: str = ""
    pin: int = 0
    input: int | None = None
    """The input of the spot board that it is on; None on a pin."""
    level: bool | None = None
    """Whether it senses a chip now; on a spot board, half a second ago at most. None while the spot board
    does not tell what lies there."""
    last: bool | None = None
    """What it sensed last, while that is not known."""
    chattering: bool = False
    stuck: bool = False
    edges: int = 0
    """How often it has changed since the firmware, or the spot board, was started."""


class SpotBoardVitals(Struct, frozen=True, kw_only=True):
    """The spot board; what its port has counted is with the devices."""

    version: str = ""
    """The version of its program; empty while it is not there."""
    program: str = ""
    """Where the program came from, and the beginning of its hash."""
    session: int | None = None
    restarts: int = 0
    """How often it has begun another session since the table was started."""
    known: bool = False
    """Whether the table knows what lies on its spots."""
    why_unknown: str = ""


class SwitchVitals(Struct, frozen=True, kw_only=True):
    """A switch of the board: its line is high when all is well."""

    name: str = ""
    pin: int = 0
    level: bool | None = None
    """What it was last reported as; None if it has not been yet."""


class DeviceVitals(PortStats, kw_only=True):
    """One serial device, with what its port has counted since the start."""

    name: str = ""
    port: str = ""
    baud: int = 0
    open: bool = False


class LinkVitals(LinkStats, kw_only=True):
    """The jackpot link, with what it has counted since the start."""

    healthy: bool = False
    problem: str = ""
    code: str = ""
    """Which problem it is (`protocol/link_problems.py`); empty when healthy."""
    brokers: tuple[str, ...] = ()
    certificate: str = ""
    """The file of the table's own certificate, if it has one."""
    owed: int = 0
    """How much is owed to the jackpot controller and not acknowledged."""
    meter_cents: int | None = None
    claim_waits_s: float = 0.0
    """How long ago the oldest claim was made that nobody at the table must confirm any more, and
    that has no award yet."""


class ClockVitals(Struct, frozen=True, kw_only=True):
    """The clock, on which the order of payment depends."""

    now_ms: int = 0
    """What it says now."""
    synchronised: bool | None = None
    rtc: bool | None = None
    """Whether there is a real-time clock, which runs without power."""
    rtc_behind_ms: int | None = None
    """How far that one is behind the table's clock; it has whole seconds."""
    quality: str = "free"
    """The quality that each win carries."""


class DiskVitals(Struct, frozen=True, kw_only=True):
    """The disk of the journal."""

    free_bytes: int | None = None
    total_bytes: int | None = None
    least_free_bytes: int = 0
    """Below this the table takes no more rounds."""


class JournalVitals(Struct, frozen=True, kw_only=True):
    """The journal itself."""

    id: str = ""
    folder: str = ""
    records: int = 0
    bytes: int = 0
    segments: int = 0
    snapshots: int = 0
    exported_through: int = 0
    torn_bytes: int = 0
    """What the last loss of power had cut off, found at the start."""
    problems: tuple[str, ...] = ()
    """What the start found wrong and could live with."""


class MachineVitals(Struct, frozen=True, kw_only=True):
    """The controller itself."""

    temperature_c: float | None = None
    hot_c: float = 80.0
    under_voltage: bool | None = None


class FaultVitals(Struct, frozen=True, kw_only=True):
    """A fault that the table has noticed."""

    code: str = ""
    number: str = ""
    where: str = ""
    what: str = ""
    detail: str = ""
    remedy: str = ""
    lock: str = "nothing"
    ends: str = "by_itself"
    since_ms: int = 0
    passed: bool = False


class WaitVitals(Struct, frozen=True, kw_only=True):
    """The person without whom the table does not go on."""

    who: str = ""
    what: str = ""
    """What the panel asks for, as everybody around it reads it."""
    since_ms: int = 0
    """Since when it waits for him; since the start, if it waited then already."""


class Vitals(Struct, frozen=True, kw_only=True):
    """Everything that a table tells about its own health."""

    table: str = ""
    game: str = ""
    version: str = ""
    python: str = ""
    system: str = ""
    board: str = ""
    seats: int = 0
    card_source: str = ""
    currency: str = "$"
    """What stands before an amount at this table."""
    phase: str = ""
    round: int = 0
    waits: WaitVitals | None = None
    """For whom the table waits; None between rounds, and while bets are taken."""
    started_ms: int = 0
    uptime_s: float = 0.0
    silent_since_ms: int | None = None
    """When the last record before this start was written; None on a new journal."""
    table_file: str = ""
    secrets_are_open: bool = False
    """Whether others than its owner can read the hashes of the PINs in it."""
    technicians: int = 0
    """How many of the staff may use service mode."""
    sensors: tuple[SensorVitals, ...] = ()
    switches: tuple[SwitchVitals, ...] | None = None
    """Those that the board has; None from a table that cannot test them."""
    spot_board: SpotBoardVitals | None = None
    """The spot board, if the table has one."""
    lamp_enable_pin: int | None = None
    """None if the board has none."""
    devices: tuple[DeviceVitals, ...] = ()
    link: LinkVitals = field(default_factory=LinkVitals)
    clock: ClockVitals = ClockVitals()
    disk: DiskVitals = DiskVitals()
    journal: JournalVitals = JournalVitals()
    machine: MachineVitals = MachineVitals()
    faults: tuple[FaultVitals, ...] = ()
