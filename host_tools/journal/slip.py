"""`underfelt journal slip`: the hand-pay slips of a win, from a copy or straight from a table.

A seat is paid one sum, so all its wins of the round are printed. They are looked for from the newest
segment back, so that a slip does not take longer as a journal grows. What stands on a slip is in
`audit/slips.py`, what is told of a round under way in `under_way.py`.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from firmware.errors import JournalError, UnderfeltError
from firmware.journal.files import segment_files
from firmware.journal.regular_files import write_text
from firmware.maintenance.protocol import JournalFile, JournalListed, Show, Shown
from host_tools.audit.beside import Slip, listed, slips
from host_tools.audit.collect import collect
from host_tools.audit.rows import DROPPED, END_OF_TIME_MS, WITHDRAWN, Audit, WinRow
from host_tools.audit.slips import heading, slip_text, slips_page
from host_tools.connection.table_stream import TableStream, open_table
from host_tools.journal.copies import check_folder, remedy_of_a_copy
from host_tools.journal.pull import listed as listed_files
from host_tools.journal.pull import pull_files
from host_tools.journal.story import MAX_ROUND
from host_tools.journal.under_way import (
    LAST,
    gone_under_way,
    ids_under_way,
    missing,
    wins_under_way,
)
from host_tools.terminal import say

_MOST_SEATS = 9
_NAMED = 5
"""So many wins are named where another one was asked for."""


class NoSlip(UnderfeltError):  # noqa: N818  # the word people use
    """There is no slip to print, and why: one sentence for whoever asked for it."""


def slip(
    where: Annotated[
        str,
        typer.Argument(
            metavar="WHERE",
            help="A table such as sim:T1 or ssh://pi@table7, or the folder of a copy.",
        ),
    ],
    win: Annotated[
        str,
        typer.Argument(metavar="WIN", help="`last`, a seat, or the id of a win."),
    ] = LAST,
    *,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Also write a page to print, on A6 or 80 mm."),
    ] = None,
) -> None:
    """Print the hand-pay slips of a win.

    For `last` these are all wins of the last round that has any, for a seat all that it won in its last
    such round. On a table they can be printed as soon as the panel says to pay them, before PAID; their
    chain is known once the round is over. After PAID a slip is a copy, without lines to sign.

    underfelt journal slip sim:T1 last --html slip.html

    underfelt journal slip T1-journal 3
    """
    folder = Path(where)
    is_copy = folder.is_dir() or ":" not in where
    made = _of_folder(folder, win) if is_copy else _of_table(where, win)
    now_ms = time.time_ns() // 1_000_000
    for place, each in enumerate(made):
        for line in ([""] if place else []) + slip_text(each, now_ms):
            say(line)
    if html is not None:
        write_text(html, slips_page(made, now_ms))
        say(f"wrote {html}", err=True)


def _of_folder(folder: Path, wanted: str) -> list[Slip]:
    check_folder(folder)
    with remedy_of_a_copy(folder):
        if not segment_files(folder):
            raise JournalError(f"{folder}: holds no journal")
        audit = collect(folder, 0, END_OF_TIME_MS, from_round=MAX_ROUND)
        chosen = _chosen(audit.wins, wanted)
        if not _whole(audit, chosen):
            audit = collect(folder, 0, END_OF_TIME_MS)
            chosen = _chosen(audit.wins, wanted)
    if not chosen:
        raise _no_such_win(str(folder), _ids(audit.wins), wanted)
    return slips(chosen, audit.wins, of_round=wanted == LAST)


def _of_table(where: str, wanted: str) -> list[Slip]:
    """Take the round under way, or fetch segments, newest first, until the win is found."""
    with open_table(where) as table, TemporaryDirectory(prefix="underfelt-slip-") as folder:
        shown = table.ask(Shown, lambda number: Show(number=number)).table
        lacking = missing(shown, wanted)
        being_paid = wins_under_way(shown)
        chosen = [] if lacking else _chosen(being_paid, wanted)
        if chosen:
            gone = gone_under_way(shown)
            return slips(chosen, being_paid, gone, of_round=wanted == LAST)
        audit = _fetched(table, Path(folder), wanted)
    chosen = _chosen(audit.wins, wanted)
    if lacking:
        raise NoSlip(lacking + _older(chosen))
    if not chosen:
        raise _no_such_win(where, [*_ids(audit.wins), *ids_under_way(shown)], wanted)
    return slips(chosen, audit.wins, of_round=wanted == LAST)


def _fetched(table: TableStream, folder: Path, wanted: str) -> Audit:
    """Fetch the journal as far back as the round of the wins that are wanted."""
    audit = Audit()
    for part in _parts(listed_files(table)):
        pull_files(table, part, folder, lambda _: None)
        if segment_files(folder):
            audit = collect(folder, 0, END_OF_TIME_MS)
            if _whole(audit, _chosen(audit.wins, wanted)):
                break
    return audit


def _whole(audit: Audit, chosen: list[WinRow]) -> bool:
    """Tell whether wins were found, and their round was read from its beginning: none is left out."""
    return bool(chosen) and {win.round for win in chosen} <= {row.number for row in audit.rounds}


def _older(wins: list[WinRow]) -> str:
    if not wins:
        return ""
    named = listed([f"{win.id} ({heading(win)})" for win in wins[-_NAMED:]])
    return f"; to print what was won in round {wins[-1].round}, name its id: {named}"


def _parts(files: JournalListed) -> Iterator[tuple[JournalFile, ...]]:
    """Yield the newest segment with its snapshot, then all of the journal."""
    there = [file for file in files.files if file.bytes]
    segments = sorted(file.name for file in there if file.name.endswith(".journal"))
    if len(segments) > 1:
        number = segments[-1].partition(".")[0]
        newest = tuple(file for file in there if file.name.startswith(f"{number}."))
        if len(newest) > 1:
            yield newest
    yield tuple(there)


def _chosen(wins: list[WinRow], wanted: str) -> list[WinRow]:
    """Choose a win by its id, or all of the last round that has any: of a seat, or of all."""
    named = [win for win in wins if win.id == wanted]
    fitting = [win for win in wins if wanted in {LAST, str(win.seat)}]
    if named or not fitting:
        return named
    of_round = [win for win in fitting if win.round == fitting[-1].round]
    # What was withdrawn is told where nothing else is: it may have been claimed again.
    return [win for win in of_round if win.outcome not in {WITHDRAWN, DROPPED}] or of_round


def _ids(wins: list[WinRow]) -> list[tuple[str, int]]:
    return [(win.id, win.seat) for win in wins]


def _no_such_win(where: str, known: list[tuple[str, int]], wanted: str) -> NoSlip:
    if not known:
        return NoSlip(f"{where} has no win on the jackpot, so there is no slip to print")
    named = listed([f"{win} (seat {seat})" for win, seat in dict(known[-_NAMED:]).items()])
    what = f"seat {wanted} has no win" if _is_seat(wanted) else f"{wanted!r} is not a win"
    last = f"the last is {named}" if len(known) == 1 else f"the last are {named}"
    return NoSlip(f"{what} in {where}; write last, a seat or an id: {last}")


def _is_seat(wanted: str) -> bool:
    return wanted.isascii() and wanted.isdecimal() and 1 <= int(wanted) <= _MOST_SEATS
