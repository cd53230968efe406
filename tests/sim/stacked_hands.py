"""The hands of a random floor: most of what is dealt claims on the jackpot, in every game."""

from collections.abc import Sequence
from random import Random

from firmware.rules.cards import CODES
from firmware.rules.dealing import card_order
from firmware.rules.game import Game

HANDS = (
    ("Th", "Jh", "Qh", "Kh", "Ah"),  # majors
    ("5d", "6d", "7d", "8d", "9d"),
    ("Ts", "Js", "Qs", "Ks", "As"),
    ("2s", "3s", "4s", "5s", "6s"),
    ("2c", "5c", "7c", "9c", "Jc"),  # minors
    ("3c", "3d", "3h", "8h", "8s"),
)
BOARDS = (
    (("Qh", "Jh", "Th", "2c", "3d"), ("Ah", "Kh")),  # a royal on the flop: major
    (("Qh", "Jh", "2c", "Th", "3d"), ("Ah", "Kh")),  # on the turn: major
    (("Qh", "Jh", "2c", "3d", "Th"), ("Ah", "Kh")),  # on the river: 5 % of the meter at once
    (("Ah", "Kh", "Qh", "Jh", "Th"), ("2c", "7d")),  # on the board
    (("9d", "8d", "2c", "7d", "3s"), ("6d", "5d")),
    (("9c", "9d", "2h", "3s", "4c"), ("9h", "9s")),
)
"""Five cards of hold'em's board, and the two that make something of them."""
_WEIGHTS = (2, 2, 6, 1, 1, 1)
"""A royal on the river is folded more often than not before it is one."""


def random_hands(game: Game, seats: Sequence[int], random: Random) -> dict[str, list[str]]:
    """Choose what lies where: a place and its cards, in the order in which they are dealt."""
    if game.community_cards:
        board, hole = random.choices(BOARDS, _WEIGHTS)[0]
        return {"board": list(board), str(random.choice(seats)): list(hole)}
    places = [*map(str, seats), *(["dealer"] if len(game.jackpot_bets) > 1 else [])]
    lucky = random.sample(HANDS, len(places))
    hands = zip(places, lucky, strict=True)
    return {place: list(hand) for place, hand in hands if random.random() < 0.7}


def stacked_deck(
    game: Game, seats: Sequence[int], wanted: dict[str, list[str]], spare: Sequence[str]
) -> list[str]:
    """Stack a deck for the shoe; the places that nothing is wanted for get what is left."""
    left, hands = list(spare), {place: list(cards) for place, cards in wanted.items()}
    order = card_order(game, "shoe", seats)
    return [(hands[t.place].pop(0) if hands.get(t.place) else left.pop()) for t in order]


def random_deck(game: Game, seats: Sequence[int], random: Random) -> list[str]:
    """Stack a deck in which most seats have something to claim."""
    wanted = random_hands(game, seats, random)
    taken = {card for hand in (*HANDS, *wanted.values()) for card in hand}
    spare = [card for card in CODES if card not in taken]
    random.shuffle(spare)
    return stacked_deck(game, seats, wanted, spare)
