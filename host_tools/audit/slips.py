"""A hand-pay slip: what is told of one win, as text for a terminal and as a page to print and sign.

The same facts stand on the slips of the audit page (`as_html.py`). A slip cannot know whether it was
printed before: it says when it was printed. What became of the win is in `wins.py`.
"""

import html
import textwrap
from pathlib import Path

from host_tools.audit.rows import AWARDED, WinRow
from host_tools.journal.times import local_time, time_zone
from host_tools.terminal import plain

_STYLE = (Path(__file__).parent / "slip.css").read_text(encoding="utf-8")
_WIDTH = 48
"""Characters of a receipt of 80 mm."""
_LABEL = 15
_CLOCKS = {"synchronised": "clock synchronised", "free": "clock not synchronised"}
SIGNED = ("Paid by", "Received by", "Verified by")
"""Who signs a slip."""
_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_THOUSANDS = ("", " thousand", " million", " billion", " trillion", " quadrillion")


def amount_in_words(cents: int, currency: str) -> str:
    """Write an amount in words: 123450 is `$ one thousand two hundred and thirty-four and 50/100`."""
    whole, rest = divmod(cents, 100)
    return f"{currency.strip()} {_number(whole)} and {rest:02}/100"


def _number(whole: int) -> str:
    groups: list[str] = []
    left = whole
    for name in _THOUSANDS:
        left, group = divmod(left, 1_000)
        if group:
            # One thousand and five: nothing else stands before the last two digits.
            joined = "and " if not name and 0 < group < 100 < whole else ""  # noqa: PLR2004  # a hundred
            groups.insert(0, joined + _below_a_thousand(group) + name)
    return " ".join(groups) or _ONES[0]


def _below_a_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    words = [f"{_ONES[hundreds]} hundred"] if hundreds else []
    if rest:
        words.append(_below_a_hundred(rest))
    return " and ".join(words)


def _below_a_hundred(number: int) -> str:
    if number < len(_ONES):
        return _ONES[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")


def is_payable(win: WinRow) -> bool:
    """Return whether a win is paid, or its award has come: there is something to sign."""
    return win.amount_cents is not None and (win.is_paid or win.outcome == AWARDED)


def heading(win: WinRow) -> str:
    """Return what a slip is about: its amount, or why there is none."""
    return win.money(win.amount_cents or 0) if is_payable(win) else win.outcome


def facts(win: WinRow) -> list[tuple[str, str]]:
    """List what is told of a win, each with its label; what is not known is left out."""
    told = [
        ("Won with" if win.is_paid else "Claimed with", win.claim),
        ("Paragraph", f"{win.paragraph} of {win.title}" if win.paragraph else ""),
        ("Hand", f"{win.hand} ({win.hand_name})" if win.hand_name else win.hand or "unknown"),
        ("Dealer", win.dealer),
        ("Board", win.board),
        ("Round", f"{win.round:,}"),
        ("Meter before", "" if win.meter_cents is None else win.money(win.meter_cents)),
        ("Hand complete", local_time(win.dealt_ms) if win.dealt_ms else ""),
        ("Claimed", f"{local_time(win.claimed_ms)}, {_CLOCKS.get(win.clock, win.clock)}"),
        ("Awarded", _award(win)),
        ("Paid", local_time(win.paid_ms) if win.paid_ms else ""),
        ("Outcome", win.outcome),
        ("Reason", win.reason),
        ("Confirmed by", win.authority or "nobody yet"),
        ("Message", win.id),
        ("Record", f"{win.record:,}"),
        ("Chain", win.chain or "in the journal, once the round is over"),
    ]
    return [(label, plain(words)) for label, words in told if words]


def _award(win: WinRow) -> str:
    """Tell what the jackpot controller awarded and when, and what was not paid of it."""
    if win.award_cents is None or win.awarded_ms is None:
        return ""
    words = f"{win.money(win.award_cents)}, {local_time(win.awarded_ms)}"
    if win.is_paid and win.award_cents != win.amount_cents:
        return f"{words}; the table had paid {win.money(win.paid_cents)}"
    return words if win.is_paid or win.outcome == AWARDED else f"{words}; not paid"


def _kind(win: WinRow) -> str:
    return "Hand-pay slip" if is_payable(win) else "Jackpot claim: nothing to pay"


def _in_words(win: WinRow) -> str:
    return amount_in_words(win.amount_cents or 0, win.currency) if is_payable(win) else ""


def _printed(now_ms: int) -> str:
    return f"Printed {local_time(now_ms)} ({time_zone()})."


def slip_text(win: WinRow, now_ms: int) -> list[str]:
    """Write a slip for a terminal or a receipt printer."""
    lines = [plain(win.casino).center(_WIDTH).rstrip()] if win.casino else []
    lines += [_kind(win).upper().center(_WIDTH).rstrip(), "=" * _WIDTH]
    place = plain(f"Table {win.table}, seat {win.seat}")
    lines += _aside(place, plain(heading(win)))
    lines += textwrap.wrap(_in_words(win), _WIDTH)
    lines.append("-" * _WIDTH)
    for label, words in facts(win):
        first, *rest = textwrap.wrap(words, _WIDTH - _LABEL)
        lines += [f"{label:<{_LABEL}}{first}", *(" " * _LABEL + line for line in rest)]
    lines.append("-" * _WIDTH)
    if is_payable(win):
        for who in SIGNED:
            lines += ["", f"{who:<{_LABEL}}{'_' * (_WIDTH - _LABEL)}"]
        lines.append("")
    return [*lines, *textwrap.wrap(_printed(now_ms), _WIDTH)]


def _aside(left: str, right: str) -> list[str]:
    """Put two texts on one line, or on two if they do not fit."""
    if len(left) + len(right) < _WIDTH:
        return [left + right.rjust(_WIDTH - len(left))]
    return [left, *textwrap.wrap(right, _WIDTH)]


def slip_page(win: WinRow, now_ms: int) -> str:
    """Write a slip as a page of its own, to print on A6 or on a receipt of 80 mm."""
    text = html.escape
    rows = "".join(f"<dt>{text(label)}</dt><dd>{text(words)}</dd>" for label, words in facts(win))
    sign = "".join(f"<span>{who}</span>" for who in SIGNED) if is_payable(win) else ""
    title = plain(f"{_kind(win)}: table {win.table}, seat {win.seat}, round {win.round}")
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{text(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
{_STYLE}</style></head>
<body><article>
<header><p>{text(plain(win.casino))}</p><h1>{_kind(win)}</h1></header>
<h2><span>Table {text(plain(win.table))}, seat {win.seat}</span>
<strong>{text(plain(heading(win)))}</strong></h2>
<p class=words>{text(_in_words(win))}</p>
<dl>{rows}</dl>
<p class=sign>{sign}</p>
<footer>{text(_printed(now_ms))}</footer>
</article></body></html>
"""
