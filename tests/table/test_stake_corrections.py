"""What lies there otherwise, or was keyed wrongly: I-38 and I-39, as the chips lie (RWS §5.21).

A corrected round must end as one in which everything was keyed right. Rulings on stakes are in
`test_stakes.py`, taking back the last key in `test_undo.py`.
"""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.protocol.obligations import Contribution, Reversal, Verdict, Win
from firmware.rules.contract import BetResult
from firmware.rules.games import GAMES
from firmware.rules.settle import settle
from firmware.table.effects import NOT_ACCEPTED, NOT_ASKED
from firmware.table.events import BetKeyed, DecisionCorrected, RestDecided
from firmware.table.settings import CardSource
from firmware.table.settlement import round_document
from firmware.table.state import Phase
from firmware.table.table import Table
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    QUEEN_HIGH,
    SETTINGS,
    TENS,
    Effects,
    Playing,
    at_reveal,
    bets_placed,
    owed_in,
    prompt_in,
    refused,
    remembered,
)
from tests.table.rounds import Round, closed, settings_of

DOCUMENTS = ("rws-multilink-stud", "rws-casino-stud")
STUD = sorted(game for game in GAMES if game != "rws-holdem")
every_game = pytest.mark.parametrize("game", sorted(GAMES))
read = pytest.mark.parametrize("source", ["shoe", "shuffler"])


def correct(playing: Playing, seat: int, decision: str) -> Effects:
    """Press CORRECT."""
    return playing.press(DecisionCorrected, seat=seat, decision=decision)


def result(playing: Playing, seat: int, bet: str) -> BetResult:
    """Give what the settlement says about a bet."""
    (found,) = (each for each in playing.state.round.results if each.seat == seat)
    return found.bets[bet]


def ends(playing: Playing) -> object:
    """Give what a round comes to: what is paid and claimed, and what stands contributed."""
    state = playing.state
    seats = {seat: (p.stakes, p.decision, p.cards) for seat, p in state.round.seats.items()}
    claims = [(c.claim, c.bet) for c in state.round.claims.values()]
    totals = (state.totals.contributions, state.totals.contributed_cents)
    return msgspec.to_builtins((seats, state.round.results, claims, totals))


# BET, flop, turn, river that are not the prescribed multiple (I-38)


@pytest.mark.parametrize("game", STUD)
@pytest.mark.parametrize("cents", [1_000, 30_000])
@pytest.mark.parametrize("late", [True, False])
def test_5_3_a_bet_that_is_not_twice_the_ante_counts_as_it_lies(
    game: str,
    cents: int,
    late: bool,  # noqa: FBT001  # pytest names it
) -> None:
    played = closed(settings_of(game)).play_until("revealing")
    if late:
        played.play_until("settling")
    played.key(1, "bet", cents)
    assert played.decided
    played.play_until("settling")
    bet = result(played, 1, "bet")
    assert bet.stake == cents
    counted = min(cents, 10_000)
    if bet.outcome == "lose":
        assert bet.returned == cents - counted
    else:
        assert bet.returned == cents
        assert bet.winnings % counted == 0
    cited = {
        "rws": "5.3.1" if cents > 10_000 else "5.3.2",
        "mbs": "I-11",
    }[game[:3]]
    assert cited in played.state.round.results[0].rules
    assert not prompt_in(played.table.resumed())[0].startswith("Pit supervisor")


@pytest.mark.parametrize("bet", ["flop", "turn", "river"])
def test_5_3_holdem_bets_count_as_they_lie(bet: str) -> None:
    played = closed(settings_of("rws-holdem")).play_until("settling")
    for cents in (1_000, 90_000):
        played.key(1, bet, cents)
        assert result(played, 1, bet).stake == cents
    played.play_until("idle")
    assert played.key(1, bet, 500) == refused(
        "Keying a bet is not possible now: no round is under way."
    )


def test_without_a_key_the_prescribed_amount_counts() -> None:
    played = closed(settings_of("rws-holdem")).play_until("settling")
    stakes = played.state.round.seats[1].stakes
    assert [stakes[bet] for bet in ("flop", "turn", "river")] == [10_000, 5_000, 5_000]


