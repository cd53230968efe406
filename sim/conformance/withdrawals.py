"""What the kit checks of claims that are withdrawn: alone, after their award, or with others."""

from msgspec.structs import replace

from firmware.protocol.obligations import Win
from sim.conformance.checks import Check, Link
from sim.conformance.claims import answer_pending, confirm, not_awarded, nothing_pending, royal
from sim.conformance.tables import KitTable, Wrong


async def withdrawn_is_not_paid(link: Link) -> None:
    """Withdraw a claim that waits, and one that was awarded."""
    table, other = link.tables[:2]
    (win,), _ = await royal(link, table, 1)
    await answer_pending(link)
    await _withdraw(table, win)
    await nothing_pending(link)
    await table.everything_is_answered()
    not_awarded(table, [win], "although it was withdrawn")
    await table.end_round()
    before = await other.meter_of_a_small_round()
    (win,), _ = await royal(link, table, 1)
    await answer_pending(link)
    await confirm(table, win)
    await table.awarded(win)
    await nothing_pending(link)
    await _withdraw(table, win)
    after = await other.meter_of_a_small_round()
    if after.meter_cents < before.meter_cents:
        raise Wrong(
            f"an award of {before.meter_cents} cents was withdrawn, and the meter is"
            f" {after.meter_cents} cents after it"
        )
    await table.end_round()


async def withdrawn_together_is_not_paid(link: Link) -> None:
    """Withdraw two claims at once, of which the second only waits for the verdict on the first.

    Its own verdict comes later, as when a busy broker has dropped it.
    """
    table = link.table
    (first, second), _ = await royal(link, table, 1, 2)
    await answer_pending(link)
    await confirm(table, second)
    await _withdraw(table, first, second)
    await answer_pending(link)
    await table.everything_is_answered()
    not_awarded(table, [second], "although the withdrawal of another claim had named it")
    await _withdraw(table, second, first)
    await nothing_pending(link)
    await table.end_round()


async def _withdraw(table: KitTable, win: Win, *others: Win) -> None:
    verdict = table.verdict(win, confirmed=False)
    verdict = replace(verdict, also_withdraws=tuple(each.id for each in others))
    await table.send(verdict)
    await table.acknowledged(verdict)


CHECKS = (
    Check("5.9", "What is withdrawn is not paid, or taken back.", withdrawn_is_not_paid),
    Check(
        "5.9", "What is withdrawn with another claim is not paid.", withdrawn_together_is_not_paid
    ),
)
