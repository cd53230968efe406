"""Everything that can happen to a table, as data.

Two kinds. A `Decision` may decide something: once `Table.step` accepts it, it is in the
journal before any of its effects leaves; a `Fact` is one that cannot be refused. An
`Observation` decides nothing and is not written down. What a decision needs from one (the
meter) is first copied into it by `Table.completed`, so that replaying the journal gives the
same answers.

The settings in force are in the journal too, with the event that brings them in, so that
changing the table file later does not change what has happened.

Every event carries the time at which the shell saw it. Events that came over a serial line
carry the number of their frame, so that a frame sent again after a restart is recognised.
Events are made in `devices/` and `link/`.
"""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from firmware.protocol.fault_catalogue import FaultCode, Role
from firmware.protocol.link_problems import LinkProblemCode
from firmware.protocol.messages import UNHEARD_CENTS
from firmware.protocol.obligations import ClockQuality
from firmware.rules.bounds import (
    MOST_ENTRIES,
    MOST_WHOLE,
    Count,
    Percent,
    RecordNumber,
    Several,
    Tally,
    Text,
    Whole,
    Word,
)
from firmware.rules.contract import Cents, Facts, IrregularityName, SeatNumber, SeatResult
from firmware.table.settings import TableSettings

CorrectionKind = Literal["swap", "went", "order", "lost"]
"""What the dealer can say about where cards lie: see `corrections.py`."""


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event"):
    """Something that happened, stamped by the table's clock."""

    at_ms: Whole


class Decision(Event, frozen=True, kw_only=True):
    """An event that may decide something, and is journalled if it does."""


class Fact(Decision, frozen=True, kw_only=True):
    """A decision that nobody can refuse: it is true, whatever the table was doing.

    Its handler notes it; what the table does about it comes after that, and may fail.
    """

    left_out: bool = False
    """Whether what follows from it failed, and so did not happen; nor does it in a replay."""


class Observation(Event, frozen=True, kw_only=True):
    """An event that decides nothing on its own."""


SESSION_FRAMES = 1_000
"""More than the numbers of one session of a device: a frame is session × 1000 + number."""


class FromDevice(Decision, frozen=True, kw_only=True):
    """A decision that came as a frame over a serial line."""

    device: ClassVar[str]
    frame: Count


class FromPanel(FromDevice, frozen=True, kw_only=True):
    """A key of the dealer panel."""

    device: ClassVar[str] = "panel"


class ByDealer(FromPanel, frozen=True, kw_only=True):
    """A key for which the dealer on duty answers."""

    dealer: Text = ""
    """His number, if a dealer had signed on."""


# The journal and the power


EDITION = 3
"""Which edition of the table's behaviour this is.

It is in the records that a firmware begins to write with, so that older records are replayed
as they were played. 0: before editions were written down. 1: what waits behind a ruling is never
dropped, a power cut during a ruling is ruled on, `TableSettings.seen_cards_authority`, and I-36,
I-41 and I-42. 2: what was decided about one loss of the jackpot system says nothing about the next;
stakes after the lots are drawn, cards that are lost after an award, an outcome at a power cut that
was keyed wrongly, and a player's other seats are each judged by what is known then; a void round is
not settled again, whatever is keyed; a hand that nobody sees is not compared with what is keyed;
wrong PINs are counted by the time since the start; awards are checked, a claim is worth the meter
that was locked for it, no jackpot bet is taken without a meter, a chip is no bet that was keyed as
none, and a win claims no synchronised clock after a jump; a withdrawal names the wins that are
withdrawn with it; what a restart finds in the settlement may have been paid; no hand that lies face
up is lost to a card keyed for another, a claim on keyed cards of any place needs a supervisor, and so
does whatever takes a claim away: other cards, a hand no longer shown, a player who leaves; a major
that is claimed after the award of another is awarded together with it; a PIN after something that
waited for one was dropped confirms nothing. 3: a chip that was lifted before the close and is heard of
after it is told, too, and one that was put down before PAID is no bet of the next round; what
was voided for another reason says who has decided that.
"""


class JournalOpened(Decision, frozen=True, kw_only=True, tag="journal_opened"):
    """The first record of every journal: its table, its random id, and the first settings."""

    table: Word
    journal: Word
    settings: TableSettings | None = None
    edition: Count = 0


