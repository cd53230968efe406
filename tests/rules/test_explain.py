"""Settled rounds in words: each hand, what each bet gets and why, as a dealer reads it.

Whole lines are held where they carry money or a decision. That the answers themselves
are right is proved in `games/`; rulings and awards are in test_explain_rulings.py.
"""

import pytest

from firmware.rules.words import best_five, hand_words, money, paragraphs, spaced
from tests.rules.ask import Json
from tests.rules.games.rws_stud import (
    FULL_HOUSE,
    NOT_QUALIFYING,
    ONE_PAIR,
    QUALIFYING,
    QUEEN_HIGH,
    ROYAL_FLUSH,
    absent,
    betting,
    folding,
    table,
)
from tests.rules.telling import in_words

MULTILINK, CASINO = "rws-multilink-stud", "rws-casino-stud"
MEGALINK, SINGAPORE = "mbs-megalink-stud", "mbs-singapore-stud"
HOLDEM = "rws-holdem"


def told(game: str, dealer: str | None, *seats: Json, **more: object) -> list[str]:
    """Explain a round."""
    return in_words("settle", table(game, dealer, *seats, **more))


def bet_line(lines: list[str], name: str) -> str:
    """Find the only line about a bet and give it with single spaces."""
    (found,) = (line for line in lines if line.startswith(f"{name}  "))
    return " ".join(found.split())


# ── money, names, paragraphs ─────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("cents", "written"),
    [
        (0, "$0.00"),
        (5, "$0.05"),
        (2500, "$25.00"),
        (123_450, "$1,234.50"),
        (100_000_000, "$1,000,000.00"),
    ],
)
def test_money_is_written_in_dollars_and_cents(cents: int, written: str) -> None:
    assert money(cents) == written


def test_names_of_the_contract_become_words() -> None:
    assert spaced("four_of_a_kind") == "four of a kind"


def test_paragraphs_have_their_sign_and_interpretations_do_not() -> None:
    assert paragraphs(["3.14.1", "I-1"]) == "§3.14.1, I-1"


# ── hands ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("As Ks Qs Js Ts", "royal flush"),
        ("8c Qc 9c Tc Jc", "straight flush, queen high"),
        ("Ad 5d 2d 4d 3d", "straight flush, five high"),
        ("6c Jh 6h 6d 6s", "four of a kind, sixes, then J♥"),
        ("Jc Kc Jh Kh Kd", "full house, kings over jacks"),
        ("5s 5h 2d 2h 2c", "full house, twos over fives"),
        ("9c 8d 7c 6h 5s", "straight, nine high"),
        ("As Kd Qc Jh Ts", "straight, ace high"),
        ("As 5c 4d 3c 2h", "straight, five high"),
        ("Qs 3d Qh 8h Qc", "three of a kind, queens, then 8♥ 3♦"),
        ("Jd 7s 4c 7h 4h", "two pairs, sevens and fours, then J♦"),
        ("As Ah Kd Kc 2s", "two pairs, aces and kings, then 2♠"),
        ("3s Tc Kd Th 6h", "one pair, tens, then K♦ 6♥ 3♠"),
    ],
)
def test_a_hand_is_named_with_what_decides_between_equals(cards: str, words: str) -> None:
    assert hand_words(cards.split()) == words


@pytest.mark.parametrize(
    ("cards", "begins"),
    [
        ("Kh Jh 9h 5h 2h", "flush, king"),
        ("4s Qc 6d Th 2h", "five odd cards, queen"),
        ("As 5c 4d 3c 9h", "five odd cards, ace"),
    ],
)
def test_flushes_and_odd_cards_begin_with_their_highest(cards: str, begins: str) -> None:
    assert hand_words(cards.split()).startswith(begins)


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("As Kd Jc 5h 2s", "Ac Kh Ts 6d 4c"),
        ("As Kd Jc 5h 3s", "Ac Kh Js 5d 2c"),
        ("Kh Jh 9h 5h 2h", "Kd Jd 8d 5d 2d"),
        ("6h 6c Ad 9s 2c", "6d 6s Ac 9d 3h"),
        ("4s 4c 4h Kd 3s", "4s 4c 4h Kd 2s"),
    ],
)
def test_hands_of_different_strength_never_read_alike(higher: str, lower: str) -> None:
    assert hand_words(higher.split()) != hand_words(lower.split())


