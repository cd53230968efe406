"""Slips that were printed and are not to be paid: every answer about a round names each of them.

A slip is a piece of paper, and whoever holds it cannot see what became of its claim. So whatever is
asked for, and whatever the table waits for, what was printed of it before is told: not to be paid, or
not until it is decided.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.protocol.obligations import Win
from firmware.rules.words import money
from firmware.table.events import CardsCorrected, MajorDenied
from firmware.table.public import public
from host_tools.journal.slip import NoSlip
from tests.host_tools import won
from tests.host_tools.command import run
from tests.host_tools.test_slips import squeezed
from tests.host_tools.test_slips_of_tables import slip_of_table
from tests.host_tools.test_slips_replaced import SHARE, SHARE_CENTS, WHOLE_CENTS, Round, timeless
from tests.table.playing import STRAIGHT_FLUSH, Playing, owed_in
from tests.table.test_awards import LOCKED_CENTS, OTHER_STRAIGHT_FLUSH, RESET_CENTS, metered

BIG_CENTS, SMALL_CENTS = LOCKED_CENTS // 10, LOCKED_CENTS * 9 // 100
BIG, SMALL = money(BIG_CENTS), money(SMALL_CENTS)

Ask = Callable[[str], str]


class Papers:
    """Seats 1 and 3 have a jackpot each; a slip of each was printed."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self._monkeypatch, self._asked = folder, monkeypatch, 0
        self.playing = metered(STRAIGHT_FLUSH, OTHER_STRAIGHT_FLUSH)
        self.wins = [owed.id for owed in owed_in(self.playing.reveal())]
        self.playing.pending(*self.wins, locked_cents=LOCKED_CENTS, reset_cents=RESET_CENTS)
        self.playing.confirm_as()
        self.playing.award(self.wins[0], BIG_CENTS, LOCKED_CENTS)
        self.playing.award(self.wins[1], SMALL_CENTS, LOCKED_CENTS * 9 // 10)

    def printed(self, wanted: str = "last") -> str:
        """Print from the table."""
        self._asked += 1
        journal = won.written(self.playing, self.folder / f"journal-{self._asked}")
        page = self.folder / "slip.html"
        return slip_of_table(self.playing, journal, wanted, self._monkeypatch, page)

    def refused(self, wanted: str = "last") -> str:
        """Ask for what has no slip, and say why."""
        with pytest.raises(NoSlip) as told:
            self.printed(wanted)
        return str(told.value)


@pytest.fixture
def papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Papers:
    return Papers(tmp_path, monkeypatch)


def voided(playing: Playing) -> None:
    playing.report("foreign_card")
    playing.confirm_as("shift_manager")
    assert playing.state.round.void


def test_every_slip_of_a_void_round_is_named_whatever_is_asked_for(papers: Papers) -> None:
    for each in (BIG, SMALL):
        assert each in papers.printed()
    voided(papers.playing)
    told = papers.refused()
    assert "the claims in round 1 were withdrawn: seat 1, " in told
    both = f"do not pay slips of {BIG} (seat 1) and {SMALL} (seat 3) that were printed before"
    assert both in told
    assert f"do not pay a slip of {BIG} that was printed before" in papers.refused("1")
    assert f"do not pay a slip of {SMALL} that was printed before" in papers.refused("3")
    assert f"do not pay a slip of {BIG} that was" in papers.refused(papers.wins[0])
    papers.playing.paid()
    after = timeless(papers.printed())
    for each in (BIG, SMALL):
        assert f"Do not pay an earlier slip of {each}: it is no longer valid." in after


def test_what_waits_for_an_award_does_not_hide_the_slip_of_a_lost_hand(papers: Papers) -> None:
    papers.playing.press(CardsCorrected, how="lost", places=("3",))
    held = papers.refused()
    assert f"do not pay slips of {BIG} (seat 1) and {SMALL} (seat 3) that were" in held
    assert held.count("until it is decided") == 1
    papers.playing.confirm_as()
    told = papers.refused()
    assert f"do not pay slips of {SMALL} (seat 3) and {BIG} (seat 1) that were printed" in told
    assert "until it is decided" not in told
    assert f"do not pay a slip of {SMALL} that was printed before" in papers.refused("3")


def test_the_slips_of_a_round_name_those_of_seats_that_have_none_any_more(
    papers: Papers,
) -> None:
    first, third = papers.wins
    papers.playing.press(MajorDenied, seat=1, reason="wrong card")
    papers.playing.confirm_as()
    for owed in list(papers.playing.state.owed.values()):
        if not isinstance(owed, Win):
            papers.playing.acknowledge(owed.id)
    papers.playing.award(third, BIG_CENTS, LOCKED_CENTS)
    dead = (
        f"Do not pay a slip of {BIG} for seat 1, with the message {first}: its claim was withdrawn."
    )
    for paid in (False, True):
        if paid:
            papers.playing.paid()
            assert papers.playing.phase() == "idle"
        told = timeless(papers.printed())
        assert dead in told
        assert f"seat 3 {BIG}" in told
        # Who asks for seat 3 gets its slip, and nothing of others on it.
        assert dead not in timeless(papers.printed("3"))


@pytest.mark.parametrize("what", ["foreign_card", "other"])
def test_while_a_ruling_waits_it_is_said_for_whom_and_that_what_was_printed_waits(
    papers: Papers, what: str
) -> None:
    if what == "other":
        papers.playing.report("other")
        papers.playing.choose("void")
    else:
        papers.playing.report("foreign_card")
    assert papers.playing.phase() == "ruling"
    for wanted, those in (
        ("last", f"slips of {BIG} (seat 1) and {SMALL} (seat 3) that were"),
        ("1", f"a slip of {BIG} that was"),
        (papers.wins[1], f"a slip of {SMALL} that was"),
    ):
        told = papers.refused(wanted)
        assert re.match(r"the claims in round 1 wait for the \w+( \w+)+ to decide \(\w", told)
        assert f"do not pay {those} printed before until it is decided" in told
    who = public(papers.playing.table.settings, papers.playing.state).ruling
    assert "shift manager" in who or "pit supervisor" in who


def test_who_voided_a_round_is_the_reason_where_nothing_was_named(papers: Papers) -> None:
    papers.playing.report("other")
    papers.playing.choose("void")
    papers.playing.confirm_as("shift_manager")
    told = papers.refused("1")
    assert "was withdrawn (voided by the table games shift manager (" in told
    assert "(other" not in told


def test_a_slip_of_the_same_sum_is_told_apart_by_the_time_that_stands_on_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = Round(tmp_path, monkeypatch)

    def marked(wanted: str) -> list[str]:
        journal = shared.journal()
        page = tmp_path / "page.html"
        of_table = slip_of_table(shared.playing, journal, wanted, monkeypatch, page)
        texts = [squeezed(of_table), squeezed(run("journal", "slip", str(journal), wanted).out)]
        return [text.partition("To be paid ")[2].partition(" Outcome")[0] for text in texts] + texts

    first, same, *_ = marked(shared.first)
    assert first == same
    assert first.startswith("since 1970-01-01 00:00:")
    shared.lose()
    shared.pay_the_other()
    second, *_ = marked(shared.first)
    again = shared.key_again()
    shared.award(SHARE_CENTS, shared.first, again)
    third, same, *texts = marked(shared.first)
    assert third == same
    assert len({first, second, third}) == 3
    replaced = (
        f"Replaces earlier slips of {SHARE} (marked to be paid {first}) and {money(WHOLE_CENTS)} "
        f"(marked to be paid {second}): do not pay those."
    )
    for text in texts:
        assert replaced in text
