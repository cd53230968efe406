"""What the kit checks of what claims and awards say: the meter they hold, and how it is shared.

By this a table judges an award; one that says too little, or something else, is not paid.
"""

from firmware.protocol.messages import AwardMessage, MeterMessage, PendingMessage
from firmware.protocol.obligations import Win
from sim.conformance.checks import Check, Link
from sim.conformance.claims import (
    answer_pending,
    by_deal,
    claim,
    claim_of,
    confirm,
    not_awarded,
    nothing_pending,
    royal,
)
from sim.conformance.tables import Wrong


def published(link: Link) -> PendingMessage:
    """Return the pending claims as they were last published."""
    newest = link.watch.newest(PendingMessage)
    if newest is None:
        raise Wrong("no pending claims were ever published")
    return newest


def reset_cents(link: Link) -> int:
    """Return the reset value that the meter says."""
    newest = link.watch.newest(MeterMessage)
    return newest.reset_cents if newest else 0


def says_meter(award: AwardMessage, meter_cents: int | None, winners: int = 1) -> None:
    """Complain about an award that is not said to be from this meter, for so many."""
    if award.meter_cents != meter_cents:
        raise Wrong(f"an award has meter_cents {award.meter_cents} instead of {meter_cents}")
    if award.winners != winners:
        raise Wrong(f"an award has winners {award.winners} instead of {winners}")


async def says_held(link: Link, win: Win, held_cents: int) -> None:
    """Wait until the pending claims say that this one holds so much, as a percentage."""

    def right() -> bool:
        return _wrong_of(link, win, held_cents) == ""

    await link.watch.until(right, link.table.patience_s)
    if not right():
        raise Wrong(_wrong_of(link, win, held_cents))


def _wrong_of(link: Link, win: Win, held_cents: int) -> str:
    newest = published(link)
    percents = [each.percent for each in newest.claims if each.id == win.id]
    if percents != [win.claim.percent]:
        return f"the pending claim {win.id} has percent {percents} instead of {win.claim.percent}"
    if newest.locked_cents != held_cents:
        return f"the pending claims have locked_cents {newest.locked_cents} instead of {held_cents}"
    if newest.reset_cents != reset_cents(link):
        return (
            f"the pending claims have reset_cents {newest.reset_cents}, and the meter"
            f" {reset_cents(link)}"
        )
    return ""


async def pending_says_what_is_held(link: Link) -> None:
    """Claim a royal flush, read what it holds, and withdraw it."""
    table = link.table
    (win,), locked_cents = await royal(link, table, 1)
    await says_held(link, win, locked_cents)
    verdict = table.verdict(win, confirmed=False)
    await table.send(verdict)
    await table.acknowledged(verdict)
    await nothing_pending(link)
    if published(link).locked_cents is not None:
        raise Wrong(f"nothing is pending, and locked_cents is {published(link).locked_cents}")


async def award_says_its_meter(link: Link) -> None:
    """Let a royal flush be paid, twice asked, and a fixed amount beside it."""
    table = link.table
    (win,), locked_cents = await royal(link, table, 1)
    await answer_pending(link)
    await confirm(table, win)
    says_meter(await table.awarded(win), locked_cents)
    seen = len(link.watch.heard)
    await table.send(win)
    says_meter(await table.awarded(win, seen), locked_cents)
    table.open_wins.remove(win)
    await table.end_round()
    await table.open_round(1)
    await table.deal()
    minor = table.win(claim_of(link.game, "minor", 1))
    await table.send(minor)
    says_meter(await table.awarded(minor), None)
    table.open_wins.remove(minor)


async def rest_is_said(link: Link) -> None:
    """Let one of two royal flushes be paid while the other one waits for an answer."""
    first, second, third = link.tables
    for table in (first, second):
        await table.open_round(1)
    meter = await second.meter_after_its_bets()
    for table in (first, second):
        await table.deal()
    (older,) = await claim(link, first, 1)
    (younger,) = await claim(link, second, 1)
    late = third if by_deal(link) else second
    await answer_pending(link)
    await late.say_status(seen_pending=(older.id,))
    await confirm(first, older)
    await confirm(second, younger)
    says_meter(await first.awarded(older), meter.meter_cents)
    first.open_wins.remove(older)
    await first.end_round()
    await says_held(link, younger, reset_cents(link))
    not_awarded(second, [younger], f"before table {late.name} had it in seen_pending")
    await answer_pending(link, late)
    says_meter(await second.awarded(younger), reset_cents(link))
    second.open_wins.remove(younger)


async def royals_share(link: Link) -> None:
    """Let one table have two royal flushes in a round, where the game lets them share."""
    table = link.table
    if "royal_flush" not in link.game.payment.sharing:
        return
    wins, locked_cents = await royal(link, table, 1, 2)
    together = locked_cents + reset_cents(link)
    await answer_pending(link)
    for win in wins:
        await confirm(table, win)
    awards = [await table.awarded(win) for win in wins]
    if [each.amount_cents for each in awards] != [together // 2] * 2:
        raise Wrong(
            f"two royal flushes of one round share {together} cents, but were awarded"
            f" {awards[0].amount_cents} and {awards[1].amount_cents}"
        )
    for award in awards:
        says_meter(award, locked_cents, winners=2)
    for win in wins:
        table.open_wins.remove(win)


CHECKS = (
    Check("5.11", "Pending claims say what meter they hold.", pending_says_what_is_held),
    Check("5.10", "An award says the meter that it is a share of.", award_says_its_meter),
    Check("5.10, 5.11", "What one major leaves is what the next one holds.", rest_is_said),
    Check("6.3, 5.10", "Royal flushes of one round share where they should.", royals_share),
)