def test_i_11_an_excess_over_the_limit_of_the_ante_is_returned_too() -> None:
    played = Round(settings_of("mbs-megalink-stud"))
    played.open()
    played.ante(1, 250_000)
    played.chip(2)
    played.close()
    played.play_until("settling")
    played.key(1, "bet", 500_000)
    bet = result(played, 1, "bet")
    assert bet.returned >= 300_000


def test_a_bet_that_was_not_placed_has_no_amount() -> None:
    playing = bets_placed()
    playing.close()
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    assert playing.key(1, "bet", 1_000) == refused("Seat 1 has not placed the bet.")
    playing.bet(1)
    assert playing.key(1, "bet", 0) == refused("Seat 1: if there is no bet, CORRECT the decision.")
    assert playing.key(1, "bet", 5_000) == refused("Seat 1: the bet is $50.00 already.")
    assert playing.key(1, "flop", 5_000) == refused("There is no such bet in this game.")
    assert playing.key(2, "bet", 5_000) == refused("Seat 2 is not in this round.")


def test_a_claim_that_was_made_stays_when_a_bet_is_keyed_at_settlement() -> None:
    playing = at_reveal(FLUSH)
    (win,) = owed_in(playing.reveal())
    playing.award(win.id, 10_000)
    assert owed_in(playing.key(1, "bet", 1_000)) == []
    (claim,) = playing.state.round.claims.values()
    assert claim.amount_cents == 10_000
    playing.paid()
    assert playing.phase() == "idle"


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    game=st.sampled_from(sorted(GAMES)),
    source=st.sampled_from(["shoe", "shuffler"]),
    data=st.data(),
)
def test_whenever_a_bet_is_keyed_it_is_settled_as_the_rules_say(
    game: str, source: CardSource, data: st.DataObject
) -> None:
    early = closed(settings_of(game, source)).play_until("settling")
    late = closed(settings_of(game, source)).play_until("settling")
    bets = [wager.name for wager in early.table.settings.rules.wagers[1:]]
    amounts = st.integers(1, 50_000)
    keyed = data.draw(st.lists(st.tuples(st.sampled_from([1, 3]), st.sampled_from(bets), amounts)))
    before = (early.state.totals, len(early.state.round.claims))
    for seat, bet, cents in keyed:
        early.key(seat, bet, cents)
    for seat, bet, cents in {(s, b): (s, b, c) for s, b, c in keyed}.values():
        late.key(seat, bet, cents)
    assert ends(early) == ends(late)
    document = round_document(early.table.settings, early.state.round)
    assert tuple(early.state.round.results) == settle(document).seats
    assert (early.state.totals, len(early.state.round.claims)) == before


# Stakes and seats before the first card: the dealer alone (I-39)


def contributed(effects: Effects) -> list[tuple[str, int, int]]:
    """List the contributions and reversals in some effects."""
    money = [o for o in owed_in(effects) if isinstance(o, Contribution | Reversal)]
    return [(type(o).__name__, o.seat, o.stake_cents) for o in money]


def test_5_21_before_the_first_card_the_dealer_corrects_an_ante_alone() -> None:
    playing = bets_placed()
    playing.close()
    playing.ante(1, 7_500)
    assert playing.state.round.seats[1].stakes["ante"] == 7_500
    assert playing.state.last_ante_cents[1] == 7_500
    event = playing.journal[-1]
    assert isinstance(event, BetKeyed)
    assert (event.instead_of_cents, event.stake_cents) == (2_500, 7_500)


