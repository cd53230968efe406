"""A slip whose award was given anew: what it replaces, what is shared now, and which number it keeps."""

import csv
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.protocol.obligations import Win
from firmware.rules.words import money
from firmware.table.events import CardsCorrected, MajorDenied, Restarted
from firmware.table.public import public
from host_tools.audit.as_csv import write_csv
from host_tools.audit.as_html import audit_page
from host_tools.audit.beside import listed
from host_tools.audit.collect import collect
from host_tools.audit.rows import END_OF_TIME_MS
from host_tools.journal.slip import NoSlip
from tests.host_tools import won
from tests.host_tools.command import run
from tests.host_tools.test_slips import squeezed
from tests.host_tools.test_slips_of_tables import HALF_CENTS, slip_of_table, two_royals
from tests.table.playing import SETTINGS, Playing, owed_in
from tests.table.test_awards import (
    LOCKED_CENTS,
    OTHER_STRAIGHT_FLUSH,
    RESET_CENTS,
    two_straight_flushes,
)

SHARE_CENTS, WHOLE_CENTS = 4_750_000, 5_000_000
SHARE, WHOLE = money(SHARE_CENTS), money(WHOLE_CENTS)
ONCE = f"Replaces an earlier slip of {SHARE}: do not pay that one."
TWICE = f"Replaces earlier slips of {SHARE} and {WHOLE}: do not pay those."


_MARK = re.compile(r" \(marked to be paid since [^)]*\)")


def timeless(text: str) -> str:
    """Squeeze a text, without the times that tell slips of one sum apart."""
    return _MARK.sub("", squeezed(text))


