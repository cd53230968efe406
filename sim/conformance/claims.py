"""What the kit checks of wins: awards, the lock of the meter, verdicts, and who is paid first.

A check leaves no claim behind, even if it fails: the next one begins with nothing pending.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from firmware.protocol.messages import Acknowledgement, AwardMessage, MeterMessage, PendingMessage
from firmware.protocol.obligations import Verdict, Win
from firmware.rules.contract import Claim
from firmware.rules.game import Game, JackpotLine
from sim.conformance.checks import Check, Link
from sim.conformance.tables import STAKE_CENTS, KitTable, Wrong

_WHOLE = 100


def claim_of(game: Game, level: str, seat: int, *, percent: int | None = None) -> Claim:
    """Find a claim in the game's pay table: any minor of a fixed amount, or this percentage."""
    for tier, lines in game.tiers.items():
        for line in lines:
            fits = isinstance(line, JackpotLine) and (line.on, line.bet) == ("player", "jackpot")
            if (
                fits
                and isinstance(line, JackpotLine)
                and (line.level, line.percent) == (level, percent)
            ):
                amount = line.odds * STAKE_CENTS if line.odds is not None else line.amount_cents
                return Claim(seat, "player", tier, line.level, percent, amount)
    raise LookupError(f"{game.id} has no such claim")


def by_deal(link: Link) -> bool:
    """Return whether the game pays by the time of the deal."""
    return link.game.payment.by == "dealt_at"


# ── what tables do about claims ──────────────────────────────────────────────


async def royal(link: Link, table: KitTable, *seats: int) -> tuple[list[Win], int]:
    """Play a round up to royal flushes that are pending; return them, and the meter they hold."""
    await table.open_round(*seats)
    meter = await table.meter_after_its_bets()
    await table.deal()
    return await claim(link, table, *seats), meter.meter_cents


async def claim(link: Link, table: KitTable, *seats: int) -> list[Win]:
    """Turn up royal flushes in a round that is dealt, and claim them."""
    await table.say_status(phase="settling")
    wins = [table.win(claim_of(link.game, "major", seat, percent=_WHOLE)) for seat in seats]
    await table.send(*wins)
    for win in wins:
        await table.acknowledged(win)
    await pending(link, *wins)
    return wins


async def pending(link: Link, *wins: Win) -> None:
    """Wait until claims are published as pending."""

    def ids() -> set[str]:
        newest = link.watch.newest(PendingMessage)
        return {each.id for each in newest.claims} if newest else set()

    await link.watch.until(lambda: {win.id for win in wins} <= ids(), link.table.patience_s)
    for win in wins:
        if win.id not in ids():
            raise Wrong(f"the major {win.id} is not published as pending")


async def nothing_pending(link: Link) -> None:
    """Wait until no claim is pending."""

    def empty() -> bool:
        newest = link.watch.newest(PendingMessage)
        return newest is not None and not newest.claims

    if not await link.watch.until(empty, link.table.patience_s):
        raise Wrong("a claim that is paid or withdrawn is still published as pending")


async def confirm(table: KitTable, win: Win, paid_cents: int | None = None) -> Verdict:
    """Send the verdict that makes a claim final."""
    verdict = table.verdict(win, confirmed=True, paid_cents=paid_cents)
    await table.send(verdict)
    await table.acknowledged(verdict)
    return verdict


async def answer_pending(link: Link, *tables: KitTable) -> None:
    """Let tables say that they know of everything that is pending."""
    newest = link.watch.newest(PendingMessage)
    seen = tuple(each.id for each in newest.claims) if newest else ()
    for table in tables or link.tables:
        await table.say_status(seen_pending=seen)


async def clean_up(link: Link) -> None:
    """Withdraw whatever a check has left, and pay the rounds."""
    for table in link.tables:
        for win in list(table.open_wins):
            verdict = table.verdict(win, confirmed=False)
            with suppress(Wrong):
                await table.send(verdict)
                await table.acknowledged(verdict)
        with suppress(Wrong):
            if not table.accepted:
                await table.come()
            if table.status.phase != "idle":
                await table.end_round()
    with suppress(Wrong):
        await nothing_pending(link)
    for table in link.tables:
        await table.say_status(seen_pending=())


def not_awarded(table: KitTable, wins: Sequence[Win], why: str) -> None:
    """Complain about awards that should not have been made."""
    for win in wins:
        if any(isinstance(each, AwardMessage) for each in table.answers(win.id)):
            raise Wrong(f"{win.id} was awarded {why}")


