"""The order of a round: which cards go where, when the players are asked, when cards are turned up.

Stud: RWS §3.10 and §3.11, Megalink §3.7 and §3.8, Singapore §3.6; hold'em §3.11 and §3.12.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tests.table.shadow.letter import Letter

Place = int | str
"""A seat, `dealer`, `board`, or `burn`."""


@dataclass(frozen=True)
class Step:
    """A part of a round: cards to places, a question to the players, or cards turned up."""

    kind: str
    places: tuple[Place, ...] = ()
    bet: str = ""


REVEAL = Step("reveal")


def steps_of(letter: Letter, source: str, seats: Iterable[Place]) -> list[Step]:
    """Give the steps of a round with these seats."""
    if source == "manual":
        return [Step("by hand"), REVEAL]
    burn: tuple[Place, ...] = ("burn",) if source == "shoe" and letter.burns else ()
    if not letter.holdem:
        return [_stud_deal(letter, source, (*seats, "dealer"), burn), _ask("bet"), REVEAL]
    if source == "shoe":
        return _holdem_from_a_shoe(tuple(seats), burn)
    hands = _in_a_row((*seats, "dealer"), 2)
    asked = [step for bet in ("flop", "turn", "river") for step in (_ask(bet), REVEAL)]
    return [Step("deal", (*["board"] * 5, *hands)), *asked, REVEAL]


def _stud_deal(
    letter: Letter, source: str, around: tuple[Place, ...], burn: tuple[Place, ...]
) -> Step:
    one_at_a_time = source == "shoe" and not letter.in_a_row
    return Step("deal", burn + (around * 5 if one_at_a_time else _in_a_row(around, 5)))


def _holdem_from_a_shoe(seats: tuple[Place, ...], burn: tuple[Place, ...]) -> list[Step]:
    steps = [Step("deal", (*burn, *seats, *seats)), _ask("flop")]
    for count, bet in ((3, "turn"), (1, "river"), (1, "")):
        steps += [Step("deal", (*burn, *["board"] * count)), REVEAL]
        steps += [_ask(bet)] if bet else []
    return [*steps, Step("deal", ("dealer", "dealer")), REVEAL]


def _in_a_row(around: tuple[Place, ...], count: int) -> tuple[Place, ...]:
    return tuple(place for place in around for _ in range(count))


def _ask(bet: str) -> Step:
    return Step("decide", bet=bet)
