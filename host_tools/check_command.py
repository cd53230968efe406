"""`underfelt check`: looks at a table file on a laptop, and shows how the table is wired.

The checks are the firmware's own (`firmware.config`, `firmware.on_site`): what passes here is
accepted there. A mistake is one sentence, and exit status 2.
"""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from firmware import on_site
from firmware.config import Config, load
from firmware.rules.words import money
from host_tools.header import HeaderPin, header
from host_tools.header_svg import draw
from host_tools.rules_tables import show

TableFile = Annotated[Path, typer.Argument(metavar="TABLE.TOML", help="The table file.")]
Here = Annotated[
    bool,
    typer.Option("--here", help="Also check ports, certificates and journal folder: on the Pi."),
]
Svg = Annotated[
    Path | None, typer.Option("--svg", metavar="FILE", help="Draw the header into this file.")
]


def check(path: TableFile, *, here: Here = False, svg: Svg = None) -> None:
    """Check a table file and show the wiring.

    underfelt check T1.toml --svg header.svg
    """
    config = load(path)
    if here:
        on_site.check(config)
        on_site.check_ports(config)
    show(_summary(config), _wiring(config), _ports(config))
    if svg is not None:
        svg.write_text(draw(config.board, config.board.title, _subtitle(config)), encoding="utf-8")
    left_out = "not checked: ports, certificates, journal folder (see --here)"
    where = "this machine has what it names" if here else left_out
    typer.echo(f"{path} is good; {where}.")


def _subtitle(config: Config) -> str:
    table = config.table
    return f"Table {table.name}: {table.rules.title}, {table.seats} seats"


def _summary(config: Config) -> Table:
    table = config.table
    shown = Table(title=f"Table {table.name}", title_justify="left", show_header=False)
    shown.add_row("game", f"{table.rules.title} ({table.game})")
    shown.add_row("seats", str(table.seats))
    shown.add_row("ante", f"{money(table.ante_min_cents)} to {money(table.ante_max_cents)}")
    shown.add_row("jackpot bet", money(table.jackpot_bet_cents))
    shown.add_row("cards", table.card_source)
    shown.add_row("jackpot system down", table.house_policy)
    shown.add_row("staff", _staff(config))
    shown.add_row("journal", config.journal)
    shown.add_row("board", config.board.title)
    return shown


def _staff(config: Config) -> str:
    """Count the staff by role; without any, nobody can clear a fault."""
    if not config.staff:
        return "nobody: no fault can be cleared at the table"
    roles = [each.role for each in config.staff]
    return ", ".join(f"{roles.count(role)} {role}" for role in dict.fromkeys(roles))


def _wiring(config: Config) -> Table:
    shown = Table(title="Wiring", title_justify="left")
    for column in ("pin", "GPIO", "what", "seat", "bet"):
        shown.add_column(column, justify="right" if column in {"pin", "seat"} else "left")
    for pin in header(config.board):
        if pin.line is not None:
            shown.add_row(*_row(pin))
    return shown


def _row(pin: HeaderPin) -> tuple[str, ...]:
    line = pin.line
    if line is None:
        return (str(pin.number), pin.name, pin.label)
    seat = "" if line.seat is None else str(line.seat)
    return (str(pin.number), pin.name, line.what, seat, line.bet)


def _ports(config: Config) -> Table:
    shown = Table("device", "port", "protocol", title="Serial ports", title_justify="left")
    if config.serial.cards is not None:
        shown.add_row(config.table.card_source, config.serial.cards, config.serial.card_protocol)
    shown.add_row("panel", config.serial.panel, "line")
    shown.add_row("sign", config.serial.sign, "line")
    return shown