@pytest.mark.parametrize(
    ("seven", "five"),
    [
        ("4c 5c Ah Kh Qh 2c 3d", "5c 4c 3d 2c Ah"),
        ("Ac 9c Ah Kh Qh 2c 3d", "Ac Ah Kh Qh 9c"),
        ("Kc Ks Kd 3h 3c 9s 9d", "Kc Ks Kd 9s 9d"),
        ("2s 2d 9h 9d 9c 9s 4d", "9h 9d 9c 9s 4d"),
    ],
)
def test_the_best_five_of_seven_stand_with_what_matters_first(seven: str, five: str) -> None:
    assert list(best_five(seven.split())) == five.split()


# ── a settled round ──────────────────────────────────────────────────────────


def test_a_won_round_is_told_from_top_to_bottom() -> None:
    assert told(MULTILINK, QUALIFYING, betting(ONE_PAIR, jackpot=500)) == [
        "Multi-Link Progressive Casino Stud Poker (rws-multilink-stud)",
        f"Dealer    A♠ K♦ 7♣ 5♦ 2♠   {hand_words(QUALIFYING.split())}; qualifies (§1.14)",
        "",
        "Seat 1    10♣ 10♥ K♣ 6♥ 3♠   one pair, tens, then K♣ 6♥ 3♠",
        "beats the dealer (§3.14.1, §4.1)",
        "ante                 $25.00   wins: pay $25.00, leave $25.00",
        "bet                  $50.00   wins: pay $50.00, leave $50.00",
        "jackpot               $5.00   no win",
    ]


def test_a_beaten_hand_says_what_to_take() -> None:
    lines = told(CASINO, QUALIFYING, betting(QUEEN_HIGH))
    assert "is beaten by the dealer (§3.14.2)" in lines
    assert bet_line(lines, "bet") == "bet $50.00 loses: take $50.00"


def test_a_stand_off_says_what_to_return() -> None:
    lines = told(CASINO, QUALIFYING, betting("Ac Ks 7d 5c 2h"))
    assert "stands off with the dealer (§3.14.3)" in lines
    assert bet_line(lines, "ante") == "ante $25.00 stand-off: leave $25.00"


def test_a_dealer_without_a_hand_says_no_hand() -> None:
    lines = told(CASINO, NOT_QUALIFYING, betting(QUEEN_HIGH))
    assert lines[1].endswith('no ace and king: "No hand" (§1.14)')
    assert "the dealer has no hand (§3.13, §4.1)" in lines
    assert bet_line(lines, "ante") == "ante $25.00 wins: pay $25.00, leave $25.00"
    assert bet_line(lines, "bet") == "bet $50.00 goes back: return $50.00"


def test_a_fold_with_a_royal_flush_is_told_with_its_claim() -> None:
    lines = told(MEGALINK, None, folding(ROYAL_FLUSH, jackpot=500))
    assert lines[1] == "Dealer    no hand was needed"
    assert "folded (§3.9.1, §4.2)" in lines
    assert bet_line(lines, "jackpot") == "jackpot $5.00 wins on the jackpot"
    assert lines[-2:] == [
        "To be paid from the jackpot:",
        "seat 1: royal flush (player's hand), major, 100 % of the meter",
    ]


def test_a_fixed_claim_says_its_amount() -> None:
    lines = told(CASINO, NOT_QUALIFYING, betting(FULL_HOUSE, jackpot=500))
    assert lines[-1] == "seat 1: full house (player's hand), minor, $200.00"


@pytest.mark.parametrize(
    ("game", "dealer", "follows"),
    [
        (MULTILINK, QUALIFYING, "counts as folded (§4.3)"),
        (CASINO, QUALIFYING, "is beaten by the dealer (§4.3, §3.14.2)"),
    ],
)
def test_a_hand_that_was_not_shown_stays_hidden(game: str, dealer: str, follows: str) -> None:
    lines = told(game, dealer, betting(ONE_PAIR, jackpot=500, revealed=False))
    assert lines[3:5] == ["Seat 1    not shown", f"the hand was not shown: {follows}"]
    assert bet_line(lines, "ante") == "ante $25.00 loses: take $25.00"


def test_an_absent_player_says_so() -> None:
    lines = told(MEGALINK, None, absent(ONE_PAIR, jackpot=500))
    (story,) = (line for line in lines if line.startswith("walked away"))
    assert story.endswith("(§5.11)")
    assert bet_line(lines, "ante") == "ante $25.00 goes back: return $25.00"
    assert bet_line(lines, "jackpot") == "jackpot $5.00 goes back: return $5.00"


@pytest.mark.parametrize(
    ("decision", "story"),
    [("withdrawn", "withdrew from the round (§5.10.3)"), ("invalid", "was taken out of the round")],
)
def test_a_seat_that_is_out_has_everything_back(decision: str, story: str) -> None:
    seat = {"seat": 4, "bets": {"ante": 2500, "bet": 5000}, "decision": decision}
    lines = told(MULTILINK, None, seat)
    assert lines[3:5] == ["Seat 4    no cards", story]
    assert bet_line(lines, "bet") == "bet $50.00 goes back: return $50.00"


