"""`underfelt check`: checks a table file on a laptop and shows how the table is wired.

The checks are the firmware's own (`firmware/settings/`): what passes here is
accepted there. A mistake is one sentence, and exit status 2.
"""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from firmware.journal.regular_files import check_writable, write_text
from firmware.rules.words import OPTIONS, counted, spaced
from firmware.settings import machine_checks
from firmware.settings.table_file import TableFile, load
from host_tools.check.header import HeaderPin, header
from host_tools.check.header_svg import draw
from host_tools.check.pico import wired
from host_tools.rules.tables import print_tables
from host_tools.terminal import say

TablePath = Annotated[Path, typer.Argument(metavar="TABLE.TOML", help="The table file.")]
Here = Annotated[
    bool,
    typer.Option(
        "--here",
        help="Also check ports, certificates, journal folder and who can read the table file; "
        "for use on the Pi.",
    ),
]
Svg = Annotated[
    Path | None,
    typer.Option(
        "--svg",
        metavar="FILE",
        help="Draw the wiring of the header, and of the spot board, into this SVG file.",
    ),
]


def check(path: TablePath, *, here: Here = False, svg: Svg = None) -> None:
    """Check a table file and show the wiring.

    underfelt check T1.toml --svg header.svg
    """
    if svg is not None:
        check_writable(svg)
    file = load(path)
    machine_checks.check_pins(path, file)
    machine_checks.try_known_pins(path, file)
    if here:
        machine_checks.check_secrets(path, file)
        machine_checks.check_before_start(path, file)
        machine_checks.check_ports(path, file)
    print_tables(_summary(file), _wiring(file), *_spot_board(file), _ports(file))
    if svg is not None:
        write_text(svg, draw(file.board, file.board.title, _subtitle(file)))
    left_out = "not checked: ports, certificates, journal folder (see --here)"
    where = "this machine has everything it names" if here else left_out
    say(f"{path} is good; {where}.")
    if machine_checks.secrets_are_open(path, file):
        say(f"Others can read the hashes of the PINs in it: run 'chmod 600 {path}'.")


def _subtitle(file: TableFile) -> str:
    table = file.table
    return f"Table {table.name}: {table.rules.title}, {table.seats} seats"


def _summary(file: TableFile) -> Table:
    table = file.table
    shown = Table(title=f"Table {table.name}", title_justify="left", show_header=False)
    shown.add_row("game", f"{table.rules.title} ({table.game})")
    shown.add_row("seats", str(table.seats))
    shown.add_row(
        "ante", f"{table.money(table.ante_min_cents)} to {table.money(table.ante_max_cents)}"
    )
    shown.add_row("jackpot bet", table.money(table.jackpot_bet_cents))
    shown.add_row("cards", table.card_source)
    shown.add_row("jackpot system down", OPTIONS[table.house_policy])
    shown.add_row("staff", _staff(file))
    shown.add_row("journal", file.journal)
    shown.add_row("board", file.board.title)
    return shown


def _staff(file: TableFile) -> str:
    """Count the staff by role; without any, nobody can clear a fault."""
    if not file.staff:
        return "nobody: no fault can be cleared at the table"
    roles = [each.role for each in file.staff]
    return ", ".join(counted(roles.count(role), spaced(role)) for role in dict.fromkeys(roles))


def _wiring(file: TableFile) -> Table:
    shown = Table(title="Wiring", title_justify="left")
    for column in ("pin", "GPIO", "what", "seat", "bet"):
        shown.add_column(column, justify="right" if column in {"pin", "seat"} else "left")
    for pin in header(file.board):
        if pin.line is not None:
            shown.add_row(*_row(pin))
    return shown


def _row(pin: HeaderPin) -> tuple[str, ...]:
    line = pin.line
    if line is None:
        return (str(pin.number), pin.name, pin.label)
    seat = "" if line.seat is None else str(line.seat)
    return (str(pin.number), pin.name, line.what, seat, line.bet)


def _spot_board(file: TableFile) -> tuple[Table, ...]:
    """Show the pins of the spot board, if the table has one."""
    if not file.board.on_board:
        return ()
    shown = Table(title="Spot board", title_justify="left")
    for column in ("part", "pin", "name", "what", "seat", "bet"):
        shown.add_column(column, justify="right" if column in {"pin", "seat"} else "left")
    for part, pin in wired(file.board):
        line = pin.line
        if line is None:
            shown.add_row(part, str(pin.number), pin.name, pin.label)
        else:
            what = f"{line.what} {line.number}"
            shown.add_row(part, str(pin.number), pin.name, what, str(line.seat), line.bet)
    return (shown,)


def _ports(file: TableFile) -> Table:
    shown = Table("device", "port", "protocol", title="Serial ports", title_justify="left")
    if file.serial.cards is not None:
        shown.add_row(file.table.card_source, file.serial.cards, file.serial.card_protocol)
    shown.add_row("panel", file.serial.panel, "line")
    shown.add_row("sign", file.serial.sign, "line")
    if file.serial.spots is not None:
        shown.add_row("spot board", file.serial.spots, "line")
    return shown
