"""`underfelt journal pull` and `export`: copies a journal to a laptop, and exports it for an auditor."""

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from firmware.errors import BadInput
from firmware.journal.files import segment_files
from firmware.journal.regular_files import write_text
from firmware.maintenance.protocol import (
    BeginService,
    Done,
    EndService,
    JournalExported,
    Show,
    Shown,
)
from host_tools.audit.as_csv import write_csv
from host_tools.audit.as_html import audit_page
from host_tools.audit.collect import collect
from host_tools.audit.rows import DROPPED, END_OF_TIME_MS, WITHDRAWN, Audit
from host_tools.connection.table_stream import RefusedError, TableStream, open_table
from host_tools.connection.target_option import TargetArgument
from host_tools.journal.copies import check_folder, remedy_of_a_copy
from host_tools.journal.pull import listed, missing_bytes, pull_files
from host_tools.journal.times import period
from host_tools.journal.verify import VerifyResult, verify_journal
from host_tools.terminal import Terminal, ask_before_pin, ask_pin, counted, say

CopyFolder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder for the copy.")]
Copied = Annotated[Path, typer.Argument(metavar="DIR", help="The journal, or a copy of it.")]
Since = Annotated[
    str,
    typer.Option(
        "--from",
        help="From this time, such as 2026-01-02T03:04:05: local time, or with a zone such as "
        "+08:00 or Z.",
    ),
]
Until = Annotated[str, typer.Option("--to", help="Up to this time, written in the same way.")]
_ERRORS = Terminal(stderr=True)
_OPEN = (
    "the table is not closed; finish the round, press CLOSETABLE on the panel, and pull again with "
    "--mark"
)
_AT_WORK = "a technician is at work on the table; pull again with --mark when that is over"


def pull(
    target: TargetArgument,
    folder: CopyFolder,
    *,
    mark: Annotated[
        bool,
        typer.Option(
            "--mark", help="Tell the table, which must be closed, what has been exported."
        ),
    ] = False,
    staff: Annotated[str, typer.Option(help="With --mark: the technician's number.")] = "",
) -> None:
    """Fetch the journal of a table, and verify that the copy is whole in itself.

    Only what is new is fetched, and an interrupted pull resumes. A round under way is left out
    until it is over. With --mark the table may remove old segments that you now have; the PIN is
    asked for, or taken from UNDERFELT_PIN.

    underfelt journal pull sim:T1 T1-journal

    underfelt journal pull ssh://pi@table7 table7 --mark --staff 400
    """
    with open_table(target) as table:
        files = listed(table)
        fetched: list[int] = []
        with _progress() as progress:
            task = progress.add_task("pulling", total=missing_bytes(files.files, folder))

            def came(count: int) -> None:
                fetched.append(count)
                progress.advance(task, count)

            pull_files(table, files.files, folder, came)
        verdict = verify_journal(folder)
        # The copy is told of first: it is there, whatever becomes of the mark.
        say(f"Fetched {counted(sum(fetched), 'new byte')}.")
        say(verdict.sentence)
        if files.held_back:
            say("A round is under way and was left out; pull again when it is over.")
        if mark and verdict.sound:
            _check_closed(table)
            _mark(table, staff, verdict)
    if not verdict.sound:
        raise typer.Exit(1)


def export(
    folder: Copied,
    *,
    since: Since = "",
    until: Until = "",
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="DIR", help="Write CSV files into this folder.")
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write one page to read and print."),
    ] = None,
) -> None:
    """Export a period for an auditor: CSV files, and a page with charts and hand-pay slips.

    Times are local and name their offset; amounts are in the currency of the table. A damaged journal
    is refused; whether it was changed, 'journal verify --against' finds out.

    underfelt journal export T1-journal --html T1.html --csv T1-csv

    underfelt journal export T1-journal --from 2026-01-02 --to 2026-01-03 --html day.html
    """
    if csv is None and html is None:
        raise BadInput("export", "nothing to write; give --csv DIR, --html FILE or both")
    earliest, latest = period(since, until, first_ms=0, last_ms=END_OF_TIME_MS)
    with remedy_of_a_copy(folder):
        audit = _collected(folder, earliest, latest)
    if csv is not None:
        for path in write_csv(audit, csv):
            say(f"wrote {path}")
    if html is not None:
        write_text(html, audit_page(audit))
        say(f"wrote {html}")
    say(
        f"{counted(len(audit.rounds), 'round')}, "
        f"{counted(len(audit.contributions), 'contribution')}, "
        f"{_claims(audit)}, {counted(len(audit.faults), 'fault')}."
    )


def _claims(audit: Audit) -> str:
    """Count the claims on the jackpot by what became of them: a claim is no win before it is paid."""
    paid = sum(win.is_paid for win in audit.wins)
    withdrawn = sum(win.outcome in {WITHDRAWN, DROPPED} for win in audit.wins)
    pending = len(audit.wins) - paid - withdrawn
    told = [
        f"{number} {what}"
        for number, what in ((paid, "paid"), (pending, "pending"), (withdrawn, "withdrawn"))
        if number
    ]
    claims = counted(len(audit.wins), "jackpot claim")
    return f"{claims} ({', '.join(told)})" if told else claims


def _collected(folder: Path, earliest: int, latest: int) -> Audit:
    check_folder(folder)
    total = sum(path.stat().st_size for _, path in segment_files(folder))
    # About the length of a record; the bar need not be exact.
    with _progress(bytes_told=False) as progress:
        task = progress.add_task("reading", total=max(total // 190, 1))
        return collect(folder, earliest, latest, lambda done: progress.update(task, completed=done))


def _check_closed(table: TableStream) -> None:
    """Refuse to mark a table that is not closed, before anybody keys a PIN for it."""
    shown = table.ask(Shown, lambda number: Show(number=number)).table
    if shown.phase != "closed":
        where = table.target.text
        why = _AT_WORK if shown.phase == "service" else _OPEN
        raise RefusedError(f"{where}: nothing was marked as exported: {why}")


def _mark(table: TableStream, staff: str, verdict: VerifyResult) -> None:
    number = staff or ask_before_pin("Staff number:")
    pin = os.environ.get("UNDERFELT_PIN") or ask_pin()
    table.ask(Done, lambda n: BeginService(number=n, staff=number, pin=pin))
    try:
        table.ask(Done, lambda n: JournalExported(number=n, sequence=verdict.last_record))
    finally:
        table.ask(Done, lambda n: EndService(number=n))
    say(f"Records up to {verdict.last_record:,} are marked as exported on the table.")


def _progress(*, bytes_told: bool = True) -> Progress:
    columns = (DownloadColumn(),) if bytes_told else ()
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *columns,
        TimeRemainingColumn(),
        console=_ERRORS,
        transient=True,
        disable=not _ERRORS.is_terminal,
    )
