"""Writes an audit as one self-contained page to read and print."""

import html
from collections.abc import Iterable
from pathlib import Path

from firmware.rules.words import money
from host_tools.audit.charts import bars, bucket_ms, bucket_words
from host_tools.audit.rows import AWARDED, END_OF_TIME_MS, Audit, WinRow
from host_tools.diagnose.diagnosis import when
from host_tools.terminal import plain

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
<header><h1>Table {_text(audit.table)}</h1><p>{_text(audit.game)}, {_period(audit)}</p></header>
{_summary(audit)}
{_charts(audit)}
{_reconciliation(audit)}
{_slips(audit)}
{_faults(audit)}
{_staff(audit)}
{_rounds(audit)}
<footer>Made from records {audit.first_record:,} to {audit.last_record:,} of journal
{_text(audit.journal)}; every record was verified. The chain ends with
<code>{audit.last_chain}</code>.</footer>
</body></html>
"""


def _period(audit: Audit) -> str:
    if audit.first_ms is None or audit.last_ms is None:
        return "a period without records"
    words = f"{when(audit.first_ms)} to {when(audit.last_ms)}"
    asked = audit.since_ms or audit.until_ms != END_OF_TIME_MS
    return words if asked else f"{words} (the whole journal)"


def _summary(audit: Audit) -> str:
    waiting = sum(row.acknowledged_ms is None for row in audit.contributions)
    figures = (
        (
            "Rounds",
            f"{len(audit.rounds):,}",
            f"{sum(r.outcome == 'void' for r in audit.rounds)} void",
        ),
        (
            "Contributions",
            money(audit.contributed_cents),
            f"{len(audit.contributions):,} bets, {waiting} not acknowledged",
        ),
        (
            "Jackpots paid",
            money(audit.paid_cents),
            f"{sum(win.is_paid for win in audit.wins)} of {len(audit.wins)} claims",
        ),
        ("Faults", f"{len(audit.faults)}", f"{sum(f.ended_ms is None for f in audit.faults)} open"),
    )
    cards = "".join(
        f"<div><dt>{name}</dt><dd>{value}</dd><small>{more}</small></div>"
        for name, value, more in figures
    )
    return f"<dl class=figures>{cards}</dl>"


def _charts(audit: Audit) -> str:
    if audit.first_ms is None or audit.last_ms is None or not audit.rounds:
        return ""
    period = (audit.first_ms, audit.last_ms)
    each = bucket_words(bucket_ms(*period))
    charts = (
        ("Rounds", ((row.opened_ms, 1) for row in audit.rounds), str),
        ("Contributions", ((r.at_ms, r.stake_cents) for r in audit.contributions), money),
        ("Jackpots paid", ((row.claimed_ms, row.paid_cents) for row in audit.wins), money),
    )
    drawn = "".join(
        f"<figure><figcaption>{name} per {each}</figcaption>"
        f"{bars(points, period, f'{name} per {each}', write)}</figure>"
        for name, points, write in charts
    )
    return f"<section><h2>Over time</h2>{drawn}</section>"


def _reconciliation(audit: Audit) -> str:
    gross = sum(row.stake_cents for row in audit.contributions)
    waiting = [row for row in audit.contributions if row.acknowledged_ms is None]
    agrees = audit.contributed_cents == audit.counted_cents
    verdict = (
        "The contributions of the period match the table's own count."
        if agrees
        else "The contributions of the period do NOT match the table's own count."
    )
    rows = [
        ("Contributions", f"{len(audit.contributions):,}", money(gross)),
        (
            "reversed",
            f"{audit.taken_back:,}",
            f"−{money(audit.taken_back_cents)}",
        ),
        (
            "dropped by the shift manager after a rejection",
            f"{audit.dropped:,}",
            f"−{money(audit.dropped_cents)}",
        ),
        (
            "Contributed",
            f"{len(audit.contributions) - audit.taken_back - audit.dropped:,}",
            money(audit.contributed_cents),
        ),
        ("counted by the table", f"{audit.counted:,}", money(audit.counted_cents)),
        (
            "not acknowledged by the jackpot controller",
            f"{len(waiting):,}",
            money(sum(row.stake_cents for row in waiting)),
        ),
    ]
    table = _table(("", "number", "amount"), rows, numbers=(1, 2))
    kind = "good" if agrees else "bad"
    return f"<section><h2>Reconciliation</h2>{table}<p class={kind}>{verdict}</p></section>"


def _slips(audit: Audit) -> str:
    """Write a slip to sign for each claim that was paid; the others are told without one."""
    paid = "".join(_slip(win) for win in audit.wins if win.is_paid)
    unpaid = "".join(_slip(win) for win in audit.wins if not win.is_paid)
    paid = paid or "<p>No jackpot was paid in this period.</p>"
    slips = f"<section><h2>Hand-pay slips</h2><div class=slips>{paid}</div></section>"
    if unpaid:
        slips += f"<section><h2>Claims not paid</h2><div class=slips>{unpaid}</div></section>"
    return slips


def _slip(win: WinRow) -> str:
    facts = [
        ("Won with" if win.is_paid else "Claimed with", win.claim),
        ("Hand", win.hand or "unknown"),
        ("Dealer", win.dealer),
        ("Board", win.board),
        ("Round", f"{win.round:,}"),
        ("Hand complete", when(win.dealt_ms) if win.dealt_ms else ""),
        ("Claimed", f"{when(win.claimed_ms)}, clock {win.clock}"),
        ("Awarded", _award(win)),
        ("Paid", when(win.paid_ms) if win.paid_ms else ""),
        ("Outcome", win.outcome),
        ("Reason", win.reason),
        ("Authority", win.authority or "not given yet"),
        ("Message", win.id),
        ("Record", f"{win.record:,}"),
        ("Chain", win.chain),
    ]
    rows = "".join(f"<dt>{k}</dt><dd>{_text(v)}</dd>" for k, v in facts if v)
    known = win.amount_cents is not None and (win.is_paid or win.outcome == AWARDED)
    head = money(win.amount_cents or 0) if known else _text(win.outcome)
    sign = "<p class=sign><span>Paid by</span><span>Received by</span></p>" if win.is_paid else ""
    return (
        f"<article class=slip><h3><span>Table {_text(win.table)}, seat {win.seat}</span>"
        f"<strong>{head}</strong></h3><dl>{rows}</dl>{sign}</article>"
    )


def _award(win: WinRow) -> str:
    """Tell what the jackpot controller awarded and when, and what was not paid of it."""
    if win.award_cents is None or win.awarded_ms is None:
        return ""
    words = f"{money(win.award_cents)}, {when(win.awarded_ms)}"
    if win.is_paid and win.award_cents != win.amount_cents:
        return f"{words}; the table had paid {money(win.paid_cents)}"
    return words if win.is_paid or win.outcome == AWARDED else f"{words}; not paid"


def _faults(audit: Audit) -> str:
    rows = [
        (
            when(row.at_ms),
            row.text,
            when(row.ended_ms) if row.ended_ms else "open",
            row.ended_by or "",
        )
        for row in audit.faults
    ]
    table = _table(("since", "fault", "ended", "by"), rows) if rows else "<p>None.</p>"
    return f"<section><h2>Faults, and who cleared them</h2>{table}</section>"


def _staff(audit: Audit) -> str:
    rows = [(when(row.at_ms), f"{row.record:,}", row.words) for row in audit.staff]
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
            when(row.opened_ms),
            when(row.ended_ms) if row.ended_ms else "",
            str(row.seats),
            money(row.staked_cents),
            money(row.contributed_cents),
            "" if row.meter_cents is None else money(row.meter_cents),
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
        "contributed",
        "meter",
        "outcome",
        "dealer",
    )
    table = _table(heads, rows, numbers=(0, 3, 4, 5, 6)) if rows else "<p>None.</p>"
    return f"<section><h2>Rounds</h2><details open><summary>{len(rows):,} rounds</summary>{table}</details></section>"


def _table(
    heads: Iterable[str], rows: Iterable[Iterable[str]], numbers: tuple[int, ...] = ()
) -> str:
    def cells(row: Iterable[str], tag: str) -> str:
        return "".join(
            f"<{tag}{' class=number' if place in numbers else ''}>{_text(cell)}</{tag}>"
            for place, cell in enumerate(row)
        )

    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    return f"<table><thead><tr>{cells(heads, 'th')}</tr></thead><tbody>{body}</tbody></table>"


def _text(words: str) -> str:
    return html.escape(plain(words))
