"""A journal as a story: folded record by record, each with what followed from it.

`told` yields one entry per record. The words for an event are in `words.py`; rounds are settled
again and compared in `replaying.py`; the commands are in `command.py`.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from firmware.errors import JournalError, UnderfeltError
from firmware.journal.reader import newest, records, snapshots
from firmware.journal.records import Record
from firmware.protocol.obligations import Obligation
from firmware.rules.contract import SeatResult
from firmware.rules.explain import explain_settlement
from firmware.rules.settle import settle
from firmware.rules.words import bet_name
from firmware.shell.folding import folded, restored
from firmware.table.effects import ShowPrompt
from firmware.table.events import BetsClosed, JournalOpened, RoundPaid, StaffIdentified
from firmware.table.settlement import round_document
from firmware.table.state import AT_REST, RoundState, SeatState
from firmware.table.table import Table
from host_tools.journal.asked import became, moment_of
from host_tools.journal.words import (
    Money,
    event_words,
    obligation_words,
    paid_words,
    ruling_words,
)

MAX_ROUND = 10**12


class Told(Struct, frozen=True):
    """One record, and what followed from it."""

    sequence: int
    at_ms: int
    round: int
    opens_round: bool
    game: str
    words: str
    followed: tuple[str, ...]
    prompt: tuple[str, ...]
    """What the dealer was told then, if it changed."""


class MisfitError(JournalError):
    """A record that does not follow from those before it under this version's rules."""


class JournalStep(Struct, frozen=True):
    """A record, the table after it, and what was new with it."""

    record: Record
    table: Table
    opens_round: bool
    settles: bool
    voids: bool
    owed: tuple[str, ...]
    dropped: tuple[Obligation, ...]
    """What is no longer owed because the shift manager has settled its rejection."""
    became: tuple[str, ...]
    """What was asked of somebody with a PIN, and what became of it."""
    dealt_to: str
    prompt: tuple[str, ...]
    counted: int = 0
    counted_cents: int = 0
    """By how much the table's own count of contributions has changed."""

    @property
    def words(self) -> str:
        """What the record says, in words that are true of the table after it.

        Read them before the next step: the table is the one that goes on.
        """
        event, state = self.record.event, self.table.state
        if isinstance(event, RoundPaid):
            return paid_words(event, is_over=state.phase in AT_REST)
        return event_words(event, self.table.settings.money)


def last_round(folder: Path) -> int:
    """Return the number of the newest round."""
    table, _ = _base(folder, from_round=MAX_ROUND)
    return folded(table.settings, folder, newest(folder)).table.state.round.number


def steps(folder: Path, from_round: int = 0) -> Iterator[JournalStep]:
    """Fold a journal step by step, from the newest starting point before a round."""
    table, following = _base(folder, from_round)
    for record in following:
        before = table.state.round
        number, results, owed = before.number, list(before.results), dict(table.state.owed)
        was_void, clearing = before.void, table.state.clearing
        waiting = moment_of(table, record.event)
        hands = _hands(before)
        totals = table.state.totals
        contributions, contributed_cents = totals.contributions, totals.contributed_cents
        outcome = table.step(record.event)
        if not outcome.decided:
            raise MisfitError(
                f"{folder}: record {record.sequence}: does not follow from the records "
                "before it by the rules of this version"
            )
        state = table.state
        opens = state.round.number != number
        void = state.round.void
        prompts = [effect.lines for effect in outcome.effects if isinstance(effect, ShowPrompt)]
        yield JournalStep(
            record,
            table,
            opens_round=opens,
            settles=not void and _settles(state.round, [] if opens else results),
            voids=void and (opens or not was_void),
            owed=tuple(owed_id for owed_id in state.owed if owed_id not in owed),
            dropped=_dropped(table, record, owed, clearing),
            became=tuple(became(waiting, table, record.event)),
            dealt_to=", ".join(
                place for place, cards in _hands(state.round).items() if cards > hands.get(place, 0)
            ),
            prompt=prompts[-1] if prompts else (),
            counted=state.totals.contributions - contributions,
            counted_cents=state.totals.contributed_cents - contributed_cents,
        )


