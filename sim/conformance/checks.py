"""What the kit checks of connection, contributions, counts and restarts.

Each check plays a piece of a table's life and raises `Wrong` with one sentence if the controller does
not do what the paragraph says. That something does not happen is seen by what comes after it: the
answer to a later message.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from firmware.link.settings import LinkSettings
from firmware.protocol.messages import (
    Acknowledgement,
    ControllerStatus,
    MeterMessage,
    Mismatch,
    Rejection,
)
from firmware.rules.game import Game
from sim.conformance.tables import STAKE_CENTS, KitTable, Wrong
from sim.conformance.watching import Watch
from sim.connection import connected, named

SILENT_S = 6.0
"""After so long without a heartbeat a table gives the controller up."""


class Link(Struct, frozen=True):
    """What a check has to play with."""

    tables: list[KitTable]
    watch: Watch
    settings: LinkSettings
    game: Game
    restart: Callable[[], Awaitable[None]] | None = None
    accept: Callable[[str, str], Awaitable[None]] | None = None
    """Has the house let a refused unit go on: a table, and its journal."""

    @property
    def table(self) -> KitTable:
        """The first table."""
        return self.tables[0]


class Check(Struct, frozen=True):
    """One thing that is checked: its paragraphs, what should be, and how to find out."""

    paragraphs: str
    sentence: str
    play: Callable[[Link], Awaitable[None]]
    restarts: bool = False
    orders: bool = False
    """Whether the house has to order something for it."""
    slow: bool = False
    """Whether it takes longer than all others together."""


async def newcomer_is_told(link: Link) -> None:
    """Ask what the broker retains, as a table does that has just been switched on."""
    topics, name = link.watch.topics, link.table.name
    wanted = (topics.controller, topics.meter, topics.pending)
    found = await _retained(link, topics.answer(name), *wanted)
    for topic in wanted:
        if topic not in found:
            raise Wrong(f"nothing is retained on {topic}")
    if topics.answer(name) in found:
        raise Wrong(f"an answer is retained on {topics.answer(name)}")
    books = {msgspec.json.decode(found[topic]).get("books") for topic in wanted}
    if len(books) > 1 or not books - {None, ""}:
        raise Wrong("the status, the meter and the pending claims do not name the same books")


async def _retained(link: Link, *topics: str) -> dict[str, bytes]:
    """Return what a broker has retained on these topics; the last of them has to have something."""
    name = link.table.name
    own, broker = named(link.settings, name), link.settings.brokers[0]
    found: dict[str, bytes] = {}
    async with connected(own, broker, f"new-{secrets.token_hex(8)}") as client:
        for topic in topics:
            await client.subscribe(topic, qos=1)
        with suppress(TimeoutError):
            async with asyncio.timeout(link.table.patience_s):
                while topics[-1] not in found:
                    message = await anext(aiter(client.messages))
                    if message.retain and isinstance(message.payload, bytes):
                        found[message.topic.value] = message.payload
    return found


async def heart_beats(link: Link) -> None:
    """Wait for two more heartbeats."""
    seen = len(link.watch.heard)

    def beats() -> list[float]:
        return [
            each.at_s
            for each in link.watch.heard[seen:]
            if each.by == link.table.name
            and isinstance(each.message, ControllerStatus)
            and each.message.online
        ]

    for _ in range(2):
        count = len(beats())
        if not await link.watch.until(lambda: len(beats()) > count, SILENT_S):  # noqa: B023  # at once
            raise Wrong(f"its status was not published again within {SILENT_S:g} s")


async def worth_of_a_bet(table: KitTable) -> int:
    """Find out by how many cents a contribution raises the meter."""
    first = await table.meter_of_a_small_round()
    second = await table.meter_of_a_small_round()
    return second.meter_cents - first.meter_cents


async def bet_counts(link: Link) -> None:
    """Contribute, and look at the meter."""
    worth_cents = await worth_of_a_bet(link.table)
    if not 0 < worth_cents <= STAKE_CENTS:
        raise Wrong(f"a stake of {STAKE_CENTS} cents changes the meter by {worth_cents} cents")


async def bet_counts_once(link: Link) -> None:
    """Send contributions twice, as after a lost answer."""
    table = link.table
    worth_cents = await worth_of_a_bet(table)
    before = await table.meter_of_a_small_round()
    bets = await table.open_round(1, 2, 3, 4)
    seen = len(link.watch.heard)
    await table.send(*bets)
    for bet in bets:
        await table.acknowledged(bet, seen)
    await table.end_round()
    after = await table.meter_of_a_small_round()
    rise_cents, expected_cents = after.meter_cents - before.meter_cents, 5 * worth_cents
    if abs(rise_cents - expected_cents) > max(2, worth_cents // 2):
        raise Wrong(
            f"four contributions that were sent twice, and one more, raised the meter by"
            f" {rise_cents} cents instead of {expected_cents}"
        )


async def other_contents_are_rejected(link: Link) -> None:
    """Send something else under an id that is entered."""
    table = link.table
    (bet,) = await table.open_round(1)
    seen = len(link.watch.heard)
    await table.send(replace(bet, stake_cents=2 * bet.stake_cents))
    await table.everything_is_answered()
    answers = table.answers(bet.id, seen)
    if not any(isinstance(each, Rejection) for each in answers):
        raise Wrong(f"{bet.id} came again with another stake and was not rejected")
    await table.end_round()


async def foreign_messages_are_not_entered(link: Link) -> None:
    """Speak for another table, in the message or in its id."""
    table, other = link.tables[:2]
    await table.open_round(1)
    foreign = replace(table.contribution(2), table=other.name)
    stolen = replace(table.contribution(3), id=other.next_id())
    await table.send(foreign, stolen)
    await table.everything_is_answered()
    await other.everything_is_answered()
    for each in (foreign, stolen):
        for who in (table, other):
            if any(isinstance(a, Acknowledgement) for a in who.answers(each.id)):
                raise Wrong(f"table {table.name} spoke for {other.name}, and it was acknowledged")
    await table.end_round()


async def nonsense_is_survived(link: Link) -> None:
    """Send what is no message, then one with a field that nobody knows."""
    table = link.table
    await table.open_round(1)
    for nonsense in (b"", b"{", b"[]", b'{"message":"greeting"}', b"\xff\xfe", b"[" * 5_000):
        await table.send_bytes(nonsense)
    bet = table.contribution(2)
    fields = msgspec.to_builtins(bet) | {"message": "contribution", "colour": "red"}
    await table.send_bytes(msgspec.json.encode(fields))
    await table.acknowledged(bet)
    await _counted(table, bet.stake_cents)
    await table.end_round()


async def _counted(table: KitTable, cents: int, number: int = 1) -> None:
    status = table.status
    await table.say_status(
        contributions=status.contributions + number,
        contributed_cents=status.contributed_cents + cents,
    )


async def reversal_takes_back(link: Link) -> None:
    """Contribute, reverse, and compare the meters."""
    table = link.table
    worth_cents = await worth_of_a_bet(table)
    before = await table.meter_of_a_small_round()
    (bet,) = await table.open_round(2)
    taken_back = table.reversal(bet)
    await table.send(taken_back, taken_back)
    await table.acknowledged(taken_back)
    await _counted(table, -bet.stake_cents, -1)
    await table.end_round()
    after = await table.meter_of_a_small_round()
    rise_cents = after.meter_cents - before.meter_cents
    if abs(rise_cents - worth_cents) > max(1, worth_cents // 2):
        raise Wrong(f"a contribution and its reversal changed the meter by {rise_cents} cents")


async def early_waits(link: Link) -> None:
    """Reverse a contribution that has not come yet, then let it come."""
    table = link.table
    await table.open_round(1)
    bet = table.contribution(2)
    taken_back = table.reversal(bet)
    await table.send(taken_back)
    await table.everything_is_answered()
    if table.answers(taken_back.id):
        raise Wrong("a reversal that came before its contribution was answered")
    await table.contribute(bet)
    await table.send(taken_back)
    await table.acknowledged(taken_back)
    await _counted(table, -bet.stake_cents, -1)
    await table.end_round()


async def counts_are_compared(link: Link) -> None:
    """Say a count that is right, one that is not but owes something, and one that is wrong."""
    table = link.table
    await table.open_round(1)
    right, seen = table.status, len(link.watch.heard)
    wrong = replace(right, contributions=right.contributions + 1)
    await table.publish_status(right)
    await table.publish_status(replace(wrong, owed=1))
    await table.everything_is_answered()
    told = [each.message for each in link.watch.heard[seen:] if each.by == table.name]
    if any(isinstance(each, Mismatch) for each in told):
        raise Wrong("a count that agrees, or that owes something, was answered with a mismatch")
    await table.publish_status(wrong)
    answer = await table.heard_answer(Mismatch, seen)
    if not isinstance(answer, Mismatch):
        raise Wrong("a count that differs was not answered with a mismatch")
    told_count = answer.contributions, answer.contributed_cents
    if told_count != (right.contributions, right.contributed_cents):
        raise Wrong(
            f"it says that it has {told_count[0]} contributions of {told_count[1]} cents, but it"
            f" has acknowledged {right.contributions} of {right.contributed_cents}"
        )
    await table.publish_status(right)
    await table.end_round()


async def restart_loses_nothing(link: Link) -> None:
    """Restart the controller, and send again what it had acknowledged."""
    table = link.table
    bets = await table.open_round(1, 2, 3)
    before = await table.meter_after_its_bets()
    books, seen = before.books, len(link.watch.heard)
    if link.restart is None:
        return
    await link.restart()
    await back_online(link, seen)
    await table.say_status()
    await table.send(*bets)
    for bet in bets:
        await table.acknowledged(bet, seen)
    meters = [e.message for e in link.watch.heard[seen:] if isinstance(e.message, MeterMessage)]
    if any(each.books != books for each in meters):
        raise Wrong("after a restart it names other books")
    await table.end_round()
    after = await table.meter_of_a_small_round()
    if after.meter_cents < before.meter_cents:
        raise Wrong(
            f"a restart took the meter from {before.meter_cents} to {after.meter_cents} cents"
        )
    seen = len(link.watch.heard)
    await table.say_status()
    await table.everything_is_answered()
    told = [each.message for each in link.watch.heard[seen:] if isinstance(each.message, Mismatch)]
    if told:
        raise Wrong(
            f"after a restart it has {told[0].contributions} contributions, but it has"
            f" acknowledged {table.status.contributions}"
        )


async def back_online(link: Link, seen: int) -> None:
    """Wait until the controller was gone and is back."""

    def said() -> list[bool]:
        statuses = (e.message for e in link.watch.heard[seen:] if e.by == link.table.name)
        return [each.online for each in statuses if isinstance(each, ControllerStatus)]

    came = await link.watch.until(
        lambda: False in said() and said()[-1], 10 * link.table.patience_s
    )
    if not came and False not in said():
        raise Wrong("nobody was told that it was gone: it leaves no last will")
    if not came:
        raise Wrong("it did not come back online after the restart")


CHECKS = (
    Check(
        "1.2, 3.4",
        "Status, meter and pending claims are retained, name one books, and answers are not.",
        newcomer_is_told,
    ),
    Check("2.1", "The heart beats.", heart_beats),
    Check("4.1, 4.5", "A contribution is acknowledged and raises the meter.", bet_counts),
    Check("3.2", "What is sent twice counts once and is answered twice.", bet_counts_once),
    Check("3.2", "An id with other contents is rejected.", other_contents_are_rejected),
    Check("3.3", "Nobody speaks for another table.", foreign_messages_are_not_entered),
    Check("1.8", "Nonsense does no harm, and an unknown field is ignored.", nonsense_is_survived),
    Check("4.6", "A reversal takes its contribution back, once.", reversal_takes_back),
    Check("2.5", "What comes too early is not answered before its time.", early_waits),
    Check("4.7", "A count that differs is answered with the right one.", counts_are_compared),
    Check(
        "4.1, 3.4, 1.4",
        "A restart loses nothing that was acknowledged, and is noticed.",
        restart_loses_nothing,
        restarts=True,
    ),
)
