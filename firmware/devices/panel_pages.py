"""A prompt cut to the display of a panel: lines wrapped to its columns, pages of its rows.

What to do now comes first; its details are behind everything else. No page is larger than the
display, and none is longer than a frame of the line protocol, whatever the prompt. Which page is
shown is in `panel_screen.py`.
"""

import textwrap
from collections.abc import Iterable, Iterator

from msgspec import Struct

from firmware.devices.displays import display_text
from firmware.devices.line import LONGEST_LINE
from firmware.table.effects import ShowPrompt

_MOST_DIGITS = 3
_AROUND = 96
"""More bytes than a frame has around the lines of a page: number, word, code and CRC."""

Page = tuple[str, ...]
"""The rows of a display, from the top."""


class Display(Struct, frozen=True):
    """How much a panel can show at once."""

    columns: int
    rows: int

    def __str__(self) -> str:
        """Write a size as a greeting has it."""
        return f"{self.columns}x{self.rows}"


USUAL = Display(40, 16)
"""The display of a panel whose greeting names no size."""
SMALLEST = Display(20, 4)


def display_of(words: tuple[str, ...]) -> Display | str:
    """Read the size at the end of a panel's greeting; or say what is wrong with it."""
    if not words:
        return USUAL
    sides = words[0].split("x")
    if len(words) > 1 or len(sides) != 2 or not all(map(_is_side, sides)):  # noqa: PLR2004
        return f"its greeting names no display: it must end with a size such as {USUAL}"
    display = Display(*map(int, sides))
    if display.columns < SMALLEST.columns or display.rows < SMALLEST.rows:
        return f"its display of {display} is too small: use a panel with {SMALLEST} or more"
    return display


def _is_side(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS


def rows_of(line: str, columns: int) -> Page:
    """Spell a line for a display and wrap it to its columns, between words where there are any.

    A full stop that has no room is left out: it would take a word with it to a row of its own.
    """
    spelt = display_text(line).encode("ascii", "backslashreplace").decode("ascii")
    printable = "".join(letter if letter.isprintable() else " " for letter in spelt)
    if len(printable) == columns + 1:
        printable = printable.removesuffix(".")
    if len(printable) <= columns:
        return (printable,)
    return tuple(textwrap.wrap(printable, columns, break_on_hyphens=False)) or ("",)


def text_pages(lines: Iterable[str], display: Display) -> tuple[Page, ...]:
    """Cut plain lines to pages."""
    return prompt_pages(ShowPrompt("", tuple(lines)), display)


def prompt_pages(prompt: ShowPrompt, display: Display) -> tuple[Page, ...]:
    """Cut a prompt to pages; where there are several, the last row of each says which it is.

    A prompt that fits the display is one page. Otherwise what to do comes first, part after part, and
    no part is torn that has room on a page; the details of all parts are behind everything else.
    """
    rows = [row for line in prompt.lines for row in rows_of(line, display.columns)]
    if len(rows) <= display.rows and _fits(rows):
        return (tuple(rows),)
    cut = list(_cut(_arranged(prompt, display), display.rows - 1))
    return tuple(
        (*page, _last_row(f"{place}/{len(cut)} NEXT", prompt.alerts, display))
        for place, page in enumerate(cut, start=1)
    )


def _last_row(which: str, alerts: tuple[str, ...], display: Display) -> str:
    """Say which page it is, and which faults stop the table, as far as there is room."""
    if not alerts:
        return which
    wanted = (f"FAULT {', '.join(alerts)}", f"FAULT {alerts[0]}", alerts[0])
    rows = (f"{which} {words}" for words in wanted)
    return next((row for row in rows if len(row) <= display.columns), which)


class _Block(Struct):
    """Rows that stay together where a page has room for them."""

    rows: Page
    begins_page: bool = False


def _arranged(prompt: ShowPrompt, display: Display) -> list[_Block]:
    """Put the lines in their order: what to do now, then the details, which nobody has to read."""
    rows = [rows_of(line, display.columns) for line in prompt.lines]
    front: list[_Block] = []
    behind: list[_Block] = []
    done = 0
    for part in prompt.parts:
        front += map(_Block, rows[done : part.first])
        head = [row for each in rows[part.first : part.details] for row in each]
        if head and len(head) < display.rows and _fits(head):
            front.append(_Block(tuple(head)))
        else:
            front += map(_Block, rows[part.first : part.details])
        behind += map(_Block, rows[part.details : part.end])
        done = part.end
    front += map(_Block, rows[done:])
    if behind:
        behind[0].begins_page = True
    return [*front, *behind]


def _cut(blocks: list[_Block], most_rows: int) -> Iterator[Page]:
    """Fill pages with blocks; a block is torn only if it is larger than a page."""
    page: list[str] = []
    for block in blocks:
        whole = len(block.rows) <= most_rows and _fits(block.rows)
        full = len(page) + len(block.rows) > most_rows or not _fits([*page, *block.rows])
        if page and (block.begins_page or (whole and full)):
            yield tuple(page)
            page = []
        for row in block.rows:
            if len(page) == most_rows or not _fits([*page, row]):
                yield tuple(page)
                page = []
            page.append(row)
    if page:
        yield tuple(page)


def _fits(rows: Iterable[str]) -> bool:
    """Return whether rows fit into one frame, with the bars between them."""
    return sum(len(row) + 1 for row in rows) <= LONGEST_LINE - _AROUND
