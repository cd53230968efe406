"""What a table remembers: the fold of its journal.

Plain data that msgspec can write and read. The handlers change it, the view in `view.py`
reads it; nothing else does. Cards are in here from the moment the shoe or shuffler has
read them, so no part of the state leaves the table except through the view.
"""

from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from firmware.rules.contract import Draws, SeatResult
from firmware.table.outbox import AnyObligation

Phase = Literal["idle", "betting", "drawing", "dealing", "deciding", "revealing", "settling"]


class Spot(Struct):
    """A coin spot: whether a chip lies on it, and whether it has been empty since it last bet."""

    chip: bool = False
    ready: bool = True


class SeatPlay(Struct):
    """One seat in the round: its stakes by name, its decisions, its cards."""

    stakes: dict[str, int]
    contributions: dict[str, str] = field(default_factory=dict)
    """The id of the contribution that each jackpot bet became."""
    decision: Literal["bet", "flop", "fold", "absent"] | None = None
    checked: list[str] = field(default_factory=list)
    """The bets that the player could have placed and did not."""
    cards: list[str] = field(default_factory=list)
    dealt_at_ms: int = 0
    shown: bool = True

    @property
    def in_round(self) -> bool:
        """Whether the player has neither folded nor walked away."""
        return self.decision not in {"fold", "absent"}


class ClaimState(Struct):
    """A claim of the round: what it was told to be worth, once that is known."""

    seat: int
    bet: str
    words: str
    amount_cents: int | None = None


class RoundState(Struct):
    """The round of play under way; `stage` counts the stages of the deal (`stages.py`)."""

    number: int
    meter_cents: int | None = None
    seats: dict[int, SeatPlay] = field(default_factory=dict)
    dealer: list[str] = field(default_factory=list)
    community: list[str] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)
    """Every card that left the shoe or shuffler, the burnt ones too."""
    draws: Draws | None = None
    stage: int = 0
    stage_cards: int = 0
    results: list[SeatResult] = field(default_factory=list)
    claims: dict[str, ClaimState] = field(default_factory=dict)


class TableState(Struct):
    """The whole table. `meter_cents` and `link_healthy` are observations, not journalled."""

    journal: str = ""
    sequence: int = 0
    """The number of journal records that made this state."""
    phase: Phase = "idle"
    round: RoundState = field(default_factory=lambda: RoundState(number=0))
    spots: dict[int, dict[str, Spot]] = field(default_factory=dict)
    last_ante_cents: dict[int, int] = field(default_factory=dict)
    last_frame: dict[str, int] = field(default_factory=dict)
    owed: dict[str, AnyObligation] = field(default_factory=dict)
    meter_cents: int | None = None
    meter_sequence: int = -1
    link_healthy: bool = False

    def chips(self) -> list[tuple[int, str]]:
        """List the spots with a chip that bets: (seat, bet), clockwise."""
        return [
            (seat, bet)
            for seat, spots in sorted(self.spots.items())
            for bet, spot in spots.items()
            if spot.chip and spot.ready
        ]

    def remembered(self) -> "TableState":
        """Give what the journal can restore of this: everything but what was only observed."""
        return replace(self, meter_cents=None, meter_sequence=-1)