@every_game
@pytest.mark.parametrize("source", ["shoe", "shuffler", "manual"])
def test_5_21_a_forgotten_seat_is_put_in_before_the_first_card(
    game: str, source: CardSource
) -> None:
    forgotten, right = (Round(settings_of(game, source)) for _ in range(2))
    for played in (forgotten, right):
        played.open()
        played.ante(1, 5_000)
        played.ante(3, 5_000)
    right.ante(2, 2_500)
    for played in (forgotten, right):
        played.close()
        if played.phase() == "drawing":
            played.lots("2c")
    forgotten.ante(2, 2_500)
    assert forgotten.state.round.dealt == [1, 2, 3]
    last: Phase = "claiming" if source == "manual" else "settling"
    assert ends(forgotten.play_until(last)) == ends(right.play_until(last))


def test_5_21_a_seat_without_ante_is_taken_out_and_its_contribution_reversed() -> None:
    playing = bets_placed()
    playing.close()
    assert contributed(playing.ante(3, 0)) == [("Reversal", 3, 500)]
    assert playing.state.round.dealt == [1]
    assert contributed(playing.ante(3, 5_000)) == [("Contribution", 3, 500)]
    assert playing.state.round.dealt == [1, 3]
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    assert playing.phase() == "deciding"


def test_a_jackpot_bet_that_was_keyed_wrongly_is_contributed_anew() -> None:
    played = Round(settings_of("mbs-singapore-stud"))
    played.open()
    played.chip(1)
    played.key(1, "jackpot_dealer", 1_500)
    played.close()
    played.lots("2c")
    # The lots are known: whoever adds or takes out a jackpot bet now knows what it wins.
    assert contributed(played.key(1, "jackpot_dealer", 500)) == []
    assert contributed(played.confirm_as("pit_supervisor")) == [
        ("Reversal", 1, 1_500),
        ("Contribution", 1, 500),
    ]
    played.key(1, "jackpot_dealer", 0)
    assert contributed(played.confirm_as("pit_supervisor")) == [("Reversal", 1, 500)]
    assert played.state.totals.contributed_cents == 500


# After it: with a pit supervisor (I-39)


def test_5_21_after_the_first_card_a_stake_waits_for_a_pit_supervisor() -> None:
    playing = bets_placed()
    playing.close()
    playing.draw("2d")
    lines = prompt_in(playing.ante(1, 7_500))
    what = "Seat 1: ante $25.00 becomes $75.00."
    assert lines[0] == f"Pit supervisor: key and PIN, or CANCEL. {what}"
    assert playing.state.round.seats[1].stakes["ante"] == 2_500
    assert playing.confirm_as("dealer") == refused(NOT_ACCEPTED)
    playing.confirm_as("pit_supervisor")
    assert playing.state.round.seats[1].stakes["ante"] == 7_500
    said = "Seat 1: ante $25.00 becomes $75.00. Confirmed by the pit_supervisor."
    assert said in playing.state.round.rulings
    playing.turn_key()
    assert playing.identify() == refused(NOT_ASKED)


def test_a_round_is_not_paid_while_a_correction_waits() -> None:
    playing = at_reveal(TENS)
    playing.reveal()
    playing.ante(1, 5_000)
    assert playing.paid() == refused(
        "A correction waits for a pit supervisor: press CANCEL if it is a mistake."
    )
    playing.confirm_as("shift_manager")
    assert result(playing, 1, "bet").stake == 10_000
    playing.paid()
    assert playing.phase() == "idle"


def test_the_bet_follows_a_corrected_ante_unless_its_amount_was_keyed() -> None:
    playing = at_reveal(TENS)
    playing.key(3, "bet", 6_000)
    for seat in (1, 3):
        playing.ante(seat, 10_000)
        playing.confirm_as("pit_supervisor")
    stakes = {seat: p.stakes["bet"] for seat, p in playing.state.round.seats.items()}
    assert stakes == {1: 20_000, 3: 6_000}


