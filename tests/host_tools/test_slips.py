"""The hand-pay slip of a win from a copy, as text and as a page; from a table: `test_slips_of_tables.py`."""

import os
import re
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.rules.contract import MAX_CENTS
from host_tools.audit.slips import amount_in_words
from tests.host_tools import won
from tests.host_tools.command import run

ON_THE_SLIP = (
    "Test Casino",
    "Table T1, seat 1",
    "S$10,018.33",
    "ten thousand and eighteen and 33/100",
    "straight flush (player's hand), major, 10 % of the meter",
    "§4.2 of Multi-Link Progressive Casino Stud Poker",
    "4♣ 5♣ 6♣ 7♣ 8♣ (straight flush, eight high)",
    "S$100,183.30",
    "the pit_supervisor (number pit_supervisor-7)",
    "(Asia/Singapore)",
)


def squeezed(text: str) -> str:
    return " ".join(
        re.sub(r"<[^>]*>|&#x27;", lambda m: "'" if "x27" in m[0] else " ", text).split()
    )


@pytest.mark.parametrize("wanted", [(), ("last",), ("1",)], ids=["nothing", "last", "seat"])
def test_the_slip_of_a_paid_win_is_a_copy_with_all_facts_and_nothing_to_sign(
    wanted: tuple[str, ...], tmp_path: Path
) -> None:
    playing = won.table(won.house())
    win = won.win_a_round(playing)
    folder, page = won.written(playing, tmp_path / "copy"), tmp_path / "slip.html"
    ran = run("journal", "slip", str(folder), *wanted, "--html", str(page), TZ="Asia/Singapore")
    assert ran.status == 0, ran.err
    written = page.read_text(encoding="utf-8")
    for text in (squeezed(ran.out), squeezed(written)):
        for words in (*ON_THE_SLIP, win, "2026-01-15 11:00:"):
            assert words in text, words
        assert "COPY. Paid 2026-01-15 11:00:" in text
        assert "do not pay it again" in text
        for who in ("Paid by", "Received by", "Verified by"):
            assert who not in text
    assert not re.search(r"(src|href)=|url\(|https?://|<script", written)
    assert max(map(len, ran.out.splitlines())) <= 48
    assert stat.S_IMODE(page.stat().st_mode) == 0o600


def test_a_slip_is_found_by_its_id_and_another_one_is_told_which_there_are(tmp_path: Path) -> None:
    playing = won.table(won.house())
    first, second = won.win_a_round(playing), won.win_a_round(playing)
    folder = str(won.written(playing, tmp_path / "copy"))
    assert first in run("journal", "slip", folder, first).out
    assert second in run("journal", "slip", folder).out
    for wrong in ("7", "T1.fresh.9.9"):
        ran = run("journal", "slip", folder, wrong)
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert first in ran.err
        assert second in ran.err
    ran = run("journal", "slip", str(tmp_path / "nowhere"))
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "no such folder" in ran.err


def test_a_claim_that_was_withdrawn_has_nothing_to_sign(tmp_path: Path) -> None:
    playing = won.table(won.house())
    won.claim(playing)
    playing.report("foreign_card")
    playing.confirm_as("shift_manager")
    playing.paid()
    ran = run("journal", "slip", str(won.written(playing, tmp_path / "copy")))
    assert ran.status == 0
    assert "NOTHING TO PAY" in ran.out
    assert "withdrawn" in ran.out
    assert "Paid by" not in ran.out


def test_an_export_counts_what_was_paid_withdrawn_and_is_pending_apart(tmp_path: Path) -> None:
    playing = won.table(won.house())
    won.win_a_round(playing)
    won.claim(playing)
    playing.report("foreign_card")
    playing.confirm_as("shift_manager")
    playing.paid()
    won.claim(playing)
    folder, page = won.written(playing, tmp_path / "copy"), tmp_path / "audit.html"
    ran = run("journal", "export", str(folder), "--html", str(page))
    assert ran.status == 0, ran.err
    counts = "3 jackpot claims (1 paid, 1 pending, 1 withdrawn), 0 faults."
    assert ran.out.splitlines()[-1].endswith(counts)


# The amount in words

_UNITS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
} | {
    word: 10 * number
    for number, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
_SCALES = {
    word: 1_000**power
    for power, word in enumerate(
        ["thousand", "million", "billion", "trillion", "quadrillion"], start=1
    )
}


def read_aloud(words: str) -> int:
    """Read an amount in words back, by itself."""
    whole, cents = words.rsplit(" and ", 1)
    total = group = 0
    for word in whole.replace("-", " ").split():
        if word in _SCALES:
            total, group = total + group * _SCALES[word], 0
        elif word == "hundred":
            group *= 100
        elif word != "and":
            group += _UNITS[word]
    return (total + group) * 100 + int(cents.removesuffix("/100"))


@given(st.integers(0, MAX_CENTS))
def test_an_amount_in_words_is_the_amount_in_figures(cents: int) -> None:
    assert read_aloud(amount_in_words(cents, "S$")) == cents


@pytest.mark.parametrize(
    ("currency", "before"), [("$", ""), ("S$", ""), ("€", ""), ("SGD ", "SGD "), ("A$ ", "")]
)
def test_only_a_currency_that_is_a_word_stands_before_an_amount_in_words(
    currency: str, before: str
) -> None:
    assert amount_in_words(2_500, currency) == f"{before}twenty-five and 00/100"


def test_files_of_older_tools_are_closed_to_others_before_they_are_written(tmp_path: Path) -> None:
    playing = won.table(won.house())
    won.win_a_round(playing)
    folder, page = won.written(playing, tmp_path / "copy"), tmp_path / "slip.html"
    page.write_text("older", encoding="utf-8")
    page.chmod(0o644)
    before = os.umask(0)
    try:
        made = tmp_path / "a" / "csv"
        ran = run("journal", "export", str(folder), "--csv", str(made), "--html", str(page))
    finally:
        os.umask(before)
    assert ran.status == 0, ran.err
    assert "older" not in page.read_text(encoding="utf-8")
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert {stat.S_IMODE(path.stat().st_mode) for path in made.iterdir()} == {0o600}
    assert {stat.S_IMODE(path.stat().st_mode) for path in (made, made.parent)} == {0o700}
