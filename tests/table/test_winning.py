"""A hand that wins on the jackpot: claimed at the reveal, awarded by the controller, shown.

Who gets how much of the meter is proved with the rules; here the controller has said so.
"""

from firmware.protocol.obligations import Win
from firmware.rules.contract import Claim
from firmware.table.effects import StopSending
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    METER_CENTS,
    QUEEN_HIGH,
    STRAIGHT_FLUSH,
    Playing,
    at_reveal,
    bets_placed,
    lamps_in,
    owed_in,
    prompt_in,
    refused,
    sign,
)


def test_a_flush_claims_its_line_at_the_reveal_and_flutters() -> None:
    playing = at_reveal(FLUSH)
    effects = playing.reveal()
    assert lamps_in(effects) == {1: "flutter"}
    assert prompt_in(effects) == (
        "Dealer qualifies: ace and king.",
        "Seat 1: JACKPOT, wait for the amount.",
        "Seat 1: leave the cards face up.",
        "Seat 1: pay $275.00.",
        "Seat 1 JACKPOT flush (player's hand), minor, $100.00: pending, do not pay yet",
        "Seat 1 ante wins: pay $25.00, leave $25.00",
        "Seat 1 bet wins: pay $250.00, leave $50.00",
        "Seat 3: take $75.00.",
        "Seat 3 ante loses: take $25.00",
        "Seat 3 bet loses: take $50.00",
    )
    record = playing.state.sequence
    assert owed_in(effects) == [
        Win(
            id=f"T1.fresh.{record}.1",
            table="T1",
            round=1,
            seat=1,
            at_ms=playing.at_ms,
            claim=Claim(1, "player", "flush", "minor", amount=10_000),
            dealt_at_ms=playing.at_ms - 5_000,
        )
    ]


def test_an_award_is_shown_to_the_dealer_and_on_the_sign_until_the_round_ends() -> None:
    playing = at_reveal(FLUSH)
    (win,) = owed_in(playing.reveal())
    effects = playing.award(win.id, 10_000)
    assert lamps_in(effects) == {}
    line = "Seat 1 JACKPOT flush (player's hand), minor, $100.00: pay $100.00"
    assert "Seat 1: JACKPOT, pay $100.00." in prompt_in(effects)
    assert line in prompt_in(effects)
    assert effects[-2:] == (sign(METER_CENTS, "Seat 1 wins $100.00"), StopSending(win.id))
    ended = playing.paid()
    assert lamps_in(ended) == {1: "off", 3: "off"}
    assert ended[-1] == sign(METER_CENTS)


def test_a_win_is_owed_until_its_award_since_an_award_may_be_lost_on_the_way() -> None:
    playing = at_reveal(FLUSH)
    (win,) = owed_in(playing.reveal())
    assert playing.acknowledge(win.id) == ()
    assert playing.status is not None
    assert playing.status.owed == 0  # the controller knows of it; it is sent all the same
    assert playing.acknowledge(win.id) == ()
    assert not playing.decided
    assert owed_in(playing.restart()) == [win]
    playing.award(win.id, 10_000)
    assert owed_in(playing.restart()) == []


def test_a_share_of_the_meter_is_claimed_as_a_share() -> None:
    playing = at_reveal(STRAIGHT_FLUSH)
    effects = playing.reveal()
    (win,) = owed_in(effects)
    assert isinstance(win, Win)
    assert win.claim == Claim(1, "player", "straight_flush", "major", percent=10)
    words = "straight flush (player's hand), major, 10 % of the meter"
    assert f"Seat 1 JACKPOT {words}: to be confirmed, do not pay yet" in prompt_in(effects)


def test_a_round_cannot_end_while_an_award_is_pending() -> None:
    playing = at_reveal(FLUSH)
    (win,) = owed_in(playing.reveal())
    playing.acknowledge(win.id)
    assert playing.paid() == refused("Seat 1 is still waiting for its jackpot award.")
    assert not playing.decided
    playing.award(win.id, 10_000)
    playing.paid()
    assert playing.state.phase == "idle"


def test_each_winner_has_a_message_of_his_own_and_waits_for_his_own_award() -> None:
    playing = at_reveal(FLUSH, STRAIGHT_FLUSH)
    effects = playing.reveal()
    assert lamps_in(effects) == {1: "flutter", 3: "flutter"}
    first, third = owed_in(effects)
    record = playing.state.sequence
    assert [first.id, third.id] == [f"T1.fresh.{record}.1", f"T1.fresh.{record}.2"]
    playing.award(third.id, 55_500)
    assert playing.paid() == refused("Seat 1 is still waiting for its jackpot award.")


def test_an_award_that_is_told_twice_counts_once() -> None:
    playing = at_reveal(FLUSH)
    (win,) = owed_in(playing.reveal())
    playing.award(win.id, 10_000)
    assert playing.award(win.id, 10_000) == ()
    assert not playing.decided


def test_a_hand_without_a_jackpot_bet_claims_nothing_and_stays_dark() -> None:
    playing = Playing()
    playing.open()
    playing.ante(1, 2_500)
    assert owed_in(playing.close()) == []
    playing.deal({1: FLUSH}, ACE_HIGH)
    playing.bet(1)
    effects = playing.reveal()
    assert lamps_in(effects) == {}
    assert owed_in(effects) == []


def test_a_fold_keeps_the_jackpot_bet_in() -> None:
    playing = bets_placed()
    playing.close()
    playing.deal({1: FLUSH, 3: QUEEN_HIGH}, ACE_HIGH)
    playing.fold(1)
    playing.fold(3)
    assert [win.seat for win in owed_in(playing.reveal())] == [1]


def test_a_key_that_was_refused_stays_refused_when_its_frame_comes_again() -> None:
    playing = at_reveal(FLUSH)
    (win,) = owed_in(playing.reveal())
    playing.paid()
    refused = playing.last
    playing.award(win.id, 10_000)
    playing.take(refused)
    assert not playing.decided
    playing.paid()
    assert playing.state.phase == "idle"
