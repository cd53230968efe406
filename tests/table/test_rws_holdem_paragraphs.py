"""Paragraphs of hold'em that nothing else reaches at the table."""

from msgspec.structs import replace

from tests.table.playing import SETTINGS, Playing

DOCUMENTS = ("rws-holdem",)


def test_4_1_1_a_bonus_bet_is_paid_at_most_so_much() -> None:
    playing = Playing(replace(SETTINGS, game="rws-holdem", card_source="shuffler"))
    playing.open()
    playing.ante(1, 2_500)
    playing.key(1, "bonus", 20_000)
    playing.close()
    playing.dispense("Kc", "9d", "7s", "4h", "2c")
    playing.dispense("As", "Ad")
    playing.dispense("Ac", "Ah")
    playing.decide(1, "flop")
    playing.reveal()
    playing.decide(1, "check")
    playing.reveal()
    playing.decide(1, "check")
    playing.reveal()
    playing.reveal()
    (result,) = playing.state.round.results
    # A thousand to one would be $200,000.
    assert result.bets["bonus"].winnings == 100_000_00
    assert result.bets["bonus"].returned == 20_000
