"""The table file: identity, game, limits, board, ports, staff, link, read strictly from TOML.

Any mistake is one sentence that names the file, the key and the remedy. What can only be
seen on the machine itself (certificates, folders, ports) is checked in `machine_checks.py`;
what the settings do is up to the parts that get them.
"""

from os.path import normpath
from pathlib import Path

from msgspec import Struct, to_builtins
from msgspec.structs import asdict, replace

from firmware.devices.card_source import CardProtocol
from firmware.devices.sensor_limits import SensorLimits
from firmware.errors import BadInput
from firmware.link.settings import LinkSettings
from firmware.maintenance import SOCKET
from firmware.rules.games import GAMES
from firmware.rules.words import spaced
from firmware.settings import board as boards
from firmware.settings import toml_file
from firmware.settings.board import (
    SPOT_BOARD_EDGES,
    SPOT_BOARD_MOST,
    Board,
    BoardPorts,
    ServicePins,
    SpotLines,
)
from firmware.settings.staff import LONG_PIN, Staff
from firmware.table.settings import TableSettings

RESERVED_NAMES = {"controller", "broker", "ca"}
"""Names that certificates and access lists of the link use; a table would get their rights."""
_WORDS = {
    "board": "the name of a board such as pi-5-seats, or the path of a board file",
    "journal": "the folder of the journal, such as /var/lib/underfelt",
    "maintenance": "the path of a socket, such as /run/underfelt/maintenance.sock",
    "table.game": f"one of {', '.join(GAMES)}",
    "table.casino": "a name of up to 64 characters",
    "table.currency": "what stands before an amount, in plain letters: $, S$ or AUD",
    "table.name": "1 to 32 letters, digits, - or _, without spaces",
    "link.root": "a topic such as underfelt or casino/underfelt: letters, digits, - and _ between /",
    "staff.number": "the staff number, 1 to 8 digits in quotation marks",
    "staff.name": "a name of 1 to 64 characters",
    "staff.pin": "a hashed PIN, as 'underfelt staff hash-pin' prints it",
}
"""What keys with a form of their own expect, for error sentences."""


