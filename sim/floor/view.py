"""The floor in the terminal: what somebody standing on it would see.

Each table is drawn as `underfelt watch` draws it (`host_tools/watch/view.py`), from what the table
itself says that it shows; above them is the jackpot, below them what passes over the link, in words
(`link_words.py`). A screen that is too small for all tables has a list of them and one after
the other in full.
"""

import re
import time
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console, ConsoleDimensions, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from firmware.journal.regular_files import write_text
from firmware.rules.words import money
from firmware.table.public import PublicTable
from host_tools.watch.arrangement import FRAME, MARGIN, arrange, list_lines
from host_tools.watch.fitting import LAMP_WORDS, fitting, shortened
from host_tools.watch.view import TableView, body, game_title, meter_words
from sim.floor.dealer import Dealer, PaidRound
from sim.floor.floor import Floor
from sim.floor.link_words import link_story

_PICTURE = (202, 40)
_EACH_S = 12
"""So long each table is shown in full where there is no room for all."""
_ENOUGH = 30
"""With more lines than this, some are for the link."""
_MOST_LINK_LINES = 5
_SENTENCE_WIDTH = 60
_LIT_WORDS = ("lamps: ○ dark  ● lit, as the devices show them", "○ dark ● lit", "")


def floor_view(floor: Floor, size: ConsoleDimensions) -> RenderableType:
    """Draw the whole floor, in as many columns and lines as the terminal has."""
    tables = [_as_found(floor, dealer) for dealer in floor.dealers]
    lines = min(_MOST_LINK_LINES, (size.height - _ENOUGH) // 2)
    below = [_link(floor, lines, size.width)] if lines > 0 else []
    above = _heading(floor, tables, size.width)
    left = size.height - len(above) - 1 - (lines + FRAME if below else 0)
    current = int(time.monotonic() / _EACH_S) % max(1, len(tables))
    return Group(
        *above,
        tables_view(tables, current, size.width, left),
        *below,
        _one_line(Text(fitting(size.width, _lamp_words(floor)), "dim")),
    )


def _as_found(floor: Floor, dealer: Dealer) -> TableView:
    """Return a table under the name by which it is found."""
    seen = floor.onlookers.see(dealer)
    if seen.table is None:
        return seen
    return replace(seen, table=replace(seen.table, name=floor.name_of(seen.table.name)))


def tables_view(
    tables: Sequence[TableView], current: int, width: int, height: int
) -> RenderableType:
    """Draw tables side by side; where there is no room for that, a list of them and one."""
    if not tables:
        return Text("starting …")
    shared = arrange(tables, width, height)
    grid = Table.grid()
    if shared.is_list:
        listed = Group(*list_lines(tables, current, shared.list_width - 1, height))
        grid.add_column(width=shared.list_width)
        grid.add_row(listed, _panel(tables[current], width - shared.list_width, height))
        return grid
    for first in range(0, len(tables), shared.columns):
        row = tables[first : first + shared.columns]
        widths = _shares(width, shared.columns)
        grid.add_row(*map(_panel, row, widths, [height // shared.rows] * len(row)))
    return grid


def _shares(width: int, columns: int) -> list[int]:
    """Share the width, what does not come out even with the first."""
    each, left = divmod(width, columns)
    return [each + (place < left) for place in range(columns)]


def round_lines(floor: Floor) -> Iterator[str]:
    """Tell of every round that has been paid since this was last asked."""
    for dealer in floor.dealers:
        while dealer.to_tell:
            yield _round_line(floor, dealer, dealer.to_tell.popleft())


def _round_line(floor: Floor, dealer: Dealer, paid: PaidRound) -> str:
    """Return a line about a round that a dealer has finished."""
    settings = dealer.hardware.settings
    shown = "unknown" if paid.meter_cents is None else money(paid.meter_cents, settings.currency)
    name = floor.name_of(settings.name)
    return f"{name}: round {paid.number} is paid, the jackpot stands at {shown}"


def has_hands_up(floor: Floor) -> bool:
    """Return whether there is something to see: hands of most tables are face up."""
    seen = [floor.onlookers.see(dealer).table for dealer in floor.dealers]
    up = [table is not None and any(seat.cards for seat in table.seats) for table in seen]
    return sum(up) > len(floor.dealers) // 2


def save_picture(floor: Floor, path: Path) -> None:
    """Save the floor as a self-contained SVG."""
    console = Console(record=True, file=StringIO(), width=_PICTURE[0], height=_PICTURE[1])
    console.print(floor_view(floor, ConsoleDimensions(*_PICTURE)))
    svg = console.export_svg(title="underfelt-sim floor")
    # The fonts that rich would load from a server are left out; any monospace font will do.
    write_text(path, re.sub(r"@font-face\s*{[^}]*}", "", svg))


def _heading(floor: Floor, tables: Sequence[TableView], width: int) -> list[Text]:
    meters = jackpots([seen.table for seen in tables if seen.table is not None])
    rounds = sum(dealer.rounds_played for dealer in floor.dealers)
    lines = jackpot_lines(meters, width)
    played = "1 round" if rounds == 1 else f"{rounds:,} rounds"
    for more in (f"   {played} played, seed {floor.settings.seed}", "   Ctrl-C ends"):
        if lines[-1].cell_len + len(more) <= width:
            lines[-1].append(more, style="dim")
    return lines


def jackpot_lines(meters: Sequence[str], width: int) -> list[Text]:
    """Draw the jackpots: on one line with fewer words, or on several; no amount is broken."""
    shown = " · ".join(meters) or "waiting for the meter"
    label = "Progressive jackpots  " if len(meters) > 1 else "Progressive jackpot  "
    label = next((each for each in (label, "Jackpots  ") if len(each + shown) <= width), "")
    lines = [Text(label, style="bold")]
    for place, meter in enumerate(meters or [shown]):
        gap = " · " if place else ""
        if lines[-1].cell_len + len(gap + meter) > width and lines[-1]:
            lines.append(Text())
            gap = ""
        lines[-1].append(gap).append(meter, style="bold yellow")
    return [_one_line(line) for line in lines]


def jackpots(tables: Sequence[PublicTable]) -> list[str]:
    """Return the meter of each game, since the tables of a game share one; of several, with its name."""
    known = {table.game: table for table in tables if table.meter_cents is not None}
    several = len({table.game for table in tables}) > 1
    return [f"{name} {meter_words(t)}" if several else meter_words(t) for name, t in known.items()]


def _panel(seen: TableView, width: int, height: int) -> Panel:
    """Draw a table in its frame, in exactly its share."""
    inside, title, faulty = body(seen, width - MARGIN, height - FRAME), Text(seen.target), False
    if seen.table is not None:
        title = Text.assemble((seen.table.name, "bold"), f" · {game_title(seen.table.game)}")
        faulty = bool(seen.table.faults)
    style = "red" if faulty or seen.problem else "bright_black"
    return Panel(inside, title=title, width=width, height=height, border_style=style)


def _link(floor: Floor, lines: int, width: int) -> Panel:
    """Draw the last sentences of the link, in columns, the newest at the end."""
    abreast = max(1, width // _SENTENCE_WIDTH)
    share = (width - MARGIN) // abreast
    currency = floor.tables[0].settings.currency if floor.tables else "$"
    told = link_story(floor.messages, currency)[-lines * abreast :]
    columns = Table.grid(expand=True)
    for _ in range(abreast):
        columns.add_column(ratio=1, no_wrap=True, overflow="ellipsis", style="dim")
    for place in range(lines):
        # No amount is cut in the middle.
        columns.add_row(*(Text(shortened(each, share)) for each in told[place::lines]))
    return Panel(columns, title="jackpot link", width=width, height=lines + FRAME)


def _lamp_words(floor: Floor) -> Sequence[str]:
    read = all(floor.onlookers.is_read(dealer) for dealer in floor.dealers)
    return LAMP_WORDS if read else _LIT_WORDS


def _one_line(text: Text) -> Text:
    text.no_wrap, text.overflow = True, "ellipsis"
    return text
