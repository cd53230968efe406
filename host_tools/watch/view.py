"""How a table looks in the live view: what everyone at it may see, as text.

Pure: a `PublicTable` in, something that rich can draw out.
"""

from collections.abc import Iterable

from msgspec import Struct
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from firmware.rules.cards import CODES, pretty
from firmware.rules.words import money, spaced
from firmware.table.public import PublicSeat, PublicTable

LAMPS = {
    "off": ("○", "dim"),
    "slow_blink": ("◔", "cyan"),
    "quick_blink": ("◑", "yellow"),
    "steady": ("●", "green"),
    "flutter": ("✺", "bold magenta"),
    "double_blink": ("◍", "bold red"),
}
LAMP_WORDS = "○ off  ◔ bets open  ◑ chip sensed  ● contribution acknowledged  ✺ win  ◍ fault"
_RED = ("♥", "♦")
_MOST_NEWS = 5


class TableView(Struct, frozen=True):
    """One table in the live view: its latest state, or why there is none, and its news."""

    target: str
    table: PublicTable | None = None
    problem: str = "connecting …"
    news: tuple[str, ...] = ()


def news(before: PublicTable | None, after: PublicTable) -> list[str]:
    """Return, in words, the changes worth remembering."""
    if before is None:
        return [f"{spaced(after.phase)}, round {after.round}"]
    told = []
    if before.phase != after.phase:
        told.append(f"round {after.round}: {spaced(after.phase)}")
    if before.link_healthy != after.link_healthy:
        told.append("link up" if after.link_healthy else f"link down: {after.link_problem}")
    told += [f"fault: {fault}" for fault in after.faults if fault not in before.faults]
    told += [f"over: {fault.split(':')[0]}" for fault in before.faults if fault not in after.faults]
    told += [
        f"seat {claim.seat}: {claim.words}, {_amount(claim.amount_cents)}"
        for claim in after.claims
        if claim not in before.claims
    ]
    if before.owed < after.owed:
        told.append(f"owed to the jackpot controller: {after.owed}")
    elif before.owed and not after.owed:
        told.append("everything is acknowledged")
    return told


def heading(seen: TableView) -> Text:
    """Return the title of a table's panel."""
    table = seen.table
    if table is None:
        return Text(seen.target, style="bold")
    return Text.assemble((table.name, "bold"), f" · {table.game} · ", (seen.target, "dim"))


def body(seen: TableView) -> RenderableType:
    """Draw a table."""
    table = seen.table
    if table is None:
        return Text(seen.problem, style="red")
    parts: list[RenderableType] = [_status_line(table, seen.problem), _seats(table), *_cards(table)]
    parts += [_lines("panel", table.prompt, "bold"), _lines("sign", (table.sign,), "")]
    parts += [_lines("claim", (_claim_words(table)), "magenta")] if table.claims else []
    parts += [_lines("pending", table.pending, "magenta")] if table.pending else []
    parts += [_lines("FAULT", table.faults, "bold red")] if table.faults else []
    parts += [_lines("news", seen.news[-_MOST_NEWS:], "dim")]
    return Group(*parts)


def _claim_words(table: PublicTable) -> tuple[str, ...]:
    return tuple(
        f"seat {claim.seat}: {claim.words}, {_amount(claim.amount_cents)}" for claim in table.claims
    )


def _status_line(table: PublicTable, problem: str) -> Text:
    meter = "-" if table.meter_cents is None else money(table.meter_cents)
    link = ("link up", "green") if table.link_healthy else (f"link: {table.link_problem}", "red")
    owed = f", {table.owed} owed" if table.owed else ""
    line = Text.assemble(
        (f"{spaced(table.phase)} ", "bold yellow"),
        f"round {table.round}   ",
        (f"{meter}   ", "bold green"),
        link,
        owed,
    )
    if problem:
        line.append(f"\n{problem}", style="bold red")
    return line


def _seats(table: PublicTable) -> Table:
    shown = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("seat", "lamp", "chip", "stakes", "plays", "cards"):
        shown.add_column(column, no_wrap=column != "stakes")
    for seat in table.seats:
        shown.add_row(
            str(seat.seat),
            _lamps(seat),
            " ".join("◉" if bet in seat.chips else "·" for bet in seat.lamps),
            Text(_stakes(seat)),
            Text(seat.decision),
            _faces(seat.cards),
        )
    return shown


def _stakes(seat: PublicSeat) -> str:
    stakes = seat.stakes.items()
    return ", ".join(f"{spaced(bet)} {money(cents).removesuffix('.00')}" for bet, cents in stakes)


def _lamps(seat: PublicSeat) -> Text:
    return Text(" ").join(Text(*LAMPS[pattern]) for pattern in seat.lamps.values())


def _cards(table: PublicTable) -> list[RenderableType]:
    shown = [("dealer", table.dealer), ("board", table.community)]
    return [Text.assemble((f"{place:8}", "dim"), _faces(cards)) for place, cards in shown if cards]


def _faces(cards: Iterable[str]) -> Text:
    line = Text()
    for card in cards:
        face = pretty([card]) if card in CODES else card
        line.append(f"{face} ", style="red" if face.endswith(_RED) else "")
    return line


def _lines(what: str, lines: Iterable[str], style: str) -> Table:
    shown = Table.grid(padding=(0, 1))
    shown.add_column(width=7, style="dim" if what != "FAULT" else "bold red")
    shown.add_column(style=style)
    for place, line in enumerate(lines):
        # As text, since rich would read a string for its own marks.
        shown.add_row("" if place else what, Text(line))
    return shown


def _amount(cents: int | None) -> str:
    return "pending" if cents is None else money(cents)