class Restarted(Fact, frozen=True, kw_only=True, tag="restarted"):
    """The firmware has restarted on an existing journal, with these settings."""

    settings: TableSettings | None = None
    edition: Count = 0
    dropped: Several[Text] | None = None
    """What the table remembered and a changed table file has no place for. None in a record that
    was written before this was reconciled: then nothing is, or later records would not replay."""


# Faults


class BelievedMeter(Struct, frozen=True, kw_only=True):
    """The meter that was believed when another one was doubted."""

    meter_cents: Cents
    reset_cents: Cents = 0
    books: Word = ""


class FaultNoticed(Fact, frozen=True, kw_only=True, tag="fault_noticed"):
    """A device, the link or the shell has found a fault (see `protocol/fault_catalogue.py`)."""

    code: FaultCode
    where: Text = ""
    """Which one: a spot as `seat 3`, a serial device by its name, a file."""
    detail: Text = ""
    """What was measured, in plain words; never a card."""
    believed: BelievedMeter | None = None
    """Where a meter is doubted, the one before it: after a restart the next is judged by that."""


class FaultPassed(Fact, frozen=True, kw_only=True, tag="fault_passed"):
    """What was wrong is right again; a fault that somebody must clear stays until then."""

    code: FaultCode
    where: Text = ""


class ClockJudged(Fact, frozen=True, kw_only=True, tag="clock_judged"):
    """Whether the clock is synchronised to a time server has changed; each win carries it."""

    quality: ClockQuality


# The felt


class CoinSensed(Decision, frozen=True, kw_only=True, tag="coin_sensed"):
    """A coin spot has had a chip, or none, for long enough to be sure."""

    seat: SeatNumber
    present: bool
    bet: Text = "jackpot"
    """The jackpot bet that the spot is for, by its name in the rules."""


class FromSource(FromDevice, frozen=True, kw_only=True):
    """Cards from a shoe or shuffler.

    What a device repeats after its restart has the frame that it had before, if the device says
    so. One that does not may mean the newest cards once more, or others.
    """

    unmarked: bool = False
    """Whether it is the first message of a session, and not marked as a repetition."""


class CardDrawn(FromSource, frozen=True, kw_only=True, tag="card_drawn"):
    """The shoe has read a card as it left."""

    device: ClassVar[str] = "shoe"
    card: Text


class CardUnread(FromDevice, frozen=True, kw_only=True, tag="card_unread"):
    """A card has left the shoe or shuffler unread."""

    device: ClassVar[str] = "shoe"
    problem: Text = ""


class HandDispensed(FromSource, frozen=True, kw_only=True, tag="hand_dispensed"):
    """The shuffler has dispensed a whole hand."""

    device: ClassVar[str] = "shuffler"
    cards: Several[Text]


class LotsDrawn(Decision, frozen=True, kw_only=True, tag="lots_drawn"):
    """What the operating system's random source has drawn for the round."""

    magic_card: Text
    lucky_seat: Count | None
    lucky_dealer: bool


# The dealer panel


class BetsOpened(ByDealer, frozen=True, kw_only=True, tag="bets_opened"):
    """The dealer has announced "Place your bets, please"."""

    by_memory: Several[SeatNumber] = ()
    """The seats that are in because they played the last round without a jackpot chip."""
    bonuses: Several[tuple[SeatNumber, Cents]] = ()
    """The bonus of each seat that placed one in the last round: placed again if the seat plays."""


class BetKeyed(FromPanel, frozen=True, kw_only=True, tag="bet_keyed"):
    """The dealer has keyed a bet that differs from what the table assumes."""

    seat: SeatNumber
    bet: Text
    stake_cents: Cents
    instead_of_cents: Cents | None = None
    """What the table had taken the bet to be, if it is keyed after the close."""
    no_meter: bool = False
    """Whether no jackpot meter was known; then a jackpot bet is refused."""


class DecisionCorrected(FromPanel, frozen=True, kw_only=True, tag="decision_corrected"):
    """A decision was keyed wrongly; a pit supervisor must agree."""

    seat: SeatNumber
    decision: Text
    """What the player decided, as it would have been keyed."""
    instead_of: Text = ""
    """What the table had taken for the decision."""


