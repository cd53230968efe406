"""Draws the header of a Raspberry Pi with what a board puts on it, as an SVG; and its spot board.

The header is seen from above, at the right edge of the Pi and with pin 1 at the top left, as a technician
sees it with the USB sockets below. Under it, where there is one, the spot board: its Pico, seen from above
with the USB socket at the top, and the registers of its lamps.
"""

from collections.abc import Callable, Iterable, Mapping
from html import escape

from firmware.settings.board import SPOT_BOARD_LINES, Board
from host_tools.check.header import HeaderPin, header
from host_tools.check.pico import OUTPUTS_OF_A_REGISTER, REGISTERS, pico, register

WIDTH = 880
_TOP, _PITCH, _RADIUS, _GAP = 132, 30, 10, 84
_LEFT_X, _RIGHT_X = WIDTH / 2 - 16, WIDTH / 2 + 16
_LABEL_WIDTH = 190

COLOURS = {
    "sensor": "#1d6fb8",
    "lamp": "#b85c00",
    "service": "#7a3fa0",
    "clock": "#0b7a75",
    "3V3": "#d1495b",
    "5V": "#9b1d20",
    "GND": "#22262b",
    "free": "#c3c8ce",
    "data": "#2e7d32",
}
_LEGEND = {
    "sensor": "coin sensor",
    "lamp": "lamp",
    "service": "supply, cover, key, lamp enable",
    "clock": "real-time clock",
    "3V3": "3.3 V",
    "5V": "5 V",
    "GND": "ground",
    "free": "free",
}
_LEGEND_OF_A_SPOT_BOARD = {"data": "lamp data"}
Place = Callable[[int], tuple[bool, int]]
"""Where a pin is drawn, by its number: whether on the left, and in which row from the top."""
_STYLE = """
    text { font-family: "DejaVu Sans", Verdana, sans-serif; font-size: 13px; fill: #22262b }
    .title { font-size: 20px; font-weight: bold }
    .small { font-size: 12px; fill: #5a626b }
    .name { font-size: 12px; fill: #5a626b }
    .number { font-size: 10px; fill: #ffffff; text-anchor: middle }
    .label { fill: #ffffff; font-size: 12.5px }
    .right { text-anchor: end }
"""


def draw(board: Board, title: str, subtitle: str) -> str:
    """Return the picture of a board's pins as the text of an SVG file."""
    parts = _part(
        header(board),
        _TOP,
        20,
        _in_pairs,
        "The header from above, with pin 1 at the top left and the USB sockets below; the numbers in the"
        " circles are header pins.",
    )
    bottom, legend = _TOP + 20 * _PITCH, dict(_LEGEND)
    if board.on_board:
        below, bottom = _spot_board(board, bottom + _GAP)
        parts += below
        legend = {**_LEGEND, **_LEGEND_OF_A_SPOT_BOARD}
    height = bottom + 74
    around = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
            f' width="{WIDTH}" height="{height}" role="img">'
        ),
        f"<title>{escape(title)}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect width="{WIDTH}" height="{height}" rx="12" fill="#f7f8fa"/>',
        f'<text class="title" x="32" y="46">{escape(title)}</text>',
        f'<text class="small" x="32" y="70">{escape(subtitle)}</text>',
    ]
    return "\n".join([*around, *parts, *_drawn_legend(height - 40, legend), "</svg>"]) + "\n"


def _spot_board(board: Board, top: int) -> tuple[list[str], int]:
    """Draw the Pico and the registers from some height on; return where they end."""
    words = "The spot board's Pico from above, with its USB socket at the top."
    parts = _part(pico(board), top, 20, _around(40), words)
    top += 20 * _PITCH + _GAP
    for which in range(1, REGISTERS + 1):
        first = (which - 1) * OUTPUTS_OF_A_REGISTER + 1
        lamps = f"outputs {first} to {min(first + OUTPUTS_OF_A_REGISTER - 1, SPOT_BOARD_LINES)}"
        words = f"Lamp register {which} (TPIC6B595), {lamps}, from above with the notch at the top."
        parts += _part(register(board, which), top, 10, _around(20), words)
        top += 10 * _PITCH + _GAP
    return parts, top - _GAP


