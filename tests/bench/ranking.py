"""Ranks the same random hands with every evaluator, each on cards of its own making.

Cards are made before the clock starts, in the form that the evaluator takes
fastest, and the call is the public one that ends with the rank known. treys
keeps a quicker one to itself for five cards; that one runs beside ours for five.
"""

import random

import eval7
import phevaluator
import pokerkit
import treys

from firmware.rules.cards import CODES, codes
from firmware.rules.hands import five_strength, strength
from tests.bench.clock import Contender

HANDS = 5_000
HANDS_OF_SLOW = 100
"""Enough for who takes a hundred times as long."""


def contenders(size: int) -> dict[str, Contender]:
    """Give who ranks hands of so many cards, by name."""
    rng = random.Random(size)
    hands = [rng.sample(list(CODES), size) for _ in range(HANDS)]
    ours = [codes(hand) for hand in hands]
    eval7s = [[eval7.Card(name) for name in hand] for hand in hands]
    phevaluators = [[phevaluator.Card.to_id(name) for name in hand] for hand in hands]
    treyses = [[treys.Card.new(name) for name in hand] for hand in hands]
    dealt = [(hand[:2], hand[2:]) for hand in treyses]
    pokerkits = [tuple(pokerkit.Card.parse("".join(hand))) for hand in hands[:HANDS_OF_SLOW]]
    evaluator = treys.Evaluator()
    evaluate, five = evaluator.evaluate, evaluator._five  # noqa: SLF001
    standard, from_game = pokerkit.StandardHighHand, pokerkit.StandardHighHand.from_game

    same: dict[str, Contender] = {
        "Underfelt strength": lambda: [strength(hand) for hand in ours],
        "treys evaluate": lambda: [evaluate(hand, board) for hand, board in dealt],
        "eval7 (C)": lambda: [eval7.evaluate(hand) for hand in eval7s],
        "phevaluator (C)": lambda: [phevaluator.evaluate_cards(*hand) for hand in phevaluators],
    }
    if size == 5:
        return same | {
            "Underfelt five_strength": lambda: [five_strength(hand) for hand in ours],
            "treys _five": lambda: [five(hand) for hand in treyses],
            "PokerKit": lambda: [standard(hand).entry for hand in pokerkits],
        }
    return same | {"PokerKit": lambda: [from_game(hand) for hand in pokerkits]}
