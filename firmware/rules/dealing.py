"""Whose card is next: a game's deal as a list of targets over the occupied seats.

The steps are data of the game (`Game.shoe`, `Game.shuffler`); here they become the
order in which cards leave the shoe or shuffler. Waiting for decisions between the steps,
and handling a wrong card, are left to the table.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from firmware.rules.game import Game, Step

CardReader = Literal["shoe", "shuffler"]


class Target(Struct, frozen=True):
    """Where one card goes; `seat` is 0 unless it goes to a seat."""

    to: Literal["burn", "seat", "dealer", "community"]
    seat: int = 0

    @property
    def place(self) -> str:
        """What people call it: the seat's number, `dealer`, `board` or `burn`."""
        return {"seat": str(self.seat), "community": "board"}.get(self.to, self.to)


BURN = Target("burn")


def steps_of(game: Game, source: CardReader) -> tuple[Step, ...]:
    """Return the steps of the deal for this kind of card source."""
    return game.shoe if source == "shoe" else game.shuffler


def targets(step: Step, seats: Sequence[int]) -> Iterator[Target]:
    """Yield the target of each card of one step, clockwise over the occupied seats."""
    if step.kind == "burn":
        yield BURN
    if step.kind != "deal":
        return
    around: list[Target] = []
    for to in step.to:
        around += (
            [Target("seat", seat) for seat in sorted(seats)] if to == "seats" else [Target(to)]
        )
    for _ in range(step.cards // step.packet):
        for target in around:
            yield from [target] * step.packet


def card_order(game: Game, source: CardReader, seats: Sequence[int]) -> tuple[Target, ...]:
    """List the targets of all cards of a round, in the order in which they are dealt."""
    return tuple(target for step in steps_of(game, source) for target in targets(step, seats))