class BetsClosed(ByDealer, frozen=True, kw_only=True, tag="bets_closed"):
    """The dealer has announced "No more bets"; carries the meter at that moment."""

    meter_cents: Cents | None = None
    reset_cents: Cents = 0
    meter_books: Word = ""
    """The books that it is from."""
    tracked: bool = False
    """Whether the round keeps the moment of every card; not so in older records."""


class PlayerDecided(FromPanel, frozen=True, kw_only=True, tag="player_decided"):
    """A player places the bet asked for, checks, folds, or is absent."""

    seat: SeatNumber
    decision: Text
    """The bet by its name, or `check`, `fold`, `absent`; the game says which (`Game.answers`)."""


class RestDecided(FromPanel, frozen=True, kw_only=True, tag="rest_decided"):
    """All players who have not answered yet give the same answer."""

    decision: Text = ""
    """Placing the bet that they are asked for, if the dealer has keyed no other."""
    seats: Several[SeatNumber] = ()
    """Who they were, for the record."""


class KeyTakenBack(FromPanel, frozen=True, kw_only=True, tag="key_taken_back"):
    """The last key was a mistake and has had no consequence."""


class HandNotShown(FromPanel, frozen=True, kw_only=True, tag="hand_not_shown"):
    """A player does not show his hand; or, keyed wrongly before, does after all."""

    seat: SeatNumber
    shown: bool = False


class CardsRevealed(FromPanel, frozen=True, kw_only=True, tag="cards_revealed"):
    """The dealer has turned up the cards that were due; carries the meter at that moment."""

    meter_cents: Cents | None = None
    reset_cents: Cents = 0


class RoundPaid(ByDealer, frozen=True, kw_only=True, tag="round_paid"):
    """The dealer has carried out the settlement; carries what he was shown."""

    results: Several[SeatResult] = ()
    under_min: Several[SeatNumber] | None = None
    """The seats whose wager under the minimum this round has settled. None in a record that was
    written before a returned wager was left out; then it is reckoned as it was."""
    folds_asked: bool = False
    """Whether it was asked who folded before; not so in older records."""


class HandsDealt(FromPanel, frozen=True, kw_only=True, tag="hands_dealt"):
    """The dealer has dealt from a source that reads no cards."""


class CardsKeyed(FromPanel, frozen=True, kw_only=True, tag="cards_keyed"):
    """The dealer keys face-up cards: a hand that claims, his own, or the board."""

    to: Literal["seat", "dealer", "community"]
    seat: Count = 0
    cards: Several[Text]


class CardsCorrected(FromPanel, frozen=True, kw_only=True, tag="cards_corrected"):
    """The dealer says where cards lie that the order of the deal has elsewhere (I-40)."""

    how: CorrectionKind
    places: Several[Text] = ()
    """Two places for `swap` and `went` (from, to), none for `order`, those that are `lost`."""
    cards: Several[Text] = ()
    """The cards that it moves, as the table had them before; for the record."""


class FaceUpKeyed(FromPanel, frozen=True, kw_only=True, tag="face_up_keyed"):
    """The dealer says which of his cards lies face up."""

    card: Text


class SeatsJoined(FromPanel, frozen=True, kw_only=True, tag="seats_joined"):
    """One player plays these seats; he may examine the first one, the others are blind."""

    seats: Several[SeatNumber]


class NewPlayer(FromPanel, frozen=True, kw_only=True, tag="new_player"):
    """Another player sits down: what the table remembers about the seat is forgotten."""

    seat: SeatNumber


class IrregularityReported(ByDealer, frozen=True, kw_only=True, tag="irregularity_reported"):
    """The dealer reports an irregularity with the facts that its ruling needs."""

    irregularity: IrregularityName
    facts: Facts = Facts()


class OptionChosen(ByDealer, frozen=True, kw_only=True, tag="option_chosen"):
    """A player (by seat), or the person who decides (seat 0), chooses what a ruling offers."""

    option: Text
    seat: Count = 0