@every_game
@read
@pytest.mark.parametrize("cards", [1, 3, 7])
def test_5_21_a_forgotten_seat_has_the_cards_that_were_dealt_to_it(
    game: str, source: CardSource, cards: int
) -> None:
    """The dealer dealt by the felt; the table's order had one box too few."""
    forgotten, right = (Round(settings_of(game, source)) for _ in range(2))
    for played in (forgotten, right):
        played.open()
        played.ante(1, 5_000)
        played.ante(3, 5_000)
    right.ante(2, 2_500)
    for played in (forgotten, right):
        played.close()
        if played.phase() == "drawing":
            played.lots("2c")
        for _ in range(cards if source == "shoe" else 1):
            played.next_cards()
    if forgotten.phase() not in {"dealing", "deciding"}:
        return
    forgotten.ante(2, 2_500)
    assert prompt_in(forgotten.table.resumed())[0].endswith("It was dealt a hand too.")
    forgotten.confirm_as("pit_supervisor")
    assert forgotten.decided
    assert ends(forgotten.play_until("settling")) == ends(right.play_until("settling"))


@pytest.mark.parametrize("game", STUD)
@read
def test_5_21_a_hand_dealt_to_a_box_without_an_ante_is_out_and_every_card_stays_where_it_lies(
    game: str, source: CardSource
) -> None:
    wrong, right = (Round(settings_of(game, source)) for _ in range(2))
    for played in (wrong, right):
        played.open()
        for seat in (1, 2, 3):
            played.ante(seat, 5_000)
        played.close()
        if played.phase() == "drawing":
            played.lots("2c")
        for _ in range(4 if source == "shoe" else 2):
            played.next_cards()
    wrong.ante(2, 0)
    assert prompt_in(wrong.table.resumed())[0].endswith("Its hand is taken out.")
    wrong.confirm_as("pit_supervisor")
    for played in (wrong, right):
        played.play_until("settling")
    hands = [[play.cards for play in p.state.round.seats.values()] for p in (wrong, right)]
    assert hands[0] == hands[1]
    assert wrong.state.round.dealer == right.state.round.dealer
    out = {result.seat: result.bets for result in wrong.state.round.results}[2]
    assert not any(bet.stake or bet.winnings for bet in out.values())


def test_who_has_a_hand_is_settled_once_somebody_has_decided() -> None:
    playing = bets_placed()
    playing.close()
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    playing.bet(1)
    too_late = "Seat 2: too late to change who has a hand; report it."
    assert playing.ante(2, 2_500) == refused(too_late)
    had_one = "Seat 1 has played its hand: it had an ante. Report it, if not."
    assert playing.ante(1, 0) == refused(had_one)


def test_before_a_forgotten_seat_gets_cards_the_supervisor_is_told_how_many_are_to_come() -> None:
    playing = bets_placed()
    playing.close()
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    assert prompt_in(playing.ante(2, 2_500))[0] == (
        "Pit supervisor: key and PIN, or CANCEL. Seat 2: playing, ante $25.00. "
        "It was dealt a hand too; 5 more cards are still to be dealt."
    )
    playing.cancel()  # no hand was dealt there: the others keep theirs
    assert playing.state.round.seats[3].cards == list(QUEEN_HIGH)
    assert 2 not in playing.state.round.seats


def test_a_jackpot_bet_stands_once_the_hands_are_face_up() -> None:
    playing = bets_placed()
    playing.ante(2, 2_500)
    playing.close()
    hands = {1: TENS, 2: FLUSH, 3: QUEEN_HIGH}
    playing.deal(hands, ACE_HIGH)
    for seat in hands:
        playing.bet(seat)
    playing.reveal()
    assert playing.key(2, "jackpot", 500) == refused(
        "Seat 2: the hands are face up; the jackpot bet stands."
    )


def test_a_seat_that_is_out_of_the_round_is_not_corrected() -> None:
    played = closed(settings_of("rws-multilink-stud")).play_until("deciding")
    played.report("extra_hand_examined", seats=[1, 3], first_seat=1, intentional=True)
    played.confirm_as("pit_supervisor")
    out = refused("Seat 3 is out of the round: return its bets.")
    assert played.ante(3, 9_000) == out
    assert correct(played, 3, "bet") == out


# Decisions


