"""Bar charts as inline SVG: a series of amounts over time, readable without any script."""

import html
from collections.abc import Callable, Iterable

from host_tools.journal.times import local_time, locally

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 860, 190, 76, 26, 14
_SIZES_MS = (60_000, 300_000, 900_000, 3_600_000, 21_600_000, 86_400_000)
_MOST_BARS = 48
_STEPS = 4
Point = tuple[int, int]
"""A moment and an amount."""


def bucket_ms(first_ms: int, last_ms: int) -> int:
    """Return how much time a bar covers, so that there are not too many bars."""
    for size in _SIZES_MS:
        if (last_ms - first_ms) // size < _MOST_BARS:
            return size
    days = (last_ms - first_ms) // _SIZES_MS[-1] // _MOST_BARS + 1
    return days * _SIZES_MS[-1]


def bucket_words(size_ms: int) -> str:
    """Return the time that a bar covers, in words."""
    minutes = size_ms // 60_000
    if minutes < 60:  # noqa: PLR2004  # an hour
        return "minute" if minutes == 1 else f"{minutes} minutes"
    hours = minutes // 60
    days = hours // 24
    many = f"{days} days" if days else f"{hours} hours"
    return {1: "hour", 24: "day"}.get(hours, many)


def bars(
    points: Iterable[Point], period: tuple[int, int], label: str, write: Callable[[int], str]
) -> str:
    """Draw the sums of points over a period."""
    first_ms, last_ms = period
    size = bucket_ms(first_ms, last_ms)
    start = _begins_ms(first_ms, size)
    sums = [0] * ((last_ms - start) // size + 1)
    for at_ms, amount in points:
        if 0 <= at_ms - start < len(sums) * size:
            sums[(at_ms - start) // size] += amount
    top = _round_up(max([1, *sums]))
    inner_w, inner_h = _WIDTH - _LEFT - 8, _HEIGHT - _BOTTOM - _TOP
    step = inner_w / len(sums)
    parts = [f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{html.escape(label)}">']
    for line in range(_STEPS + 1):
        y = _TOP + inner_h * (1 - line / _STEPS)
        text = html.escape(write(round(top * line / _STEPS)))
        parts.append(
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - 8}" y1="{y:.1f}" y2="{y:.1f}"/>'
        )
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
    for place, amount in enumerate(sums):
        height = inner_h * amount / top
        x, y = _LEFT + place * step, _TOP + inner_h - height
        begins_ms = start + place * size
        title = html.escape(f"{local_time(begins_ms)}: {write(amount)}")
        width = max(min(step * 0.8, 60.0), 1.0)
        parts.append(
            f'<rect class="bar" x="{x + (step - width) / 2:.1f}" y="{y:.1f}" width="{width:.1f}" '
            f'height="{height:.1f}"><title>{title}</title></rect>'
        )
        if place % max(len(sums) // 8, 1) == 0:
            moment = locally(begins_ms)
            words = f"{moment:%H:%M}" if size < _SIZES_MS[-1] else f"{moment:%d %b}"
            parts.append(
                f'<text x="{x + step / 2:.1f}" y="{_HEIGHT - 8}" text-anchor="middle">{words}</text>'
            )
    return "".join([*parts, "</svg>"])


def _begins_ms(first_ms: int, size_ms: int) -> int:
    """Return when the first bar begins: on a whole hour or day of the local time zone."""
    moment = locally(first_ms)
    offset = moment.utcoffset() if moment is not None else None
    ahead_ms = int(offset.total_seconds() * 1000) if offset is not None else 0
    return (first_ms + ahead_ms) // size_ms * size_ms - ahead_ms


def _round_up(value: int) -> int:
    """Return the next round number up: 1, 2 or 4 with zeros, so that quarters are round too."""
    size = 4
    while True:
        for factor in (1, 2, 5):
            if value <= size * factor:
                return size * factor
        size *= 10
