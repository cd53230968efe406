"""The documents that go in and out of the rules core, typed.

Three questions, three pairs: `Round` → `Settlement`, `Incident` → `Ruling`,
`Claims` → `Awards`. The field names are the JSON keys; money is in cents.
What is checked here is shape (types, unknown keys, negative money); what a game
allows is checked where the question is answered. JSON itself, and how an error
of msgspec becomes a `BadInput`, are in `documents.py`.
"""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from firmware.rules.bounds import (
    MOST_ENTRIES,
    MOST_WHOLE,
    Count,
    Percent,
    Several,
    Text,
    Whole,
    Word,
)
from firmware.rules.hands import Category

MAX_CENTS = 10**15
"""Ten trillion: more than any meter or chip, and exact in every JSON reader."""
Cents = Annotated[int, Meta(ge=0, le=MAX_CENTS)]
SeatNumber = Annotated[int, Meta(ge=1, le=MOST_WHOLE)]
Owner = Literal["player", "dealer", "community"]
"""Whose cards a jackpot line looks at."""
Level = Literal["major", "minor"]
BetOutcome = Literal["win", "lose", "push", "returned"]
Action = Literal[
    "void",
    "continue",
    "reconstruct",
    "options",
    "invalidate",
    "use_card",
    "refuse",
    "stand",
    "correct",
    "refer",
]
Option = Literal[
    "continue",
    "continue_reconstructed",
    "withdraw",
    "close_table",
    "disallow_box",
    "no_jackpot_bets",
]
Authority = Literal["pit_supervisor", "gaming_shift_manager", "table_games_shift_manager", "house"]
IrregularityName = Literal[
    "foreign_card",
    "deck_count_wrong",
    "insufficient_cards",
    "unshuffled",
    "cards_exposed",
    "dealer_card_exposed",
    "misdeal",
    "dealer_count_wrong",
    "community_count_wrong",
    "player_count_wrong",
    "no_burn",
    "dealing_error",
    "card_face_up_in_shoe",
    "simultaneous_draw",
    "jackpot_fault",
    "jackpot_fault_persists",
    "interruption",
    "extra_hand_examined",
    "late_bet",
    "late_increase",
    "late_withdrawal",
    "jackpot_without_ante",
    "over_max",
    "under_min",
    "error_in_earlier_round",
    "played_several_positions",
    "hand_not_confidential",
    "other",
]

Known = TypeVar("Known")
Maybe: TypeAlias = Known | UnsetType
"""A key that may be left out of a document; absence is not the same as null."""


class Input(Struct, frozen=True, forbid_unknown_fields=True):
    """A document, or part of one, that comes in."""


class Output(Struct, frozen=True, omit_defaults=True):
    """A document, or part of one, that goes out; what does not apply is left out."""


# What does this round pay?


class Limits(Input, frozen=True):
    """The betting limits displayed at the table; one that is left out does not apply."""

    ante_min: Maybe[Cents] = UNSET
    ante_max: Maybe[Cents] = UNSET
    bonus_max: Maybe[Cents] = UNSET


class Draws(Input, frozen=True):
    """What the system drew for the round."""

    magic_card: Maybe[str] = UNSET
    lucky_seat: Maybe[SeatNumber] = UNSET
    lucky_dealer: bool = False


class Seat(Input, frozen=True):
    """One playing position when the round is settled.

    `bets` are the stakes on the layout by name; zero is the same as no bet. `decision` is the
    bet that stays in the round, by its name in the game, or how the seat left it.
    """

    seat: SeatNumber
    bets: dict[str, Cents]
    cards: tuple[str, ...] = ()
    decision: Maybe[str] = UNSET
    revealed: bool = True
    under_min_before: bool = False


class Round(Input, frozen=True):
    """A round of play, complete, before anyone is paid."""

    game: str
    seats: tuple[Seat, ...]
    limits: Limits = Limits()
    dealer: tuple[str, ...] = ()
    community: tuple[str, ...] = ()
    draws: Maybe[Draws] = UNSET


