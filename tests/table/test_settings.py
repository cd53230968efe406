"""What the table file says holds from the event that brought it in, and never before."""

from msgspec.structs import replace

from firmware.protocol.obligations import Contribution
from firmware.table.events import Restarted
from firmware.table.table import Table
from tests.table.playing import SETTINGS, Playing, bets_placed, owed_in

DEARER = replace(SETTINGS, jackpot_bet_cents=900)


def restarted_with_dearer_bets(playing: Playing) -> bool:
    """Start the table again with another table file, and say whether that was accepted."""
    playing.take(Restarted(at_ms=playing.now(), settings=DEARER))
    return playing.decided


def test_what_was_owed_does_not_change_with_the_table_file() -> None:
    playing = bets_placed()
    before = owed_in(playing.close())
    after = Table.recovered(DEARER, playing.journal)
    assert owed_in(playing.without_reports(after.resumed())) == before
    assert after.settings == SETTINGS


def test_settings_do_not_change_during_a_round() -> None:
    """A restart is a fact and is noted; the settings of the round stay (the shell refuses them)."""
    playing = bets_placed()
    assert restarted_with_dearer_bets(playing)
    assert playing.table.settings == SETTINGS
    assert not playing.state.link_healthy


def test_settings_change_between_rounds() -> None:
    playing = Playing()
    assert restarted_with_dearer_bets(playing)
    assert playing.table.settings == DEARER
    playing.link(healthy=True)
    playing.chip(1)
    playing.open()
    (contribution,) = owed_in(playing.close())
    assert isinstance(contribution, Contribution)
    assert contribution.stake_cents == 900
    assert Table.recovered(SETTINGS, playing.journal).settings == DEARER


def test_what_a_table_file_leaves_out_is_as_the_rules_have_it() -> None:
    assert (SETTINGS.lucky_seat_one_in, SETTINGS.lucky_dealer_one_in) == (10, 10)
    assert (SETTINGS.house_policy, SETTINGS.straight_flush_share) == ("close_table", "declining")
