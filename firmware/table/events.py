"""Everything that can happen to a table, as data.

Two kinds. A `Decision` may decide something: when `Table.step` accepts it, it is in
the journal before any of its effects leaves. An `Observation` decides nothing and is
not written down; what a decision needs of one (the meter) is copied into the decision
by `Table.completed` first, so that replaying the journal gives the same answers.

The settings that hold are in the journal too, with the event that brings them in; so a
table file that is changed later changes nothing about what has happened.

Every event carries the time at which the shell saw it. Events that came over a serial
line carry the number of their frame, so that a frame that is sent again after a
restart is recognised. Who makes events is in `devices/` and `link/`.
"""

from typing import ClassVar, Literal

from msgspec import Struct

from firmware.rules.contract import Cents, SeatNumber
from firmware.table.settings import TableSettings

Answer = Literal["bet", "flop", "turn", "river", "check", "fold", "absent"]
"""What a player may answer when a bet is asked for: the bet by its name, or what else he does."""


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event"):
    """Something that happened, with the time of the table's clock."""

    at_ms: int


class Decision(Event, frozen=True, kw_only=True):
    """An event that may decide something, and is journalled if it does."""


class Observation(Event, frozen=True, kw_only=True):
    """An event that decides nothing by itself."""


class FromDevice(Decision, frozen=True, kw_only=True):
    """A decision that came as a frame over a serial line."""

    device: ClassVar[str]
    frame: int


class FromPanel(FromDevice, frozen=True, kw_only=True):
    """A key of the dealer panel."""

    device: ClassVar[str] = "panel"


# The journal and the power


class JournalOpened(Decision, frozen=True, kw_only=True, tag="journal_opened"):
    """The first record of every journal: whose it is, its random id, and what holds at first."""

    table: str
    journal: str
    settings: TableSettings | None = None


class Restarted(Decision, frozen=True, kw_only=True, tag="restarted"):
    """The firmware has started again on a journal that it found, with these settings."""

    settings: TableSettings | None = None


# The felt


class CoinSensed(Decision, frozen=True, kw_only=True, tag="coin_sensed"):
    """A coin spot has, for long enough to be sure, a chip or none."""

    seat: SeatNumber
    present: bool
    bet: str = "jackpot"
    """The jackpot bet that the spot is for, by its name in the rules."""


class CardDrawn(FromDevice, frozen=True, kw_only=True, tag="card_drawn"):
    """The shoe has read a card as it left."""

    device: ClassVar[str] = "shoe"
    card: str


class HandDispensed(FromDevice, frozen=True, kw_only=True, tag="hand_dispensed"):
    """The shuffler has dispensed a whole hand."""

    device: ClassVar[str] = "shuffler"
    cards: tuple[str, ...]


class LotsDrawn(Decision, frozen=True, kw_only=True, tag="lots_drawn"):
    """What the random source of the operating system has drawn for the round."""

    magic_card: str
    lucky_seat: int | None
    lucky_dealer: bool


# The dealer panel


class BetsOpened(FromPanel, frozen=True, kw_only=True, tag="bets_opened"):
    """The dealer has announced "Place your bets, please"."""


class BetKeyed(FromPanel, frozen=True, kw_only=True, tag="bet_keyed"):
    """The dealer has keyed a bet of a seat that is not what the table assumes."""

    seat: SeatNumber
    bet: str
    stake_cents: Cents


class BetsClosed(FromPanel, frozen=True, kw_only=True, tag="bets_closed"):
    """The dealer has announced "No more bets"; the meter at that moment goes with it."""

    meter_cents: Cents | None = None


class PlayerDecided(FromPanel, frozen=True, kw_only=True, tag="player_decided"):
    """A player places the bet that is asked for, checks, folds, or is not there."""

    seat: SeatNumber
    decision: Answer


class HandNotShown(FromPanel, frozen=True, kw_only=True, tag="hand_not_shown"):
    """A player will not show his hand."""

    seat: SeatNumber


class CardsRevealed(FromPanel, frozen=True, kw_only=True, tag="cards_revealed"):
    """The dealer has turned up the cards that were to be turned up."""


class RoundPaid(FromPanel, frozen=True, kw_only=True, tag="round_paid"):
    """The dealer has carried out the settlement."""


# The jackpot link


class Acknowledged(Decision, frozen=True, kw_only=True, tag="acknowledged"):
    """The jackpot controller has committed a message that was owed to it."""

    id: str


class AwardGranted(Decision, frozen=True, kw_only=True, tag="award_granted"):
    """The jackpot controller says what a claim is paid."""

    id: str
    amount_cents: Cents


class MeterMoved(Observation, frozen=True, kw_only=True, tag="meter_moved"):
    """The jackpot controller has published its meter."""

    meter_cents: Cents
    sequence: int


class LinkChanged(Observation, frozen=True, kw_only=True, tag="link_changed"):
    """The jackpot link has become healthy, or is no longer."""

    healthy: bool


AnyDecision = (
    JournalOpened
    | Restarted
    | CoinSensed
    | CardDrawn
    | HandDispensed
    | LotsDrawn
    | BetsOpened
    | BetKeyed
    | BetsClosed
    | PlayerDecided
    | HandNotShown
    | CardsRevealed
    | RoundPaid
    | Acknowledged
    | AwardGranted
)
"""What a journal can hold."""
