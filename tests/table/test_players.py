"""Who plays: under the minimum once and again, new players, blind hands, two wagers a seat.

Antes and chips are in `test_bets.py`; what a bet pays is proved with the rules.
"""

import pytest

from firmware.protocol.obligations import Contribution, Reversal
from firmware.rules.games import GAMES
from firmware.table.events import DecisionCorrected, NewPlayer, RestDecided, SeatsJoined
from firmware.table.settings import CardSource
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    QUEEN_HIGH,
    TENS,
    Playing,
    lamps_in,
    owed_in,
    prompt_in,
    refused,
)
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


# One player's seats (I-41)

KINGS = ("Kc", "Jh", "9h", "6h", "3h")


def joined(game: str) -> Playing:
    """Deal to seats 1 and 2 of one player, and to seat 3 of another."""
    playing = Playing(settings_of(game))
    playing.open()
    for seat in (1, 2, 3):
        playing.chip(seat)
    playing.press(SeatsJoined, seats=(1, 2))
    playing.close()
    if game.startswith("rws"):
        playing.draw("2d")
    for place in range(5):
        for hand in (TENS, KINGS, QUEEN_HIGH, ACE_HIGH):
            playing.draw(hand[place])
    assert playing.phase() == "deciding"
    return playing


def shown(playing: Playing) -> tuple[str, ...]:
    """Give what the panel shows now."""
    return prompt_in(playing.without_reports(playing.table.resumed()))


def test_5_9_whoever_shows_a_hand_gets_the_wagers_of_all_his_seats_back() -> None:
    playing = joined("mbs-megalink-stud")
    playing.report("hand_not_confidential", seat=1)
    playing.choose("invalidate")
    effects = playing.confirm_as("shift_manager")
    assert [owed.seat for owed in owed_in(effects) if isinstance(owed, Reversal)] == [1, 2]
    seats = playing.state.round.seats
    assert [seats[seat].decision for seat in (1, 2, 3)] == ["invalid", "invalid", None]
    assert shown(playing)[0] == "BET or FOLD: seat 3."


@pytest.mark.parametrize("game", ["rws-multilink-stud", "mbs-megalink-stud"])
def test_5_5_whoever_walks_away_is_absent_at_all_his_seats(game: str) -> None:
    playing = joined(game)
    playing.decide(1, "absent")
    assert shown(playing)[0] == "BET or FOLD: seat 3."
    playing.press(RestDecided)
    decisions = {seat: each.decision for seat, each in playing.state.round.seats.items()}
    assert decisions == {1: "absent", 2: "absent", 3: "bet"}


def test_5_6_a_seat_at_which_nothing_is_left_to_decide_is_settled_as_it_is() -> None:
    playing = joined("rws-multilink-stud")
    playing.bet(2)
    playing.decide(1, "absent")
    assert playing.state.round.seats[2].decision == "bet"


def test_5_5_seats_that_turn_out_to_be_one_players_who_left_are_absent_too() -> None:
    playing = Playing()
    playing.open()
    for seat in (1, 2, 3):
        playing.chip(seat)
    playing.close()
    playing.draw("2d")
    for place in range(5):
        for hand in (TENS, KINGS, QUEEN_HIGH, ACE_HIGH):
            playing.draw(hand[place])
    playing.decide(1, "absent")
    playing.press(SeatsJoined, seats=(1, 2))
    assert shown(playing)[0] == "BET or FOLD: seat 3."


# A correction at one of a player's seats (I-39, I-41)


def decisions(playing: Playing) -> dict[int, str | None]:
    return {seat: each.decision for seat, each in playing.state.round.seats.items()}


def correct(playing: Playing, seat: int, decision: str) -> str:
    """Press CORRECT with a supervisor, and give what he was asked."""
    asked = prompt_in(playing.press(DecisionCorrected, seat=seat, decision=decision))[0]
    playing.confirm_as("pit_supervisor")
    return asked.removeprefix("Pit supervisor: key and PIN, or CANCEL. ")


@pytest.mark.parametrize("answer", ["bet", "fold"])
def test_5_5_a_player_who_has_not_left_one_seat_is_asked_at_the_others_again(answer: str) -> None:
    playing = joined("rws-multilink-stud")
    playing.decide(1, "absent")
    asked = f"Seat 1: absent becomes {answer}. Not absent, to be keyed again: seat 2."
    assert correct(playing, 1, answer) == asked
    assert decisions(playing) == {1: answer, 2: None, 3: None}
    assert shown(playing)[0] == "BET or FOLD: seats 2, 3."
    playing.decide(2, "absent")  # he had bet at the first seat, and left then
    assert decisions(playing) == {1: answer, 2: "absent", 3: None}


@pytest.mark.parametrize("game", ["rws-multilink-stud", "mbs-megalink-stud"])
@pytest.mark.parametrize("phase", ["revealing", "settling"])
def test_5_5_once_nobody_is_asked_any_more_it_holds_for_all_his_seats(
    game: str, phase: str
) -> None:
    playing, right = joined(game), joined(game)
    playing.decide(1, "absent")
    playing.press(RestDecided)
    right.press(RestDecided)
    if phase == "settling":
        playing.reveal()
        right.reveal()
    assert playing.phase() == phase
    assert correct(playing, 1, "bet") == "Seats 1, 2: absent becomes bet."
    assert decisions(playing) == {1: "bet", 2: "bet", 3: "bet"}
    assert playing.state.round.results == right.state.round.results
    assert correct(playing, 2, "fold") == "Seat 2: bet becomes fold."
    assert decisions(playing) == {1: "bet", 2: "fold", 3: "bet"}


