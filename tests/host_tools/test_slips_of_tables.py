"""Slips straight from a table: never an older win for a new one, never a part for the whole."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, cast

import pytest
from msgspec.structs import replace

from firmware.maintenance.journal_files import JournalFolder
from firmware.maintenance.protocol import JournalFiles, JournalRead, Show, Shown
from firmware.rules.words import money
from firmware.table.events import CardsCorrected, MajorDenied, Restarted
from firmware.table.public import public
from host_tools.audit.as_csv import write_csv
from host_tools.audit.collect import collect
from host_tools.audit.rows import END_OF_TIME_MS
from host_tools.audit.sharing import IN_THE_BOOKS
from host_tools.connection.table_stream import TableStream
from host_tools.journal import slip
from host_tools.journal.slip import NoSlip
from tests.host_tools import won
from tests.host_tools.command import run
from tests.host_tools.test_slips import ON_THE_SLIP, squeezed
from tests.table.playing import ACE_HIGH, SETTINGS, Playing, owed_in
from tests.table.test_awards import LOCKED_CENTS, RESET_CENTS, two_straight_flushes


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
            what = "awarded" if confirmed else "confirmed"
            with pytest.raises(NoSlip, match=f"^the claim of seat 1 in round 2 is not {what} yet;"):
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
    for words in (
        *ON_THE_SLIP[:7],
        win,
        "Paid by",
        "number pit_supervisor-7",
        "Meter before known when the round is",
    ):
        assert words in before, words
    assert "Q" not in before.partition("Dealer")[0].partition("Hand ")[2]  # nobody else's hand
    playing.paid()
    after_folder = won.written(playing, tmp_path / "after")
    after = squeezed(slip_of_table(playing, after_folder, "1", monkeypatch, tmp_path / "a.html"))
    for words in (*ON_THE_SLIP[:7], win):
        assert words in after, words


# The round under way comes before every older win


def test_no_older_win_is_printed_while_the_round_may_still_be_won(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing = won.table(won.house())
    older = won.win_a_round(playing)
    page = tmp_path / "slip.html"
    playing.open()
    playing.chip(1)
    playing.chip(3)
    folder = won.written(playing, tmp_path / "journal")
    # Nobody can win before the close.
    assert "COPY. Paid" in slip_of_table(playing, folder, "1", monkeypatch, page)
    page.unlink()
    playing.close()
    for wanted, said in (
        ("last", "may still be a win"),
        ("1", "round 2 is not over, and seat 1 may still win"),
    ):
        with pytest.raises(NoSlip, match=f"{said}.*{older}"):
            slip_of_table(playing, folder, wanted, monkeypatch, page)
    assert not page.exists()
    assert older in slip_of_table(playing, folder, older, monkeypatch, page)


def test_a_claim_that_was_withdrawn_in_the_round_under_way_is_told_and_no_older_win_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing = won.table(won.house())
    older = won.win_a_round(playing)
    newer = won.claim(playing)
    folder, page = won.written(playing, tmp_path / "journal"), tmp_path / "slip.html"
    playing.press(MajorDenied, seat=1, reason="wrong card")
    playing.confirm_as("pit_supervisor")
    assert playing.phase() == "settling"
    for wanted in ("last", "1", newer):
        with pytest.raises(
            NoSlip, match=r"seat 1 in round 2, straight flush.*was withdrawn.*wrong"
        ):
            slip_of_table(playing, folder, wanted, monkeypatch, page)
    assert not page.exists()
    playing.paid()
    after = won.written(playing, tmp_path / "after")
    told = squeezed(slip_of_table(playing, after, "1", monkeypatch, page))
    assert newer in told
    assert older not in told
    assert "Refused by the pit_supervisor (number pit_supervisor-7)" in told
    assert "Confirmed by" not in told


def test_no_slip_is_printed_while_the_hand_of_a_claim_is_keyed_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing = won.table(won.house())
    older = won.win_a_round(playing)
    win = won.claim(playing)
    playing.confirm_as("pit_supervisor")
    playing.award(win, won.AWARD_CENTS)
    folder, page = won.written(playing, tmp_path / "journal"), tmp_path / "slip.html"
    playing.press(CardsCorrected, how="lost", places=("1",))
    for confirmed in (False, True):
        if confirmed:
            playing.confirm_as("pit_supervisor")
            assert playing.phase() == "claiming"
        for wanted in ("last", "1"):
            with pytest.raises(NoSlip, match=rf"seat 1 .*round 2.*{older}"):
                slip_of_table(playing, folder, wanted, monkeypatch, page)
    assert not page.exists()


def test_no_slip_is_printed_of_what_may_have_been_paid_before_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing = won.table(won.house())
    win = won.claim(playing)
    playing.confirm_as("pit_supervisor")
    playing.award(win, won.AWARD_CENTS)
    folder = won.written(playing, tmp_path / "journal")
    playing.take(Restarted(at_ms=playing.now()))
    assert playing.state.round.may_be_paid
    with pytest.raises(NoSlip, match="seat 1"):
        slip_of_table(playing, folder, "last", monkeypatch, tmp_path / "slip.html")


# A seat with several wins is paid one sum


def two_royals() -> tuple[Playing, list[str]]:
    """Let seat 1 win with its own royal flush and with the dealer's, which share the meter."""
    playing = won.table(replace(SETTINGS, game="mbs-singapore-stud"))
    playing.meter(9_179_775, 5, 10_000_000)
    playing.open()
    playing.ante(3, 2_500)
    playing.chip(1)
    playing.chip(1, "jackpot_dealer")
    playing.close()
    playing.lots("2h")
    for hand in (ROYAL, (*ACE_HIGH[1:], "3c"), DEALERS_ROYAL):
        for card in hand:
            playing.draw(card)
    playing.bet(1)
    playing.bet(3)
    wins = [owed.id for owed in owed_in(playing.reveal())]
    assert len(wins) == 2
    return playing, wins


