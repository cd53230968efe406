"""How several tables share a screen: side by side, or a list of all beside one of them in full.

Pure. What a table looks like in its share is in `view.py`.
"""

from collections.abc import Sequence

from msgspec import Struct
from rich.text import Text

from firmware.rules.words import spaced
from firmware.table.public import PublicTable
from host_tools.watch.fitting import fault_ways, fitting, shortened
from host_tools.watch.view import TableView

FRAME = 2
"""Lines above and below a table in its frame."""
MARGIN = 4
"""Columns left and right of a table in its frame."""
_NARROWEST = 64
_LOWEST = 11
"""The least share in which a table is worth looking at, its frame included, but for its seats."""
_SEATS = 5
"""How many seats a table has that has not answered yet."""
_LIST_NARROW = 18
_LIST_WIDE = 90
_BESIDE_THE_LIST = 96
"""What the table beside the list gets before the list grows."""
_WITH_ROUND = 30
"""A list this wide says more than the phase."""
_PHASE = 10


class Arrangement(Struct, frozen=True):
    """Tables in columns and rows; or, in no columns, a list of them beside one of them."""

    columns: int
    rows: int
    list_width: int = 0

    @property
    def is_list(self) -> bool:
        """Whether only one table is shown in full."""
        return self.columns == 0


def arrange(tables: Sequence[TableView], width: int, height: int) -> Arrangement:
    """Decide by the share of each table: all of them, or a list and one."""
    seats = max(len(seen.table.seats) if seen.table else _SEATS for seen in tables)
    abreast = max(1, width // _NARROWEST)
    rows = -(-len(tables) // abreast)
    if len(tables) == 1 or rows * (_LOWEST + seats) <= height:
        return Arrangement(-(-len(tables) // rows), rows)
    return Arrangement(0, 1, max(_LIST_NARROW, min(width - _BESIDE_THE_LIST, _LIST_WIDE)))


def list_lines(tables: Sequence[TableView], current: int, width: int, height: int) -> list[Text]:
    """Draw a line for each table; of more than there are lines, those around the current one."""
    first = first_in_list(len(tables), current, height)
    # However long the names are, the phase is there.
    names = _names(tables)
    widest = min(max(map(len, names), default=0), width - _PHASE - 1)
    return [
        _list_line(tables[place], names[place], max(widest, 1), width, is_current=place == current)
        for place in range(first, min(first + height, len(tables)))
    ]


def first_in_list(tables: int, current: int, height: int) -> int:
    """Return which table stands at the top of the list."""
    return max(0, min(current - height // 2, tables - height))


def _names(tables: Sequence[TableView]) -> list[str]:
    """Name the tables; those of one name by their targets, where they differ."""
    names = [seen.target if seen.table is None else seen.table.name for seen in tables]
    return [
        seen.target if names.count(name) > 1 else name
        for name, seen in zip(names, tables, strict=True)
    ]


def _trouble_ways(table: PublicTable) -> list[str]:
    """List the ways to say what is wrong with a table, with its phase as long as there is room."""
    link = (f"link: {table.link_problem}", "link down")
    ways = fault_ways(table.faults[0]) if table.faults else link
    phase = f"{spaced(table.phase):{_PHASE}}"
    return [*(f"{phase}{words}" for words in ways), *ways[1:]]


def _list_line(seen: TableView, called: str, widest: int, width: int, *, is_current: bool) -> Text:
    line = Text("▸" if is_current else " ", no_wrap=True, overflow="ellipsis")
    name = Text(called, "bold")
    name.truncate(widest, overflow="ellipsis", pad=True)
    line.append_text(name).append(" ")
    table = seen.table
    if table is None or seen.problem:
        line.append("lost" if table else "not yet", "red")
    elif table.faults or not table.link_healthy:
        line.append(fitting(width - line.cell_len, _trouble_ways(table)), "bold red")
    else:
        line.append(f"{spaced(table.phase):{_PHASE}}", "yellow")
        if width >= _WITH_ROUND:
            line.append(f"round {table.round:<5} ")
            prompt = table.prompt[0] if table.prompt else ""
            line.append(shortened(prompt, width - line.cell_len), "dim")
    if is_current:
        line.stylize("reverse", 0, 2 + widest)
    line.rstrip()
    line.truncate(max(width, 1), overflow="ellipsis")
    return line
