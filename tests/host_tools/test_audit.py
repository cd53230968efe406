"""What an auditor gets of a journal: periods, reversals, the page and the CSV files."""

import csv
import re
from pathlib import Path

import pytest

from firmware.shell.inbox import Arrival
from firmware.shell.runtime import Runtime
from firmware.table.events import DealerSignedOn
from host_tools.audit.as_csv import write_csv
from host_tools.audit.as_html import audit_page
from host_tools.audit.charts import bars, bucket_ms, bucket_words
from host_tools.audit.collect import collect
from host_tools.audit.rows import END_OF_TIME_MS, Audit, StaffRow
from tests.host_tools.command import run
from tests.table.playing import FLUSH, Playing, at_reveal


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Write the journal of a round that has just been won."""
    playing = at_reveal(FLUSH)
    playing.reveal()
    folder = tmp_path / "journal"
    folder.mkdir()
    runtime = Runtime(playing.table.settings, folder)
    for event in playing.journal[1:]:
        runtime.handle(Arrival(event))
    runtime.close()
    return folder


def test_a_period_holds_what_began_in_it_and_its_books_agree(journal: Path) -> None:
    whole = collect(journal, 0, END_OF_TIME_MS)
    assert len(whole.rounds) == 1
    assert whole.contributions
    assert whole.contributed_cents == whole.counted_cents
    assert [win.outcome for win in whole.wins] == ["pending"]
    nothing = collect(journal, END_OF_TIME_MS - 1, END_OF_TIME_MS)
    assert (nothing.rounds, nothing.contributions, nothing.counted_cents) == ([], [], 0)
    closed_ms = whole.contributions[0].at_ms
    before = collect(journal, 0, closed_ms - 1)
    assert (len(before.rounds), before.contributions, before.counted_cents) == (1, [], 0)
    after = collect(journal, closed_ms, END_OF_TIME_MS)
    assert after.contributed_cents == after.counted_cents == whole.counted_cents


def test_a_report_says_who_dealt_who_reported_and_who_confirmed(tmp_path: Path) -> None:
    playing = Playing()
    playing.press(DealerSignedOn, staff="100", name="A. Tan", role="dealer")
    playing.open()
    playing.ante(1, 2_500)
    playing.close()
    playing.report("foreign_card")
    playing.confirm()
    playing.paid()
    (tmp_path / "journal").mkdir()
    runtime = Runtime(playing.table.settings, tmp_path / "journal")
    for event in playing.journal[1:]:
        runtime.handle(Arrival(event))
    runtime.close()
    audit = collect(tmp_path / "journal", 0, END_OF_TIME_MS)
    assert [(row.dealer, row.outcome) for row in audit.rounds] == [("A. Tan (number 100)", "void")]
    words = [row.words for row in audit.staff]
    assert words == [
        "dealer on duty: A. Tan (dealer, number 100)",
        "irregularity reported: dealer 100, irregularity foreign card, facts ()",
        "ruling confirmed (dealer 100)",
    ]
    assert "A. Tan (number 100)" in audit_page(audit)
    shown = run("journal", "show", str(tmp_path / "journal")).out
    assert "bets open (dealer 100)" in shown
    assert "paid; the round is over (dealer 100)" in shown


def test_the_page_asks_nobody_for_anything_and_escapes_what_it_tells() -> None:
    audit = Audit(table="<b>", staff=[StaffRow(0, 1, "<script>alert(1)</script>")])
    text = audit_page(audit)
    assert not re.search(r"(src|href)=|url\(|https?://|<script|<b>", text)


def test_a_slip_of_a_win_has_what_proves_it(journal: Path) -> None:
    audit = collect(journal, 0, END_OF_TIME_MS)
    text = audit_page(audit)
    (win,) = audit.wins
    for proof in (win.id, win.chain, win.claim.split(" (")[0], f"seat {win.seat}", "pending"):
        assert proof in text


def test_csv_files_have_times_in_utc_and_no_formulas(tmp_path: Path) -> None:
    audit = Audit(staff=[StaffRow(1_000, 7, "=HYPERLINK(1)")])
    write_csv(audit, tmp_path)
    with (tmp_path / "staff.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [
        ["at_utc", "record", "words"],
        ["1970-01-01T00:00:01.000+00:00", "7", "'=HYPERLINK(1)"],
    ]


def test_a_chart_has_a_bar_for_every_stretch_and_its_sum() -> None:
    hour = 3_600_000
    svg = bars([(0, 2), (10, 3), (2 * hour, 7)], (0, 3 * hour), "Rounds", str)
    assert svg.count("<rect") == 3 * hour // bucket_ms(0, 3 * hour) + 1
    assert "1970-01-01 00:00 UTC: 5" in svg
    assert "1970-01-01 02:00 UTC: 7" in svg
    assert [bucket_words(ms) for ms in (60_000, 300_000, hour, 24 * hour)] == [
        "minute",
        "5 minutes",
        "hour",
        "day",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give --csv DIR, --html FILE or both"),
        (("--html", "x.html", "--from", "yesterday"), "is not a time"),
        (("--html", "x.html", "--from", "2026-02-01", "--to", "2026-01-01"), "later than --to"),
    ],
)
def test_a_mistyped_export_is_one_sentence(
    journal: Path, arguments: tuple[str, ...], said: str
) -> None:
    ran = run("journal", "export", str(journal), *arguments)
    assert ran.status == 2
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_a_journal_that_was_changed_is_an_error_and_no_report(
    journal: Path, tmp_path: Path
) -> None:
    path = next(journal.glob("*.journal"))
    path.write_bytes(path.read_bytes().replace(b'"seat":1', b'"seat":2', 1))
    ran = run("journal", "export", str(journal), "--html", str(tmp_path / "x.html"))
    assert ran.status == 2
    assert not (tmp_path / "x.html").exists()
