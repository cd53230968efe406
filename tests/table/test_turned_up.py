"""What was turned up is shown, as those cards, wherever they lie now; a correction turns none up."""

import msgspec
import pytest

from firmware.table.events import CardsCorrected, CorrectionKind, Restarted
from firmware.table.public import PublicTable, public
from firmware.table.state import CARDS_COME, TableState
from firmware.table.table import Table
from tests.table.playing import Playing
from tests.table.rounds import Round, closed, settings_of

STUD = ("rws-multilink-stud", "rws-casino-stud", "mbs-megalink-stud", "mbs-singapore-stud")
FLOP = ("7c", "8c", "9c")


def shown(playing: Playing) -> PublicTable:
    """Give what anybody may see."""
    return public(playing.table.settings, playing.state)


def hand(playing: Playing, seat: int) -> tuple[str, ...]:
    """Give what anybody may see of a seat's hand."""
    return shown(playing).seats[seat - 1].cards


def correct(playing: Playing, how: CorrectionKind, *places: str) -> None:
    """Say where cards lie, after a ruling; a pit supervisor confirms it if he has to."""
    if playing.state.phase in CARDS_COME:
        playing.rule_on_the_deal()
    playing.press(CardsCorrected, how=how, places=places)
    if playing.state.round.correction is not None:
        playing.confirm_as("pit_supervisor")
    assert playing.state.round.corrected


def holdem() -> Playing:
    """Deal a flop that is turned up: seat 1 has As and Ah, seat 2 Kd and Qc; 2d was burnt."""
    playing = Playing(settings_of("rws-holdem"))
    playing.open()
    playing.ante(1, 5_000)
    playing.ante(2, 5_000)
    playing.close()
    for card in ("2c", "As", "Kd", "Ah", "Qc"):
        playing.draw(card)
    playing.decide(1, "flop")
    playing.decide(2, "flop")
    for card in ("2d", *FLOP):
        playing.draw(card)
    assert shown(playing).community == ()
    playing.reveal()
    assert shown(playing).community == FLOP
    return playing


def at_turn(*cards: str) -> Playing:
    """Deal on from the flop: the card that is burnt, and the turn."""
    playing = holdem()
    playing.decide(1, "turn")
    playing.decide(2, "check")
    for card in cards:
        playing.draw(card)
    return playing


def stud(game: str = STUD[0]) -> Round:
    """Deal a stud game: the dealer's last card, which is shown, is the newest of all."""
    playing = closed(settings_of(game)).play_until("deciding")
    assert shown(playing).dealer == (playing.state.round.drawn[-1],)
    return playing


def test_a_hole_card_that_went_to_the_board_is_not_turned_up_by_that() -> None:
    playing = holdem()
    correct(playing, "went", "1", "board")
    assert playing.state.round.community == ["Ah", *FLOP]
    assert shown(playing).community == FLOP


def test_a_card_of_the_flop_that_went_to_a_seat_is_still_shown_and_its_successor_is_not() -> None:
    playing = holdem()
    correct(playing, "went", "board", "1")
    assert (shown(playing).community, hand(playing, 1)) == (("7c", "8c"), ("9c",))
    playing.draw("Js")
    assert playing.state.round.community == ["7c", "8c", "Js"]
    assert shown(playing).community == ("7c", "8c")


def test_a_burnt_card_that_lies_on_the_board_is_not_turned_up_by_that() -> None:
    playing = at_turn("3d")
    correct(playing, "order")
    assert playing.state.round.community == ["7c", "8c", "3d"]
    assert shown(playing).community == ("7c", "8c")


def test_a_card_too_many_on_the_board_moves_nothing_that_lies_face_up() -> None:
    playing = at_turn("3d", "Ts")
    correct(playing, "went", "2", "board")
    assert shown(playing).community == FLOP


def test_the_next_reveal_turns_up_what_lies_on_the_board_by_then() -> None:
    playing = at_turn("3d")
    correct(playing, "order")
    playing.draw("Ts")
    assert shown(playing).community == ("7c", "8c")
    playing.reveal()
    assert shown(playing).community == ("7c", "8c", "3d", "Ts")


def test_from_a_shuffler_the_rest_of_the_board_stays_face_down() -> None:
    playing = closed(settings_of("rws-holdem", "shuffler")).play_until("revealing")
    board = tuple(playing.state.round.community)
    assert shown(playing).community == ()
    playing.reveal()
    assert shown(playing).community == board[:3]
    playing.unread()
    assert shown(playing).community == board[:3]


@pytest.mark.parametrize("game", STUD)
def test_the_order_of_two_cards_turns_up_none_and_hides_none(game: str) -> None:
    playing = stud(game)
    (up,) = shown(playing).dealer
    correct(playing, "order")
    everywhere = [*shown(playing).dealer, *hand(playing, 1), *hand(playing, 3)]
    assert everywhere == [up]
    assert (playing.state.round.face_up == "") is (up not in playing.state.round.dealer)


def test_the_dealers_card_is_shown_where_it_lies_after_an_exchange() -> None:
    playing = stud()
    up = shown(playing).dealer
    correct(playing, "swap", "1", "dealer")
    assert (shown(playing).dealer, hand(playing, 1)) == ((), up)
    correct(playing, "swap", "1", "dealer")
    assert (shown(playing).dealer, hand(playing, 1)) == (up, ())


def test_a_card_that_went_to_the_dealer_leaves_his_as_it_is() -> None:
    playing = stud()
    up = shown(playing).dealer
    correct(playing, "went", "1", "dealer")
    assert shown(playing).dealer == up
    correct(playing, "went", "dealer", "1")
    assert (shown(playing).dealer, hand(playing, 1)) == ((), up)


def test_a_hand_that_a_correction_completes_shows_no_card_of_the_dealer() -> None:
    playing = closed(settings_of(STUD[0]))
    while len(playing.state.round.dealer) < 4:
        playing.go_on()
    playing.go_on()
    correct(playing, "went", "1", "dealer")
    playing.play_until("deciding")
    assert len(playing.state.round.dealer) == 5
    assert shown(playing).dealer == ()


def test_a_box_put_in_after_the_deal_turns_no_other_card_of_the_dealer_up() -> None:
    playing = stud()
    for _ in range(5):
        playing.too_many()
        while playing.phase() == "ruling":
            playing.choose("continue_reconstructed")
            playing.confirm()
    playing.ante(2, 5_000)
    playing.confirm_as("pit_supervisor")
    assert playing.state.round.dealt == [1, 2, 3]
    # The card that was taken for the dealer's lies elsewhere, face down; which one is up he says.
    everywhere = [*shown(playing).dealer, *(card for s in (1, 2, 3) for card in hand(playing, s))]
    assert everywhere == []


def test_what_an_older_firmware_had_turned_up_is_shown_after_an_update_during_the_round() -> None:
    """It kept no list of it; by the order of the deal it can be told, until a correction."""
    for playing in (holdem(), stud()):
        assert playing.state.round.turned_up
        before = shown(playing)
        old = msgspec.to_builtins(playing.state, str_keys=True)
        del old["round"]["turned_up"]
        state = msgspec.convert({**old, "edition": 1}, TableState, strict=False)
        table = Table.restored(playing.table.settings, state)
        table.step(table.completed(Restarted(at_ms=playing.now())))
        after = public(table.settings, table.state)
        assert (after.community, after.dealer) == (before.community, before.dealer)
