"""DEALT where the source reads the cards: it forgets no hand, and says what a card too many is.

That the table no longer knows a hand is said with LOST, once cards were seen with a pit supervisor
(I-40).
"""

from msgspec.structs import replace

from firmware.table.effects import ShowPrompt
from firmware.table.events import CardsCorrected, RestDecided
from tests.table.playing import FLUSH, SETTINGS, Playing, at_reveal, prompt_in, refused
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
    for owed in list(playing.state.owed):
        playing.acknowledge(owed)
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


# A card too many


APART = "If it lies apart and every hand is right, press DEALT."
DEALT_NEXT = "If every hand is right, press DEALT: it is the next card dealt."
BURNT = "The card too many is the burnt card: it is dealt."


def too_many(cards: str) -> Playing:
    """Draw cards while the players decide on the flop, and rule on that."""
    playing = at_flop_bet()
    draw(playing, cards)
    playing.confirm()
    assert playing.phase() == "deciding"
    return playing


def screen(playing: Playing) -> tuple[str, ...]:
    return next(each.lines for each in playing.table.resumed() if isinstance(each, ShowPrompt))


def test_5_10_2_a_card_drawn_before_the_burn_is_the_burnt_card_and_the_panel_says_so() -> None:
    playing = too_many("6s")
    assert DEALT_NEXT in screen(playing)
    assert APART not in screen(playing)
    assert "The card too many is the next card dealt; the hands are right." in prompt_in(
        playing.dealt()
    )
    lines = prompt_in(playing.press(RestDecided))
    assert lines[:2] == ("Deal the flop: 3 cards, face down.", BURNT)
    draw(playing, "Qh Jh Th")
    assert playing.state.round.community == ["Qh", "Jh", "Th"]


def test_5_10_2_two_cards_too_many_keep_the_order_in_which_they_were_drawn() -> None:
    playing = too_many("6s 6d")
    playing.dealt()
    lines = prompt_in(playing.press(RestDecided))
    assert lines[:3] == (
        "Deal the flop: 2 cards, face down.",
        "The card too many is the next card of the board: it is dealt.",
        BURNT,
    )
    assert playing.state.round.community == ["6d"]


def test_a_card_too_many_lies_apart_where_no_more_are_dealt() -> None:
    playing = at_reveal(FLUSH)
    playing.draw("2h")
    playing.confirm()
    assert APART in screen(playing)
    assert "The card too many lies apart; the hands are right." in prompt_in(playing.dealt())
    assert playing.state.round.surplus == []


def withdrawn() -> Playing:
    """Let the deal go on by a withdrawal before anybody has said where a card too many lies."""
    playing = at_flop_bet()
    playing.decide(1, "flop")
    playing.draw("6s")
    playing.choose("withdraw", 3)
    playing.confirm_as("pit_supervisor")
    assert (playing.phase(), playing.state.round.unexplained) == ("dealing", True)
    return playing


def test_i_40_a_card_too_many_is_dealt_only_once_it_is_said_where_it_lies() -> None:
    playing = withdrawn()
    assert screen(playing)[:2] == (
        "A card too many came. Say where it lies: WENT, SWAP or LOST.",
        DEALT_NEXT,
    )
    assert BURNT in prompt_in(playing.dealt())
    assert playing.dealt() == refused(NOT_OVER)  # by a bouncing thumb
    draw(playing, "Qh Jh Th")
    assert playing.state.round.community == ["Qh", "Jh", "Th"]
    assert playing.phase() == "revealing"


def test_5_10_2_what_is_drawn_before_that_is_said_keeps_its_order_and_what_is_left_is_asked_about() -> (
    None
):
    playing = withdrawn()
    draw(playing, "3d Qh Jh Th")
    assert playing.state.round.community == []
    playing.dealt()
    assert playing.state.round.community == ["3d", "Qh", "Jh"]
    assert (playing.phase(), playing.state.round.unexplained) == ("revealing", True)
    playing.reveal()
    assert not playing.decided


def test_i_40_a_card_too_many_that_lies_in_a_lost_hand_is_not_dealt_on() -> None:
    playing = too_many("6s")
    playing.press(CardsCorrected, how="lost", places=("1",))
    playing.confirm_as("pit_supervisor")
    playing.press(RestDecided)
    draw(playing, "3d Qh Jh Th")
    assert playing.state.round.community == ["Qh", "Jh", "Th"]


def test_5_14_the_card_too_many_is_the_other_one_if_two_drawn_at_once_lie_the_other_way() -> None:
    playing = too_many("6s")
    playing.press(CardsCorrected, how="order")
    playing.confirm_as("pit_supervisor")
    assert playing.state.round.seats[3].cards == ["7c", "6s"]
    assert BURNT in prompt_in(playing.press(RestDecided))
    draw(playing, "Qh Jh Th")
    assert playing.state.round.community == ["Qh", "Jh", "Th"]


def test_what_a_supervisor_has_withdrawn_is_the_next_card() -> None:
    playing = at_flop_bet()
    playing.draw("6s")
    playing.cancel()
    playing.confirm_as("pit_supervisor")
    assert BURNT in prompt_in(playing.press(RestDecided))
