"""What an auditor gets of a journal: periods, reversals, the page and the CSV files."""

import csv
import os
import re
from pathlib import Path

import pytest

from firmware.journal.writer import Journal
from firmware.rules.words import money
from firmware.table.events import (
    CardsCorrected,
    DealerSignedOn,
    DecisionCorrected,
    MajorDenied,
    MeasureAsked,
)
from host_tools.audit.as_csv import write_csv
from host_tools.audit.as_html import audit_page
from host_tools.audit.charts import bars, bucket_ms, bucket_words
from host_tools.audit.collect import collect
from host_tools.audit.rows import (
    AWARDED,
    BY_TABLE,
    END_OF_TIME_MS,
    PENDING,
    Audit,
    RoundRow,
    StaffRow,
)
from host_tools.journal.times import iso_time, local_time
from tests.host_tools.command import run
from tests.sim.random_floor import RandomFloor
from tests.sim.test_tables_and_books import Reckoning
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    QUEEN_HIGH,
    STRAIGHT_FLUSH,
    TENS,
    Playing,
    at_reveal,
    bets_placed,
    owed_in,
)

SOAK = bool(os.environ.get("SOAK"))
FLOORS = range(11, 31 if SOAK else 13)
STEPS = 20_000 if SOAK else 5_000


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Write the journal of a round that has just been won."""
    playing = at_reveal(FLUSH)
    playing.reveal()
    return written(playing, tmp_path / "journal")


def written(playing: Playing, folder: Path) -> Path:
    """Write the journal of a table."""
    folder.mkdir()
    with Journal(folder) as journal:
        for sequence, event in enumerate(playing.journal, start=1):
            journal.append(event, sequence)
    return folder


def audited(playing: Playing, folder: Path) -> Audit:
    """Audit the whole journal of a table."""
    return collect(written(playing, folder / "journal"), 0, END_OF_TIME_MS)


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
    audit = audited(playing, tmp_path)
    assert [(row.dealer, row.outcome) for row in audit.rounds] == [("A. Tan (number 100)", "void")]
    words = [row.words for row in audit.staff]
    ruled = (
        "Foreign card: the round is void; every bet is returned. (§5.8.1) "
        "Confirmed by the dealer A. Tan."
    )
    assert words == [
        "dealer on duty: A. Tan (dealer, number 100)",
        "irregularity reported: foreign card (dealer 100)",
        f"ruling confirmed (dealer 100); ruled: {ruled}",
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


def test_charts_of_two_currencies_have_captions_of_their_own() -> None:
    rounds = [RoundRow(number, number, currency=of) for number, of in ((1, "$"), (2, "S$"))]
    audit = Audit(table="T1", rounds=rounds, first_ms=1, last_ms=2)
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", audit_page(audit))
    assert len(captions) == len(set(captions)) == 5
    assert "Contributions in S$ per minute" in captions
    page = audit_page(Audit(rounds=rounds[:1], first_ms=1, last_ms=2))
    assert "<figcaption>Jackpots paid per minute</figcaption>" in page


def test_the_page_says_what_became_of_a_bet_and_lets_its_widest_tables_wrap(tmp_path: Path) -> None:
    playing = at_reveal(QUEEN_HIGH, TENS)
    playing.reveal()
    playing.paid()
    page = audit_page(audited(playing, tmp_path))
    assert "ante lost; bet lost" in page
    assert not re.search(r"\b(ante|bet) (win|lose|push)\b", page)
    assert page.count("<details open class=wide>") == 2  # rounds and payouts
    assert ".wide .time { white-space: normal" in page


def test_the_table_of_wins_says_what_the_slip_says_of_the_clock(
    journal: Path, tmp_path: Path
) -> None:
    audit = collect(journal, 0, END_OF_TIME_MS)
    write_csv(audit, tmp_path / "csv")
    (win,) = csv.DictReader((tmp_path / "csv" / "wins.csv").open(encoding="utf-8"))
    assert win["clock"] == "not synchronised"
    assert "clock not synchronised" in audit_page(audit)


# What became of a claim


def major_claimed() -> tuple[Playing, str]:
    """Claim a straight flush, with the link up."""
    playing = at_reveal(STRAIGHT_FLUSH)
    playing.link(healthy=True)
    (win,) = owed_in(playing.reveal())
    return playing, win.id


def test_an_award_after_a_void_leaves_a_claim_withdrawn_and_is_told_beside(tmp_path: Path) -> None:
    playing, win = major_claimed()
    playing.confirm_as("pit_supervisor")
    playing.report("foreign_card")
    playing.confirm_as("shift_manager")
    playing.paid()
    playing.award(win, 1_001_833)
    audit = audited(playing, tmp_path)
    (row,) = audit.wins
    assert (row.outcome, row.amount_cents, row.award_cents) == ("withdrawn", None, 1_001_833)
    assert "foreign card" in row.reason
    assert audit.paid_cents == 0
    page = audit_page(audit)
    assert "$10,018.33" in page
    assert "; not paid" in page
    assert "Paid by" not in page
    assert "No jackpot was paid in this period." in page


def test_an_award_after_the_table_has_paid_leaves_what_was_paid(tmp_path: Path) -> None:
    playing = at_reveal(STRAIGHT_FLUSH)
    playing.link(healthy=True)
    playing.meter(475_630, 1, 10_000)
    (win,) = owed_in(playing.reveal())
    playing.confirm_as("pit_supervisor")
    playing.link(healthy=False)
    if playing.phase() == "ruling":
        playing.choose("continue")
        playing.confirm_as("shift_manager")
    (claim,) = playing.state.round.claims.values()
    assert claim.registered
    paid_cents = claim.amount_cents
    assert paid_cents
    playing.paid()
    assert playing.phase() == "idle"
    playing.link(healthy=True)
    playing.award(win.id, 50_000)
    audit = audited(playing, tmp_path)
    (row,) = audit.wins
    assert row.outcome == "paid by the table from its registered meter"
    assert (row.paid_cents, row.award_cents) == (paid_cents, 50_000)
    assert row.authority == "the pit_supervisor (number pit_supervisor-7)"
    page = audit_page(audit)
    assert (
        f"$500.00, {local_time(row.awarded_ms or 0)}; the table had paid {money(paid_cents)}"
        in page
    )
    assert page.count("COPY. Paid") == 1
    assert "Paid by" not in page
    assert row.meter_cents is None  # the award's meter is not what the table has paid from


def test_a_rejected_claim_that_was_dropped_says_so_and_by_whom(tmp_path: Path) -> None:
    playing, win = major_claimed()
    playing.confirm_as("pit_supervisor")
    playing.fault("message_rejected", win, "withdrawn by the house")
    playing.clear("message_rejected", win)
    playing.confirm_as("shift_manager")
    playing.paid()
    assert playing.phase() == "idle"
    audit = audited(playing, tmp_path)
    (row,) = audit.wins
    assert row.outcome == "dropped by the shift manager after a rejection"
    assert row.authority == "the shift_manager (number shift_manager-7)"
    assert row.amount_cents is None
    assert "Paid by" not in audit_page(audit)


def test_a_dropped_contribution_is_in_the_reconciliation(tmp_path: Path) -> None:
    playing = Playing()
    playing.open()
    playing.chip(1)
    contribution = next(owed for owed in owed_in(playing.close()) if owed.seat == 1)
    playing.fault("message_rejected", contribution.id, "unknown table")
    playing.clear("message_rejected", contribution.id)
    playing.confirm_as("shift_manager")
    assert playing.state.totals.contributions == 0
    audit = audited(playing, tmp_path)
    assert (audit.dropped, audit.dropped_by) == (1, {"$": 500})
    assert audit.contributed_cents == audit.counted_cents == 0
    assert "The contributions of the period match the table's own count." in audit_page(audit)
    assert audit.contributions[0].dropped_ms is not None


@pytest.mark.parametrize("game", ["rws-multilink-stud", "mbs-megalink-stud"])
@pytest.mark.parametrize("seed", FLOORS)
def test_what_a_report_says_was_paid_is_what_the_tables_paid(
    seed: int, game: str, tmp_path: Path
) -> None:
    floor = RandomFloor(seed, game)
    reckoning = Reckoning(floor)
    floor.house = reckoning.withdraw
    for _ in range(STEPS):
        floor.step()
    outcomes: set[str] = set()
    for table in floor.tables:
        audit = collect(written(table, tmp_path / table.name), 0, END_OF_TIME_MS)
        assert {row.id: row.paid_cents for row in audit.wins if row.is_paid} == table.paid_cents
        play = table.state.round
        waiting = {row.id for row in audit.wins if row.outcome in {PENDING, AWARDED, BY_TABLE}}
        assert waiting == (set() if table.state.phase == "idle" else set(play.claims))
        assert audit.contributed_cents == audit.counted_cents
        page = audit_page(audit)
        assert page.count("COPY. Paid") == len(table.paid_cents)
        assert "Paid by" not in page  # nobody signs for a win twice
        outcomes |= {row.outcome for row in audit.wins}
    assert {"paid", "withdrawn"} <= outcomes


# What was asked of somebody with a PIN


@pytest.mark.parametrize("agreed", [True, False], ids=["agreed", "cancelled"])
def test_a_report_and_show_tell_whether_what_was_asked_was_carried_out(
    tmp_path: Path, *, agreed: bool
) -> None:
    playing = at_reveal(STRAIGHT_FLUSH)
    playing.press(DecisionCorrected, seat=3, decision="fold")
    playing.confirm_as() if agreed else playing.cancel()
    playing.reveal()
    playing.press(MajorDenied, seat=1, reason="wrong card")
    playing.confirm_as() if agreed else playing.cancel()
    playing.press(MeasureAsked, seat=2, measure="bar")
    playing.confirm_as("shift_manager") if agreed else playing.cancel()
    audit = audited(playing, tmp_path)
    rows = "\n".join(row.words for row in audit.staff)
    shown = run("journal", "show", str(tmp_path / "journal")).out
    supervisor = "the pit_supervisor (number pit_supervisor-7)"
    manager = "the shift_manager (number shift_manager-7)"
    asked = {
        "Seat 3: bet becomes fold": (supervisor, "seat 3, decision: was bet, is now fold"),
        "seat 1: claim not confirmed (wrong card)": (
            supervisor,
            "was not confirmed, is now withdrawn (not confirmed: wrong card)",
        ),
        "bar seat 2": (manager, "seat 2: was nothing, is now barred by the shift_manager"),
    }
    for told in (rows, shown):
        for words, (by, both) in asked.items():
            assert f"asked for, waits for a PIN: {words}" in told
            assert (f"carried out, agreed by {by}: {words}" in told) is agreed
            assert (both in told) is agreed
            assert (f"cancelled, not carried out: {words}" in told) is not agreed
        assert "keyed as not confirmed: seat 1 (wrong card)" in told


def test_a_void_carries_out_nothing_that_waited(tmp_path: Path) -> None:
    playing = at_reveal(FLUSH)
    playing.press(DecisionCorrected, seat=3, decision="fold")
    playing.report("foreign_card")
    playing.confirm_as("shift_manager")  # who takes note of what was dropped
    playing.confirm_as("shift_manager")
    told = "\n".join(row.words for row in audited(playing, tmp_path).staff)
    assert playing.state.round.void
    assert "dropped, not carried out: Seat 3: bet becomes fold" in told
    assert "ruled by the shift_manager (number shift_manager-7): Foreign card" in told
    assert "carried out, agreed" not in told


def test_a_pin_that_finds_a_correction_impossible_has_not_carried_it_out(tmp_path: Path) -> None:
    playing = bets_placed()
    playing.close()
    playing.deal({1: FLUSH, 3: QUEEN_HIGH}, ACE_HIGH)
    playing.restart()
    playing.turn_key(on=True)
    playing.press(CardsCorrected, how="lost", places=("1",))
    playing.unread()
    playing.confirm_as("pit_supervisor")
    told = "\n".join(row.words for row in audited(playing, tmp_path).staff)
    assert "dropped, not carried out: The table does not know the cards of seat 1" in told
    assert "carried out, agreed" not in told


def test_csv_files_have_no_formulas(tmp_path: Path) -> None:
    audit = Audit(staff=[StaffRow(1_000, 7, "=HYPERLINK(1)", casino="@SUM(1)", table="T1")])
    write_csv(audit, tmp_path)
    with (tmp_path / "staff.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [
        ["at", "record", "words", "casino", "table"],
        [iso_time(1_000), "7", "'=HYPERLINK(1)", "'@SUM(1)", "T1"],
    ]


def test_a_chart_has_a_bar_for_every_stretch_and_its_sum() -> None:
    hour = 3_600_000
    svg = bars([(0, 2), (10, 3), (2 * hour, 7)], (0, 3 * hour), "Rounds", str)
    assert svg.count("<rect") == 3 * hour // bucket_ms(0, 3 * hour) + 1
    assert f"{local_time(0)}: 5" in svg
    assert f"{local_time(2 * hour)}: 7" in svg
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
