"""The dealer's card that lies face up: shown when it is known, and no other (RWS §3.11.2, §5.16)."""

import pytest

from firmware.rules.cards import CODES
from firmware.table.events import CardsCorrected, FaceUpKeyed
from firmware.table.public import public
from tests.table.playing import (
    ACE_HIGH,
    QUEEN_HIGH,
    TENS,
    Effects,
    Playing,
    prompt_in,
    refused,
)
from tests.table.rounds import SHUFFLER, closed, dealing, settings_of

DOCUMENTS = ("rws-multilink-stud", "rws-casino-stud")
ASKED = "To show your face-up card: UP."


def up(playing: Playing, card: str) -> Effects:
    """Key which card lies face up."""
    return playing.press(FaceUpKeyed, card=card)


def shown(playing: Playing) -> tuple[str, ...]:
    """Give what anybody may see of the dealer's hand."""
    return public(playing.table.settings, playing.state).dealer


def dealt() -> Playing:
    playing = dealing()
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    return playing


def test_3_10_from_a_shoe_the_last_card_is_the_one_that_lies_face_up() -> None:
    assert shown(dealt()) == ("2s",)


def test_3_11_2_from_a_shuffler_the_dealer_says_which_card_lies_face_up() -> None:
    playing = dealing(SHUFFLER)
    playing.dispense(*TENS)
    playing.dispense(*QUEEN_HIGH)
    assert ASKED in prompt_in(playing.dispense(*ACE_HIGH))
    assert shown(playing) == ()
    assert ASKED not in prompt_in(up(playing, "9c"))
    assert shown(playing) == ("9c",)


def test_3_7_where_the_rules_say_which_card_nobody_is_asked() -> None:
    playing = closed(settings_of("mbs-megalink-stud", "shuffler")).play_until("deciding")
    assert shown(playing) == tuple(playing.state.round.dealer[-1:])


def test_5_16_a_card_exposed_by_accident_is_shown_and_not_the_last_one() -> None:
    playing = dealt()
    playing.report("dealer_card_exposed")
    assert ASKED in prompt_in(playing.confirm())
    assert shown(playing) == ()
    up(playing, "Kd")
    assert shown(playing) == ("Kd",)
    playing.bet(1)
    playing.bet(3)
    playing.reveal()
    assert shown(playing) == ACE_HIGH


def test_5_16_it_can_be_said_before_the_deal_is_over() -> None:
    playing = dealing()
    for card in ("2d", "Tc", "Qs", "As"):
        playing.draw(card)
    up(playing, "As")
    playing.report("dealer_card_exposed")
    playing.confirm()
    assert shown(playing) == ("As",)


def test_no_refusal_and_no_prompt_tells_whether_a_card_is_the_dealers() -> None:
    told = set()
    for card in CODES:
        playing = dealt()
        told.add(str(up(playing, card)))
        assert playing.decided
        assert shown(playing) == (card,)
    assert told == {"()"}


def test_a_card_that_was_not_the_dealers_is_named_once_all_cards_are_up() -> None:
    playing = dealt()
    up(playing, "Qs")
    playing.bet(1)
    assert not any("UP" in line for line in prompt_in(playing.bet(3)))
    lines = prompt_in(playing.reveal())
    assert "The card keyed with UP was not the dealer's as read: check the dealer's hand." in lines


def test_what_a_shuffler_read_before_it_failed_is_not_shown() -> None:
    holdem = closed(settings_of("rws-holdem", "shuffler")).play_until("deciding")
    assert len(holdem.state.round.community) == 5
    holdem.unread()
    assert public(holdem.table.settings, holdem.state).community == ()
    playing = dealing(SHUFFLER)
    for hand in (TENS, QUEEN_HIGH, ACE_HIGH):
        playing.dispense(*hand)
    playing.unread()
    assert shown(playing) == ()


@pytest.mark.parametrize("places", [("1", "dealer"), ("dealer", "3")])
def test_after_a_correction_of_his_hand_no_card_is_shown_until_he_says_which(
    places: tuple[str, str],
) -> None:
    playing = dealt()
    playing.rule_on_the_deal()
    playing.press(CardsCorrected, how="swap", places=places)
    playing.confirm_as("pit_supervisor")
    assert shown(playing) == ()


def test_what_is_no_card_and_where_no_card_lies_face_up_is_refused() -> None:
    assert up(dealt(), "1x") == refused("That is not a card: key its rank and its suit.")
    playing = closed(settings_of("rws-holdem")).play_until("deciding")
    assert up(playing, "As") == refused("No card of the dealer lies face up in this game.")


@pytest.mark.parametrize("game", DOCUMENTS)
def test_5_16_after_an_exposed_card_the_last_one_is_dealt_face_down(game: str) -> None:
    playing = dealing(settings_of(game))
    for card in ("2d", "Tc", "Qs", "As"):
        playing.draw(card)
    playing.report("dealer_card_exposed")
    playing.confirm()
    for card in ("Td", "Jd", "Kd", "8h", "9d", "9c", "5s", "6s", "7h", "3c"):
        playing.draw(card)
    assert prompt_in(playing.draw("4d"))[0] == "Deal to yourself, face down."
    playing.draw("2s")
    assert shown(playing) == ()


def test_5_16_a_hand_dealt_after_an_exposed_card_stays_face_down() -> None:
    playing = dealing(settings_of("rws-multilink-stud", "manual"))
    playing.report("dealer_card_exposed")
    assert "the exposed one face up" in prompt_in(playing.confirm())[0]
