"""What a person at a simulated table sees: lamps, panel and sign; as a document, and as text.

Whatever reads the cards is not here: nobody sees a card before it is face up.
"""

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    # Whoever only reads the document starts faster without the hardware.
    from sim.table.hardware import TableHardware


_LABEL = 9
"""So wide is what stands before a line of the panel."""
_NARROWEST = 20


class VisibleTable(Struct, frozen=True, kw_only=True):
    """What is visible: each lamp by its spot, the panel's lines, the sign."""

    lamps: Mapping[str, str]
    panel: tuple[str, ...]
    code: str
    sign: str
    refusal: str = ""
    meter: str = ""
    is_on: bool = True


def visible(table: "TableHardware") -> VisibleTable:
    """Look at a table."""
    screen, process = table.screen, table.process
    cents = screen.meter_cents
    return VisibleTable(
        lamps={f"{seat} {bet}": table.visible_pattern(seat, bet) for seat, bet in table.spots},
        panel=screen.lines,
        code=screen.code,
        sign=screen.sign,
        refusal=screen.refusal,
        meter="" if cents is None else table.settings.money(cents),
        is_on=process is not None and process.returncode is None,
    )


def as_text(seen: VisibleTable) -> str:
    """Write what is visible as a few lines."""
    return "\n".join(_lines(seen))


def _lines(seen: VisibleTable) -> Iterator[str]:
    if not seen.is_on:
        yield "  The table is off; 'power on' switches it on."
        return
    yield f"  lamps  {_lamps(seen.lamps)}"
    label = "panel"
    for line in seen.panel or ("(nothing yet)",):
        yield f"  {label:<5}  {line}"
        label = ""
    yield f"  sign   {'  '.join(filter(None, (seen.meter, seen.sign)))}"


def wrapped(text: str, width: int) -> str:
    """Break lines between words where a terminal is narrow; what goes on stands below its beginning."""
    return "\n".join(part for line in text.split("\n") for part in _parts(line, width))


def _parts(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    indent = " " * _LABEL if line.startswith("  ") else "  "
    return wrap(line, max(width, _NARROWEST), subsequent_indent=indent, drop_whitespace=True)


def _lamps(lamps: Mapping[str, str]) -> str:
    """Write the lamps that are not off; a seat's second spot as the sentences have it."""
    lit = [
        f"{_spot(spot)} {pattern.replace('_', ' ')}"
        for spot, pattern in lamps.items()
        if pattern != "off"
    ]
    return ", ".join(lit) or "all off"


def _spot(spot: str) -> str:
    return spot.removesuffix(" jackpot").replace(" jackpot_dealer", " on the dealer")