@every_game
@read
@pytest.mark.parametrize("phase", ["revealing", "settling"])
def test_5_21_a_fold_keyed_for_the_wrong_seat_is_put_right(
    game: str, source: CardSource, phase: str
) -> None:
    wrong, right = (closed(settings_of(game, source)) for _ in range(2))
    wrong.answers = {1: "fold"}
    right.answers = {3: "fold"}
    if game == "rws-holdem":
        phase = "deciding"
        wrong.play_until("deciding")
        wrong.fold(1)
    else:
        wrong.play_until("revealing" if phase == "revealing" else "settling")
    stay = wrong.table.settings.rules.stay
    if game == "rws-holdem":
        wrong.decide(3, stay)
        wrong.answers = {}
        assert wrong.phase() in {"dealing", "revealing"}
    correct(wrong, 1, stay)
    wrong.confirm_as("pit_supervisor")
    correct(wrong, 3, "fold")
    wrong.confirm_as("pit_supervisor")
    event = next(e for e in reversed(wrong.journal) if isinstance(e, DecisionCorrected))
    assert (event.instead_of, event.decision) == (stay, "fold")
    assert ends(wrong.play_until("settling")) == ends(right.play_until("settling"))
    table = Table.recovered(wrong.table.settings, wrong.journal)
    assert remembered(table.state) == remembered(wrong.state)


def test_5_21_the_claim_of_a_hand_that_was_not_folded_is_made() -> None:
    """In casino stud a fold loses the jackpot (§3.12.1): who folded decides who claims."""
    playing = Playing(replace(SETTINGS, game="rws-casino-stud"))
    playing.open()
    playing.chip(1)
    playing.chip(3)
    playing.close()
    playing.deal({1: FLUSH, 3: TENS}, ACE_HIGH)
    playing.fold(1)
    playing.bet(3)
    assert owed_in(playing.reveal()) == []
    correct(playing, 1, "bet")
    (win,) = owed_in(playing.confirm_as("pit_supervisor"))
    assert isinstance(win, Win)
    assert (win.seat, win.claim.tier) == (1, "flush")
    correct(playing, 1, "fold")
    (verdict,) = owed_in(playing.confirm_as("pit_supervisor"))
    assert isinstance(verdict, Verdict)
    assert (verdict.win, verdict.confirmed) == (win.id, False)
    playing.paid()
    assert playing.phase() == "idle"


@pytest.mark.parametrize("game", ["mbs-megalink-stud", "mbs-singapore-stud"])
def test_megalink_5_11_a_player_who_was_there_after_all_has_a_jackpot_bet_again(game: str) -> None:
    played = closed(settings_of(game))
    right = closed(settings_of(game)).play_until("settling")
    played.answers = {1: "absent"}
    played.play_until("settling")
    assert not played.state.round.seats[1].contributions
    correct(played, 1, "bet")
    played.confirm_as("pit_supervisor")
    assert ends(played) == ends(right)


def test_a_round_that_everybody_seemed_to_have_folded_goes_on() -> None:
    playing = Playing()
    playing.open()
    playing.ante(1, 2_500)
    playing.ante(3, 2_500)
    playing.close()
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    playing.fold(1)
    playing.fold(3)
    assert playing.phase() == "settling"
    correct(playing, 3, "bet")
    playing.confirm_as("pit_supervisor")
    assert playing.phase() == "revealing"
    playing.reveal()
    assert result(playing, 3, "bet").stake == 5_000


def test_holdem_a_fold_is_final_once_the_others_have_decided_on_the_turn() -> None:
    played = closed(settings_of("rws-holdem"))
    played.answers = {1: "fold"}
    played.play_until("deciding")
    while played.state.round.seats[3].stakes.get("turn") is None:
        played.go_on()
    assert correct(played, 1, "flop") == refused(
        "Seat 1: too late, the turn has been decided without it."
    )
    correct(played, 1, "absent")
    assert played.decided


def test_holdem_a_seat_that_is_back_is_asked_for_the_turn() -> None:
    played = closed(settings_of("rws-holdem"))
    played.answers = {1: "fold"}
    played.play_until("deciding")
    played.decide_next()
    played.decide_next()
    played.play_until("deciding")
    correct(played, 1, "flop")
    played.confirm_as("pit_supervisor")
    assert "TURN or CHECK: seats 1, 3." in prompt_in(played.table.resumed())