class RulingConfirmed(ByDealer, frozen=True, kw_only=True, tag="ruling_confirmed"):
    """The dealer carries out a ruling that needs nobody else's authority."""

    remains: Annotated[dict[Text, Cents], Meta(max_length=MOST_ENTRIES)] = {}
    """What remains of each bet of the seat whose excess is refused."""
    no_hand: Several[SeatNumber] = ()
    """The seats that are dealt no hand after all."""


class ReportWithdrawn(ByDealer, frozen=True, kw_only=True, tag="report_withdrawn"):
    """The report was a mistake; nothing has happened."""


class MajorDenied(FromPanel, frozen=True, kw_only=True, tag="major_denied"):
    """A claim of a seat is not confirmed; the supervisor who says so identifies himself next."""

    seat: SeatNumber
    reason: Annotated[str, Meta(max_length=200)] = ""
    which: Count = 0
    """Which claim of the seat, counted from 1; 0 if it has only one."""


class AwardDecided(FromPanel, frozen=True, kw_only=True, tag="award_decided"):
    """What is to be paid on a claim whose award is doubted; who decides it identifies himself next."""

    seat: SeatNumber
    pay: Literal["awarded", "reckoned"]
    """What the jackpot controller has awarded, or what the table reckons."""
    which: Count = 0
    """Which claim of the seat, counted from 1; 0 if only one is doubted."""


class StaffIdentified(FromPanel, frozen=True, kw_only=True, tag="staff_identified"):
    """Somebody has identified himself by number and PIN; the shell has checked the PIN."""

    staff: Text
    name: Text
    role: Role
    up_ms: Count = 0
    """The time since the firmware was started, as in every event of a `Tried` PIN."""


class StaffRefused(FromPanel, frozen=True, kw_only=True, tag="staff_refused"):
    """A number and PIN at the panel that were not accepted."""

    staff: Text
    signing_on: bool = False
    """Whether it was to sign on, for which no key is turned."""
    nothing_to_do: bool = False
    """Whether they were right, of somebody who had nothing to confirm: not a wrong try."""
    up_ms: Count = 0


class DealerSignedOn(FromPanel, frozen=True, kw_only=True, tag="dealer_signed_on"):
    """A dealer has signed on by number and PIN; the shell has checked the PIN."""

    staff: Text
    name: Text
    role: Role
    up_ms: Count = 0


class DealerSignedOff(FromPanel, frozen=True, kw_only=True, tag="dealer_signed_off"):
    """The dealer leaves the table."""


class KeyTurned(Fact, frozen=True, kw_only=True, tag="key_turned"):
    """The key switch of the panel was turned; authority counts only while it is on."""

    on: bool


class FaultClearAsked(FromPanel, frozen=True, kw_only=True, tag="fault_clear_asked"):
    """Somebody wants to clear a fault; the next person to identify himself answers for it."""

    code: FaultCode
    where: Text = ""


class MeasureAsked(FromPanel, frozen=True, kw_only=True, tag="measure_asked"):
    """A player is to be barred or restricted, or that is to end; an authority comes next."""

    seat: SeatNumber
    measure: Literal["bar", "restrict", "lift"]


class TableClosed(FromPanel, frozen=True, kw_only=True, tag="table_closed"):
    """The table takes no more rounds until it is opened again."""


class TableOpened(FromPanel, frozen=True, kw_only=True, tag="table_opened"):
    """The table takes rounds again."""


class ServiceBegun(Decision, frozen=True, kw_only=True, tag="service_begun"):
    """A technician starts work on the closed table; the shell has checked who it is."""

    staff: Text
    name: Text
    role: Role
    up_ms: Count = 0


class ServiceRefused(Decision, frozen=True, kw_only=True, tag="service_refused"):
    """A number and PIN over the maintenance socket that were not accepted."""

    staff: Text
    up_ms: Count = 0


class ServiceDone(Decision, frozen=True, kw_only=True, tag="service_done"):
    """Something done in service mode, for the record."""

    what: Annotated[str, Meta(max_length=200)]
    cover_closed_by: Text = ""
    """The technician who answers for the cover, opened and closed again in a test of its switch."""


class ServiceEnded(Decision, frozen=True, kw_only=True, tag="service_ended"):
    """The technician has finished."""


# The jackpot link