@pytest.mark.parametrize("seat", [betting(ONE_PAIR), folding(ONE_PAIR)])
def test_a_wager_under_the_minimum_again_takes_no_part(seat: Json) -> None:
    limits = {"ante_min": 5000}
    lines = told(MEGALINK, QUALIFYING, seat | {"under_min_before": True}, limits=limits)
    assert "under the minimum again: takes no part (§5.13)" in lines
    assert bet_line(lines, "ante") == "ante $25.00 goes back: return $25.00"


def test_a_box_without_an_ante_takes_no_part() -> None:
    lines = told(MULTILINK, None, {"seat": 2, "bets": {"jackpot": 500}})
    assert lines[3:5] == ["Seat 2    no cards", "no ante, so the box takes no part (§5.4)"]


def test_what_is_over_the_limit_goes_back_from_a_losing_bet() -> None:
    seat = betting(QUEEN_HIGH, ante=250_000, bet=600_000)
    lines = told(CASINO, QUALIFYING, seat, limits={"ante_max": 200_000})
    assert bet_line(lines, "ante") == "ante $2,500.00 loses: take $2,000.00, return $500.00"
    assert bet_line(lines, "bet") == "bet $6,000.00 loses: take $4,000.00, return $2,000.00"


def test_the_two_wagers_and_the_draws_of_singapore_stud_are_told_apart() -> None:
    seat = betting("Ac Kd 7d 5c 2h", jackpot=500)
    seat["bets"]["jackpot_dealer"] = 300
    draws = {"magic_card": "7d", "lucky_dealer": True}
    lines = told(SINGAPORE, "Kc Kh Ks Jc Jh", seat, draws=draws)
    assert (
        bet_line(lines, "jackpot on the dealer")
        == "jackpot on the dealer $3.00 wins on the jackpot"
    )
    assert lines[2] == "Drawn     magic card seven of diamonds, lucky dealer"
    assert lines[-3:] == [
        "seat 1: magic card (player's hand), minor, $25.00",
        "seat 1: full house (dealer's hand), minor, $300.00",
        "seat 1: lucky dealer (dealer's hand), minor, $15.00",
    ]


# ── hold'em ──────────────────────────────────────────────────────────────────


def holdem(dealer: str | None, board: str, seat: Json) -> list[str]:
    """Explain a round of hold'em."""
    return told(HOLDEM, dealer, seat, community=board.split())


def test_holdem_shows_the_board_and_the_best_five_of_seven() -> None:
    bets = {"ante": 1000, "flop": 2000, "jackpot": 500}
    seat = {"seat": 1, "cards": ["4c", "5c"], "bets": bets, "decision": "flop"}
    lines = holdem("As Ad", "Ah Kh Qh 2c 3d", seat)
    assert lines[1:5] == [
        "Community A♥ K♥ Q♥ 2♣ 3♦",
        "Dealer    A♠ A♦   three of a kind, aces, then K♥ Q♥",
        "",
        "Seat 1    4♣ 5♣   straight, five high",
    ]


def test_a_holdem_ante_that_is_neither_paid_nor_collected_is_no_stand_off() -> None:
    bets = {"ante": 1000, "flop": 2000}
    seat = {"seat": 1, "cards": ["Kc", "Ks"], "bets": bets, "decision": "flop"}
    lines = holdem("As Ad", "Kd 3h 7c 9s 4d", seat)
    assert "beats the dealer (§3.13, §4.1)" in lines
    assert bet_line(lines, "ante").endswith("leave $10.00")
    assert "stand-off" not in bet_line(lines, "ante")


def test_a_folded_holdem_player_is_paid_on_the_community_cards() -> None:
    bets = {"ante": 1000, "jackpot": 500}
    seat = {"seat": 6, "cards": ["Kc", "Ks"], "bets": bets, "decision": "fold"}
    lines = holdem(None, "9h 9d 9c 9s 4d", seat)
    assert "folded (§3.11.2, §4.2)" in lines
    assert lines[-1] == "seat 6: four of a kind (community cards), minor, $300.00"


def test_a_holdem_hand_without_a_board_is_just_its_cards() -> None:
    seat = {"seat": 1, "cards": ["Kc", "Ks"], "bets": {"ante": 1000}, "decision": "fold"}
    assert "Seat 1    K♣ K♠" in holdem(None, "", seat)
