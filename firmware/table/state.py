"""What a table remembers: the fold of its journal.

Plain data that msgspec can write and read. Handlers in `handlers.py` change it, the
view in `view.py` reads it; nothing else does. Cards are in here from the moment the
shoe has read them, so no part of the state leaves the table except through the view.
"""

from typing import Literal

from msgspec import Struct, field

from firmware.rules.contract import SeatResult
from firmware.table.outbox import AnyObligation

Phase = Literal["idle", "betting", "dealing", "deciding", "revealing", "settling"]


class Spot(Struct):
    """A coin spot: whether a chip lies on it, and whether it has been empty since it last bet."""

    chip: bool = False
    ready: bool = True


class SeatPlay(Struct):
    """One seat in the round."""

    ante_cents: int
    jackpot_cents: int = 0
    contribution_id: str = ""
    decision: Literal["bet", "fold"] | None = None
    cards: list[str] = field(default_factory=list)
    dealt_at_ms: int = 0


class ClaimState(Struct):
    """A claim of the round: what it was told to be worth, once that is known."""

    seat: int
    words: str
    amount_cents: int | None = None


class RoundState(Struct):
    """The round of play under way."""

    number: int
    meter_cents: int | None = None
    seats: dict[int, SeatPlay] = field(default_factory=dict)
    dealer: list[str] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)
    """Every card that left the shoe, the burnt one too."""
    results: list[SeatResult] = field(default_factory=list)
    claims: dict[str, ClaimState] = field(default_factory=dict)


class TableState(Struct):
    """The whole table. `meter_cents` and `link_healthy` are observations, not journalled."""

    journal: str = ""
    sequence: int = 0
    """The number of journal records that made this state."""
    phase: Phase = "idle"
    round: RoundState = field(default_factory=lambda: RoundState(number=0))
    spots: dict[int, Spot] = field(default_factory=dict)
    last_ante_cents: dict[int, int] = field(default_factory=dict)
    last_frame: dict[str, int] = field(default_factory=dict)
    owed: dict[str, AnyObligation] = field(default_factory=dict)
    meter_cents: int | None = None
    meter_sequence: int = -1
    link_healthy: bool = False
