"""Rounds of a journal settled again by the rules of this version, and compared with the record.

A void round is compared with what a void means: every bet returned, nothing contributed, nothing
claimed (I-37). A round that cannot be settled again is a difference, and no reason to stop. How a
journal is folded is in `story.py`.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct, field

from firmware.errors import UnderfeltError
from firmware.rules.contract import BetResult, Claim, SeatResult
from firmware.rules.explain import explain_settlement
from firmware.rules.settle import settle
from firmware.rules.words import bet_name
from firmware.table.events import AwardGranted, RoundPaid
from firmware.table.settlement import round_document
from firmware.table.state import RoundState
from firmware.table.table import Table
from host_tools.journal.story import JournalStep, MisfitError, steps, void_words
from host_tools.journal.words import Money


class Replay(Struct):
    """A round that was settled again."""

    round: int
    at_ms: int
    explained: str = ""
    void: bool = False
    recorded: bool = False
    """Whether the journal holds an outcome to compare with."""
    differences: list[str] = field(default_factory=list)


def replays(folder: Path, from_round: int = 0) -> Iterator[Replay]:
    """Settle every round from a given one on again, when it is paid or the next opens."""
    replay: Replay | None = None
    wins: dict[str, Claim] = {}
    try:
        for step in steps(folder, from_round):
            if replay is not None and step.table.state.round.number != replay.round:
                yield replay
                replay = None
                wins.clear()
            replay = _taken(step, replay, wins)
    except MisfitError:
        if replay is not None:
            yield replay
        raise
    if replay is not None:
        yield replay


def _taken(step: JournalStep, replay: Replay | None, wins: dict[str, Claim]) -> Replay | None:
    """Take one more record into the replay of its round; `wins` is what was claimed in it."""
    event = step.record.event
    if step.settles or step.voids:
        before = replay.differences if replay is not None else []
        replay = _replayed(step)
        replay.differences[:0] = before
        claims = step.table.state.round.claims
        wins.update((claim_id, made.claim) for claim_id, made in claims.items())
    if replay is not None and isinstance(event, AwardGranted) and event.id in wins:
        replay.differences += _award_differences(event, wins[event.id], step.table.settings.money)
    if replay is not None and isinstance(event, RoundPaid) and event.results:
        replay.recorded = True
        replay.differences += _compared(step.table, event.results)
    return replay


def _replayed(step: JournalStep) -> Replay:
    """Settle the round of a step again, and compare it with what the table has."""
    play = step.table.state.round
    replay = Replay(play.number, step.record.event.at_ms, void=play.void)
    if play.void:
        replay.explained = void_words(play, step.table.settings.money)
        replay.differences += _void_differences(play)
    else:
        try:
            asked = round_document(step.table.settings, play)
            answer = settle(asked)
        except UnderfeltError as error:
            replay.differences.append(_unsettled(error))
            return replay
        replay.explained = explain_settlement(asked, answer, step.table.settings.currency)
        settled = {seat.seat for seat in asked.seats}
        known = [made.claim for made in play.claims.values() if made.seat in settled]
        expected = [claim for claim in answer.claims if claim not in play.denied]
        if sorted(known, key=repr) != sorted(expected, key=repr):
            replay.differences.append("the jackpot claims do not match the rules")
    replay.differences += _compared(step.table, tuple(play.results))
    return replay


def _compared(table: Table, recorded: tuple[SeatResult, ...]) -> list[str]:
    """Compare recorded results with what the rules give, or with everything returned."""
    play, money = table.state.round, table.settings.money
    if play.void:
        return list(_differences(_bets(recorded), _returned(play), money))
    try:
        given = settle(round_document(table.settings, play)).seats
    except UnderfeltError as error:
        return [_unsettled(error)]
    return list(_differences(_bets(recorded), _bets(given), money))


def _unsettled(error: UnderfeltError) -> str:
    return f"the round cannot be settled again: {error}"


def _void_differences(play: RoundState) -> Iterator[str]:
    """List what still stands in a void round although nothing may."""
    for seat, player in play.seats.items():
        for bet in player.contributions:
            yield f"seat {seat}, {bet_name(bet)}: still contributed although the round is void"
    for claim in play.claims.values():
        yield f"seat {claim.seat}: {claim.words} still claimed although the round is void"


_SeatBets = dict[int, dict[str, BetResult]]


def _bets(results: Iterable[SeatResult]) -> _SeatBets:
    return {result.seat: result.bets for result in results}


def _returned(play: RoundState) -> _SeatBets:
    """Return what a void gives: every stake back, and nothing more."""
    return {
        seat: {
            bet: BetResult(stake=cents, outcome="returned", winnings=0, returned=cents)
            for bet, cents in player.stakes.items()
        }
        for seat, player in play.seats.items()
    }


def _differences(was: _SeatBets, now: _SeatBets, money: Money) -> Iterator[str]:
    for seat in sorted({*was, *now}):
        if seat not in was or seat not in now:
            yield f"seat {seat}: is only in the {'record' if seat in was else 'rules'}"
            continue
        for bet in sorted({*was[seat], *now[seat]}):
            before, after = was[seat].get(bet), now[seat].get(bet)
            if before != after:
                yield (
                    f"seat {seat}, {bet_name(bet)}: recorded {_bet(before, money)}, the rules give "
                    f"{_bet(after, money)}"
                )


def _bet(bet: BetResult | None, money: Money) -> str:
    if bet is None:
        return "nothing"
    return f"{bet.outcome}, {money(bet.winnings)} paid and {money(bet.returned)} returned"


def _award_differences(event: AwardGranted, claim: Claim, money: Money) -> Iterator[str]:
    """Compare an award with a fixed amount; only the controller knows a share of the meter."""
    if claim.percent is None and event.amount_cents != claim.amount:
        yield (
            f"seat {claim.seat}: awarded {money(event.amount_cents)}, "
            f"the rules give {money(claim.amount or 0)}"
        )
