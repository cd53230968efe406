"""The differences between the four stud games: one row a question, one column a game.

Each cell is what that game answers and the paragraph that makes it so. What the games
have in common, and every other case of a rule, is proved in `games/`.
"""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from firmware.errors import BadInput
from tests.rules.ask import Json, award, ruling, settle
from tests.rules.games.rws_stud import (
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    NOT_QUALIFYING,
    ONE_PAIR,
    QUALIFYING,
    ROYAL_FLUSH,
    absent,
    betting,
    folding,
    table,
)

GAMES = ("rws-multilink-stud", "rws-casino-stud", "mbs-megalink-stud", "mbs-singapore-stud")

Cell = tuple[object, str]
"""What a game answers, and a paragraph that it must cite."""
Ask = Callable[[str], tuple[object, list[str]]]
"""Asks one game; gives the answer and the paragraphs that it cites."""


class Row(NamedTuple):
    """One question, and the answers of the four games in the order of `GAMES`."""

    question: str
    ask: Ask
    multilink: Cell
    casino: Cell
    megalink: Cell
    singapore: Cell

    def of(self, game: str) -> Cell:
        """Give the cell of one game."""
        return (self.multilink, self.casino, self.megalink, self.singapore)[GAMES.index(game)]


# ── how a row asks ───────────────────────────────────────────────────────────


def play(dealer: str, seat: Json, **more: object) -> Ask:
    """Ask what becomes of a seat's bets: outcome, and winnings where there are any."""

    def ask(game: str) -> tuple[object, list[str]]:
        try:
            (result,) = settle(table(game, dealer, seat, **more))["seats"]
        except BadInput as error:
            return "bad input", [error.field]
        words = [
            f"{name} {bet['outcome']}" + (f" {bet['winnings']}" if bet["winnings"] else "")
            for name, bet in result["bets"].items()
        ]
        return ", ".join(words), result["rules"]

    return ask


def jackpot_of(hand: str) -> Ask:
    """Ask what a jackpot bet of $5 wins on a hand that also beats the dealer."""

    def ask(game: str) -> tuple[object, list[str]]:
        settled = settle(table(game, QUALIFYING, betting(hand, jackpot=500)))
        (claim,), (seat,) = settled["claims"], settled["seats"]
        return claim["amount"], seat["rules"]

    return ask


def on_the_dealer(**more: object) -> Ask:
    """Ask what becomes of a jackpot wager of $1 on a dealer who has a flush."""
    seat = folding(ONE_PAIR)
    seat["bets"]["jackpot_dealer"] = 100
    return play("Ad Jd 9d 5d 2d", seat, **more)


def pay(*claims: Json) -> Ask:
    """Ask who is paid what, in order, from a meter of $1,000,000 that resets to $200,000."""

    def ask(game: str) -> tuple[object, list[str]]:
        meter = {"value": 100_000_000, "reset": 20_000_000}
        awards = award({"game": game, "meter": meter, "claims": list(claims)})["awards"]
        paid = [f"{one['id']} {one['amount']}" for one in awards]
        return ", ".join(paid), [one["rule"] for one in awards]

    return ask


def claim(name: str, tier: str, seat: int, dealt: int, entered: int, **more: object) -> Json:
    """Claim for table T1, round 17; the times are seconds after 03:04."""
    pays = {"royal_flush": {"percent": 100}, "straight_flush": {"percent": 10}}
    return {
        "id": name,
        "table": "T1",
        "round": 17,
        "seat": seat,
        "tier": tier,
        "dealt_at": f"2026-01-02T03:04:{dealt:02}Z",
        "entered_at": f"2026-01-02T03:04:{entered:02}Z",
        **pays.get(tier, {"amount": 20_000}),
        **more,
    }


def after(irregularity: str, **facts: object) -> Ask:
    """Ask for a ruling: everything that it says, and its paragraph."""

    def ask(game: str) -> tuple[object, list[str]]:
        try:
            answer = ruling(game, irregularity, **facts)
        except BadInput as error:
            return "bad input", [error.field]
        return answer, [answer.pop("rule")]

    return ask


# ── what a ruling says ───────────────────────────────────────────────────────

VOID = {"action": "void", "bets": "returned"}
PLAY_ON = {"action": "continue"}
PUT_RIGHT = {"action": "reconstruct"}
SHIFT_MANAGER = {"action": "refer", "authority": "gaming_shift_manager"}
TABLE_MANAGER = {"action": "refer", "authority": "table_games_shift_manager"}
SEAT_3_OUT = {"action": "invalidate", "seats": [3]}
AS_DEALT = ["continue", "withdraw"]
MENDED = ["continue_reconstructed", "withdraw"]