def _settles(play: RoundState, results: list[SeatResult]) -> bool:
    """Tell whether the round is settled now, or anew after something was put right."""
    return bool(play.results) and play.results != results


def _dropped(
    table: Table, record: Record, owed: Mapping[str, Obligation], clearing: str
) -> tuple[Obligation, ...]:
    """List what somebody's number and PIN have let the table owe no longer."""
    if not (clearing and isinstance(record.event, StaffIdentified)):
        return ()
    return tuple(each for i, each in owed.items() if i not in table.state.owed)


def told(folder: Path, from_round: int = 0) -> Iterator[Told]:
    """Tell a journal record by record."""
    for step in steps(folder, from_round):
        settings, state = step.table.settings, step.table.state
        followed = [ruling_words(settings, step.record.event, state.round.incident)]
        followed += step.became
        if isinstance(step.record.event, BetsClosed):
            followed += [
                _stakes(seat, play, settings.money) for seat, play in state.round.seats.items()
            ]
        followed += [obligation_words(state.owed[owed_id], settings.money) for owed_id in step.owed]
        if step.settles or step.voids:
            followed += _explained(step.table).splitlines()
        yield Told(
            sequence=step.record.sequence,
            at_ms=step.record.event.at_ms,
            round=state.round.number,
            opens_round=step.opens_round,
            game=settings.game,
            words=step.words + (step.dealt_to and f", to {step.dealt_to}"),
            followed=tuple(filter(None, followed)),
            prompt=step.prompt,
        )


def _explained(table: Table) -> str:
    """Explain the settlement of the round as the rules of this version give it."""
    play = table.state.round
    if play.void:
        return void_words(play, table.settings.money)
    try:
        asked = round_document(table.settings, play)
        return explain_settlement(asked, settle(asked), table.settings.currency)
    except UnderfeltError as error:
        return f"the settlement cannot be explained: {error}"


def void_words(play: RoundState, money: Money) -> str:
    """Explain what is returned in a round that is void."""
    lines = ["The round is void: every bet is returned and nothing is claimed."]
    for seat, player in play.seats.items():
        stakes = [
            f"{bet_name(bet)} {money(cents)}" for bet, cents in player.stakes.items() if cents
        ]
        if stakes:
            lines.append(f"Seat {seat}    returned: {', '.join(stakes)}")
    return "\n".join(lines)


def _hands(play: RoundState) -> dict[str, int]:
    """Return how many cards everyone has."""
    seats = {f"seat {seat}": len(player.cards) for seat, player in play.seats.items()}
    return seats | {"the dealer": len(play.dealer), "the board": len(play.community)}


def _stakes(seat: int, play: SeatState, money: Money) -> str:
    stakes = ", ".join(f"{bet_name(bet)} {money(cents)}" for bet, cents in play.stakes.items())
    return f"seat {seat} bets {stakes}"


def _base(folder: Path, from_round: int) -> tuple[Table, Iterator[Record]]:
    """Return the newest starting point before a round, or the oldest there is."""
    oldest: tuple[int, bytes] | None = None
    for first, snapshot in snapshots(folder):
        try:
            table = restored(snapshot)
        except JournalError:  # from another version: the records before it say the same
            continue
        if table.state.round.number < from_round:
            return table, records(folder, first - 1)
        oldest = first, snapshot
    every = records(folder)
    opened = next(every, None)
    if opened is None:
        raise JournalError(f"{folder}: holds no journal")
    if opened.sequence == 1:
        return _new_table(folder, opened), records(folder)
    if oldest is None:
        raise JournalError(f"{folder}: the first segment is missing, and so are all snapshots")
    return restored(oldest[1]), records(folder, oldest[0] - 1)


def _new_table(folder: Path, first: Record) -> Table:
    """Make the table that a journal begins with."""
    opened = first.event
    if not isinstance(opened, JournalOpened) or opened.settings is None:
        raise JournalError(f"{folder}: record 1: does not say which settings the table had")
    return Table(opened.settings)
