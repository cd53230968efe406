"""The hand-pay slip of a win: from a copy, from a table, as text and as a page."""

import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.errors import BadInput
from firmware.maintenance.journal_files import JournalFolder
from firmware.maintenance.protocol import JournalFiles, JournalRead, Show, Shown
from firmware.rules.contract import MAX_CENTS
from firmware.table.public import public
from host_tools.audit.slips import amount_in_words
from host_tools.connection.table_stream import TableStream
from host_tools.journal import slip
from tests.host_tools import won
from tests.host_tools.command import run
from tests.table.playing import Playing

ON_THE_SLIP = (
    "Test Casino",
    "Table T1, seat 1",
    "S$10,018.33",
    "S$ ten thousand and eighteen and 33/100",
    "straight flush (player's hand), major, 10 % of the meter",
    "§4.2 of Multi-Link Progressive Casino Stud Poker",
    "4♣ 5♣ 6♣ 7♣ 8♣ (straight flush, eight high)",
    "S$100,183.30",
    "the pit_supervisor (number pit_supervisor-7)",
    "Paid by",
    "Received by",
    "Verified by",
    "(Asia/Singapore)",
)


def squeezed(text: str) -> str:
    return " ".join(
        re.sub(r"<[^>]*>|&#x27;", lambda m: "'" if "x27" in m[0] else " ", text).split()
    )


@pytest.mark.parametrize("wanted", [(), ("last",), ("1",)], ids=["nothing", "last", "seat"])
def test_a_slip_has_what_the_house_and_the_player_sign_for(
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


# Straight from a table


class Target(NamedTuple):
    """Where a stream goes."""

    text: str = "sim:T1"


class Stream:
    """Stands where the connection to a table stands: answers as the table does."""

    def __init__(self, playing: Playing, folder: Path) -> None:
        self.target = Target()
        self._table = playing.table
        self._folder = JournalFolder(folder)

    def ask(self, _kind: type, make: Callable[[int], JournalFiles | JournalRead | Show]) -> object:
        """Answer with what may be known now."""
        request, state = make(1), self._table.state
        if isinstance(request, JournalFiles):
            return self._folder.listed(state, 1)
        if isinstance(request, JournalRead):
            return self._folder.piece(state, request)
        return Shown(number=1, table=public(self._table.settings, state))


def slip_of_table(
    playing: Playing, folder: Path, wanted: str, monkeypatch: pytest.MonkeyPatch, out: Path
) -> str:
    """Print a slip straight from a table."""

    @contextmanager
    def opened(_target: str) -> Iterator[TableStream]:
        yield cast(TableStream, Stream(playing, folder))

    monkeypatch.setattr(slip, "open_table", opened)
    slip.slip("sim:T1", wanted, html=out)
    return out.read_text(encoding="utf-8")


def test_a_table_gives_the_slip_of_its_last_win(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing = won.table(won.house())
    win = won.win_a_round(playing)
    folder = won.written(playing, tmp_path / "journal")
    assert win in slip_of_table(playing, folder, "last", monkeypatch, tmp_path / "slip.html")


def test_no_older_win_is_printed_while_a_claim_waits_for_its_award(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing = won.table(won.house())
    older = won.win_a_round(playing)
    newer = won.claim(playing)
    folder, page = won.written(playing, tmp_path / "journal"), tmp_path / "slip.html"
    for confirmed in (False, True):
        if confirmed:
            playing.confirm_as("pit_supervisor")
        for wanted in ("last", "1", newer):
            with pytest.raises(
                BadInput, match="seat 1 in round 2 is not confirmed and awarded yet"
            ):
                slip_of_table(playing, folder, wanted, monkeypatch, page)
    assert not page.exists()
    assert older in slip_of_table(playing, folder, older, monkeypatch, page)


def test_a_win_has_its_slip_before_it_is_paid_and_the_same_facts_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing = won.table(won.house())
    win = won.claim(playing)
    playing.confirm_as("pit_supervisor")
    playing.award(win, won.AWARD_CENTS)
    folder = won.written(playing, tmp_path / "journal")
    page = slip_of_table(playing, folder, "last", monkeypatch, tmp_path / "before.html")
    before = squeezed(page)
    for words in (*ON_THE_SLIP[:7], win, "Paid by", "number pit_supervisor-7", "once the round is"):
        assert words in before, words
    assert "Q" not in before.partition("Dealer")[0].partition("Hand ")[2]  # nobody else's hand
    playing.paid()
    after_folder = won.written(playing, tmp_path / "after")
    after = squeezed(slip_of_table(playing, after_folder, "1", monkeypatch, tmp_path / "a.html"))
    for words in (*ON_THE_SLIP[:7], win):
        assert words in after, words


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
    currency, _, rest = words.partition(" ")
    assert currency == "S$"
    whole, cents = rest.rsplit(" and ", 1)
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
