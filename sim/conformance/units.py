"""What the kit checks of units: which start of which journal speaks for a table.

A check leaves each table with a start that is accepted; what the others said is history.
"""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
from msgspec.structs import replace

from firmware.protocol.messages import Acknowledgement, UnitAccepted, UnitRefused
from firmware.protocol.obligations import Win
from sim.conformance import claims
from sim.conformance.checks import Check, Link, back_online
from sim.conformance.tables import KitTable, Wrong

GONE_S = 10.0
"""After so long without an answer the known start is gone (7.9)."""
_ASKS_S = 5.0
"""How often a table asks that waits (7.6)."""
_GIVES_UP_S = 4 * _ASKS_S
_ASKS_REFUSED_S = 30.0
"""How often a table asks that was refused (7.6)."""


async def waiting_is_accepted(link: Link) -> None:
    """Let every table come to the link, and wait as tables do before they play."""
    for table in link.tables:
        await table.come(game=link.game.id)


async def second_unit_is_refused(link: Link) -> None:
    """Let another unit speak for a table that is on the link."""
    table, seen = link.table, len(link.watch.heard)
    stranger = table.another()
    await table.say_status()
    await stranger.say_status(game=link.game.id)
    bet = stranger.contribution(1)
    await stranger.send(bet)
    refused = await stranger.judged(seen)
    await table.say_status()
    if not isinstance(refused, UnitRefused):
        raise Wrong(f"a second unit of table {table.name} was not refused")
    await table.everything_is_answered()
    if any(isinstance(each, Acknowledgement) for each in stranger.answers(bet.id)):
        raise Wrong("what a second unit owed was entered")


async def new_start_goes_on(link: Link) -> None:
    """Switch a table off and on; its journal has grown since it last spoke."""
    table = link.table
    await table.say_status(online=False)
    table.records.write(3)
    table.restart()
    await table.come()
    await table.meter_of_a_small_round()


async def old_copy_is_refused(link: Link) -> None:
    """Switch a table off, and an older copy of its card on."""
    link.table.records.write()
    await link.table.say_status()
    await _old_copy_is_refused(link.table)


async def restart_forgets_no_head(link: Link) -> None:
    """Restart the controller after a table has gone, then do the same.

    The status that the broker has retained is a farewell, from which nobody learns a head.
    """
    table, seen = link.table, len(link.watch.heard)
    if link.restart is None:
        return
    await table.say_status(online=False)
    table.restart()
    await table.come()
    await table.say_status(online=False)
    await link.restart()
    await back_online(link, seen)
    await _old_copy_is_refused(table)


async def _old_copy_is_refused(table: KitTable) -> None:
    copy = table.another(table.records.copied(without=1))
    await _is_refused(table, copy, "ends before the record that was heard last")


async def played_on_copy_is_refused(link: Link) -> None:
    """Switch a table off, and a copy on that was played on elsewhere."""
    table = link.table
    await table.say_status()
    for records in (1, 5):  # it ends at the record that is known, then beyond
        other = table.records.copied(without=1)
        other.write(records)
        await _is_refused(table, table.another(other), "has another chain at the known record")


async def other_chain_is_refused(link: Link) -> None:
    """Let the known start itself say another chain for the record that is known."""
    table = link.table
    await table.say_status()
    other = table.records.copied(without=1)
    other.write()
    same_start = table.another(other)
    same_start.boot = table.boot
    try:
        await _is_refused(table, same_start, "has another chain at the known record")
    finally:
        table.others.remove(same_start)  # or it would answer for the table


async def other_key_is_refused(link: Link) -> None:
    """Sign the head of a journal with a key that is not its own, openly or not."""
    table = link.table
    await table.say_status()
    forged = table.another(table.records.with_another_key(shown=False))
    await _is_refused(table, forged, "is not signed with the key that it names")
    other = table.another(table.records.with_another_key(shown=True))
    await _is_refused(table, other, "is signed with another key than before")


async def without_a_head_is_refused(link: Link) -> None:
    """Let a start come that proves nothing, where a head of its journal is known."""
    table = link.table
    await table.say_status()
    silent = table.another(table.records.copied())
    silent.shows_head = False
    await _is_refused(table, silent, "has a known head, and it shows none")


async def _is_refused(table: KitTable, copy: KitTable, why: str) -> None:
    """Let a start come whose journal is not the known one; the table is off meanwhile."""
    await table.say_status(online=False)
    seen = len(table.watch.heard)
    await copy.say_status(online=True)
    answer = await copy.judged(seen)
    if isinstance(answer, UnitAccepted):
        raise Wrong(f"a start of table {table.name} was accepted, although its journal {why}")
    if answer is None:
        raise Wrong(f"a start of table {table.name} was not refused, although its journal {why}")
    await table.come()