def held(link: Link) -> int:
    """Return the meter as it was last published."""
    newest = link.watch.newest(MeterMessage)
    if newest is None:
        raise Wrong("no meter was ever published")
    return newest.meter_cents


# ── the checks ───────────────────────────────────────────────────────────────


async def minor_is_paid(link: Link) -> None:
    """Claim a fixed amount, and ask for it again."""
    table = link.table
    await table.open_round(1)
    await table.deal()
    win = table.win(claim_of(link.game, "minor", 1))
    await table.send(win)
    award = await table.awarded(win)
    await table.acknowledged(win)
    if isinstance(table.answers(win.id)[0], Acknowledgement):
        raise Wrong("the acknowledgement of a final win came before its award")
    if award.amount_cents != win.claim.amount:
        raise Wrong(f"a win of {win.claim.amount} cents was awarded {award.amount_cents}")
    seen = len(link.watch.heard)
    await table.send(win)
    again = await table.awarded(win, seen)
    await table.acknowledged(win, seen)
    if again.amount_cents != award.amount_cents:
        raise Wrong(f"the same win was awarded {award.amount_cents}, then {again.amount_cents}")
    table.open_wins.remove(win)
    await table.end_round()


async def major_locks(link: Link) -> None:
    """Claim a major, and contribute while it holds the meter."""
    table, other = link.tables[:2]
    wins, locked_cents = await royal(link, table, 1)
    await other.open_round(1, 2)
    await answer_pending(link)
    for each in (table, other):
        await each.everything_is_answered()
    not_awarded(table, wins, "before its verdict")
    if held(link) > locked_cents:
        raise Wrong("the displayed meter rose while a major was pending")


async def royal_is_paid(link: Link) -> None:
    """Confirm a royal flush that everybody has seen."""
    table, others = link.table, link.tables[1:]
    (win,), locked_cents = await royal(link, table, 1)
    await answer_pending(link)
    verdict = await confirm(table, win)
    award = await table.awarded(win)
    if award.amount_cents != locked_cents:
        raise Wrong(
            f"100 percent of {locked_cents} cents was awarded as {award.amount_cents} cents"
        )
    await nothing_pending(link)
    await _reset(link, locked_cents)
    _check_order(link, table, award, verdict)
    seen = len(link.watch.heard)
    await table.send(win)
    again = await table.awarded(win, seen)
    await table.acknowledged(win, seen)
    if again != award:
        raise Wrong(f"{win.id} was awarded {award.amount_cents} cents, then {again.amount_cents}")
    table.open_wins.remove(win)
    for each in others:
        await each.say_status(seen_pending=())
    await table.end_round()


async def _reset(link: Link, locked_cents: int) -> None:
    """Wait for the meter after a royal flush."""
    await link.watch.until(lambda: held(link) != locked_cents, link.table.patience_s)
    newest = link.watch.newest(MeterMessage)
    if newest is not None and not newest.reset_cents <= newest.meter_cents < locked_cents:
        raise Wrong(
            f"after a royal flush the meter is {newest.meter_cents} cents; its reset value is"
            f" {newest.reset_cents}, and it was {locked_cents}"
        )


def _check_order(link: Link, table: KitTable, award: AwardMessage, verdict: Verdict) -> None:
    """Compare the order of what followed from one message, as its table heard it."""
    heard = [each.message for each in link.watch.heard if each.by == table.name]
    awarded = heard.index(award)
    meters = [m for m in heard[:awarded] if isinstance(m, MeterMessage)]
    if meters and meters[-1].meter_cents < award.amount_cents:
        raise Wrong("the meter was published as reset before the award was")
    acknowledged = heard.index(Acknowledgement(id=verdict.id))
    pendings = [m for m in heard[acknowledged:awarded] if isinstance(m, PendingMessage)]
    if any(award.id not in {claim.id for claim in each.claims} for each in pendings):
        raise Wrong("the claim left the pending claims before its award was published")


async def waits_for_answers(link: Link) -> None:
    """Confirm a royal flush before the tables that matter have seen it pending."""
    table, other = link.tables[:2]
    (win,), _ = await royal(link, table, 1)
    late = other if by_deal(link) else table
    await answer_pending(link, *(each for each in link.tables if each is not late))
    await late.say_status(seen_pending=())
    await confirm(table, win)
    for each in (table, other):
        await each.everything_is_answered()
    not_awarded(table, [win], f"before table {late.name} had it in seen_pending")
    await answer_pending(link, late)
    await table.awarded(win)
    table.open_wins.remove(win)


