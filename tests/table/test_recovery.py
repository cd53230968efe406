"""A table after a power cut is the table before it: the fold of its journal, at every point.

The walks are in `walking.py`. Files, and what a cut leaves of them, are the journal's tests.
"""

import os

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from firmware.errors import JournalError
from firmware.journal.records import GENESIS, decode, encode
from firmware.table.events import (
    BetsOpened,
    CoinSensed,
    Decision,
    JournalOpened,
    Restarted,
    RoundPaid,
)
from firmware.table.settings import TableSettings
from firmware.table.settlement import MAY_BE_PAID
from firmware.table.table import Table
from tests.table.playing import (
    FLUSH,
    OBSERVED,
    SETTINGS,
    TENS,
    Playing,
    at_reveal,
    bets_placed,
    owed_in,
    prompt_in,
    refused,
    remembered,
)
from tests.table.walking import Deck, Move, Shown, Walker, decks, tables, walks

often = settings(max_examples=1_000 if os.environ.get("SOAK") else 100, deadline=None)


def through_the_journal(event: Decision) -> Decision:
    """Write an event down and read it again, as a restart does."""
    line, _ = encode(1, GENESIS, event)
    return decode(line.removesuffix(b"\n"), 1, GENESIS).event


class Shadow:
    """A second table that knows only what the journal of the first one says."""

    def __init__(self, live: Playing) -> None:
        self._live = live
        self._table = Table(live.table.settings)
        self._read = 0

    def follow(self) -> Table:
        """Fold what is new in the journal, and observe what the live table observes."""
        for event in self._live.journal[self._read :]:
            assert self._table.step(through_the_journal(event)).decided
        self._read = len(self._live.journal)
        for name in OBSERVED:
            setattr(self._table.state, name, getattr(self._live.state, name))
        return self._table


@often
@given(walks, decks, tables)
def test_the_fold_of_the_journal_is_the_table_at_every_point(
    moves: list[Move], deck: Deck, at: TableSettings
) -> None:
    live = Walker(deck, at)
    shadow = Shadow(live)
    for _ in live.walk(moves):
        assert remembered(shadow.follow().state) == remembered(live.state)
    recovered = Table.recovered(at, live.journal)
    assert remembered(recovered.state) == remembered(live.state)
    assert recovered.state.sequence == len(live.journal)


@often
@given(walks, decks, tables)
def test_a_restart_shows_and_owes_what_was_shown_and_owed_at_every_point(
    moves: list[Move], deck: Deck, at: TableSettings
) -> None:
    live = Walker(deck, at)
    shadow = Shadow(live)
    shown = Shown().carry_out(live.without_reports(live.table.resumed()))
    for effects in live.walk(moves):
        shown.carry_out(effects)
        resumed = Shown().carry_out(live.without_reports(shadow.follow().resumed()))
        assert resumed == shown
        assert list(resumed.owed) == list(shown.owed)


def test_a_restart_between_rounds_changes_nothing_that_is_seen_once_the_link_is_back() -> None:
    playing = Playing()
    shown = Shown().carry_out(playing.table.resumed())
    assert Shown().carry_out(playing.restart()) == shown


def test_a_restart_while_bets_are_open_leaves_them_open() -> None:
    playing = bets_placed()
    shown = Shown().carry_out(playing.without_reports(playing.table.resumed()))
    assert Shown().carry_out(playing.restart()) == shown


def test_what_is_owed_after_a_restart_has_the_ids_it_had_before() -> None:
    playing = bets_placed()
    contributions = owed_in(playing.close())
    assert owed_in(playing.restart()) == contributions
    playing.acknowledge(contributions[0].id)
    assert owed_in(playing.restart()) == contributions[1:]


def test_a_win_survives_the_power() -> None:
    playing = at_reveal(FLUSH)
    wins = owed_in(playing.reveal())
    assert owed_in(playing.restart()) == wins


def test_a_spot_that_is_still_empty_at_a_start_leaves_no_trace() -> None:
    playing = Playing()
    before = remembered(playing.state)
    playing.take(CoinSensed(at_ms=1, seat=2, present=False))
    assert not playing.decided
    assert remembered(playing.state) == before


# An old copy of the card may have been paid already: it cannot know


def restarted_in_the_settlement() -> Playing:
    """Cut the power in the settlement of a round that has claimed nothing; the link stays down."""
    playing = at_reveal(TENS)
    playing.reveal()
    playing.table = Table.recovered(SETTINGS, playing.journal)
    playing.take(Restarted(at_ms=playing.now()))
    assert playing.state.phase == "settling"
    return playing


def test_a_settlement_after_a_restart_without_a_link_says_that_it_may_have_been_paid() -> None:
    playing = restarted_in_the_settlement()
    assert MAY_BE_PAID in prompt_in(playing.table.resumed())
    assert playing.paid() == refused(MAY_BE_PAID)
    assert playing.state.phase == "settling"


def test_a_pit_supervisor_says_that_it_is_still_to_be_paid() -> None:
    playing = restarted_in_the_settlement()
    playing.confirm_as("technician")
    assert playing.paid() == refused(MAY_BE_PAID)
    playing.confirm_as("pit_supervisor")
    assert MAY_BE_PAID not in prompt_in(playing.table.resumed())
    playing.paid()
    assert playing.state.phase == "idle"


def test_a_journal_that_the_controller_has_accepted_may_be_paid() -> None:
    playing = restarted_in_the_settlement()
    playing.link(healthy=True)
    playing.link(healthy=False, problem="lost again")
    playing.paid()
    assert playing.state.phase == "idle"


def test_a_settlement_paid_after_a_restart_of_an_older_edition_still_replays() -> None:
    playing = restarted_in_the_settlement()
    older = [
        replace(event, edition=1) if isinstance(event, JournalOpened | Restarted) else event
        for event in playing.journal
    ]
    paid = RoundPaid(at_ms=playing.now(), frame=playing.frame())
    assert Table.recovered(SETTINGS, [*older, paid]).state.phase == "idle"


# Journals of others


def opened(table: str = "T1", journal: str = "fresh") -> JournalOpened:
    return JournalOpened(at_ms=1, table=table, journal=journal)


def test_a_journal_of_another_table_is_not_taken() -> None:
    with pytest.raises(JournalError, match="record 1"):
        Table.recovered(SETTINGS, [opened(table="T2")])


def test_a_journal_that_does_not_begin_with_its_opening_is_not_taken() -> None:
    with pytest.raises(JournalError, match="record 1"):
        Table.recovered(SETTINGS, [BetsOpened(at_ms=1, frame=1)])


def test_a_journal_that_begins_twice_is_not_taken() -> None:
    with pytest.raises(JournalError, match="record 2"):
        Table.recovered(SETTINGS, [opened(), opened(journal="other")])


def test_a_record_that_decides_nothing_here_is_another_tables() -> None:
    chip = CoinSensed(at_ms=2, seat=1, present=True)
    with pytest.raises(JournalError, match=r"record 3 .* a table other than T1"):
        Table.recovered(SETTINGS, [opened(), chip, replace(chip, at_ms=3)])


def test_a_journal_of_a_larger_table_is_not_taken() -> None:
    chip = CoinSensed(at_ms=2, seat=7, present=True)
    assert Table.recovered(replace(SETTINGS, seats=7), [opened(), chip]).state.sequence == 2
    with pytest.raises(JournalError, match="record 2"):
        Table.recovered(SETTINGS, [opened(), chip])


def test_no_journal_is_a_new_table() -> None:
    assert remembered(Table.recovered(SETTINGS, []).state) == remembered(Table(SETTINGS).state)