async def second_start_waits_for_the_first(link: Link) -> None:
    """Let copies come beside a start that answers, and beside one that is silently gone.

    Of a third that is gone, somebody says again and again what it has said.
    """
    there, gone, replayed = link.tables[:3]
    for table in link.tables:
        await table.say_status()
    copy = there.another(there.records.copied())
    captured = replayed.encoded(replayed.status)
    gone.restart()
    replayed.restart()
    answers = await _answers(copy, gone, replayed, between=lambda: replayed.say_again(captured))
    await copy.say_status(online=False)
    await there.say_status()
    if not isinstance(answers[copy], UnitRefused):
        raise Wrong(f"a second start of table {there.name} was not refused, and the first answers")
    if not isinstance(answers[gone], UnitAccepted):
        raise Wrong(
            f"table {gone.name} is gone without a last will, and its next start was not accepted"
            f" within {_GIVES_UP_S:g} s"
        )
    if not isinstance(answers[replayed], UnitAccepted):
        raise Wrong(
            f"an old status of table {replayed.name} was said again and again, and its next start"
            f" was not accepted within {_GIVES_UP_S:g} s"
        )


async def _answers(
    *starts: KitTable, between: Callable[[], Awaitable[None]]
) -> dict[KitTable, UnitAccepted | UnitRefused | None]:
    """Let starts ask until each is answered; one that is accepted too soon is complained about."""
    now_s, watch = asyncio.get_running_loop().time, starts[0].watch
    seen, begun_s = len(watch.heard), now_s()
    while not all(each.verdicts(seen) for each in starts) and now_s() - begun_s < _GIVES_UP_S:
        for start in starts:
            if not start.verdicts(seen):
                await start.say_status()
        for _ in range(2):
            await watch.until(lambda: all(each.verdicts(seen) for each in starts), _ASKS_S / 2)
            await between()
    for start in starts:
        await start.judged(seen)  # a busy machine may need longer for the last answer
        _not_too_soon(start, seen, begun_s)
    return {each: next(iter(each.verdicts(seen)), None) for each in starts}


async def seldom_asking_start_is_accepted(link: Link) -> None:
    """Let a start ask as seldom as one that was refused, beside one that is silently gone."""
    table = link.table
    await table.say_status()
    table.restart()
    seen = len(table.watch.heard)
    await table.say_status()
    await table.watch.until(lambda: bool(table.verdicts(seen)), _ASKS_REFUSED_S)
    await table.say_status()
    if not isinstance(await table.judged(seen), UnitAccepted):
        raise Wrong(
            f"table {table.name} is gone without a last will, and its next start, which asks every"
            f" {_ASKS_REFUSED_S:g} s, was not accepted when it asked again"
        )


def _not_too_soon(start: KitTable, seen: int, begun_s: float) -> None:
    """Complain about a start that was accepted before the known one could be gone."""
    for each in start.watch.heard[seen:]:
        mine = isinstance(each.message, UnitAccepted) and each.message.boot == start.boot
        if mine and each.at_s - begun_s < GONE_S:
            raise Wrong(
                f"a second start of table {start.name} was accepted after"
                f" {each.at_s - begun_s:.1f} s"
            )


async def _paid_all_the_same(table: KitTable, asked: KitTable, win: Win, who: str) -> None:
    """Let a claim be paid although somebody has said that a table is gone which it waits for."""
    await claims.confirm(table, win)
    try:
        await table.awarded(win)
    except Wrong:
        raise Wrong(f"{who}, and the claim that waits for the table was not paid") from None
    table.open_wins.remove(win)
    await asked.say_status()


async def other_farewell_changes_nothing(link: Link) -> None:
    """Let another start, which is refused, say its last will; then a claim is paid as usual."""
    table, other = link.tables[:2]
    asked = other if claims.by_deal(link) else table
    (win,), _ = await claims.royal(link, table, 1)
    await claims.answer_pending(link)
    copy = asked.another(asked.records.copied())
    await copy.say_status(online=False)
    await _paid_all_the_same(
        table, asked, win, f"another start of table {asked.name} said that it is gone"
    )


async def unsigned_farewell_changes_nothing(link: Link) -> None:
    """Let anybody say that a table is gone which is there; then a claim is paid as usual."""
    table, other = link.tables[:2]
    asked = other if claims.by_deal(link) else table
    (win,), _ = await claims.royal(link, table, 1)
    await claims.answer_pending(link)
    connection = asked.connection
    said = replace(asked.status, online=False, boot=asked.boot, connection=connection)
    of_a_status = asked.records.head(asked.name, asked.boot, connection)
    for head in (None, of_a_status):
        await asked.say_again(msgspec.json.encode(replace(said, head=head)))
    await _paid_all_the_same(
        table, asked, win, f"somebody without the key of table {asked.name} said that it is gone"
    )


