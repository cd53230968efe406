"""`underfelt journal`: verifies, shows and replays the journal of a table.

The folder is the table's own or a copy of it, and is only read. A journal has every card,
including those that stayed face down, and `show` and `replay` print them.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

from firmware.errors import BadInput
from host_tools.journal import fetch, slip
from host_tools.journal.copies import check_folder, remedy_of_a_copy
from host_tools.journal.heads import kept_heads
from host_tools.journal.replaying import Replay, replays
from host_tools.journal.story import MAX_ROUND, MisfitError, Told, last_round, told
from host_tools.journal.times import (
    ALWAYS_MS,
    NO_SUCH_TIME,
    local_day,
    local_time,
    locally,
    period,
    time_zone,
)
from host_tools.journal.verify import verify_journal
from host_tools.terminal import print_help_alone, say, say_json

app = typer.Typer()
app.command()(fetch.pull)
app.command()(fetch.export)
app.command()(slip.slip)

JournalArgument = Annotated[Path, typer.Argument(help="The journal's folder, or a copy of it.")]
RoundNumber = Annotated[int | None, typer.Option("--round", help="Only this round.", min=1)]
Last = Annotated[
    int | None, typer.Option("--last", help="Only this many of the last rounds.", min=1)
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]


@app.callback(invoke_without_command=True)
def journal(context: typer.Context) -> None:
    """Fetch, verify, show, replay and export the journal of a table, and print its slips.

    underfelt journal pull ssh://pi@table7 T7-journal

    underfelt journal verify T7-journal --against jackpot.sqlite
    """
    print_help_alone(context)


@app.command()
def verify(
    folder: JournalArgument,
    *,
    against: Annotated[
        Path | None,
        typer.Option("--against", help="The jackpot controller's books, or an older copy."),
    ] = None,
    head: Annotated[
        str, typer.Option("--head", help="A record and its chain that were noted, as N:CHAIN.")
    ] = "",
    table: Annotated[str, typer.Option("--table", help="The table whose journal it must be.")] = "",
    json: Json = False,
) -> None:
    """Verify every record, header and snapshot; exit status 1 if anything is wrong.

    Each snapshot is compared with the result of the records before it. This finds damage, but not
    what somebody has changed who made the chain anew, nor an end that was removed. With --against or
    --head it is also compared with what somebody else has kept: that finds both, up to the last record
    that is known there, unless what was kept was changed too. Records before the first one that is
    still here cannot be compared.

    underfelt journal verify T1-journal

    underfelt journal verify T1-journal --against jackpot.sqlite --table T1
    """
    kept = partial(kept_heads, against, head) if against is not None or head else None
    verdict = verify_journal(folder, table_name=table, kept=kept)
    if json:
        say_json(verdict)
    else:
        say(verdict.sentence)
    if not verdict.sound:
        raise typer.Exit(1)


@app.command()
def show(  # noqa: PLR0913  # each is an option
    folder: JournalArgument,
    *,
    round_number: RoundNumber = None,
    last: Last = None,
    since: fetch.Since = "",
    until: fetch.Until = "",
    prompts: Annotated[
        bool, typer.Option("--prompts", help="Include what the dealer was told to do.")
    ] = False,
) -> None:
    """Show the rounds in words: each record, and what followed from it.

    This shows every card that was dealt, including those that stayed face down.

    underfelt journal show T1-journal --last 3
    """
    check_folder(folder)
    low, high = _rounds(folder, round_number, last)
    earliest, latest = period(since, until, first_ms=-ALWAYS_MS, last_ms=ALWAYS_MS)
    chosen = (
        each
        for each in told(folder, low)
        if low <= each.round <= high and earliest <= each.at_ms <= latest
    )
    shown = False
    with remedy_of_a_copy(folder):
        for line in _lines(chosen, prompts=prompts):
            shown = True
            say(line)
    if not shown:
        raise BadInput("journal", f"{folder} has no record of that round or time")


@app.command()
def replay(
    folder: JournalArgument,
    *,
    round_number: RoundNumber = None,
    last: Last = None,
    json: Json = False,
) -> None:
    """Settle rounds again and compare the result with what was recorded.

    This covers the settlement that the dealer paid, the jackpot claims, and awards of fixed amounts;
    what a share of the meter comes to only the jackpot controller knows. It shows that the outcome
    follows from the recorded bets and cards, not that these are what happened. The exit status is 1
    if a round differs. In a void round every bet must have been returned and nothing claimed. A single
    round is explained, except for hands that were not shown.

    underfelt journal replay T1-journal --round 17
    """
    check_folder(folder)
    low, high = _rounds(folder, round_number, last)
    with remedy_of_a_copy(folder):
        found, misfit = _found(folder, low, high)
    if round_number is not None and not found and not misfit:
        raise BadInput("--round", f"round {round_number} of {folder} was not settled")
    if json:
        say_json(found)
    else:
        for each in found:
            for line in _replay_lines(each, explain=round_number is not None):
                say(line)
    if not found and not misfit and not json:
        say(f"No round of {folder} was settled: there is nothing to replay.")
    if misfit:
        say(misfit, err=json)
    if misfit or any(each.differences for each in found):
        raise typer.Exit(1)


def _found(folder: Path, low: int, high: int) -> tuple[list[Replay], str]:
    """Replay rounds up to a record that does not fit, and say which that is."""
    found: list[Replay] = []
    try:
        for each in replays(folder, low):
            if low <= each.round <= high:
                found.append(each)  # noqa: PERF401  # what was found before a misfit counts
    except MisfitError as misfit:
        return found, str(misfit)
    return found, ""


def _rounds(folder: Path, number: int | None, last: int | None) -> tuple[int, int]:
    """Return the first and last round asked for."""
    if number is not None and last is not None:
        raise BadInput("--round and --last", "cannot be used together")
    if number is not None:
        return number, number
    if last is not None:
        with remedy_of_a_copy(folder):
            newest = last_round(folder)
        return max(newest - last + 1, 0), MAX_ROUND
    return 0, MAX_ROUND


def _lines(chosen: Iterable[Told], *, prompts: bool) -> Iterator[str]:
    for number, entries in groupby(chosen, key=lambda each: each.round):
        day = ""
        for each in entries:
            today = local_day(each.at_ms)
            if not day:
                heading = f"Round {number}" if number else "Before the first round"
                yield f"{heading}   {today} ({time_zone()})   {each.game}"
            elif today != day:
                yield f"  {today}"
            day = today
            yield f"  {_time(each.at_ms)}  {each.sequence:>6}  {each.words}"
            yield from (f"{'':24}{line}".rstrip() for line in each.followed)
            if prompts:
                yield from (f"{'':24}> {line}" for line in each.prompt)
        yield ""


def _replay_lines(each: Replay, *, explain: bool) -> list[str]:
    if each.differences:
        verdict = "the recorded outcome does not match the rules: " + "; ".join(each.differences)
    elif each.void:
        verdict = "void; every bet was returned and nothing claimed"
    elif each.recorded:
        verdict = "the recorded outcome matches the rules"
    else:
        verdict = "the claims match the rules; no payment was recorded to compare with"
    words = f"Round {each.round}, {local_time(each.at_ms)}: {verdict}."
    return [words, "", *each.explained.split("\n"), ""] if explain else [words]


def _time(at_ms: int) -> str:
    moment = locally(at_ms)
    return f"{moment:%H:%M:%S}.{at_ms % 1000:03}" if moment is not None else NO_SUCH_TIME
