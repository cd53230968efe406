"""Writes an audit as one self-contained page to read and print.

Times are in the time zone of the laptop, which the page names; amounts in the currency of their row.
What a slip tells is in `slips.py`.
"""

import html
import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from firmware.rules.words import bet_name, money, paragraphs
from host_tools.audit.beside import Slip, slips
from host_tools.audit.charts import Point, bars, bucket_ms, bucket_words
from host_tools.audit.rows import END_OF_TIME_MS, Amounts, Audit, PayoutRow, added
from host_tools.audit.slips import facts, heading, warnings
from host_tools.journal.times import local_time, time_zone
from host_tools.terminal import counted, plain

_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d")
_OUTCOMES = {"win": "won", "lose": "lost", "push": "stand-off", "returned": "returned"}
_STYLE = (Path(__file__).parent / "audit.css").read_text(encoding="utf-8")


def audit_page(audit: Audit) -> str:
    """Write the page."""
    title = f"Table {audit.table}: journal {audit.journal}"
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{_text(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
{_STYLE}</style></head>
<body>
<header><p class=casino>{_text(audit.casino)}</p><h1>Table {_text(audit.table)}</h1>
<p>{_text(audit.game)}, {_period(audit)}</p></header>
{_summary(audit)}
{_charts(audit)}
{_reconciliation(audit)}
{_slips(audit)}
{_faults(audit)}
{_staff(audit)}
{_rounds(audit)}
{_payouts(audit)}
<footer>Made from records {audit.first_record:,} to {audit.last_record:,} of journal
{_text(audit.journal)}, which is whole in itself: no record is damaged or missing between them. Whoever
had the table's card could have made the chain anew; compare it with what somebody else has kept
(<code>underfelt journal verify --against</code>). The chain ends with
<code>{audit.last_chain}</code>. Times are those of {_text(time_zone())}, with their offset from UTC.</footer>
</body></html>
"""


def _period(audit: Audit) -> str:
    if audit.first_ms is None or audit.last_ms is None:
        return "a period without records"
    words = f"{local_time(audit.first_ms)} to {local_time(audit.last_ms)}"
    asked = audit.since_ms or audit.until_ms != END_OF_TIME_MS
    return words if asked else f"{words} (the whole journal)"


def _summary(audit: Audit) -> str:
    waiting = sum(row.acknowledged_ms is None for row in audit.contributions)
    void = sum(row.outcome == "void" for row in audit.rounds)
    paid = sum(win.is_paid for win in audit.wins)
    figures = (
        ("Rounds", f"{len(audit.rounds):,}", f"{void} void"),
        (
            "Contributions",
            audit.money(audit.contributed_by),
            f"{counted(len(audit.contributions), 'bet')}, {waiting} not acknowledged",
        ),
        (
            "Jackpots paid",
            audit.money(audit.paid_by),
            f"{paid} of {counted(len(audit.wins), 'claim')}",
        ),
        ("Faults", f"{len(audit.faults)}", f"{sum(f.ended_ms is None for f in audit.faults)} open"),
    )
    cards = "".join(
        f"<div><dt>{name}</dt><dd>{_text(value)}</dd><small>{more}</small></div>"
        for name, value, more in figures
    )
    return f"<dl class=figures>{cards}</dl>"


def _charts(audit: Audit) -> str:
    if audit.first_ms is None or audit.last_ms is None or not audit.rounds:
        return ""
    drawn = [_chart(audit, "Rounds", [(row.opened_ms, 1) for row in audit.rounds], str)]
    several = len(audit.currencies) > 1
    for currency in audit.currencies:
        of = f" in {currency.strip()}" if several else ""
        write = partial(money, currency=currency)
        stakes = [(r.at_ms, r.stake_cents) for r in audit.contributions if r.currency == currency]
        wins = [(row.claimed_ms, row.paid_cents) for row in audit.wins if row.currency == currency]
        drawn.append(_chart(audit, f"Contributions{of}", stakes, write))
        drawn.append(_chart(audit, f"Jackpots paid{of}", wins, write))
    return f"<section><h2>Over time</h2>{''.join(drawn)}</section>"


def _chart(audit: Audit, name: str, points: list[Point], write: Callable[[int], str]) -> str:
    """Draw one series; where there is nothing to draw, say so."""
    period = (audit.first_ms or 0, audit.last_ms or 0)
    caption = f"{name} per {bucket_words(bucket_ms(*period))}"
    drawn = "<p>None.</p>"
    if any(amount for _, amount in points):
        drawn = bars(points, period, caption, write)
    return f"<figure><figcaption>{_text(caption)}</figcaption>{drawn}</figure>"


def _reconciliation(audit: Audit) -> str:
    waiting = [row for row in audit.contributions if row.acknowledged_ms is None]
    verdict = (
        "The contributions of the period match the table's own count."
        if audit.agrees
        else "The contributions of the period do NOT match the table's own count."
    )
    dropped = "dropped by the shift manager after a rejection"
    left = len(audit.contributions) - audit.taken_back - audit.dropped
    unanswered = added((row.currency, row.stake_cents) for row in waiting)
    lines: list[tuple[str, int, Amounts]] = [
        ("Contributions", len(audit.contributions), audit.gross_by),
        ("reversed", audit.taken_back, _less(audit.taken_back_by)),
        (dropped, audit.dropped, _less(audit.dropped_by)),
        ("Contributed", left, audit.contributed_by),
        ("counted by the table", audit.counted, audit.counted_by),
        ("not acknowledged by the jackpot controller", len(waiting), unanswered),
    ]
    rows = [(name, f"{number:,}", audit.money(amounts)) for name, number, amounts in lines]
    table = _table(("", "number", "amount"), rows, numbers=(1, 2))
    kind = "good" if audit.agrees else "bad"
    return f"<section class=whole><h2>Reconciliation</h2>{table}<p class={kind}>{verdict}</p></section>"


def _less(amounts: Amounts) -> Amounts:
    return {currency: -cents for currency, cents in amounts.items()}


def _slips(audit: Audit) -> str:
    """Write a copy of the slip of each claim that was paid; the others are told without one."""
    made = slips(audit.wins, audit.wins)
    paid = "".join(_slip(slip) for slip in made if slip.win.is_paid)
    unpaid = "".join(_slip(slip) for slip in made if not slip.win.is_paid)
    paid = paid or "<p>No jackpot was paid in this period.</p>"
    told = f"<section><h2>Copies of hand-pay slips</h2><div class=slips>{paid}</div></section>"
    if unpaid:
        told += f"<section><h2>Claims not paid</h2><div class=slips>{unpaid}</div></section>"
    return told


def _slip(slip: Slip) -> str:
    win = slip.win
    casino = f"<p class=casino>{_text(win.casino)}</p>" if win.casino else ""
    warned = "".join(f"<p class=copy>{_text(words)}</p>" for words in warnings(slip))
    rows = "".join(f"<dt>{label}</dt><dd>{_text(words)}</dd>" for label, words in facts(slip))
    return (
        f"<article class=slip>{casino}<h3><span>Table {_text(win.table)}, seat {win.seat}</span>"
        f"<strong>{_text(heading(win))}</strong></h3>{warned}<dl>{rows}</dl></article>"
    )


def _faults(audit: Audit) -> str:
    rows = [
        (
            local_time(row.at_ms),
            row.text,
            local_time(row.ended_ms) if row.ended_ms else "open",
            row.ended_by or "",
        )
        for row in audit.faults
    ]
    table = _table(("since", "fault", "ended", "by"), rows) if rows else "<p>None.</p>"
    return f"<section><h2>Faults, and who cleared them</h2>{table}</section>"


def _staff(audit: Audit) -> str:
    rows = [(local_time(row.at_ms), f"{row.record:,}", row.words) for row in audit.staff]
    table = (
        _table(("when", "record", "what"), rows)
        if rows
        else "<p>No staff actions in this period.</p>"
    )
    return f"<section><h2>Staff actions</h2>{table}</section>"


def _rounds(audit: Audit) -> str:
    rows = [
        (
            f"{row.number:,}",
            local_time(row.opened_ms),
            local_time(row.ended_ms) if row.ended_ms else "",
            str(row.seats),
            row.money(row.staked_cents),
            row.money(row.paid_cents),
            row.money(row.contributed_cents),
            "" if row.meter_cents is None else row.money(row.meter_cents),
            row.outcome,
            row.dealer,
        )
        for row in audit.rounds
    ]
    heads = (
        "round",
        "opened",
        "ended",
        "seats",
        "staked",
        "paid",
        "contributed",
        "meter",
        "outcome",
        "dealer",
    )
    table = _table(heads, rows, numbers=(0, 3, 4, 5, 6, 7)) if rows else "<p>None.</p>"
    note = "<p>Paid is what the house has paid on the bets of the main game, without stakes.</p>"
    return f"<section><h2>Rounds</h2>{note}{_folded(counted(len(rows), 'round'), table)}</section>"


def _payouts(audit: Audit) -> str:
    """Write what the main game paid to each seat, round by round."""
    seats: dict[tuple[int, int], list[PayoutRow]] = {}
    for row in audit.payouts:
        seats.setdefault((row.round, row.seat), []).append(row)
    rows = [
        (
            f"{number:,}",
            str(seat),
            bets[0].decision,
            "; ".join(f"{bet_name(bet.bet)} {_OUTCOMES[bet.outcome]}" for bet in bets),
            bets[0].money(sum(bet.stake_cents for bet in bets)),
            bets[0].money(sum(bet.paid_cents for bet in bets)),
            bets[0].money(sum(bet.returned_cents for bet in bets)),
            paragraphs(bets[0].rules.split()),
        )
        for (number, seat), bets in seats.items()
    ]
    heads = ("round", "seat", "decision", "bets", "staked", "paid", "returned", "paragraphs")
    table = _table(heads, rows, numbers=(0, 1, 4, 5, 6)) if rows else "<p>None.</p>"
    note = "<p>Jackpot bets are in the contributions, what they won is on the slips.</p>"
    folded = _folded(f"{counted(len(rows), 'hand')} of finished rounds", table)
    return f"<section><h2>Payouts of the main game</h2>{note}{folded}</section>"


def _folded(summary: str, table: str) -> str:
    return f"<details open class=wide><summary>{summary}</summary>{table}</details>"


def _table(
    heads: Iterable[str], rows: Iterable[Iterable[str]], numbers: tuple[int, ...] = ()
) -> str:
    def cells(row: Iterable[str], tag: str) -> str:
        return "".join(
            f"<{tag}{_class(cell, is_number=place in numbers)}>{_text(cell)}</{tag}>"
            for place, cell in enumerate(row)
        )

    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    return f"<table><thead><tr>{cells(heads, 'th')}</tr></thead><tbody>{body}</tbody></table>"


def _class(cell: str, *, is_number: bool) -> str:
    """Mark what stands on one line: amounts and times."""
    if is_number:
        return " class=number"
    return " class=time" if _TIME.fullmatch(cell) else ""


def _text(words: str) -> str:
    return html.escape(plain(words))
