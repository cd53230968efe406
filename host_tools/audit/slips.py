"""A hand-pay slip: what is told of one win, as text for a terminal and as a page to print and sign.

The same facts stand on the slips of the audit page (`as_html.py`). Only what is still to be paid has
lines to sign: the slip of a win that is paid is a copy and says so, for nobody may pay it again. A slip
cannot know whether it was printed before: it says when it was printed, and which older slips it replaces.
What became of the win is in `wins.py`, what is told of its neighbours in `beside.py`.
"""

import html
import textwrap
from collections.abc import Sequence
from pathlib import Path

from host_tools.audit.beside import (
    Slip,
    counted_words,
    has_amount,
    is_payable,
    replaced_words,
    since_words,
)
from host_tools.audit.rows import DROPPED, PENDING, WITHDRAWN, WinRow
from host_tools.journal.times import local_time, time_zone
from host_tools.terminal import plain

_STYLE = (Path(__file__).parent / "slip.css").read_text(encoding="utf-8")
_WIDTH = 48
"""Characters of a receipt of 80 mm."""
_LABEL = 15
LATER = "known when the round is over"
_SIGNED = ("Paid by", "Received by", "Verified by")
"""Who signs a slip."""
_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_THOUSANDS = ("", " thousand", " million", " billion", " trillion", " quadrillion")


def amount_in_words(cents: int, currency: str) -> str:
    """Write an amount in words: 123450 is `one thousand two hundred and thirty-four and 50/100`.

    A currency that is a word stands before it; a sign stands in the figure alone.
    """
    whole, rest = divmod(cents, 100)
    name = currency.strip()
    words = f"{_number(whole)} and {rest:02}/100"
    return f"{name} {words}" if name.isalpha() else words


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


def heading(win: WinRow) -> str:
    """Return what a slip is about: its amount, or why there is none."""
    return win.money(win.amount_cents or 0) if has_amount(win) else win.outcome


def warnings(slip: Slip) -> list[str]:
    """Say what is not to be paid: a win that is paid already, and what this slip replaces."""
    win = slip.win
    when = f" {local_time(win.paid_ms)}" if win.paid_ms else ""
    copied = [f"COPY. Paid{when}: do not pay it again."] if win.is_paid else []
    return [plain(words) for words in (*copied, *replaced_words(slip))]


def facts(slip: Slip) -> list[tuple[str, str]]:
    """List what is told of a win, each with its label; what is not known is left out."""
    win = slip.win
    shared = ", shared" if win.shared else ""
    told = [
        ("Slip", counted_words(slip)),
        ("Won with" if win.is_paid else "Claimed with", win.claim + shared),
        ("Paragraph", f"{win.paragraph} of {win.title}" if win.paragraph else ""),
        ("Hand", f"{win.hand} ({win.hand_name})" if win.hand_name else win.hand or "unknown"),
        ("Dealer", win.dealer),
        ("Board", win.board),
        ("Round", f"{win.round:,}"),
        ("Meter before", _meter(win)),
        ("Shared", win.shared),
        ("Shared with", win.shared_with),
        ("Hand complete", local_time(win.dealt_ms) if win.dealt_ms else ""),
        ("Claimed", f"{local_time(win.claimed_ms)}, clock {win.clock}"),
        ("Awarded", _award(win)),
        ("To be paid", since_words(win.payable_ms) if has_amount(win) else ""),
        ("Paid", local_time(win.paid_ms) if win.paid_ms else ""),
        ("Outcome", win.outcome),
        ("Reason", win.reason),
        (_authority(win), win.authority or "nobody yet"),
        ("Message", win.id),
        ("Record", f"{win.record:,}"),
        ("Chain", win.chain or LATER),
    ]
    return [(label, plain(words)) for label, words in told if words]


def _meter(win: WinRow) -> str:
    """Write the meter before a win as the journal has it, which a table gives after the round."""
    if win.meter_cents is not None:
        return win.money(win.meter_cents)
    return LATER if is_payable(win) and not win.chain else ""


