"""Who plays: under the minimum once and again, new players, blind hands, two wagers a seat.

Antes and chips are in `test_bets.py`; what a bet pays is proved with the rules.
"""

import pytest

from firmware.protocol.obligations import Contribution, Reversal
from firmware.rules.games import GAMES
from firmware.table.events import NewPlayer, SeatsJoined
from firmware.table.settings import CardSource
from tests.table.playing import lamps_in, owed_in, prompt_in, refused
from tests.table.rounds import Round, closed, settings_of

MBS = sorted(game for game in GAMES if game.startswith("mbs"))
RWS = sorted(game for game in GAMES if game.startswith("rws"))
every_source = pytest.mark.parametrize("source", ["shoe", "shuffler", "manual"])


def one_round(played: Round, ante_cents: int) -> Round:
    """Play a round of seat 1 with this ante and a jackpot bet."""
    played.refill()
    played.lift(1)
    played.open()
    played.chip(1)
    played.ante(1, ante_cents)
    played.close()
    return played.play_until("idle")


# Under the minimum (I-13, I-30)


@pytest.mark.parametrize("game", MBS)
@every_source
def test_mbs_settles_a_wager_under_the_minimum_once(game: str, source: CardSource) -> None:
    played = one_round(Round(settings_of(game, source)), 1_000)
    assert played.state.under_min == [1]
    assert reversed_seats(played) == []
    one_round(played, 1_000)
    assert reversed_seats(played) == [1]
    if source != "manual":
        (result,) = played.state.round.results
        assert {bet.outcome for bet in result.bets.values()} == {"returned"}


@pytest.mark.parametrize("game", MBS)
def test_a_new_player_may_be_under_the_minimum_once_more(game: str) -> None:
    played = one_round(Round(settings_of(game)), 1_000)
    played.press(NewPlayer, seat=1)
    assert played.state.under_min == []
    assert played.state.last_ante_cents == {}
    one_round(played, 1_000)
    assert reversed_seats(played) == []
    assert played.press(NewPlayer, seat=5) == refused("No seat 5 at this table.")


@pytest.mark.parametrize("game", RWS)
def test_rws_settles_a_wager_under_the_minimum_as_placed_every_time(game: str) -> None:
    played = Round(settings_of(game))
    for _ in range(2):
        one_round(played, 1_000)
        assert reversed_seats(played) == []


def reversed_seats(played: Round) -> list[int]:
    return [o.seat for o in played.state.owed.values() if isinstance(o, Reversal)]


def test_limits_are_named_while_bets_can_still_be_put_right() -> None:
    played = Round(settings_of("rws-multilink-stud"))
    played.open()
    low = "Seat 1: ante under the minimum; ask the player to raise or withdraw it."
    assert low in prompt_in(played.ante(1, 1_000))
    high = "Seat 1: ante over the maximum; hand back the excess."
    assert high in prompt_in(played.ante(1, 200_000))


# Several hands of one player


@pytest.mark.parametrize("game", sorted(GAMES))
def test_of_several_hands_the_first_is_examined_and_the_others_are_blind(game: str) -> None:
    played = Round(settings_of(game))
    played.open()
    for seat in (1, 3, 4):
        played.ante(seat, 5_000)
    played.press(SeatsJoined, seats=(3, 1))
    played.close()
    played.play_until("deciding")
    assert "The player must not look at: seat 1." in prompt_in(played.table.resumed())
    assert played.press(SeatsJoined, seats=(4, 1)) == refused("Seat 1 already belongs to a player.")
    assert played.press(SeatsJoined, seats=(4,)) == refused(
        "Key two or more different seats for that player."
    )
    played.play_until("idle")


def test_an_extra_hand_that_was_examined_on_purpose_goes_out() -> None:
    played = closed(settings_of("rws-multilink-stud")).play_until("deciding")
    played.report("extra_hand_examined", seats=[1, 3], first_seat=1, intentional=True)
    played.confirm_as("pit_supervisor")
    assert played.state.round.seats[3].decision == "invalid"
    assert reversed_seats(played) == [3]
    assert prompt_in(played.table.resumed())[0] == "BET or FOLD: seat 1."


# Two wagers a seat, in credits, with draws


def test_singapore_takes_two_wagers_a_seat_in_whole_credits() -> None:
    played = Round(settings_of("mbs-singapore-stud"))
    played.open()
    played.chip(1)
    played.chip(1, "jackpot_dealer")
    played.key(1, "jackpot_dealer", 1_500)
    whole = refused("Seat 1: the jackpot bet is a multiple of $5.00.")
    assert played.key(1, "jackpot_dealer", 700) == whole
    owed = [o for o in owed_in(played.close()) if isinstance(o, Contribution)]
    assert [(o.bet, o.stake_cents) for o in owed] == [("jackpot", 500), ("jackpot_dealer", 1_500)]
    assert played.state.totals.contributed_cents == 2_000
    played.lots("2c", lucky_dealer=True)
    played.play_until("settling")
    claims = [(c.bet, c.claim.tier, c.claim.amount) for c in played.state.round.claims.values()]
    assert ("jackpot_dealer", "lucky_dealer", 7_500) in claims


def test_each_of_two_spots_has_its_own_lamp() -> None:
    played = Round(settings_of("mbs-singapore-stud"))
    played.open()
    played.chip(1, "jackpot_dealer")
    (contribution,) = [o for o in owed_in(played.close()) if isinstance(o, Contribution)]
    played.acknowledge(contribution.id)
    lamps = {
        (effect.seat, effect.bet): effect.pattern  # type: ignore[union-attr]  # filtered by name
        for effect in played.table.resumed()
        if type(effect).__name__ == "SetLamp"
    }
    assert lamps[1, "jackpot_dealer"] == "steady"
    assert lamps[1, "jackpot"] == "off"


def test_rws_takes_one_wager_of_the_prescribed_amount() -> None:
    played = Round(settings_of("rws-multilink-stud"))
    played.open()
    assert played.key(1, "jackpot", 1_000) == refused("Seat 1: the jackpot bet is $5.00.")
    played.key(1, "jackpot", 500)
    assert lamps_in(played.close())[1] == "quick_blink"


@pytest.mark.parametrize("joined", ["before the close", "after it", "never"])
def test_megalink_5_13_a_player_has_been_under_the_minimum_at_any_of_his_seats(joined: str) -> None:
    playing = Round(settings_of("mbs-megalink-stud"))
    playing.state.under_min.append(2)
    playing.open()
    playing.ante(1, 1_000)
    playing.ante(2, 2_500)
    if joined == "before the close":
        playing.press(SeatsJoined, seats=(1, 2))
    playing.close()
    if joined == "after it":
        playing.press(SeatsJoined, seats=(1, 2))
    assert playing.state.round.seats[1].under_min_before == (joined != "never")