def affected(options: list[str]) -> Json:
    """Give the affected players a choice."""
    return {"action": "options", "options": options, "affects": "affected"}


def everyone(options: list[str]) -> Json:
    """Give all players a choice."""
    return {"action": "options", "options": options, "affects": "all"}


HOUSE_CHOOSES = {
    "action": "refer",
    "authority": "house",
    "options": ["close_table", "disallow_box", "no_jackpot_bets"],
}
EXTRA_OUT = {"action": "invalidate", "seats": [1, 3], "authority": "pit_supervisor"}
UNVIEWED_OUT = {"action": "invalidate", "seats": [1, 3]}
FACE_UP = {"action": "use_card", "as": "face_up_card"}
NEXT_CARD = {"action": "use_card", "as": "next_card"}
SEAT_3_OUT_OTHERS_CHOOSE = SEAT_3_OUT | {"options": AS_DEALT, "affects": "all"}
BY_SUPERVISOR = everyone(AS_DEALT) | {"authority": "pit_supervisor"}

# ── the questions ────────────────────────────────────────────────────────────

FOLDED_HOUSE = folding(FULL_HOUSE, jackpot=500)
HIDDEN = betting(FULL_HOUSE, jackpot=500, revealed=False)
ABSENT = absent(FULL_HOUSE, jackpot=500)
UNDER_AGAIN = betting(ONE_PAIR, ante=1000, bet=2000, jackpot=500, under_min_before=True)
HIGH_ROYAL = betting(ROYAL_FLUSH, ante=50_000, bet=100_000)
MINIMUM = {"ante_min": 2500}

ROYALS = [claim("seat2", "royal_flush", 2, 1, 30), claim("seat5", "royal_flush", 5, 2, 20)]
TENTHS = [claim("seat2", "straight_flush", 2, 1, 30), claim("seat5", "straight_flush", 5, 2, 20)]
ROYAL_FIRST = [claim("royal", "royal_flush", 2, 1, 10), claim("house", "full_house", 5, 2, 40)]
TWO_TABLES = [
    claim("entered_first", "straight_flush", 1, 9, 20),
    claim("dealt_first", "straight_flush", 1, 1, 30, table="T2"),
]

LOST = "ante lose, bet lose, jackpot lose"
NOTHING_COMPARED = "ante win 2500, bet returned, jackpot lose"
BACK = "ante returned, jackpot returned"
ALL_BACK = "ante returned, bet returned, jackpot returned"
SETTLED = "ante win 1000, bet win 2000, jackpot lose"

