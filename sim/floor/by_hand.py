"""What a simulated dealer does where no source reads the cards: he says what he has done, and keys hands.

Whoever has put down a jackpot chip has his hand keyed, whatever it is, so that no claim is missed.
The rest of his work is in `dealer.py`.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from firmware.rules.game import Game

if TYPE_CHECKING:
    from sim.floor.dealer import PlannedRound


def keys_of_folds(plan: "PlannedRound") -> Iterator[str]:
    """Say who has folded, before the hands are turned up."""
    yield from (f"FOLD {seat}" for seat, stays in plan.stays.items() if not stays)


def keys_of_hands(game: Game, plan: "PlannedRound") -> Iterator[str]:
    """Key the hands that may claim, with what they are compared with, and who has stayed in."""
    for seat in sorted({seat for seat, _ in plan.chips}):
        yield f"CARDS {seat} {' '.join(plan.hands[seat])}"
        if plan.stays[seat]:
            yield f"{game.stay.upper()} {seat}"
    if "dealer" in game.jackpot_bets.values():
        yield f"CARDS dealer {' '.join(plan.dealer)}"
    if plan.community:
        yield f"CARDS board {' '.join(plan.community)}"
