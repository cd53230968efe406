"""`underfelt journal slip`: the hand-pay slip of one win, from a copy or straight from a table.

A win is looked for from the newest segment back, so that a slip does not take longer as a journal
grows. What stands on a slip is in `audit/slips.py`.
"""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from firmware.errors import BadInput, JournalError
from firmware.journal.files import segment_files
from firmware.journal.regular_files import write_text
from firmware.maintenance.protocol import JournalFile, JournalListed, Show, Shown
from firmware.protocol.obligations import Win
from firmware.rules.contract import Claim
from firmware.rules.game import JackpotLine
from firmware.rules.games import find_game
from firmware.table.public import PublicClaim, PublicTable
from host_tools.audit.collect import collect
from host_tools.audit.rows import AWARDED, END_OF_TIME_MS, WinRow
from host_tools.audit.slips import slip_page, slip_text
from host_tools.audit.wins import Cards, House, win_row
from host_tools.connection.table_stream import TableStream, open_table
from host_tools.journal.copies import check_folder, remedy_of_a_copy
from host_tools.journal.pull import listed, pull_files
from host_tools.journal.story import MAX_ROUND
from host_tools.terminal import say

LAST = "last"
_ID = re.compile(r"[\w-]+\.[\w-]+\.[0-9]{1,12}\.[0-9]{1,6}", re.ASCII)
_MOST_SEATS = 9
_NAMED = 5
"""So many wins are named where another one was asked for."""


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
        typer.Argument(metavar="WIN", help="`last`, a seat (its last win), or the id of a win."),
    ] = LAST,
    *,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Also write a page to print, on A6 or 80 mm."),
    ] = None,
) -> None:
    """Print the hand-pay slip of a win.

    On a table it can be printed as soon as the claim is confirmed and awarded, before PAID; its record
    and chain are known once the round is over.

    underfelt journal slip sim:T1 last --html slip.html

    underfelt journal slip T1-journal 3
    """
    folder = Path(where)
    is_copy = folder.is_dir() or ":" not in where
    row = _of_folder(folder, win) if is_copy else _of_table(where, win)
    now_ms = time.time_ns() // 1_000_000
    for line in slip_text(row, now_ms):
        say(line)
    if html is not None:
        write_text(html, slip_page(row, now_ms))
        say(f"wrote {html}", err=True)


def _of_folder(folder: Path, wanted: str) -> WinRow:
    check_folder(folder)
    with remedy_of_a_copy(folder):
        if not segment_files(folder):
            raise JournalError(f"{folder}: holds no journal")
        wins: list[WinRow] = []
        for from_round in (MAX_ROUND, 0):
            wins = collect(folder, 0, END_OF_TIME_MS, from_round=from_round).wins
            found = _chosen(wins, wanted)
            if found is not None:
                return found
    raise _no_such_win(str(folder), wins, wanted)


def _of_table(where: str, wanted: str) -> WinRow:
    """Fetch segments, newest first, until the win is found."""
    with open_table(where) as table, TemporaryDirectory(prefix="underfelt-slip-") as folder:
        files = listed(table)
        if files.held_back:
            being_paid = _under_way(table, wanted)
            if being_paid is not None:
                return being_paid
        wins: list[WinRow] = []
        for part in _parts(files):
            pull_files(table, part, Path(folder), lambda _: None)
            if segment_files(Path(folder)):
                wins = collect(Path(folder), 0, END_OF_TIME_MS).wins
                found = _chosen(wins, wanted)
                if found is not None:
                    return found
    raise _no_such_win(where, wins, wanted)


def _under_way(table: TableStream, wanted: str) -> WinRow | None:
    """Return the win of the round under way that is wanted, once it may be paid.

    It is told from what everybody at the table sees, so no card is in it that lies face down.
    """
    shown = table.ask(Shown, lambda number: Show(number=number)).table
    fitting = [each for each in shown.claims if wanted in {LAST, str(each.seat), each.id}]
    if not fitting:
        return None
    claim = fitting[-1]
    what = f"the claim of seat {claim.seat} in round {shown.round}"
    if claim.amount_cents is None:
        told = f"{what} is not confirmed and awarded yet; print its slip then"
        raise BadInput(table.target.text, f"{told}, or name an older win by its id")
    win = _win(shown, claim)
    if win is None:  # a table of an older version
        told = f"the table tells nothing more of {what} yet; print its slip when the round is over"
        raise BadInput(table.target.text, f"{told}, or name an older win by its id")
    hand = next((seat.cards for seat in shown.seats if seat.seat == claim.seat), ())
    row = win_row(
        win,
        find_game(shown.game),
        House(shown.casino, shown.currency),
        Cards(hand, shown.dealer, shown.community),
        meter_cents=claim.meter_cents,
    )
    row.amount_cents, row.outcome = claim.amount_cents, AWARDED
    row.authority = f"number {claim.confirmed_by}" if claim.confirmed_by else "none needed"
    return row


def _win(shown: PublicTable, claim: PublicClaim) -> Win | None:
    """Tell a win from what the table shows of it; None if it shows too little."""
    lines = [
        each for each in find_game(shown.game).tiers.get(claim.tier, ()) if each.on == claim.on
    ]
    if not (_ID.fullmatch(claim.id) and lines):
        return None
    line = lines[0]
    percent = line.percent if isinstance(line, JackpotLine) else None
    level = line.level if isinstance(line, JackpotLine) else "minor"
    amount = claim.amount_cents if percent is None else None
    return Win(
        id=claim.id,
        table=shown.name,
        at_ms=claim.claimed_at_ms,
        round=shown.round,
        seat=claim.seat,
        claim=Claim(claim.seat, line.on, line.tier, level, percent, amount),
        dealt_at_ms=claim.dealt_at_ms,
        clock="synchronised" if claim.clock == "synchronised" else "free",
    )


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


def _chosen(wins: list[WinRow], wanted: str) -> WinRow | None:
    fitting = [win for win in wins if wanted in {LAST, win.id} or wanted == str(win.seat)]
    return fitting[-1] if fitting else None


def _no_such_win(where: str, wins: list[WinRow], wanted: str) -> BadInput:
    if not wins:
        return BadInput("WIN", f"{where} has no win on the jackpot; there is no slip to print")
    named = ", ".join(f"{win.id} (seat {win.seat})" for win in wins[-_NAMED:])
    what = f"seat {wanted} has no win" if _is_seat(wanted) else f"{wanted!r} is no win"
    return BadInput("WIN", f"{what} in {where}; write last, a seat or an id: the last are {named}")


def _is_seat(wanted: str) -> bool:
    return wanted.isascii() and wanted.isdecimal() and 1 <= int(wanted) <= _MOST_SEATS
