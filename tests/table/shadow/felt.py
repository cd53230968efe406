"""The felt of one round: chips and cards where they lie, who is in, and what the system drew."""

from dataclasses import dataclass, field
from typing import Literal

from tests.table.shadow.letter import Letter


@dataclass
class Box:
    """One seat's chips, its cards, and what its player has said."""

    stakes: dict[str, int] = field(default_factory=dict)
    """What lies there, by the bet's name; nothing is no bet."""
    cards: list[str] = field(default_factory=list)
    said: Literal["", "in", "fold", "absent"] = ""
    answered: set[str] = field(default_factory=set)
    """The bets that the player was asked for and has answered."""
    hidden: bool = False
    out: bool = False
    """Withdrawn or invalidated: every bet goes back, and there is no claim."""
    under_before: bool = False
    """Megalink §5.13: this player's wager under the minimum was settled once already."""
    keyed: bool = False
    """From a source that reads nothing: the hand lies face up and was keyed."""

    @property
    def ante(self) -> int:
        """The ante that lies there."""
        return self.stakes.get("ante", 0)


@dataclass
class Felt:
    """Everything that a round is settled by."""

    letter: Letter
    ante_min: int
    ante_max: int
    bonus_max: int | None
    boxes: dict[int, Box] = field(default_factory=dict)
    dealer: list[str] = field(default_factory=list)
    board: list[str] = field(default_factory=list)
    magic_card: str = ""
    lucky_seat: int | None = None
    lucky_dealer: bool = False
    void: bool = False
    by_hand: bool = False
    """Whether the table reads no cards: then only what is keyed can claim."""
    contributed: dict[tuple[int, str], int] = field(default_factory=dict)
    """What was on the layout for the jackpot when the bets closed."""

    def hands(self) -> list[int]:
        """Give the seats that are dealt a hand, clockwise from the dealer's left."""
        return [seat for seat, box in sorted(self.boxes.items()) if box.ante]

    def playing(self) -> list[int]:
        """Give the seats whose players still have a hand in the round."""
        boxes = self.boxes
        return [s for s in self.hands() if not boxes[s].out and boxes[s].said in {"", "in"}]
