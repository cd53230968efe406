"""Simulated players: what they bet and how they decide.

Plain and seeded, so that a seed replays them: stud players stay with a pair or an
ace and king, hold'em players with anything but low cards of two suits. They make a
lively table; they do not play well.
"""

from collections.abc import Sequence
from random import Random

from firmware.rules.cards import CODES, RANKS
from firmware.rules.game import Game
from firmware.rules.hands import LOWEST_ACE_KING, strength

_CHIPS_CENTS = (2_500, 5_000, 10_000)
_JACKPOT_CENTS = 500


def bets_before_the_deal(game: Game, rng: Random) -> dict[str, int]:
    """Place the ante and, more often than not, what else may be bet before the cards."""
    bets = {"ante": rng.choice(_CHIPS_CENTS)}
    if game.bonus and rng.random() < 0.5:  # noqa: PLR2004  # every second player
        bets[game.bonus.name] = rng.choice(_CHIPS_CENTS)
    for name in game.jackpot_bets:
        if rng.random() < 0.8:  # noqa: PLR2004  # most players try
            bets[name] = _JACKPOT_CENTS
    return bets


def stays(cards: Sequence[str]) -> bool:
    """Return whether to stay in with these cards."""
    if len(cards) == 5:  # noqa: PLR2004  # a full stud hand
        return strength([CODES[name] for name in cards]) >= LOWEST_ACE_KING
    first, second = cards
    suited = first[1] == second[1]
    high = max(RANKS.index(first[0]), RANKS.index(second[0])) >= RANKS.index("9")
    return suited or high or first[0] == second[0]