class Acknowledged(Decision, frozen=True, kw_only=True, tag="acknowledged"):
    """The jackpot controller has committed a message that was owed to it."""

    id: Word


class AwardGranted(Decision, frozen=True, kw_only=True, tag="award_granted"):
    """The jackpot controller says what a claim is paid, and from which meter."""

    id: Word
    amount_cents: Cents
    meter_cents: Cents | None = None
    """The meter before the claim, and those that share with it, were paid."""
    winners: Annotated[int, Meta(ge=1, le=MOST_WHOLE)] = 1
    """How many claims of the round share."""
    heard_cents: Cents | None = None
    heard_reset_cents: Cents = 0
    """The meter that the table had heard last."""
    unheard_cents: Cents = UNHEARD_CENTS
    """By how much the meter may have moved since: it is not published with every bet."""


class MeterLocked(Decision, frozen=True, kw_only=True, tag="meter_locked"):
    """Claims of this table are pending, and hold this meter."""

    ids: Several[Word]
    meter_cents: Cents
    reset_cents: Cents = 0
    shares: Several[tuple[Word, Percent]] = ()
    """Every claim on the link that is pending with a share of the meter, in percent."""
    heard_cents: Cents | None = None
    heard_reset_cents: Cents = 0
    heard_books: Word = ""
    unheard_cents: Cents = UNHEARD_CENTS
    """As in `AwardGranted`."""


class MeterMoved(Observation, frozen=True, kw_only=True, tag="meter_moved"):
    """The jackpot controller has published its meter; the link has judged whether it can be so."""

    meter_cents: Cents
    sequence: Count
    reset_cents: Cents = 0
    books: Word = ""
    doubted: bool = False


class PendingChanged(Observation, frozen=True, kw_only=True, tag="pending_changed"):
    """The majors pending on the link, in words for dealers: table, seat and hand of each."""

    ids: Several[Word]
    words: Several[Text]


class LinkChanged(Fact, frozen=True, kw_only=True, tag="link_changed"):
    """The jackpot link has become healthy, or no longer is; the rules say what follows."""

    healthy: bool
    problem: Text = ""
    """What is wrong with it, in words for a technician."""
    code: LinkProblemCode | None = None
    """The same for tools."""
    meter_cents: Cents | None = None
    reset_cents: Cents = 0
    """The meter as it was registered before the link was lost."""


class WentOn(Decision, frozen=True, kw_only=True, tag="went_on"):
    """The house lets the table go on although records are missing that the controller knows of."""

    through: RecordNumber
    """The last record that the controller knows; ids go on after it."""
    round: Tally
    contributions: Tally
    contributed_cents: Cents
    """What the controller's books have from this journal."""
    by: Word = ""
    """The staff number of the person who ordered it."""


Tried = StaffIdentified | StaffRefused | DealerSignedOn | ServiceBegun | ServiceRefused
"""Somebody has entered a PIN; the runtime adds the time by which wrong ones are counted."""

AnyDecision = (
    JournalOpened
    | Restarted
    | FaultNoticed
    | FaultPassed
    | ClockJudged
    | CoinSensed
    | CardDrawn
    | CardUnread
    | HandDispensed
    | LotsDrawn
    | BetsOpened
    | BetKeyed
    | DecisionCorrected
    | BetsClosed
    | PlayerDecided
    | RestDecided
    | KeyTakenBack
    | HandNotShown
    | CardsRevealed
    | RoundPaid
    | HandsDealt
    | CardsKeyed
    | SeatsJoined
    | NewPlayer
    | IrregularityReported
    | OptionChosen
    | RulingConfirmed
    | ReportWithdrawn
    | MajorDenied
    | StaffIdentified
    | StaffRefused
    | DealerSignedOn
    | DealerSignedOff
    | KeyTurned
    | FaultClearAsked
    | MeasureAsked
    | TableClosed
    | TableOpened
    | ServiceBegun
    | ServiceRefused
    | ServiceDone
    | ServiceEnded
    | Acknowledged
    | AwardGranted
    | MeterLocked
    | AwardDecided
    | LinkChanged
    | WentOn
    | CardsCorrected
    | FaceUpKeyed
)
"""What a journal can hold."""
