"""Settles five-seat stud rounds, beside PokerKit merely ranking their six hands.

Every seat bets and is on the jackpot: the most work that a stud round can be.
A hand of PokerKit has its rank when its entry is looked up; making it is less,
and comparing the players' with the dealer's, which settling includes, is more.
"""

import random

import msgspec
import pokerkit

from firmware.rules.cards import CODES
from firmware.rules.contract import Round
from firmware.rules.documents import answer
from firmware.rules.settle import settle
from tests.bench.clock import Contender

ROUNDS = 250
SEATS = 5


def _deal(rng: random.Random) -> list[list[str]]:
    cards = rng.sample(list(CODES), 5 * (SEATS + 1))
    return [cards[at : at + 5] for at in range(0, len(cards), 5)]


def _document(hands: list[list[str]]) -> bytes:
    dealer, *players = hands
    seats = [
        {
            "seat": number,
            "cards": cards,
            "bets": {"ante": 2500, "bet": 5000, "jackpot": 500},
            "decision": "bet",
        }
        for number, cards in enumerate(players, start=1)
    ]
    limits = {"ante_min": 2500, "ante_max": 100_000}
    return msgspec.json.encode(
        {"game": "rws-multilink-stud", "limits": limits, "dealer": dealer, "seats": seats}
    )


def contenders() -> dict[str, Contender]:
    """Give who settles rounds or ranks their hands, by name."""
    rng = random.Random(6)
    deals = [_deal(rng) for _ in range(ROUNDS)]
    documents = [_document(hands) for hands in deals]
    rounds = [msgspec.json.decode(document, type=Round) for document in documents]
    rankable = [[tuple(pokerkit.Card.parse("".join(hand))) for hand in hands] for hands in deals]
    standard = pokerkit.StandardHighHand
    return {
        "Underfelt settles": lambda: [settle(asked) for asked in rounds],
        "Underfelt, JSON in and out": lambda: [
            answer("settle", document) for document in documents
        ],
        "PokerKit ranks": lambda: [[standard(hand).entry for hand in six] for six in rankable],
        "PokerKit only makes hands": lambda: [[standard(hand) for hand in six] for six in rankable],
        "PokerKit also compares": lambda: [_compared(six) for six in rankable],
    }


def _compared(hands: list[tuple[pokerkit.Card, ...]]) -> list[bool]:
    dealer, *players = [pokerkit.StandardHighHand(hand) for hand in hands]
    return [player > dealer for player in players]
