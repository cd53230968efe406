"""Times in the time zone of the laptop, and amounts in the currency that was in force."""

import csv
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.table.events import Restarted
from host_tools.audit.as_csv import decimal
from host_tools.audit.as_html import audit_page
from host_tools.audit.collect import collect
from host_tools.audit.rows import END_OF_TIME_MS
from host_tools.journal.times import (
    NO_SUCH_TIME,
    at_ms,
    iso_time,
    local_time,
    time_zone,
    unknown_zone,
)
from tests.host_tools import won
from tests.host_tools.command import run

ZONES = ["Asia/Singapore", "America/New_York", "Australia/Adelaide", "UTC"]
THIS_CENTURY_MS = st.integers(946_684_800_000, 4_102_444_800_000)


@pytest.fixture(params=ZONES)
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Take the laptop to a time zone and back."""
    with monkeypatch.context() as there:
        there.setenv("TZ", request.param)
        time.tzset()
        yield request.param
    time.tzset()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moment_ms=THIS_CENTURY_MS)
def test_a_time_that_is_printed_can_be_given_back(zone: str, moment_ms: int) -> None:
    assert time_zone() == zone
    assert at_ms(iso_time(moment_ms), "--from", 0) == moment_ms
    assert at_ms(local_time(moment_ms), "--from", 0) == moment_ms // 1000 * 1000


@pytest.mark.parametrize(
    ("name", "named", "told"),
    [
        ("Asia/Singapore", "Asia/Singapore", "2026-01-15 11:00:00 +08:00"),
        (":Asia/Singapore", "Asia/Singapore", "2026-01-15 11:00:00 +08:00"),
        ("<+08>-8", "UTC+08:00", "2026-01-15 11:00:00 +08:00"),
        ("Nowhere/Land", "UTC", "2026-01-15 03:00:00 +00:00"),
        ("America/New_York", "America/New_York", "2026-01-14 22:00:00 -05:00"),
    ],
)
def test_a_time_names_its_offset_and_a_zone_its_name(
    name: str, named: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as there:
        there.setenv("TZ", name)
        time.tzset()
        assert (time_zone(), local_time(won.BEGAN_MS)) == (named, told)
        assert (local_time(2**62), iso_time(-(2**62))) == (NO_SUCH_TIME, NO_SUCH_TIME)
    time.tzset()


@pytest.mark.parametrize("zone", ["UTC+25", "UTC-25", "UTC+24", "UTC-24", "ABC-99DEF"])
def test_a_zone_that_is_a_day_from_utc_is_unknown_wherever_a_time_is_made(
    zone: str, journal: Path, tmp_path: Path
) -> None:
    """Every time ended in a mistake in the program, or was no time."""
    page = str(tmp_path / "page.html")
    for words in (
        ("slip", str(journal)),
        ("show", str(journal)),
        ("export", str(journal), "--html", page),
    ):
        ran = run("journal", *words, TZ=zone)
        assert ran.status == 0, ran.err
        assert f"TZ: this system has no time zone {zone!r}; times are told in UTC" in ran.err
        assert "no such time" not in ran.out
        assert "mistake" not in ran.err
    shown = run("journal", "show", str(journal), TZ=zone).out
    assert shown == run("journal", "show", str(journal), TZ="UTC").out


def test_a_time_without_a_zone_is_local_and_a_wrong_one_is_told_how(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as there:
        there.setenv("TZ", "Asia/Singapore")
        time.tzset()
        assert at_ms("2026-01-15T11:00:00", "--from", 0) == won.BEGAN_MS
        assert at_ms("2026-01-15T03:00:00Z", "--from", 0) == won.BEGAN_MS
        with pytest.raises(BadInput, match="local time"):
            at_ms("yesterday", "--from", 0)
        with pytest.raises(BadInput):
            at_ms("0001-01-01", "--from", 0)
    time.tzset()


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("2026-03-08T02:30", "did not exist in America/New_York"),
        ("2026-11-01T01:30", "came twice in America/New_York.*-04:00 or -05:00"),
    ],
)
def test_a_local_time_that_is_no_one_moment_is_refused_in_one_sentence(
    wanted: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as there:
        there.setenv("TZ", "America/New_York")
        time.tzset()
        with pytest.raises(BadInput, match=said):
            at_ms(wanted, "--from", 0)
        assert at_ms("2026-11-01T01:30-05:00", "--to", 0) == 1_793_514_600_000
        assert at_ms("2026-03-08T03:00", "--to", 0) - at_ms("2026-03-08T01:59", "--to", 0) == 60_000
    time.tzset()


def test_a_time_zone_that_the_system_does_not_have_is_told_and_no_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for known in (
        *ZONES,
        "",
        ":UTC",
        "SGT-8",
        "<+08>-8",
        "EST5EDT,M3.2.0,M11.1.0",
        "/etc/hostname",
    ):
        monkeypatch.setenv("TZ", known)
        assert not unknown_zone(), known
    for unknown in ("Foo/Bar", "Singapur", str(tmp_path / "none"), "/" + "x" * 5_000):
        monkeypatch.setenv("TZ", unknown)
        assert unknown_zone() == unknown


def test_times_in_utc_for_want_of_a_zone_are_told_once_on_standard_error(journal: Path) -> None:
    ran = run("journal", "show", str(journal), TZ="Foo/Bar")
    assert ran.status == 0
    assert ran.err == "TZ: this system has no time zone 'Foo/Bar'; times are told in UTC\n"
    assert run("journal", "show", str(journal), TZ="Asia/Singapore").err == ""


def test_a_period_that_ends_before_it_begins_is_told_as_such(journal: Path) -> None:
    for command in (("show",), ("export", "--html", str(journal / "x.html"))):
        name, *rest = command
        ran = run(
            "journal", name, str(journal), *rest, "--from", "2026-02-01", "--to", "2026-01-01"
        )
        assert (ran.status, ran.err.count("\n")) == (2, 1)
        assert "--from: is later than --to; swap them" in ran.err


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Write the journal of a table that pays in Singapore dollars."""
    playing = won.table(won.house())
    won.win_a_round(playing)
    return won.written(playing, tmp_path / "journal")