def _part(pins: Iterable[HeaderPin], top: int, rows: int, place: Place, words: str) -> list[str]:
    """Draw one part with its pins on both sides, and what it is above it."""
    return [
        f'<text class="small" x="32" y="{top - 42}">{escape(words)}</text>',
        (
            f'<rect x="{_LEFT_X - 20}" y="{top - 22}" width="{_RIGHT_X - _LEFT_X + 40}"'
            f' height="{rows * _PITCH + 14}" rx="6" fill="#3a4048"/>'
        ),
        *(_pin(pin, top, *place(pin.number)) for pin in pins),
    ]


def _in_pairs(number: int) -> tuple[bool, int]:
    """Place the pins of a header with two rows: odd numbers on the left."""
    return number % 2 == 1, (number - 1) // 2


def _around(pins: int) -> Place:
    """Place the pins of a chip or a module: down the left side and up the right one."""

    def place(number: int) -> tuple[bool, int]:
        left = number <= pins // 2
        return left, number - 1 if left else pins - number

    return place


def _pin(pin: HeaderPin, top: int, left: bool, row: int) -> str:  # noqa: FBT001  # a side
    x, y = (_LEFT_X if left else _RIGHT_X), top + row * _PITCH
    colour = COLOURS[pin.kind]
    # Pin 1 has a square pad on every Pi and Pico.
    shape = (
        f'<rect x="{x - _RADIUS}" y="{y - _RADIUS}" width="{2 * _RADIUS}" height="{2 * _RADIUS}"'
        f' fill="{colour}" stroke="#ffffff"/>'
        if pin.number == 1
        else f'<circle cx="{x}" cy="{y}" r="{_RADIUS}" fill="{colour}" stroke="#ffffff"/>'
    )
    ink = ' style="fill: #22262b"' if pin.kind == "free" else ""
    number = f'<text class="number" x="{x}" y="{y + 3.5}"{ink}>{pin.number}</text>'
    side = -1 if left else 1
    near = x + side * 30
    anchor = ' class="name right"' if left else ' class="name"'
    name = f'<text{anchor} x="{near}" y="{y + 4.5}">{pin.name}</text>'
    return "\n".join(part for part in (shape, number, name, _label(pin, near, y, side)) if part)


def _label(pin: HeaderPin, near: float, y: float, side: int) -> str:
    if not pin.label:
        return ""
    begin = near + side * 58
    x = begin if side > 0 else begin - _LABEL_WIDTH
    line = f'<line x1="{near + side * 48}" y1="{y}" x2="{begin}" y2="{y}" stroke="#c3c8ce"/>'
    free = pin.kind == "free"
    box = (
        f'<rect x="{x}" y="{y - 11}" width="{_LABEL_WIDTH}" height="22" rx="5"'
        f' fill="{"none" if free else COLOURS[pin.kind]}"'
        f' stroke="{COLOURS[pin.kind]}"/>'
    )
    ink = ' style="fill: #5a626b"' if free else ""
    text = f'<text class="label" x="{x + 10}" y="{y + 4.5}"{ink}>{escape(pin.label)}</text>'
    return f"{line}\n{box}\n{text}"


def _drawn_legend(y: float, legend: Mapping[str, str]) -> list[str]:
    """Explain the colours, in a second row where the first is full."""
    parts, x = [], 32.0
    for kind, words in legend.items():
        width = 40 + 6.3 * len(words)
        if x + width > WIDTH:
            x, y = 32.0, y + 22
        parts.append(f'<circle cx="{x}" cy="{y}" r="6" fill="{COLOURS[kind]}"/>')
        parts.append(f'<text class="small" x="{x + 12}" y="{y + 4}">{escape(words)}</text>')
        x += width
    return parts