def test_5_6_a_seat_that_was_decided_before_he_left_keeps_its_decision() -> None:
    playing = joined("rws-multilink-stud")
    playing.fold(2)
    playing.decide(1, "absent")
    assert correct(playing, 1, "bet") == "Seat 1: absent becomes bet."
    assert decisions(playing) == {1: "bet", 2: "fold", 3: None}


def test_5_5_whoever_is_corrected_to_have_left_has_left_his_undecided_seats() -> None:
    playing = joined("rws-multilink-stud")
    playing.bet(1)
    assert correct(playing, 1, "absent") == "Seat 1: bet becomes absent. Absent too: seat 2."
    assert decisions(playing) == {1: "absent", 2: "absent", 3: None}


def test_5_5_seats_joined_while_a_correction_waits_make_it_another_one() -> None:
    playing = Playing()
    playing.open()
    for seat in (1, 2, 3):
        playing.chip(seat)
    playing.close()
    playing.draw("2d")
    for place in range(5):
        for hand in (TENS, KINGS, QUEEN_HIGH, ACE_HIGH):
            playing.draw(hand[place])
    playing.decide(1, "absent")
    playing.press(DecisionCorrected, seat=1, decision="bet")
    playing.press(SeatsJoined, seats=(1, 2))
    assert playing.confirm_as("pit_supervisor") == refused(
        "Seat 1 has decided since: key it again. Press CANCEL."
    )


def joined_by_hand(game: str) -> Playing:
    """Deal by hand to seats 1 and 2 of one player, and to seat 3 of another."""
    playing = Playing(settings_of(game, "manual"))
    playing.open()
    for seat in (1, 2, 3):
        playing.chip(seat)
    playing.press(SeatsJoined, seats=(1, 2))
    playing.close()
    playing.dealt()
    return playing


def test_5_5_by_hand_the_others_are_to_be_keyed_again_or_left_too() -> None:
    playing = joined_by_hand("rws-multilink-stud")
    playing.decide(1, "absent")
    asked = "Seat 1: absent becomes bet. Not absent, to be keyed again: seat 2."
    assert correct(playing, 1, "bet") == asked
    assert decisions(playing) == {1: "bet", 2: None, 3: None}
    assert correct(playing, 1, "absent") == "Seat 1: bet becomes absent. Absent too: seat 2."
    assert decisions(playing) == {1: "absent", 2: "absent", 3: None}


@pytest.mark.parametrize("key", ["ABSENT", "CORRECT"])
def test_5_11_no_key_for_one_seat_takes_the_claim_of_another_of_the_player_away(key: str) -> None:
    playing = joined_by_hand("mbs-megalink-stud")
    playing.reveal()
    if key == "CORRECT":
        playing.bet(1)
    playing.cards(2, *FLUSH)
    playing.paid()
    assert [claim.seat for claim in playing.state.round.claims.values()] == [2]
    playing.cards(3, *QUEEN_HIGH)
    assert playing.phase() == "claiming"
    if key == "ABSENT":
        assert playing.decide(1, "absent") == refused(
            "Seat 2 has claimed: NOTCONFIRMED 2 and a pit supervisor first."
        )
    else:
        assert playing.press(DecisionCorrected, seat=1, decision="absent") == refused(
            "Seat 2: the claims are made; settle the difference by hand."
        )
    assert decisions(playing)[2] is None


def test_5_19_the_hand_that_was_seen_first_may_be_looked_at() -> None:
    playing = joined("rws-multilink-stud")
    assert "The player must not look at: seat 2." in shown(playing)
    playing.report("extra_hand_examined", seats=[1, 2], first_seat=2, intentional=True)
    playing.confirm_as()
    assert shown(playing)[0] == "BET or FOLD: seats 2, 3."
    assert not any("must not look" in line for line in shown(playing))


def test_5_19_a_hand_examined_by_mistake_is_not_looked_at_again() -> None:
    playing = joined("rws-multilink-stud")
    playing.report("extra_hand_examined", seats=[1, 2], first_seat=2, intentional=False)
    playing.confirm_as()
    assert "The player must not look at: seat 1." in shown(playing)


def test_5_10_1_a_hand_that_was_viewed_may_be_looked_at() -> None:
    playing = joined("mbs-megalink-stud")
    playing.report("played_several_positions", seats=[1, 2], viewed=[2])
    playing.confirm_as()
    assert playing.state.round.seats[1].taken_out
    assert not any("must not look" in line for line in shown(playing))


def test_a_hand_that_is_out_of_the_round_is_nobodys_to_look_at() -> None:
    playing = joined("rws-multilink-stud")
    playing.fold(2)
    assert not any("must not look" in line for line in shown(playing))


# Under the minimum again, by memory


def test_5_13_a_remembered_ante_under_the_minimum_is_told_before_and_after_the_close() -> None:
    played = one_round(Round(settings_of("mbs-megalink-stud")), 1_000)
    played.refill()
    played.lift(1)
    played.open()
    again = "Seat 1: ante under the minimum again; every bet goes back (§5.13)."
    lines = prompt_in(played.chip(1))
    assert "Seat 1: ante under the minimum; ask the player to raise or withdraw it." in lines
    assert again in lines
    assert again in prompt_in(played.close())


def test_5_2_1_where_it_is_settled_as_placed_nothing_is_said_to_go_back() -> None:
    played = one_round(Round(settings_of("rws-multilink-stud")), 1_000)
    played.lift(1)
    played.open()
    lines = prompt_in(played.chip(1))
    assert "Seat 1: ante under the minimum; ask the player to raise or withdraw it." in lines
    assert not any("goes back" in line for line in lines)
