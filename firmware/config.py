"""The table file: identity, game, limits, board, ports, staff, link, read strictly from TOML.

Whatever is wrong with it is one sentence that names the file, the key and the remedy.
What can only be seen on the machine itself (certificates, folders, ports) is checked in
`on_site.py`; what the settings do is the business of whoever gets them.
"""

from pathlib import Path

from msgspec import Struct

from firmware import board as boards
from firmware import strict
from firmware.board import Board, BoardPorts, ServicePins, SpotPins
from firmware.devices.card_source import CardProtocol
from firmware.devices.sensing import SensorLimits
from firmware.errors import BadInput
from firmware.health import HealthSettings
from firmware.link.settings import LinkSettings
from firmware.maintenance import SOCKET
from firmware.rules.games import GAMES
from firmware.staff import Staff
from firmware.table.settings import TableSettings

_WORDS = {
    "board": "the name of a board such as pi-5-seats, or the path of a board file",
    "journal": "the folder of the journal, such as /var/lib/underfelt",
    "maintenance": "the path of a socket, such as /run/underfelt/maintenance.sock",
    "table.game": f"one of {', '.join(GAMES)}",
    "table.name": "1 to 32 letters, digits, - or _, without spaces",
    "link.root": "a topic such as underfelt or casino/underfelt: letters, digits, - and _ between /",
    "staff.number": "the staff number, 1 to 8 digits in quotation marks",
    "staff.name": "a name of 1 to 64 characters",
    "staff.pin": "a hashed PIN, as 'underfelt staff hash-pin' prints it",
}
"""What the keys with a form of their own want, for sentences."""


class PortSettings(BoardPorts, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ports that differ from the board's, and how the card source talks."""

    card_protocol: CardProtocol = "line"


class TableFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table file, as it is written."""

    board: str
    """The name of a shipped board, or the path of a board file, seen from the table file."""
    journal: str
    table: TableSettings
    link: LinkSettings
    serial: PortSettings = PortSettings()
    staff: tuple[Staff, ...] = ()
    watchdog: str = ""
    """The hardware watchdog, such as /dev/watchdog; empty if none is to be armed."""
    sensors: SensorLimits = SensorLimits()
    health: HealthSettings = HealthSettings()
    maintenance: str = SOCKET
    """The socket for the technician's tools; empty if there is to be none."""


class SerialPorts(Struct, frozen=True, kw_only=True):
    """The serial devices of the table; `cards` is the shoe or the shuffler, if there is one."""

    cards: str | None
    panel: str
    sign: str
    card_protocol: CardProtocol = "line"


class Config(Struct, frozen=True, kw_only=True):
    """Everything that the firmware has to know before it starts."""

    path: Path
    """The table file, for sentences about it."""
    table: TableSettings
    journal: str
    """The folder of the journal, on a writable file system of its own."""
    board: Board
    serial: SerialPorts
    link: LinkSettings
    staff: tuple[Staff, ...] = ()
    watchdog: str = ""
    sensors: SensorLimits = SensorLimits()
    health: HealthSettings = HealthSettings()
    maintenance: str = SOCKET

    @property
    def spots(self) -> tuple[SpotPins, ...]:
        """The pins of the coin spots."""
        return self.board.spots

    @property
    def pins(self) -> ServicePins:
        """The pins that belong to no spot."""
        return self.board.pins


def load(path: Path) -> Config:
    """Read a table file and its board, or say what is wrong with them."""
    file = strict.read(path, TableFile, _WORDS)
    try:
        _check_table(file.table)
        _check_staff(file.staff)
        board = _board(file, path)
        _check_journal(file.journal)
        serial = _ports(file, board.serial)
    except BadInput as error:
        raise _in_file(path, error) from None
    return Config(
        path=path,
        table=file.table,
        journal=file.journal,
        board=board,
        serial=serial,
        link=file.link,
        staff=file.staff,
        watchdog=file.watchdog,
        sensors=file.sensors,
        health=file.health,
        maintenance=file.maintenance,
    )


def _in_file(path: Path, error: BadInput) -> BadInput:
    """Name the file of a mistake, unless it is a board file and named already."""
    return error if error.field.endswith(".toml") else BadInput(str(path), str(error))


def _check_table(table: TableSettings) -> None:
    if table.game not in GAMES:
        meant = strict.nearest(table.game, GAMES)
        remedy = f"did you mean {meant}?" if meant else f"use one of {', '.join(GAMES)}"
        raise BadInput("table.game", f"{table.game!a} is no game; {remedy}")
    low, high = table.rules.positions
    if not low <= table.seats <= high:
        wanted = f"{table.game} has {low} to {high} positions; set {low} to {high}"
        raise BadInput("table.seats", wanted)
    for key in ("ante_min_cents", "jackpot_bet_cents"):
        if getattr(table, key) == 0:
            raise BadInput(f"table.{key}", "must be above 0; set an amount in cents")
    if table.ante_min_cents > table.ante_max_cents:
        limits = f"{table.ante_min_cents} is above ante_max_cents ({table.ante_max_cents})"
        raise BadInput("table.ante_min_cents", f"{limits}; lower it or raise the maximum")
    if table.bonus_max_cents is not None and table.rules.bonus is None:
        raise BadInput("table.bonus_max_cents", f"{table.game} has no bonus bet; remove it")


def _check_journal(folder: str) -> None:
    # Seen from the folder of the service, which is gone with the power.
    if not Path(folder).is_absolute():
        raise BadInput("journal", f"{folder!a} is no absolute path; begin it with /")


def _check_staff(staff: tuple[Staff, ...]) -> None:
    seen: dict[str, str] = {}
    for entry, each in enumerate(staff, 1):
        if each.number in seen:
            taken = f"{each.number} is the number of {seen[each.number]!a} already"
            raise BadInput(f"staff.number (entry {entry})", f"{taken}; give each their own")
        seen[each.number] = each.name


def _board(file: TableFile, path: Path) -> Board:
    table, bets = file.table, tuple(file.table.rules.jackpot_bets)
    board = boards.find(file.board, path.parent)
    if not board.has_spots(table.seats, bets):
        fitting = (n for n, each in boards.shipped().items() if each.has_spots(table.seats, bets))
        other = next(fitting, "")
        remedy = f"choose {other}" if other else "name a board file that has them"
        layout = f"{table.game} with {table.seats} seats ({' and '.join(bets)} at each)"
        raise BadInput("board", f"{file.board} does not fit the spots of {layout}; {remedy}")
    return board


def _ports(file: TableFile, given: BoardPorts) -> SerialPorts:
    source, protocol = file.table.card_source, file.serial.card_protocol
    if protocol == "angel-eye" and source != "shoe":
        reason = f"angel-eye is spoken by shoes, and table.card_source is {source}; use line"
        raise BadInput("serial.card_protocol", reason)
    found: dict[str, str] = {}
    for device in ("cards", "panel", "sign"):
        if device == "cards" and source == "manual":
            continue
        port = getattr(file.serial, device) or getattr(given, device)
        if not port:
            wanted = f"add {device} = the path of its port, such as /dev/underfelt/{device}"
            raise BadInput(f"serial.{device}", f"neither this file nor the board has it; {wanted}")
        other = next((each for each, used in found.items() if used == port), None)
        if other is not None:
            reason = f"{port} is the port of serial.{other} too; give each device its own"
            raise BadInput(f"serial.{device}", reason)
        found[device] = port
    return SerialPorts(
        cards=found.get("cards"),
        panel=found["panel"],
        sign=found["sign"],
        card_protocol=protocol,
    )