ROYAL = ("Ah", "Kh", "Qh", "Jh", "Th")
DEALERS_ROYAL = ("Ac", "Kc", "Qc", "Jc", "Tc")
HALF_CENTS = (9_179_775 + 10_000_000) // 2


def test_all_wins_of_a_seat_are_printed_and_their_sum_is_the_panels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing, wins = two_royals()
    playing.confirm_as("pit_supervisor")
    folder, page = won.written(playing, tmp_path / "journal"), tmp_path / "slip.html"
    playing.award(wins[0], HALF_CENTS, 9_179_775, winners=2)
    for wanted in ("last", "1", *wins):  # a part of the sum is not printed
        with pytest.raises(NoSlip, match="seat 1 in round 1 is not awarded yet"):
            slip_of_table(playing, folder, wanted, monkeypatch, page)
    playing.award(wins[1], HALF_CENTS, 9_179_775, winners=2)
    shown = public(playing.table.settings, playing.state)
    total = money(2 * HALF_CENTS)
    assert f"Seat 1: JACKPOT, pay {total}." in shown.prompt
    for wanted in ("last", "1"):
        told = slip_of_table(playing, folder, wanted, monkeypatch, page)
        assert told.count("<article") == 2
        for number, win in enumerate(wins, start=1):
            assert win in told
            assert (
                f"number {number} of 2 for this seat in this round, together {total}"
                in squeezed(told)
            )
    one = squeezed(slip_of_table(playing, folder, wins[1], monkeypatch, page))
    assert f"number 2 of 2 for this seat in this round, together {total}" in one
    playing.paid()
    ran = run("journal", "slip", str(won.written(playing, tmp_path / "after")), "1")
    assert ran.out.count("COPY. Paid") == 2
    assert squeezed(ran.out).count(f"together {total}") == 2


def test_a_shared_win_says_with_whom_and_of_what_and_so_does_the_table_of_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing, wins = two_royals()
    playing.confirm_as("pit_supervisor")
    for win in wins:
        playing.award(win, HALF_CENTS, 9_179_775, winners=2)
    page = tmp_path / "slip.html"
    folder = won.written(playing, tmp_path / "journal")
    before = squeezed(slip_of_table(playing, folder, wins[0], monkeypatch, page))
    assert "100 % of the meter, shared" in before
    assert f"Shared with seat 1 ({wins[1]})" in before
    playing.paid()
    folder = won.written(playing, tmp_path / "after")
    after = squeezed(run("journal", "slip", str(folder), wins[0]).out)
    words = (
        "1 of 2 equal shares of the meter and, for each further winner, the reset value $100,000.00"
    )
    assert f"Meter before $91,797.75 Shared {words} Shared with seat 1 ({wins[1]})" in after
    write_csv(collect(folder, 0, END_OF_TIME_MS), tmp_path / "csv")
    table = (tmp_path / "csv" / "wins.csv").read_text(encoding="utf-8")
    assert words in table
    assert f"seat 1 ({wins[1]})" in table


@pytest.mark.parametrize("known", [True, False], ids=["reckoned", "in the books alone"])
def test_what_shares_of_a_percentage_are_of_is_told_if_the_table_reckons_the_same(
    tmp_path: Path, *, known: bool
) -> None:
    playing, wins = two_straight_flushes(replace(SETTINGS, game="mbs-megalink-stud"))
    playing.pending(*wins, locked_cents=LOCKED_CENTS, reset_cents=RESET_CENTS)
    playing.confirm_as()
    for win in wins:
        playing.award(win, 4_750_000, LOCKED_CENTS if known else 1_000, winners=2)
    playing.paid()
    assert playing.phase() == "idle"
    told = squeezed(run("journal", "slip", str(won.written(playing, tmp_path / "j")), "last").out)
    reckoned = "of 10 % of the meter and, for each further winner, of what is left"
    assert (reckoned in told) == known
    assert (IN_THE_BOOKS in told) != known
    assert f"Shared with seat 3 ({wins[1]})" in told


# The meter is what the award says


def test_the_meter_before_a_win_is_never_told_in_two_ways(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing = won.table(won.house())
    win = won.claim(playing)
    playing.pending(win, locked_cents=20_000_000)
    playing.confirm_as("pit_supervisor")
    playing.award(win, 2_000_000, 20_000_000)
    folder, page = won.written(playing, tmp_path / "journal"), tmp_path / "slip.html"
    before = squeezed(slip_of_table(playing, folder, "1", monkeypatch, page))
    assert "Meter before known when the round is over" in before
    assert "Awarded S$20,000.00" in before
    playing.paid()
    playing.award(win, 2_000_001, 20_000_010)  # too late: it changes nothing that was paid
    after = squeezed(run("journal", "slip", str(won.written(playing, tmp_path / "after"))).out)
    assert "Meter before S$200,000.00" in after
    assert "S$200,000.10" not in after