async def waits_for_the_absent(link: Link) -> None:
    """Confirm a royal flush while the table that matters is offline, then owes something."""
    table, other = link.tables[:2]
    late = other if by_deal(link) else table
    (win,), _ = await royal(link, table, 1)
    await answer_pending(link)
    await late.say_status(online=False)
    await confirm(table, win)
    await link.tables[2].everything_is_answered()
    not_awarded(table, [win], f"while table {late.name} was offline")
    await late.come(owed=1)
    await link.tables[2].everything_is_answered()
    not_awarded(table, [win], f"while table {late.name} owed messages about money")
    await late.say_status(owed=0)
    await table.awarded(win)
    table.open_wins.remove(win)


async def older_hand_first(link: Link) -> None:
    """Let two tables have a royal flush each; the one that is to be paid first claims last."""
    first, second = link.tables[:2]
    for table in (first, second):
        await table.open_round(1)
    meter = await second.meter_after_its_bets()
    for table in (first, second):
        await table.deal()
        await asyncio.sleep(0.002)  # so that the times of the deals differ
    entered = (second, first) if by_deal(link) else (first, second)
    wins: dict[str, Win] = {}
    for table in entered:
        (wins[table.name],) = await claim(link, table, 1)
    locked_cents = meter.meter_cents
    await answer_pending(link)
    await confirm(second, wins[second.name])
    await second.everything_is_answered()
    not_awarded(second, [wins[second.name]], "while another pending claim had no verdict")
    await confirm(first, wins[first.name])
    awards = [await table.awarded(wins[table.name]) for table in (first, second)]
    if awards[0].amount_cents != locked_cents or awards[1].amount_cents >= locked_cents:
        rule = "was dealt" if by_deal(link) else "was entered"
        raise Wrong(
            f"two royal flushes of {locked_cents} cents were awarded {awards[0].amount_cents}"
            f" (to the one that {rule} first) and {awards[1].amount_cents} cents"
        )
    for table in (first, second):
        table.open_wins.remove(wins[table.name])


async def an_older_hand_may_come(link: Link) -> None:
    """Confirm a royal flush while another table plays, then settles, a hand dealt before it."""
    table, other = link.tables[:2]
    if not by_deal(link):
        return
    await other.open_round(1)
    await other.deal()
    await asyncio.sleep(0.002)  # the same
    (win,), _ = await royal(link, table, 1)
    await answer_pending(link)
    await confirm(table, win)
    await other.everything_is_answered()
    not_awarded(table, [win], f"while table {other.name} played a hand dealt before it")
    await other.say_status(phase="settling")
    await other.everything_is_answered()
    not_awarded(table, [win], f"while table {other.name} had not paid a round dealt before it")
    await other.end_round()
    await table.awarded(win)
    table.open_wins.remove(win)


async def paid_is_booked(link: Link) -> None:
    """Say that a royal flush was paid while the link was down."""
    table = link.table
    (win,), locked_cents = await royal(link, table, 1)
    await answer_pending(link)
    await confirm(table, win, paid_cents=locked_cents)
    await nothing_pending(link)
    await _reset(link, locked_cents)
    await table.everything_is_answered()
    not_awarded(table, [win], "although its table had paid it already")
    await table.end_round()


CHECKS = (
    Check("5.2, 5.3, 5.4, 5.5", "A minor is awarded at once, and again when asked.", minor_is_paid),
    Check("5.6, 6.1", "A major locks the meter and waits for its verdict.", major_locks),
    Check("5.4, 5.5, 5.7", "A confirmed royal flush is paid the locked meter.", royal_is_paid),
    Check("6.2, 6.3, 6.6", "A claim waits until it is answered as seen.", waits_for_answers),
    Check("6.2, 6.3, 6.5", "A claim waits for a table that is offline.", waits_for_the_absent),
    Check("6.1, 6.2, 6.3, 6.4", "Of two royal flushes the right one is first.", older_hand_first),
    Check("6.2", "A claim waits for a hand that was dealt before it.", an_older_hand_may_come),
    Check("5.8", "What a table has paid is booked and not awarded.", paid_is_booked),
)
