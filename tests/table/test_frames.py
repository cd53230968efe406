"""Frames that come again: a device repeats what it got no answer to, and nothing happens twice."""

from itertools import chain

from firmware.table.events import SESSION_FRAMES, CardDrawn, HandDispensed
from firmware.table.settings import TableSettings
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    SETTINGS,
    STRAIGHT_FLUSH,
    Playing,
    bets_placed,
    written,
)
from tests.table.rounds import SHUFFLER, noticed


def dealing(settings: TableSettings = SETTINGS) -> Playing:
    playing = bets_placed(settings)
    playing.close()
    return playing


def assert_taken_once(playing: Playing) -> None:
    """Prove that the last frame, when it comes again, is taken for what it is."""
    assert playing.journal[-1] == playing.last
    before = written(playing.state)
    records = len(playing.journal)
    assert playing.again() == ()
    assert len(playing.journal) == records
    assert written(playing.state) == before


def test_every_frame_is_taken_once() -> None:
    playing = Playing()
    playing.open()
    assert_taken_once(playing)
    playing.chip(1)
    playing.ante(1, 5_000)
    assert_taken_once(playing)
    playing.close()
    assert_taken_once(playing)
    for card in ("2d", *chain.from_iterable(zip(FLUSH, ACE_HIGH, strict=True))):
        playing.draw(card)
        assert_taken_once(playing)
    playing.fold(1)
    assert_taken_once(playing)
    playing.reveal()
    assert_taken_once(playing)
    (win,) = playing.state.round.claims
    playing.award(win, 10_000)
    playing.paid()
    assert_taken_once(playing)


def test_a_frame_that_comes_again_after_a_restart_is_taken_once() -> None:
    playing = dealing()
    playing.draw("2d")
    frame = playing.last
    playing.restart()
    assert playing.take(frame) == ()
    assert len(playing.state.round.drawn) == 1


def test_the_same_number_from_another_device_is_another_frame() -> None:
    playing = dealing()
    playing.frames["shoe"] = playing.frames["panel"] - 1
    playing.draw("2d")
    assert playing.frames["shoe"] == playing.frames["panel"]
    assert playing.decided


def test_the_numbers_of_frames_may_begin_anew() -> None:
    playing = dealing()
    playing.frames["shoe"] = 998
    playing.draw("2d")
    playing.frames["shoe"] = 0
    playing.draw("As")
    assert playing.decided


# A card source that has restarted and does not mark what it repeats


def drawn(playing: Playing, card: str, session: int, number: int) -> None:
    """Draw a card as message `number` of a session."""
    frame, first = session * SESSION_FRAMES + number, number == 1
    playing.take(CardDrawn(at_ms=playing.now(), frame=frame, card=card, unmarked=first))


def test_the_newest_card_is_recognised_when_a_shoe_that_has_restarted_sends_it_first() -> None:
    playing = dealing()
    drawn(playing, "2d", 4711, 1)
    drawn(playing, "As", 4711, 2)
    drawn(playing, "As", 4712, 1)
    assert playing.phase() == "dealing"
    assert playing.state.round.drawn == ["2d", "As"]
    (told,) = playing.state.round.rulings
    assert told == (
        "The shoe restarted and sent its last card again: it counts once. "
        "If one more card came, report it."
    )
    drawn(playing, "Kd", 4712, 2)
    assert playing.state.round.drawn == ["2d", "As", "Kd"]


def test_the_newest_hand_is_recognised_when_a_shuffler_that_has_restarted_sends_it_first() -> None:
    playing = dealing(SHUFFLER)
    for session in (4711, 4712, 4713):
        frame = session * SESSION_FRAMES + 1
        at_ms = playing.now()
        playing.take(HandDispensed(at_ms=at_ms, frame=frame, cards=FLUSH, unmarked=True))
    assert playing.phase() == "dealing"
    assert playing.state.round.drawn == list(FLUSH)
    assert len(playing.state.round.rulings) == 2


def test_a_card_of_a_second_deck_is_found_unless_it_comes_first_after_a_restart() -> None:
    for session, number in ((4711, 3), (4712, 2)):
        playing = dealing()
        drawn(playing, "2d", 4711, 1)
        drawn(playing, "As", 4711, 2)
        drawn(playing, "As", session, number)
        assert noticed(playing) == "foreign_card"


def test_another_card_that_was_drawn_before_is_found_even_first_after_a_restart() -> None:
    playing = dealing()
    drawn(playing, "2d", 4711, 1)
    drawn(playing, "As", 4711, 2)
    drawn(playing, "2d", 4712, 1)
    assert noticed(playing) == "foreign_card"


def test_if_it_was_a_second_card_after_all_the_deal_is_one_card_short() -> None:
    """Then the dealer has dealt everything, and the table still waits for a card."""
    playing = dealing()
    cards = ["2d", *chain.from_iterable(zip(FLUSH, ACE_HIGH, STRAIGHT_FLUSH, strict=True))]
    for number, card in enumerate(cards[:5], start=1):
        drawn(playing, card, 4711, number)
    drawn(playing, cards[4], 4712, 1)  # lies where the sixth card was to lie
    for number, card in enumerate(cards[6:], start=2):
        drawn(playing, card, 4712, number)
    assert playing.phase() == "dealing"
    assert len(playing.state.round.drawn) == len(cards) - 1