class Round:
    """Two straight flushes that share: one is lost, and keyed again (megalink 3.15.1)."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self._monkeypatch, self._printed = folder, monkeypatch, 0
        settings = replace(SETTINGS, game="mbs-megalink-stud")
        self.playing, (self.first, self.third) = two_straight_flushes(settings)
        self._lock(self.first, self.third)
        self.playing.confirm_as()
        self.award(SHARE_CENTS, self.first, self.third)

    def _lock(self, *wins: str) -> None:
        self.playing.pending(*wins, locked_cents=LOCKED_CENTS, reset_cents=RESET_CENTS)

    def award(self, cents: int, *wins: str) -> None:
        """Let the controller award these together."""
        for win in wins:
            self.playing.award(win, cents, LOCKED_CENTS, len(wins))

    def lose(self) -> None:
        """Lose the hand of seat 3: its claim is withdrawn, the other is asked for again."""
        self.playing.press(CardsCorrected, how="lost", places=("3",))
        verdict, _ = owed_in(self.playing.confirm_as())
        self.playing.acknowledge(verdict.id)

    def pay_the_other(self) -> None:
        """Let the other have all, with no claim keyed again: the panel says to pay it."""
        self.award(WHOLE_CENTS, self.first)
        self.playing.paid()
        assert self.playing.phase() == "settling"

    def key_again(self) -> str:
        """Key it again, and have it confirmed; return the id of the new claim."""
        self.playing.cards(3, *OTHER_STRAIGHT_FLUSH)
        owed = owed_in(self.playing.paid())
        _, again = (each.id for each in owed if isinstance(each, Win))
        self.playing.acknowledge(again)
        self._lock(self.first, again)
        self.playing.confirm_as()
        return again

    def journal(self) -> Path:
        """Write what has happened so far."""
        self._printed += 1
        return won.written(self.playing, self.folder / f"journal-{self._printed}")

    def printed(self, wanted: str) -> list[str]:
        """Print a slip from the running table, as a page, and from its own journal, as text."""
        journal = self.journal()
        page = self.folder / f"slip-{self._printed}.html"
        of_table = slip_of_table(self.playing, journal, wanted, self._monkeypatch, page)
        of_journal = run("journal", "slip", str(journal), wanted)
        assert of_journal.status == 0, of_journal.err
        return [timeless(of_table), timeless(of_journal.out)]


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Round:
    return Round(tmp_path, monkeypatch)


def test_a_slip_says_which_amounts_of_its_win_it_replaces_and_what_is_shared_now(
    shared: Round,
) -> None:
    for told in shared.printed(shared.first):
        assert f"Shared with seat 3 ({shared.third})" in told
        assert "Replaces" not in told
    shared.lose()
    shared.pay_the_other()
    for told in shared.printed(shared.first):
        assert (WHOLE in told, ONCE in told, "hared" in told) == (True, True, False)
        assert "Paid by" in told
    again = shared.key_again()
    shared.award(SHARE_CENTS, shared.first, again)
    for told in shared.printed(shared.first):
        assert f"Shared with seat 3 ({again})" in told
        assert TWICE in told
        assert shared.third not in told
    for told in shared.printed("3"):
        # What was withdrawn is another message: its slip may lie about too.
        gone = f"Do not pay a slip of {SHARE} with the message {shared.third}: its claim was withdrawn."
        assert gone in told
        assert "number 2 of 2 for this seat in this round; only this one is paid" in told


def test_a_copy_tells_what_was_paid_and_which_slips_are_not_valid(
    shared: Round, tmp_path: Path
) -> None:
    shared.lose()
    shared.pay_the_other()
    shared.playing.paid()
    assert shared.playing.phase() == "idle"
    journal = shared.journal()
    told = timeless(run("journal", "slip", str(journal), shared.first).out)
    assert "COPY. Paid" in told
    # What was done with that paper no journal knows.
    assert f"Replaces an earlier slip of {SHARE}: do not pay that one." in told
    assert "nothing was paid" not in told
    assert f"Table T1, seat 1 {WHOLE}" in told
    assert "hared" not in told
    gone = timeless(run("journal", "slip", str(journal), shared.third).out)
    assert f"Do not pay an earlier slip of {SHARE}: it is no longer valid." in gone
    assert "Paid by" not in gone
    audit = collect(journal, 0, END_OF_TIME_MS)
    assert f"an earlier slip of {SHARE}: do not pay that one." in timeless(audit_page(audit))
    write_csv(audit, tmp_path / "csv")
    with (tmp_path / "csv" / "wins.csv").open(encoding="utf-8") as file:
        assert [row["earlier"] for row in csv.DictReader(file)] == ["47500.00", "47500.00"]


@pytest.mark.parametrize("keyed", [False, True], ids=["withdrawn", "claimed"])
def test_a_win_that_is_awarded_anew_has_nothing_to_sign_until_it_is(
    shared: Round, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, keyed: bool
) -> None:
    shared.lose()
    if keyed:
        shared.pay_the_other()
        shared.key_again()
    journal, page = shared.journal(), tmp_path / "slip.html"
    for wanted in ("1", shared.first):
        with pytest.raises(
            NoSlip,
            match=rf"seat 1 in round 1 is being awarded anew, because another.* \{SHARE}.* printed before",
        ):
            slip_of_table(shared.playing, journal, wanted, monkeypatch, page)
    if not keyed:
        # Nothing is left of seat 3 to be paid, but its slip may lie about.
        with pytest.raises(NoSlip, match=rf"was withdrawn \(the table .*do not pay.*\{SHARE} that"):
            slip_of_table(shared.playing, journal, "3", monkeypatch, page)
    assert not page.exists()
    told = squeezed(run("journal", "slip", str(journal), shared.first).out)
    assert "NOT TO BE PAID YET" in told
    assert f"Do not pay {'earlier slips' if keyed else 'an earlier slip'} of {SHARE}" in told
    for words in ("Paid by", "Awarded", "hared"):
        assert words not in told


# What a slip waits for


def test_a_claim_says_which_thing_it_waits_for() -> None:
    playing = won.table(won.house())
    win = won.claim(playing)

    def waits() -> str:
        (claim,) = public(playing.table.settings, playing.state).claims
        return claim.waits

    assert waits() == "is not confirmed yet"
    playing.confirm_as("pit_supervisor")
    assert waits() == "is not awarded yet"
    playing.award(win, won.AWARD_CENTS)
    assert waits() == ""
    playing.press(CardsCorrected, how="lost", places=("1",))
    assert waits() == "waits for a correction that a supervisor has not confirmed"
    playing.cancel()
    playing.press(MajorDenied, seat=1, reason="wrong card")
    assert waits() == "waits for the pit supervisor who refuses it"
    playing.cancel()
    playing.take(Restarted(at_ms=playing.now()))
    assert waits().startswith("may have been paid before a restart")


def test_an_award_in_doubt_is_what_its_claim_waits_for() -> None:
    playing = won.table(won.house())
    win = won.claim(playing)
    playing.confirm_as("pit_supervisor")
    playing.award(win, 10**12)
    (claim,) = public(playing.table.settings, playing.state).claims
    assert claim.waits == "has an award that is in doubt"


# The number of a slip


def test_a_slip_keeps_its_number_when_another_win_of_its_seat_is_withdrawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing, wins = two_royals()
    playing.confirm_as("pit_supervisor")
    for win in wins:
        playing.award(win, HALF_CENTS, 9_179_775, winners=2)
    playing.press(MajorDenied, seat=1, which=1, reason="wrong card")
    playing.confirm_as("pit_supervisor")
    verdict = next(owed for owed in playing.state.owed.values() if not isinstance(owed, Win))
    for owed in list(playing.state.owed.values()):
        if owed.id not in wins:
            playing.acknowledge(owed.id)
    assert verdict.id not in playing.state.owed
    playing.award(wins[1], 9_179_775, 9_179_775)
    journal = won.written(playing, tmp_path / "journal")
    page = tmp_path / "slip.html"
    told = timeless(slip_of_table(playing, journal, "1", monkeypatch, page))
    again = timeless(run("journal", "slip", str(journal), "1").out)
    for text in (told, again):
        assert "number 2 of 2 for this seat in this round; only this one is paid" in text
        assert f"Do not pay a slip of {money(HALF_CENTS)} with the message {wins[0]}" in text


def test_a_wrong_id_is_told_the_ids_of_the_round_in_settlement_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing = won.table(won.house())
    older = won.win_a_round(playing)
    newer = won.claim(playing)
    journal = won.written(playing, tmp_path / "journal")
    with pytest.raises(NoSlip, match=rf"{older} \(seat 1\) and {newer} \(seat 1\)"):
        slip_of_table(playing, journal, "T1.fresh.9.9", monkeypatch, tmp_path / "slip.html")


def test_things_are_listed_as_people_say_it() -> None:
    assert [listed(each) for each in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


def test_every_amount_that_was_to_be_paid_is_remembered_over_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = Round(tmp_path, monkeypatch)
    shared.lose()
    shared.pay_the_other()
    playing: Playing = shared.playing
    assert playing.state.round.claims[shared.first].told_cents == [SHARE_CENTS, WHOLE_CENTS]
    playing.restart()
    (claim,) = public(playing.table.settings, playing.state).claims
    assert claim.told_cents == (SHARE_CENTS, WHOLE_CENTS)
    # After PAID the journal has it: what a table at rest remembers is as it was before this was kept.
    playing.paid()
    assert playing.phase() == "idle"
    play = playing.state.round
    assert {(*each.told_cents, each.winners) for each in play.claims.values()} == {(1,)}
    assert not any(each.told_cents for each in play.withdrawn.values())


def test_the_journal_says_that_the_round_is_over_once_and_what_else_paid_has_ended(
    shared: Round,
) -> None:
    shared.lose()
    shared.pay_the_other()
    again = shared.key_again()
    shared.award(SHARE_CENTS, shared.first, again)
    shared.playing.paid()
    assert shared.playing.phase() == "idle"
    told = run("journal", "show", str(shared.journal())).out
    assert told.count("the hands that claim are keyed (PAID)") == 2
    assert told.count("the round is over") == 1
    assert told.index("are keyed (PAID)") < told.index("paid; the round is over")