def _authority(win: WinRow) -> str:
    """Say what the person who is named has done with the claim."""
    if win.outcome == DROPPED:
        return "Dropped by"
    if win.outcome == WITHDRAWN:
        return "Refused by" if win.reason.startswith("not confirmed") else "Withdrawn by"
    return "Confirmed by"


def _award(win: WinRow) -> str:
    """Tell what the jackpot controller awarded and when, and what was not paid of it."""
    if win.award_cents is None:
        return ""
    words = win.money(win.award_cents)
    if win.awarded_ms is not None:
        words += f", {local_time(win.awarded_ms)}"
    if win.is_paid and win.award_cents != win.amount_cents:
        return f"{words}; the table had paid {win.money(win.paid_cents)}"
    return words if win.is_paid or is_payable(win) else f"{words}; not paid"


def _kind(win: WinRow) -> str:
    if win.is_paid:
        return "Copy of a hand-pay slip"
    if win.outcome == PENDING:
        return "Jackpot claim: not to be paid yet"
    return "Hand-pay slip" if is_payable(win) else "Jackpot claim: nothing to pay"


def _in_words(win: WinRow) -> str:
    return amount_in_words(win.amount_cents or 0, win.currency) if has_amount(win) else ""


def _printed(now_ms: int) -> str:
    return f"Printed {local_time(now_ms)} ({time_zone()})."


def slip_text(slip: Slip, now_ms: int) -> list[str]:
    """Write a slip for a terminal or a receipt printer."""
    win = slip.win
    lines = [plain(win.casino).center(_WIDTH).rstrip()] if win.casino else []
    lines += [_kind(win).upper().center(_WIDTH).rstrip(), "=" * _WIDTH]
    for warning in warnings(slip):
        lines += textwrap.wrap(warning, _WIDTH)
    place = plain(f"Table {win.table}, seat {win.seat}")
    lines += _aside(place, plain(heading(win)))
    lines += textwrap.wrap(_in_words(win), _WIDTH)
    lines.append("-" * _WIDTH)
    for label, words in facts(slip):
        first, *rest = textwrap.wrap(words, _WIDTH - _LABEL)
        lines += [f"{label:<{_LABEL}}{first}", *(" " * _LABEL + line for line in rest)]
    lines.append("-" * _WIDTH)
    if is_payable(win):
        for who in _SIGNED:
            lines += ["", f"{who:<{_LABEL}}{'_' * (_WIDTH - _LABEL)}"]
        lines.append("")
    return [*lines, *textwrap.wrap(_printed(now_ms), _WIDTH)]


def _aside(left: str, right: str) -> list[str]:
    """Put two texts on one line, or on two if they do not fit."""
    if len(left) + len(right) < _WIDTH:
        return [left + right.rjust(_WIDTH - len(left))]
    return [left, *textwrap.wrap(right, _WIDTH)]


def slips_page(made: Sequence[Slip], now_ms: int) -> str:
    """Write slips as a page of their own, to print each on A6 or on a receipt of 80 mm."""
    win = made[0].win
    title = plain(f"{_kind(win)}: table {win.table}, seat {win.seat}, round {win.round}")
    articles = "\n".join(_article(slip, now_ms) for slip in made)
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{html.escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
{_STYLE}</style></head>
<body>
{articles}
</body></html>
"""


def _article(slip: Slip, now_ms: int) -> str:
    text, win = html.escape, slip.win
    rows = "".join(f"<dt>{text(label)}</dt><dd>{text(words)}</dd>" for label, words in facts(slip))
    sign = "".join(f"<span>{who}</span>" for who in _SIGNED) if is_payable(win) else ""
    warned = "".join(f"<p class=copy>{text(words)}</p>\n" for words in warnings(slip))
    return f"""<article>
<header><p>{text(plain(win.casino))}</p><h1>{_kind(win)}</h1></header>
{warned}<h2><span>Table {text(plain(win.table))}, seat {win.seat}</span>
<strong>{text(plain(heading(win)))}</strong></h2>
<p class=words>{text(_in_words(win))}</p>
<dl>{rows}</dl>
{f"<p class=sign>{sign}</p>" if sign else ""}
<footer>{text(_printed(now_ms))}</footer>
</article>"""
