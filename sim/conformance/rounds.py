"""What the kit checks of several claims of one round, and of what comes to the meter beside them."""

from firmware.protocol.messages import (
    Acknowledgement,
    AwardMessage,
    Message,
    MeterMessage,
    PendingMessage,
)
from firmware.protocol.obligations import Win
from sim.conformance.awards import reset_cents
from sim.conformance.checks import Check, Link, worth_of_a_bet
from sim.conformance.claims import (
    answer_pending,
    by_deal,
    claim,
    confirm,
    held,
    not_awarded,
    nothing_pending,
    royal,
)
from sim.conformance.tables import KitTable, Wrong

_BETS = 4


async def own_table_owes(link: Link) -> None:
    """Lose the win of the older hand of a round on its way; the younger one claims and is confirmed."""
    table = link.table
    if not by_deal(link):
        return
    await table.open_round(1, 2)
    locked_cents = (await table.meter_after_its_bets()).meter_cents
    await table.deal()
    await table.say_status(owed=2)
    (younger,) = await claim(link, table, 2)
    await answer_pending(link)
    await table.say_status(owed=3)
    await confirm(table, younger)
    await link.tables[2].everything_is_answered()  # its own table's round is not settled yet
    not_awarded(table, [younger], "while its own table owed messages about money")
    (older,) = await claim(link, table, 1)
    await confirm(table, older)
    await table.say_status(owed=0)
    await answer_pending(link)
    awards = [await table.awarded(each) for each in (older, younger)]
    if [each.amount_cents for each in awards] != [locked_cents, reset_cents(link)]:
        raise Wrong(
            f"two royal flushes of one table and {locked_cents} cents were awarded"
            f" {awards[0].amount_cents} (to the older hand) and {awards[1].amount_cents} cents"
        )
    for win in (older, younger):
        table.open_wins.remove(win)


async def withdrawal_is_acknowledged_first(link: Link) -> None:
    """Withdraw one of two royal flushes of a round, so that the other one is paid."""
    table = link.table
    (withdrawn, other), _ = await royal(link, table, 1, 2)
    await answer_pending(link)
    await confirm(table, other)
    verdict = table.verdict(withdrawn, confirmed=False)
    await table.send(verdict)
    await table.acknowledged(verdict)
    award = await table.awarded(other)
    table.open_wins.remove(other)
    heard = [each.message for each in link.watch.heard if each.by == table.name]
    if heard.index(award) < heard.index(Acknowledgement(id=verdict.id)):
        raise Wrong("an award that follows from a withdrawal came before its acknowledgement")


async def reserve_is_added(link: Link) -> None:
    """Contribute while a royal flush is pending, which is withdrawn; then again, and it is paid."""
    table, other = link.tables[:2]
    added_cents = _BETS * await worth_of_a_bet(other)
    win, locked_cents = await _with_reserve(link, table, other)
    verdict = table.verdict(win, confirmed=False)
    await table.send(verdict)
    await table.acknowledged(verdict)
    await _is_unlocked(link, locked_cents, added_cents)
    await table.end_round()
    win, locked_cents = await _with_reserve(link, table, other)
    await confirm(table, win)
    await table.awarded(win)
    table.open_wins.remove(win)
    await _is_unlocked(link, reset_cents(link), added_cents)


async def _with_reserve(link: Link, table: KitTable, other: KitTable) -> tuple[Win, int]:
    """Claim a royal flush that everybody knows of, and let another table contribute meanwhile."""
    (win,), locked_cents = await royal(link, table, 1)
    await other.open_round(*range(1, _BETS + 1))
    await other.end_round()
    await answer_pending(link)
    return win, locked_cents


async def _is_unlocked(link: Link, locked_cents: int, added_cents: int) -> None:
    """Wait for a meter to which the reserve is added; fractions of a cent may make a difference."""
    await nothing_pending(link)

    def right() -> bool:
        return abs(held(link) - locked_cents - added_cents) <= _BETS + 1

    if not await link.watch.until(right, link.table.patience_s):
        raise Wrong(
            f"{added_cents} cents were contributed while a major was pending, and the meter is"
            f" {held(link)} cents instead of {locked_cents + added_cents} when nothing is"
        )


async def meter_comes_first(link: Link) -> None:
    """Claim royal flushes at once after bets, and let them be paid.

    That pending claims hold the meter that was published before them, the watch has seen.
    """
    table, awards = link.table, []
    for _ in range(3):
        await table.open_round(1, 2, 3)
        await table.deal()
        (win,) = await claim(link, table, 1)
        await answer_pending(link)
        await confirm(table, win)
        awards.append(await table.awarded(win))
        table.open_wins.remove(win)
        await nothing_pending(link)
        await table.end_round()
    for award in awards:
        await _meter_was_first(link, table, award)


async def _meter_was_first(link: Link, table: KitTable, award: AwardMessage) -> None:
    """Complain about pending claims that lack a claim before the meter lacks its award."""

    def heard() -> list[Message]:
        return [each.message for each in link.watch.heard if each.by == table.name]

    def without() -> list[int]:
        awarded, lists = heard().index(award), enumerate(heard())
        said = [(n, each) for n, each in lists if n > awarded and isinstance(each, PendingMessage)]
        return [n for n, each in said if award.id not in {claim.id for claim in each.claims}]

    await link.watch.until(lambda: bool(without()), table.patience_s)
    before = heard()[: without()[0]] if without() else heard()
    meters = [each for each in before if isinstance(each, MeterMessage)]
    if not meters or meters[-1].meter_cents == award.meter_cents:
        raise Wrong("a claim left the pending claims before the meter was published that it left")


CHECKS = (
    Check("6.2", "A claim waits while its own table owes an older one.", own_table_owes),
    Check(
        "5.4",
        "A withdrawal is acknowledged before what is awarded because of it.",
        withdrawal_is_acknowledged_first,
    ),
    Check("5.7", "What is contributed during a lock is added after it.", reserve_is_added),
    Check("3.5, 5.4", "Whatever rests on a meter comes after it.", meter_comes_first),
)
