"""A report of the jackpot controller as a page of plain text."""

from collections.abc import Iterator, Sequence

from firmware.rules.words import money, spaced
from sim.jackpot_controller.accounts import PARTS_PER_CENT
from sim.jackpot_controller.report import LAST_HITS, LinkReport


def page(link: LinkReport) -> str:
    """Write a report for a terminal."""
    return "\n".join(
        [*_money(link), *_waiting(link), *_hits(link), *_tables(link), *_trouble(link)]
    )


def _money(link: LinkReport) -> Iterator[str]:
    running = "running" if link.running else "NOT RUNNING"
    yield f"{link.root}: {link.game}, books {link.books}, controller {running}"
    yield f"  value      {money(link.meter_cents)}{', locked' if link.locked else ''}"
    yield f"  reserve    {_exact(link.reserve_parts)}"
    yield f"  overflow   {_exact(link.overflow_parts)}"
    yield f"  house      {_exact(link.house_parts)} borne by the house"
    limit = "none" if link.limit_cents is None else money(link.limit_cents)
    rate = f"{link.rate_basis_points / 100:g} %"
    yield f"  base       {money(link.base_cents)}, limit {limit}, {rate} of each stake"
    totals = link.totals
    yield (
        f"  entered    {_counted(totals.contributions)} of {money(totals.stakes_cents)},"
        f" {totals.reversals} reversed"
    )
    yield f"  hits       {link.hits}, {money(totals.awarded_cents)} in all"


def _waiting(link: LinkReport) -> Iterator[str]:
    yield f"  pending    {len(link.pending) or 'none'}"
    for claim in link.pending:
        yield (
            f"    {claim.table} seat {claim.seat} {spaced(claim.tier)}, dealt {claim.dealt_at}"
            f" (clock {claim.clock}), {claim.id}"
        )
        yield from (f"      waits for {reason}" for reason in claim.waits_for)
    if link.set_aside:
        yield f"  set aside until the verdict: {', '.join(link.set_aside)}"


def _hits(link: LinkReport) -> Iterator[str]:
    if not link.last_hits:
        return
    yield f"  last {LAST_HITS} hits"
    for hit in link.last_hits:
        how = "paid by the table" if hit.awarded_cents is None else "awarded"
        if hit.state == "withdrawn":
            how = f"awarded {money(hit.awarded_cents or 0)}, taken back"
        elif hit.awarded_cents not in {None, hit.amount_cents}:
            how = f"awarded {money(hit.awarded_cents or 0)}, settled otherwise"
        house = f", {_exact(hit.house_parts)} of it borne by the house" if hit.house_parts else ""
        yield (
            f"    {hit.paid_at[:19]} {hit.table} seat {hit.seat} {spaced(hit.tier)}"
            f" {money(hit.amount_cents)} {how}{house} (rule {hit.rule})"
        )


def _tables(link: LinkReport) -> Iterator[str]:
    yield f"  tables     {len(link.tables) or 'none'}"
    for table in link.tables:
        progress = f"{spaced(table.phase) or 'idle'}, round {table.round}, owes {table.owed}"
        where = progress if table.online else "OFFLINE"
        replaced = f", {table.closed_units} units closed before" if table.closed_units else ""
        yield (
            f"    {table.table:<6} {where}; {_counted(table.contributions)} of"
            f" {money(table.contributed_cents)}; unit {table.journal}{replaced}"
        )


def _trouble(link: LinkReport) -> Iterator[str]:
    yield from _listed("NOT BELIEVED: the house must `believe` or `withdraw`", link.doubted)
    yield from _listed("withdrawn claims", link.withdrawals)
    yield from _listed("MISMATCHES", link.mismatches)
    yield from _listed("messages not accepted", link.refused)
    yield from _listed("commands of the house", link.commands)


def _listed(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"  {title}"
        yield from (f"    {line}" for line in lines)


def _counted(contributions: int) -> str:
    return "1 contribution" if contributions == 1 else f"{contributions} contributions"


def _exact(parts: int) -> str:
    """Return an amount with any fraction of a cent."""
    cents, fraction = divmod(abs(parts), PARTS_PER_CENT)
    more = f" and {fraction / PARTS_PER_CENT:g} cents" if fraction else ""
    return f"{'-' if parts < 0 else ''}{money(cents)}{more}"