# A table is read by its columns, so the formatter keeps off.
# fmt: off
TABLE = (
    # What a seat gets.
    Row("a full house folds: does the jackpot bet still win", play(QUALIFYING, FOLDED_HOUSE),
        ("ante lose, jackpot win 20000", "3.12.1"), ("ante lose, jackpot lose", "3.12.1"),
        ("ante lose, jackpot win 20000", "3.9.1"), ("ante lose, jackpot win 50000", "3.9")),
    Row("four of a kind on a jackpot bet of $5", jackpot_of(FOUR_OF_A_KIND),
        (200_000, "4.2"), (50_000, "4.2"), (200_000, "4.2"), (250_000, "4.2")),
    Row("full house on a jackpot bet of $5", jackpot_of(FULL_HOUSE),
        (20_000, "4.2"), (20_000, "4.2"), (20_000, "4.2"), (50_000, "4.2")),
    Row("flush on a jackpot bet of $5", jackpot_of(FLUSH),
        (10_000, "4.2"), (10_000, "4.2"), (10_000, "4.2"), (25_000, "4.2")),
    Row("BET, not shown, dealer has no hand", play(NOT_QUALIFYING, HIDDEN),
        (LOST, "4.3"), (NOTHING_COMPARED, "4.3"),
        (NOTHING_COMPARED, "3.10.1"), (NOTHING_COMPARED, "I-1")),
    Row("BET, not shown, dealer has ace and king", play(QUALIFYING, HIDDEN),
        (LOST, "4.3"), (LOST, "3.14.2"), (LOST, "3.10.1"), (LOST, "I-1")),
    Row("absent with a full house", play(QUALIFYING, ABSENT),
        ("ante lose, jackpot win 20000", "5.5"), ("ante lose, jackpot lose", "5.5"),
        (BACK, "5.11"), (BACK, "I-1")),
    Row("under the minimum again", play(QUALIFYING, UNDER_AGAIN, limits=MINIMUM),
        (SETTLED, "5.2.1"), (SETTLED, "5.2.1"), (ALL_BACK, "5.13"), (ALL_BACK, "I-1")),
    Row("royal flush on a BET of $1,000", play(QUALIFYING, HIGH_ROYAL),
        ("ante win 50000, bet win 10000000", "4.1.1"),
        ("ante win 50000, bet win 10000000", "4.1.1"),
        ("ante win 50000, bet win 25000000", "4.1.2"),
        ("ante win 50000, bet win 25000000", "4.1.2")),
    Row("a jackpot wager on the dealer's flush", on_the_dealer(),
        ("bad input", "seats[0].bets.jackpot_dealer"),
        ("bad input", "seats[0].bets.jackpot_dealer"),
        ("bad input", "seats[0].bets.jackpot_dealer"),
        ("ante lose, jackpot_dealer win 5000", "4.2")),
    Row("a full house with the magic card",
        play(QUALIFYING, betting(FULL_HOUSE, jackpot=500), draws={"magic_card": "Kc"}),
        ("bad input", "draws"), ("bad input", "draws"),
        ("bad input", "draws"), ("ante win 2500, bet win 35000, jackpot win 52500", "4.3")),

    # Who is paid from the meter, and when.
    Row("two royals in one round", pay(*ROYALS),
        ("seat2 100000000, seat5 20000000", "4.5.1"), ("seat2 100000000, seat5 20000000", "4.5.1"),
        ("seat2 60000000, seat5 60000000", "3.15.1"), ("seat2 60000000, seat5 60000000", "I-1")),
    Row("two straight flushes in one round", pay(*TENTHS),
        ("seat2 10000000, seat5 9000000", "4.5.1"), ("seat2 10000000, seat5 9000000", "4.5.1"),
        ("seat2 9500000, seat5 9500000", "3.15.2"), ("seat2 9500000, seat5 9500000", "I-1")),
    Row("a royal flush, then a full house, in one round", pay(*ROYAL_FIRST),
        ("royal 100000000, house 20000", "4.2"), ("royal 100000000, house 20000", "4.2"),
        ("house 20000, royal 100000000", "3.15.3"), ("house 20000, royal 100000000", "I-1")),
    Row("two tables, one dealt first, the other entered first", pay(*TWO_TABLES),
        ("dealt_first 10000000, entered_first 9000000", "4.5.2"),
        ("dealt_first 10000000, entered_first 9000000", "4.5.2"),
        ("entered_first 10000000, dealt_first 9000000", "3.14"),
        ("entered_first 10000000, dealt_first 9000000", "I-1")),

    # What happens after an irregularity.
    Row("two cards exposed, none seen", after("cards_exposed", count=2, any_player_seen=False),
        (VOID, "5.8.2"), (VOID, "5.8.2"), (VOID, "5.4"), (VOID, "5.4")),
    Row("two cards exposed, a hand seen", after("cards_exposed", count=2, any_player_seen=True),
        (PLAY_ON, "5.12"), (PLAY_ON, "5.12"), (VOID, "5.4"), (VOID, "5.4")),
    Row("one card exposed, none seen", after("cards_exposed", count=1, any_player_seen=False),
        (affected(AS_DEALT), "5.10"), (affected(AS_DEALT), "5.10"),
        (SHIFT_MANAGER, "6.1"), (SHIFT_MANAGER, "silent")),
    Row("one card exposed, a hand seen", after("cards_exposed", count=1, any_player_seen=True),
        (PLAY_ON, "5.12"), (PLAY_ON, "5.12"), (SHIFT_MANAGER, "6.1"), (SHIFT_MANAGER, "silent")),
    Row("a card of the dealer exposed", after("dealer_card_exposed"),
        (FACE_UP, "5.16"), (FACE_UP, "5.16"), (SHIFT_MANAGER, "6.1"), (SHIFT_MANAGER, "silent")),
    Row("power cut, nothing decided", after("interruption", outcome_established=False),
        (VOID, "5.7.2"), (VOID, "5.7.2"),
        (everyone(AS_DEALT), "5.16.1"), (SHIFT_MANAGER, "silent")),
    Row("power cut, something decided", after("interruption", outcome_established=True),
        (PLAY_ON, "5.7.1"), (PLAY_ON, "5.7.1"), (PLAY_ON, "5.16.2"), (SHIFT_MANAGER, "silent")),
    Row("a player's count wrong for good",
        after("player_count_wrong", seat=3, reconstructable=False, before_next_round=True),
        (SEAT_3_OUT, "5.15"), (SEAT_3_OUT, "5.15"),
        (SEAT_3_OUT_OTHERS_CHOOSE, "5.7"), (SHIFT_MANAGER, "silent")),
    Row("a player's count wrong, to be mended",
        after("player_count_wrong", seat=3, reconstructable=True, before_next_round=True),
        (affected(MENDED), "5.10"), (affected(MENDED), "5.10"),
        (PUT_RIGHT, "5.7"), (SHIFT_MANAGER, "silent")),
    Row("the dealer's count wrong, to be mended",
        after("dealer_count_wrong", reconstructable=True, before_next_round=True),
        (affected(MENDED), "5.10"), (affected(MENDED), "5.10"),
        (PUT_RIGHT, "5.3"), (PUT_RIGHT, "5.3")),
    Row("hands in the wrong places, one seen", after("misdeal", any_player_seen=True, movable=True),
        (affected(MENDED), "5.10"), (affected(MENDED), "5.10"),
        (SHIFT_MANAGER, "6.1"), (SHIFT_MANAGER, "silent")),
    Row("some other error of dealing", after("dealing_error", reconstructable=False),
        (affected(AS_DEALT), "5.10"), (affected(AS_DEALT), "5.10"),
        (SHIFT_MANAGER, "6.1"), (SHIFT_MANAGER, "silent")),
    Row("no card burnt, a hand seen", after("no_burn", any_player_seen=True, reconstructable=True),
        (VOID, "5.9"), (VOID, "5.9"), ("bad input", "irregularity"), ("bad input", "irregularity")),
    Row("two cards drawn at once", after("simultaneous_draw", order_known=False),
        (BY_SUPERVISOR, "5.14.1"), (BY_SUPERVISOR, "5.14.1"),
        (SHIFT_MANAGER, "6.1"), (SHIFT_MANAGER, "silent")),
    Row("a card face up in the shoe", after("card_face_up_in_shoe"),
        (NEXT_CARD, "5.13"), (NEXT_CARD, "5.13"),
        (SHIFT_MANAGER, "6.1"), (SHIFT_MANAGER, "silent")),
    Row("not enough cards", after("insufficient_cards"),
        (VOID, "5.8.4"), (VOID, "5.8.4"), (SHIFT_MANAGER, "6.1"), (SHIFT_MANAGER, "silent")),
    Row("unshuffled cards", after("unshuffled"),
        (VOID, "5.8.5"), (VOID, "5.8.5"), (VOID, "5.1.1"), (SHIFT_MANAGER, "silent")),
    Row("jackpot fault, none seen", after("jackpot_fault", any_player_seen=False),
        (VOID, "5.17"), (VOID, "5.17"), (SHIFT_MANAGER, "6.1"), (SHIFT_MANAGER, "silent")),
    Row("jackpot fault, a hand seen", after("jackpot_fault", any_player_seen=True),
        (PLAY_ON, "5.18.1"), (PLAY_ON, "5.18.1"),
        (SHIFT_MANAGER, "6.1"), (SHIFT_MANAGER, "silent")),
    Row("jackpot fault, later rounds", after("jackpot_fault_persists"),
        (HOUSE_CHOOSES, "5.18.2"), (HOUSE_CHOOSES, "5.18.2"),
        (SHIFT_MANAGER, "6.1"), (SHIFT_MANAGER, "silent")),
    Row("a player looks at three of his hands",
        after("extra_hand_examined", seats=[1, 2, 3], first_seat=2, intentional=True),
        (EXTRA_OUT, "5.19"), (EXTRA_OUT, "5.19"),
        (SHIFT_MANAGER, "6.1"), (SHIFT_MANAGER, "silent")),
    Row("a player controls three hands, one viewed",
        after("played_several_positions", seats=[1, 2, 3], viewed=[2]),
        (TABLE_MANAGER, "5.24"), (TABLE_MANAGER, "5.24"),
        (UNVIEWED_OUT, "5.10.1"), (SHIFT_MANAGER, "silent")),
    Row("a player shows his hand around", after("hand_not_confidential", seat=3),
        (TABLE_MANAGER, "5.24"), (TABLE_MANAGER, "5.24"),
        (SHIFT_MANAGER, "5.9"), (SHIFT_MANAGER, "silent")),
    Row("an error of an earlier round", after("error_in_earlier_round"),
        (PLAY_ON, "5.20"), (PLAY_ON, "5.20"), (SHIFT_MANAGER, "6.1"), (SHIFT_MANAGER, "silent")),
    Row("whatever else: who decides last", after("other"),
        (TABLE_MANAGER, "5.24"), (TABLE_MANAGER, "5.24"),
        (SHIFT_MANAGER, "6.1"), (SHIFT_MANAGER, "silent")),
)
# fmt: on


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.question)
def test_each_game_answers_as_its_own_document_says(row: Row, game: str) -> None:
    expected, paragraph = row.of(game)

    answer, cited = row.ask(game)

    assert answer == expected
    assert paragraph in cited


def test_no_question_stands_twice() -> None:
    questions = [row.question for row in TABLE]
    assert sorted(set(questions)) == sorted(questions)
