"""Draws the header of a Raspberry Pi with what a board puts on it, as an SVG.

Seen from above, with the header at the right edge of the board and pin 1 at the top left,
as a technician sees it with the USB sockets below.
"""

from html import escape

from firmware.settings.board import Board
from host_tools.check.header import HeaderPin, header

WIDTH = 880
_TOP, _PITCH, _RADIUS = 132, 30, 10
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
    """Return the picture of a board's header as the text of an SVG file."""
    pins = list(header(board))
    height = _TOP + 20 * _PITCH + 74
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
            f' width="{WIDTH}" height="{height}" role="img">'
        ),
        f"<title>{escape(title)}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect width="{WIDTH}" height="{height}" rx="12" fill="#f7f8fa"/>',
        f'<text class="title" x="32" y="46">{escape(title)}</text>',
        f'<text class="small" x="32" y="70">{escape(subtitle)}</text>',
        (
            '<text class="small" x="32" y="90">The header from above, with pin 1 at the top left and'
            " the USB sockets below; the numbers in the circles are header pins.</text>"
        ),
        (
            f'<rect x="{_LEFT_X - 20}" y="{_TOP - 22}" width="{_RIGHT_X - _LEFT_X + 40}"'
            f' height="{20 * _PITCH + 14}" rx="6" fill="#3a4048"/>'
        ),
        *(_pin(pin) for pin in pins),
        *_legend(height - 40),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _pin(pin: HeaderPin) -> str:
    left = pin.number % 2 == 1
    x, y = (_LEFT_X if left else _RIGHT_X), _TOP + (pin.number - 1) // 2 * _PITCH
    colour = COLOURS[pin.kind]
    # Pin 1 has a square pad on every Pi.
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


def _legend(y: float) -> list[str]:
    parts, x = [], 32.0
    for kind, words in _LEGEND.items():
        parts.append(f'<circle cx="{x}" cy="{y}" r="6" fill="{COLOURS[kind]}"/>')
        parts.append(f'<text class="small" x="{x + 12}" y="{y + 4}">{escape(words)}</text>')
        x += 40 + 6.3 * len(words)
    return parts