async def old_farewell_changes_nothing(link: Link) -> None:
    """Say a last will again after its table has come back; then a claim is paid as usual."""
    table, other = link.tables[:2]
    asked = other if claims.by_deal(link) else table
    will = asked.encoded(replace(asked.status, online=False))
    asked.reconnect()
    await asked.come()
    (win,), _ = await claims.royal(link, table, 1)
    await claims.answer_pending(link)
    await asked.say_again(will)
    await _paid_all_the_same(
        table, asked, win, f"somebody said an old last will of table {asked.name} again"
    )


async def every_farewell_counts(link: Link) -> None:
    """Let a table go and come back, and go again before it has written anything; then restart it."""
    table = link.table
    for _ in range(2):
        await table.say_status(online=False)
        await table.come()
    await table.say_status(online=False)
    table.restart()
    await table.come()


async def ordered_start_goes_on(link: Link) -> None:
    """Let the house order that a start goes on which lacks records of its journal."""
    table = link.table
    await table.meter_of_a_small_round()
    known = table.records.last
    await table.say_status(online=False)
    older = table.another(table.records.copied(without=2))
    seen = len(link.watch.heard)
    await older.say_status(online=True)
    if not isinstance(await older.judged(seen), UnitRefused):
        raise Wrong(f"a start of table {table.name} lacks records, and was not refused")
    if link.accept is None:
        return
    link.watch.ordered.add(older.boot)
    await link.accept(table.name, table.journal)
    for _ in range(2):  # repeated, until it is in the journal
        await older.say_status(online=False)
        await _goes_on(older, known)
        await older.say_status(online=False)
        await _next_start_is_refused(table, older)
    await older.come()
    older.records.write(known)  # its new ids come after what the books know
    older.records.went_on = known
    table.become(older)
    await table.say_status()
    await table.meter_of_a_small_round()
    await table.say_status(online=False)
    seen = len(link.watch.heard)
    await table.come()
    if any(isinstance(each, UnitAccepted) and each.goes_on for each in table.verdicts(seen)):
        raise Wrong("an order to go on was repeated to a start that had heard it")


async def _next_start_is_refused(table: KitTable, ordered: KitTable) -> None:
    """Start once more what the house has let go on and what has not written that down."""
    again, seen = table.another(ordered.records.copied()), len(table.watch.heard)
    await again.say_status(online=True)
    if not isinstance(await again.judged(seen), UnitRefused):
        raise Wrong(
            f"table {table.name} lost its power before an order was in its journal, and its next"
            " start, which lacks the records still, was not refused"
        )
    await again.say_status(online=False)


async def _goes_on(start: KitTable, known: int) -> None:
    """Let a start come that the house has let go on, and compare what the books have of it."""
    seen, status = len(start.watch.heard), start.status
    await start.come()
    answer = start.verdicts(seen)[0]
    order = answer.goes_on if isinstance(answer, UnitAccepted) else None
    if order is None:
        raise Wrong(f"the house lets table {start.name} go on, and it is accepted without goes_on")
    told = order.through, order.round, order.contributions, order.contributed_cents
    right = known, status.round, status.contributions, status.contributed_cents
    if told != right or not order.by:
        raise Wrong(f"a start goes on from {told} by {order.by!r} instead of {right}")


INTRODUCTION = Check(
    "7.6", "A waiting table is accepted, in the name of the books.", waiting_is_accepted
)
CHECKS = (
    Check("7.2", "A second unit of a table is refused.", second_unit_is_refused),
    Check("7.8", "A new start that continues its journal is accepted.", new_start_goes_on),
    Check("7.7, 7.8", "An older copy of a journal is refused.", old_copy_is_refused),
    Check("7.8", "A copy that was played on is refused.", played_on_copy_is_refused),
    Check("7.7", "Another chain of the known record is refused.", other_chain_is_refused),
    Check("7.5, 7.7", "A head that another key has signed is refused.", other_key_is_refused),
    Check(
        "7.7", "A status without a head is refused once one is known.", without_a_head_is_refused
    ),
    Check(
        "7.9, 7.12",
        "A second start waits: it is refused if the first answers, and accepted if it is gone.",
        second_start_waits_for_the_first,
        slow=True,
    ),
    Check(
        "7.6, 7.9",
        "A start that asks seldom is accepted too when the first is gone.",
        seldom_asking_start_is_accepted,
        slow=True,
    ),
    Check(
        "7.11",
        "A start that lacks records goes on from the books when the house orders it.",
        ordered_start_goes_on,
        orders=True,
    ),
    Check("7.7", "A restart forgets no head of a journal.", restart_forgets_no_head, restarts=True),
    Check(
        "7.10", "The last will of another start changes nothing.", other_farewell_changes_nothing
    ),
    Check(
        "7.5, 7.10",
        "A farewell that the table's key has not signed changes nothing.",
        unsigned_farewell_changes_nothing,
    ),
    Check(
        "7.10",
        "An old last will that is said again changes nothing.",
        old_farewell_changes_nothing,
    ),
    Check(
        "7.10",
        "Every last will counts, though nothing was written since the one before.",
        every_farewell_counts,
    ),
)