class PortSettings(BoardPorts, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The serial devices of the table, and how the card source talks.

    What the table file leaves out is the board's.
    """

    card_protocol: CardProtocol = "line"


class HealthSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is read, and the limits beyond which it is wrong; an empty path is not read."""

    thermal: str = "/sys/class/thermal"
    voltage: str = "/sys/class/hwmon"
    clock_file: str = ""
    """A file that exists while the clock is synchronised; empty: ask the kernel."""
    rtc: str = "/sys/class/rtc/rtc0"
    """The real-time clock, which runs without power."""
    every_s: float = 5.0
    hot_c: float = 80.0
    """A Pi slows itself down above this."""
    cool_c: float = 75.0
    least_free_mb: int = 64
    """Thousands of rounds still fit; it is time to pull the journal."""
    jump_ms: int = 1_000
    """A time server slews smaller differences; a second is a step."""


class TableFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table file with its board: everything that the firmware has to know before it starts."""

    board: Board
    """In the file: the name of a shipped board, or the path of a board file seen from it."""
    journal: str
    """The folder of the journal, on a writable file system of its own."""
    table: TableSettings
    link: LinkSettings
    serial: PortSettings = PortSettings()
    staff: tuple[Staff, ...] = ()
    watchdog: str = ""
    """The hardware watchdog, such as /dev/watchdog; empty for none."""
    sensors: SensorLimits = SensorLimits()
    health: HealthSettings = HealthSettings()
    maintenance: str = SOCKET
    """The socket for the technician's tools; empty for none."""

    @property
    def spots(self) -> tuple[SpotLines, ...]:
        """The coin spots, and what each is wired to."""
        return self.board.spots

    @property
    def pins(self) -> ServicePins:
        """The pins that belong to no spot."""
        return self.board.pins


def load(path: Path) -> TableFile:
    """Read a table file and its board, or say what is wrong with them."""
    document = toml_file.read(path)
    try:
        found = _with_board(document, path)
    except BadInput as error:
        raise _in_file(path, error) from None
    file = toml_file.fit(str(path), found, TableFile, _WORDS)
    try:
        _check_name(file.table.name)
        _check_table(file.table)
        _check_staff(file.staff, file.table)
        _check_spots(file, str(document["board"]))
        _check_sensors(file)
        _check_journal(file.journal)
        return replace(file, serial=_ports(file))
    except BadInput as error:
        raise _in_file(path, error) from None


def _with_board(document: dict[str, object], path: Path) -> dict[str, object]:
    """Put the board into the document in place of its name, and its ports where none is given."""
    name, serial = document.get("board"), document.get("serial", {})
    if not isinstance(name, str):
        return document
    board = boards.find(name, path.parent)
    found = document | {"board": to_builtins(board)}
    if isinstance(serial, dict):
        found["serial"] = to_builtins(board.serial) | serial
    return found


def _in_file(path: Path, error: BadInput) -> BadInput:
    """Name the file of a mistake, unless it is a board file and already named."""
    return error if error.field.endswith(".toml") else BadInput(str(path), str(error))


def _check_name(name: str) -> None:
    if name.lower() in RESERVED_NAMES:
        reason = f"{name!a} is a name of the broker's own; give the table another name"
        raise BadInput("table.name", reason)


def _check_table(table: TableSettings) -> None:
    if table.game not in GAMES:
        meant = toml_file.nearest(table.game, GAMES)
        remedy = f"did you mean {meant}?" if meant else f"use one of {', '.join(GAMES)}"
        raise BadInput("table.game", f"{table.game!a} is not a game; {remedy}")
    low, high = table.rules.positions
    if not low <= table.seats <= high:
        wanted = f"{table.game} has {low} to {high} positions; set {low} to {high}"
        raise BadInput("table.seats", wanted)
    if table.layout:
        _check_layout(table)
    for key in ("ante_min_cents", "jackpot_bet_cents"):
        if getattr(table, key) == 0:
            raise BadInput(f"table.{key}", "must be above 0; set an amount in cents")
    if table.ante_min_cents > table.ante_max_cents:
        limits = f"{table.ante_min_cents} is above ante_max_cents ({table.ante_max_cents})"
        raise BadInput("table.ante_min_cents", f"{limits}; lower it or raise the maximum")
    if table.bonus_max_cents is not None and table.rules.bonus is None:
        raise BadInput("table.bonus_max_cents", f"{table.game} has no bonus bet; remove it")


def _check_layout(table: TableSettings) -> None:
    """Check that the layout is one of the game's, and has as many positions as there are seats."""
    layouts = table.rules.layouts
    if not layouts:
        raise BadInput("table.layout", f"{table.game} has no layouts to choose from; remove it")
    if table.layout not in layouts:
        known = f"use one of {', '.join(layouts)}"
        raise BadInput("table.layout", f"{table.layout!a} is no layout of {table.game}; {known}")
    low, high = layouts[table.layout]
    if not low <= table.seats <= high:
        fitting = [name for name, (least, most) in layouts.items() if least <= table.seats <= most]
        has = f"layout {table.layout} of {table.game} has {low} to {high} positions"
        other = f"choose layout {' or '.join(fitting)}"
        raise BadInput("table.seats", f"{has}; set {low} to {high}, or {other}")


def _check_journal(folder: str) -> None:
    # A relative path would start from the service's folder, which is lost with the power.
    if not Path(folder).is_absolute():
        raise BadInput("journal", f"{folder!a} is not an absolute path; start it with /")


def _check_staff(staff: tuple[Staff, ...], table: TableSettings) -> None:
    seen: dict[str, str] = {}
    for entry, each in enumerate(staff, 1):
        if each.number in seen:
            taken = f"{each.number} is already the number of {seen[each.number]!a}"
            raise BadInput(f"staff.number (entry {entry})", f"{taken}; give each their own")
        seen[each.number] = each.name
        if each.pin_is_too_short:
            needs = f"a {spaced(each.role)}'s PIN has at least {LONG_PIN} digits"
            remedy = f"make a new one with 'underfelt staff entry {each.number} NAME {each.role}'"
            raise BadInput(f"staff.pin (entry {entry})", f"{needs}; {remedy}")
    if table.dealer_must_sign_on and all(each.role == "technician" for each in staff):
        remedy = "add a dealer under [[staff]], or set it to false"
        raise BadInput("table.dealer_must_sign_on", f"nobody could sign on; {remedy}")


def _check_spots(file: TableFile, name: str) -> None:
    table, bets = file.table, tuple(file.table.rules.jackpot_bets)
    if not file.board.has_spots(table.seats, bets):
        fitting = (n for n, each in boards.shipped().items() if each.has_spots(table.seats, bets))
        other = next(fitting, "")
        remedy = f"choose {other}" if other else "name a board file that has them"
        layout = f"{table.game} with {table.seats} seats ({' and '.join(bets)} at each)"
        raise BadInput("board", f"{name} does not have the spots of {layout}; {remedy}")


def _check_sensors(file: TableFile) -> None:
    """Check that a spot board, which has little memory, can take the limits of its sensors."""
    if not file.board.on_board:
        return
    for key, limit in asdict(file.sensors).items():
        most = SPOT_BOARD_EDGES if key == "chatter_edges" else SPOT_BOARD_MOST
        if not 0 <= limit <= most:
            reason = f"a spot board takes 0 to {most}, not {limit}; set a number between"
            raise BadInput(f"sensors.{key}", reason)


def _ports(file: TableFile) -> PortSettings:
    """Check the ports; a table whose cards are not read has none for them."""
    source, serial = file.table.card_source, file.serial
    if serial.card_protocol == "angel-eye" and source != "shoe":
        reason = f"only a shoe speaks angel-eye, but table.card_source is {source}; use line"
        raise BadInput("serial.card_protocol", reason)
    if source == "manual":
        serial = replace(serial, cards=None)
    found: dict[str, str] = {}
    for device in _devices(file):
        port = getattr(serial, device)
        if not port:
            wanted = f"add {device} = the path of its port, such as /dev/underfelt/{device}"
            raise BadInput(f"serial.{device}", f"neither this file nor the board has it; {wanted}")
        _check_port(device, port)
        same = _normal(port)
        other = next((each for each, used in found.items() if used == same), None)
        if other is not None:
            reason = f"{port} is also the port of serial.{other}; give each device its own"
            raise BadInput(f"serial.{device}", reason)
        found[device] = same
    if serial.spots is not None and not file.board.on_board:
        reason = "no spot of the board has an input; remove it, or give the spots input and output"
        raise BadInput("serial.spots", reason)
    return serial


def _check_port(device: str, port: str) -> None:
    """Refuse what names no port wherever the firmware is started from."""
    if port != port.strip():
        raise BadInput(f"serial.{device}", f"{port!a} has a blank at an end; remove it")
    if not port.startswith("/"):
        raise BadInput(f"serial.{device}", f"{port!a} is not an absolute path; start it with /")


def _normal(port: str) -> str:
    """Write a path in the one way that all ways to write it have in common; links stay as they are."""
    return normpath("/" + port.lstrip("/"))


def _devices(file: TableFile) -> tuple[str, ...]:
    """Name the devices that the table must have a port for."""
    cards = () if file.table.card_source == "manual" else ("cards",)
    spots = ("spots",) if file.board.on_board else ()
    return (*cards, "panel", "sign", *spots)