class BetResult(Struct, frozen=True, gc=False):
    """What becomes of one stake. The House keeps stake − returned and adds winnings."""

    stake: Whole
    outcome: BetOutcome
    winnings: Whole
    returned: Whole


class SeatResult(Output, frozen=True, kw_only=True):
    """What becomes of one seat, and the paragraphs that decided it."""

    seat: Count
    category: Category | None = None
    bets: Annotated[dict[Word, BetResult], Meta(max_length=MOST_ENTRIES)]
    rules: Several[Text]


class DealerResult(Output, frozen=True):
    """The dealer's hand; `qualifies` is left out where a dealer need not qualify."""

    category: Category
    qualifies: bool | None = None


class Claim(Output, frozen=True):
    """Something to be paid on a jackpot bet: a share of the meter or an amount."""

    seat: Whole
    on: Owner
    tier: Word
    level: Level
    percent: Whole | None = None
    amount: Whole | None = None


class Settlement(Struct, frozen=True):
    """The answer: what every bet of the round gets."""

    game: str
    dealer: DealerResult | None
    seats: tuple[SeatResult, ...]
    claims: tuple[Claim, ...]


# What happens after this irregularity?


class Facts(Input, frozen=True):
    """What the dealer says about an irregularity; each kind needs some of these."""

    count: Maybe[Annotated[int, Meta(ge=1, le=MOST_WHOLE)]] = UNSET
    any_player_seen: Maybe[bool] = UNSET
    movable: Maybe[bool] = UNSET
    reconstructable: Maybe[bool] = UNSET
    before_next_round: Maybe[bool] = UNSET
    order_known: Maybe[bool] = UNSET
    outcome_established: Maybe[bool] = UNSET
    intentional: Maybe[bool] = UNSET
    bets_closed: Maybe[bool] = UNSET
    seat: Maybe[SeatNumber] = UNSET
    first_seat: Maybe[SeatNumber] = UNSET
    seats: Maybe[Several[SeatNumber]] = UNSET
    viewed: Maybe[Several[SeatNumber]] = UNSET


class Incident(Input, frozen=True):
    """An irregularity as it is reported."""

    game: str
    irregularity: IrregularityName
    facts: Facts = Facts()


class Ruling(Output, frozen=True, rename={"use_as": "as"}):
    """What the rules say happens now."""

    action: Action
    rule: str
    bets: Literal["returned"] | None = None
    use_as: Literal["face_up_card", "next_card"] | None = None
    seats: tuple[int, ...] = ()
    options: tuple[Option, ...] = ()
    affects: Literal["all", "affected"] | None = None
    authority: Authority | None = None


# Who is paid what from the meter, in which order?


class Meter(Input, frozen=True):
    """The progressive jackpot as displayed, and what it starts from when it is won."""

    value: Cents
    reset: Cents


class Settings(Input, frozen=True):
    """The house's choices where the documents leave one."""

    straight_flush_share: Literal["declining", "reset"] = "declining"


class EnteredClaim(Input, frozen=True):
    """A claim with its table, round and times, as the jackpot controller holds it."""

    id: str
    table: str
    round: Whole
    seat: SeatNumber
    tier: str
    dealt_at: Annotated[datetime, Meta(tz=True)]
    entered_at: Annotated[datetime, Meta(tz=True)]
    percent: Maybe[Percent] = UNSET
    amount: Maybe[Cents] = UNSET
    on: Maybe[Owner] = UNSET
    level: Maybe[Level] = UNSET


class Claims(Input, frozen=True):
    """Every claim pending on one meter."""

    game: str
    meter: Meter
    claims: tuple[EnteredClaim, ...]
    settings: Settings = Settings()


class Award(Struct, frozen=True):
    """One payment, with the meter before and after it."""

    id: str
    amount: int
    meter_before: int
    meter_after: int
    rule: str


class Awards(Struct, frozen=True):
    """The payments in their order, and the meter they leave."""

    awards: tuple[Award, ...]
    meter: Meter
