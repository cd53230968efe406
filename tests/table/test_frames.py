"""Frames that come again: a device repeats what it got no answer to, and nothing happens twice."""

from itertools import chain

from tests.table.playing import ACE_HIGH, FLUSH, Playing, bets_placed, written


def dealing() -> Playing:
    playing = bets_placed()
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