def test_a_check_becomes_a_bet_and_a_bet_a_check() -> None:
    played = closed(settings_of("rws-holdem"))
    played.play_until("settling")
    right = ends(played)
    correct(played, 3, "check")
    played.confirm_as("pit_supervisor")
    assert "river" not in played.state.round.seats[3].stakes
    correct(played, 3, "river")
    played.confirm_as("pit_supervisor")
    assert ends(played) == right


def test_a_correction_says_what_can_be_keyed() -> None:
    playing = bets_placed()
    playing.close()
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    assert correct(playing, 1, "fold") == refused("Seat 1 has not decided yet.")
    playing.bet(1)
    assert correct(playing, 1, "check") == refused("Seat 1: choose bet, fold or absent.")
    assert correct(playing, 1, "bet") == refused("Seat 1 has decided so already: bet.")
    assert correct(playing, 2, "fold") == refused("Seat 2 is not in this round.")


def test_by_hand_a_fold_for_the_wrong_seat_is_put_right_before_the_claims() -> None:
    played = closed(settings_of("rws-casino-stud", "manual")).play_until("claiming")
    played.fold(1)
    correct(played, 1, "bet")
    played.confirm_as("pit_supervisor")
    assert played.state.round.seats[1].decision == "bet"
    # What a supervisor has confirmed is not asked for again, nor the dealer's to change alone.
    played.cards(1, *FLUSH)
    assert "did the player fold?" not in " ".join(prompt_in(played.table.resumed()))
    assert played.fold(1) == refused("Seat 1 has already decided: bet.")
    played.fold(3)
    assert correct(played, 1, "bet") == refused("Seat 1 has decided so already: bet.")


def test_what_was_asked_for_is_checked_again_when_it_is_confirmed() -> None:
    playing = bets_placed()
    playing.close()
    playing.draw("2d")
    playing.ante(2, 2_500)
    hands = {1: TENS, 3: QUEEN_HIGH}
    for place in range(5):
        for hand in (*hands.values(), ACE_HIGH):
            playing.draw(hand[place])
    playing.bet(1)
    assert playing.confirm_as() == refused(
        "Seat 2: too late to change who has a hand; report it. Press CANCEL."
    )


# A forgotten seat, noticed when it shows (RWS §5.21, I-39)

SECOND = ("6c", "6d", "4s", "Jc", "Qh")
AROUND = [hand[n] for n in range(5) for hand in (TENS, SECOND, QUEEN_HIGH, ACE_HIGH)]


def forgotten(cards: int) -> Playing:
    """Deal so many cards to seats 1, 2 and 3 and the dealer, of whom the table has not seat 2."""
    playing = bets_placed()
    playing.close()
    playing.draw("2d")
    for card in AROUND[:cards]:
        playing.draw(card)
    return playing


def test_5_21_a_forgotten_seat_is_keyed_while_the_dealer_still_holds_cards() -> None:
    playing = forgotten(15)
    assert playing.phase() == "deciding"
    playing.ante(2, 5_000)
    lines = prompt_in(playing.confirm_as("pit_supervisor"))
    assert lines[0] == "Deal to yourself."
    for card in AROUND[15:]:
        playing.draw(card)
    assert playing.phase() == "deciding"
    assert playing.state.round.seats[2].cards == list(SECOND)
    assert playing.state.round.dealer == list(ACE_HIGH)


def test_5_21_cards_that_came_too_many_are_ruled_on_once_and_explained_by_the_forgotten_seat() -> (
    None
):
    playing = forgotten(20)
    assert playing.phase() == "ruling"
    playing.confirm()
    assert playing.phase() == "deciding"
    playing.ante(2, 5_000)
    lines = prompt_in(playing.confirm_as("pit_supervisor"))
    assert not any("too many" in line for line in lines)
    playing.press(RestDecided)
    assert playing.phase() == "revealing"