def test_show_and_replay_write_local_time_and_the_currency_of_the_table(journal: Path) -> None:
    shown = run("journal", "show", str(journal), "--round", "1", TZ="Asia/Singapore")
    assert "Round 1   2026-01-15 +08:00 (Asia/Singapore)   rws-multilink-stud" in shown.out
    assert "  11:00:" in shown.out
    assert "awarded S$10,018.33 on" in shown.out
    assert "jackpot contribution S$5.00" in shown.out
    assert "pay S$" in shown.out
    replayed = run("journal", "replay", str(journal), "--round", "1", TZ="Asia/Singapore")
    assert "Round 1, 2026-01-15 11:00:" in replayed.out
    assert " +08:00: the recorded outcome matches the rules." in replayed.out
    for text in (shown.out, replayed.out):
        assert "UTC" not in text
        assert " $" not in text


def test_a_period_is_asked_for_in_local_time(journal: Path) -> None:
    asked = ("journal", "show", str(journal), "--from", "2026-01-15T10:59")
    assert run(*asked, TZ="Asia/Singapore").status == 0
    assert "no record" in run(*asked, TZ="UTC").err
    for command in ("show", "export"):
        helped = run("journal", command, "--help", COLUMNS="200").out
        assert "local time" in helped
        assert "UTC" not in helped


def test_csv_has_iso_times_with_offset_decimal_amounts_and_their_currency(
    journal: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "csv"
    ran = run("journal", "export", str(journal), "--csv", str(folder), TZ="Asia/Singapore")
    assert ran.status == 0, ran.err
    (win,) = csv.DictReader((folder / "wins.csv").open(encoding="utf-8"))
    assert (win["amount"], win["currency"], win["casino"]) == ("10018.33", "S$", "Test Casino")
    assert (win["meter"], win["paragraph"]) == ("100183.30", "§4.2")
    assert win["paid_at"].startswith("2026-01-15T11:00:")
    assert win["paid_at"].endswith("+08:00")
    payouts = list(csv.DictReader((folder / "payouts.csv").open(encoding="utf-8")))
    assert [(row["seat"], row["bet"], row["outcome"]) for row in payouts] == [
        ("1", "ante", "win"),
        ("1", "bet", "win"),
        ("3", "ante", "lose"),
        ("3", "bet", "lose"),
    ]
    assert [(row["stake"], row["paid"], row["returned"]) for row in payouts[:2]] == [
        ("25.00", "25.00", "25.00"),
        ("50.00", "2500.00", "50.00"),
    ]
    assert {row["currency"] for row in payouts} == {"S$"}


def test_an_amount_is_written_in_the_currency_then_in_force(tmp_path: Path) -> None:
    playing = won.table(won.house("S$"))
    won.win_a_round(playing)
    changed = replace(playing.table.settings, currency="AUD ")
    playing.take(Restarted(at_ms=playing.now(), settings=changed))
    playing.link(healthy=True)
    won.win_a_round(playing)
    audit = collect(won.written(playing, tmp_path / "journal"), 0, END_OF_TIME_MS)
    assert [row.currency for row in audit.rounds] == ["S$", "AUD "]
    assert audit.paid_by == {"S$": won.AWARD_CENTS, "AUD ": won.AWARD_CENTS}
    assert audit.agrees
    page = audit_page(audit)
    assert "S$10,018.33 and AUD 10,018.33" in page
    assert "20,036.66" not in page  # what is in two currencies is not added


def test_nothing_reversed_is_nothing_and_one_round_is_one(journal: Path) -> None:
    page = audit_page(collect(journal, 0, END_OF_TIME_MS))
    assert "−S$0.00" not in page
    assert "<summary>1 round</summary>" in page
    assert "1 of 1 claim<" in page


def test_the_page_tells_casino_meter_paragraph_and_what_each_seat_was_paid(journal: Path) -> None:
    page = audit_page(collect(journal, 0, END_OF_TIME_MS))
    for words in ("Test Casino", "S$100,183.30", "§4.2 of Multi-Link", "S$2,525.00"):
        assert words in page, words


def test_the_page_does_not_say_that_nothing_was_changed(journal: Path) -> None:
    page = " ".join(audit_page(collect(journal, 0, END_OF_TIME_MS)).split())
    assert "every record was verified" not in page
    assert "could have made the chain anew" in page


@given(st.integers(-(10**15), 10**15))
def test_a_decimal_amount_is_exact(cents: int) -> None:
    whole, _, rest = decimal(cents).lstrip("-").partition(".")
    assert len(rest) == 2
    assert (int(whole) * 100 + int(rest)) * (-1 if decimal(cents)[0] == "-" else 1) == cents
