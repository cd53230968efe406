"""DEALT where the source reads the cards: it forgets no hand, and says what a card too many is.

That the table no longer knows a hand is said with LOST, once cards were seen with a pit supervisor
(I-40).
"""

from msgspec.structs import replace

from firmware.table.events import CardsCorrected, RestDecided
from tests.table.playing import SETTINGS, Playing, refused
from tests.table.rounds import closed, settings_of

DOCUMENTS = ("rws-holdem",)
NOT_OVER = (
    "The deal is not over: cards to come for the board. If none come: LOST board, then DEALT."
)


def at_flop_bet() -> Playing:
    """Deal the hole cards of hold'em from a shoe: seat 1 has an ace and a king of hearts."""
    playing = Playing(replace(SETTINGS, game="rws-holdem"))
    playing.open()
    playing.chip(1)
    playing.chip(3)
    playing.close()
    for card in ("2d", "Ah", "7c", "Kh", "8d"):
        playing.draw(card)
    return playing


def exposed(playing: Playing) -> None:
    """Report what changes nothing, so that something was ruled in the round."""
    playing.report("cards_exposed", count=1, any_player_seen=True)
    playing.confirm()
    assert playing.state.round.rulings


def draw(playing: Playing, cards: str) -> None:
    for card in cards.split():
        playing.draw(card)


def test_i_40_dealt_forgets_no_board_whatever_was_noted_before() -> None:
    playing = at_flop_bet()
    playing.press(RestDecided)
    draw(playing, "3d Qh Jh")
    exposed(playing)
    assert playing.dealt() == refused(NOT_OVER)
    draw(playing, "Th")
    assert playing.state.round.community == ["Qh", "Jh", "Th"]
    assert playing.state.round.lost == {}


def test_i_40_dealt_ends_a_deal_whose_board_a_supervisor_has_agreed_is_lost() -> None:
    playing = at_flop_bet()
    playing.press(RestDecided)
    draw(playing, "3d Qh Jh")
    exposed(playing)
    playing.press(CardsCorrected, how="lost", places=("board",))
    assert playing.dealt() == refused(NOT_OVER)  # nobody has agreed yet
    playing.confirm_as("pit_supervisor")
    playing.dealt()
    assert (playing.phase(), [*playing.state.round.lost]) == ("revealing", ["board"])


def test_dealt_burns_no_card() -> None:
    playing = at_flop_bet()
    exposed(playing)
    playing.press(RestDecided)
    assert playing.dealt() == refused("The deal is not over: burn a card.")


def test_i_40_before_cards_are_seen_the_dealer_says_which_hands_he_gives_up() -> None:
    playing = closed(settings_of("rws-multilink-stud")).play_until("dealing")
    for _ in range(15):
        playing.next_cards()
    playing.report("dealing_error", reconstructable=True)
    playing.confirm()
    assert playing.dealt() == refused(
        "The deal is not over: cards to come for the dealer. If none come: LOST dealer, then DEALT."
    )
    playing.press(CardsCorrected, how="lost", places=("dealer",))
    playing.dealt()
    assert playing.phase() == "deciding"
    assert [*playing.state.round.lost] == ["dealer"]
