"""What a table remembers: the fold of its journal.

Plain data that msgspec can write and read. Only the handlers change it. Cards are in it from
the moment the shoe or shuffler has read them, so it leaves the table only through `seen.py`,
where cards that lie face down are unknown.
"""

from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from firmware.protocol.fault_catalogue import FAULTS, FaultCode, spot_place
from firmware.protocol.link_problems import LinkProblemCode
from firmware.protocol.obligations import AnyObligation, ClockQuality, Win, sequence_of
from firmware.rules.contract import Claim, Draws, Facts, IrregularityName, Ruling, SeatResult
from firmware.rules.dealing import Target
from firmware.rules.game import LEAVING, TAKEN_OUT
from firmware.table.events import BelievedMeter, CorrectionKind
from firmware.table.settings import CardSource, HousePolicy

Phase = Literal[
    "idle",
    "closed",
    "service",
    "betting",
    "drawing",
    "dealing",
    "deciding",
    "revealing",
    "claiming",
    "ruling",
    "settling",
]
AT_REST: frozenset[Phase] = frozenset({"idle", "closed", "service"})
"""No round is under way."""
BEFORE_THE_CLOSE: frozenset[Phase] = AT_REST | {"betting"}
"""A chip put down may still bet, and no card is known."""
CARDS_COME: frozenset[Phase] = frozenset({"dealing", "deciding", "revealing"})
"""The shoe or shuffler may send cards."""
IN_PLAY: frozenset[Phase] = CARDS_COME | {"drawing", "claiming"}
"""The bets are closed and the round is not settled."""
AFTER_THE_CLOSE: frozenset[Phase] = IN_PLAY | {"settling"}


class Spot(Struct):
    """A coin spot: whether a chip is on it, and whether it has been empty since it last bet."""

    chip: bool = False
    ready: bool = True
    late: bool = False
    """Whether the chip was put there after the bets were closed."""


class SeatState(Struct):
    """One seat in the round: its stakes by name, its decisions, its cards."""

    stakes: dict[str, int]
    contributions: dict[str, str] = field(default_factory=dict)
    """The id of the contribution that each jackpot bet became."""
    not_contributed: list[str] = field(default_factory=list)
    """The jackpot bets whose contribution was rejected, and settled by the shift manager."""
    decision: str | None = None
    """The bet that stays in, by its name in the game, or how the seat left the round."""
    checked: list[str] = field(default_factory=list)
    """The bets that the player could have placed but did not."""
    keyed: list[str] = field(default_factory=list)
    """The bets whose amount was keyed after the decision; the others are as prescribed."""
    cards: list[str] = field(default_factory=list)
    dealt_at_ms: int = 0
    shown: bool = True
    hidden_agreed: bool = False
    """Whether a supervisor has agreed that it is not shown: he agrees again before it is."""
    blind: bool = False
    """Whether the hand may not be examined: its player plays another one too."""
    under_min_before: bool = False
    by_memory: bool = False
    """Whether it is in only because it played the last round without a chip; no bet was keyed."""

    @property
    def taken_out(self) -> bool:
        """Whether a ruling, or the player's choice in one, has taken the hand out."""
        return self.decision in TAKEN_OUT

    @property
    def in_round(self) -> bool:
        """Whether the player has an ante and has neither folded nor left nor been taken out."""
        return bool(self.stakes.get("ante")) and self.decision not in LEAVING


class ClaimState(Struct):
    """A claim of the round, with its amount once that is known."""

    claim: Claim
    bet: str
    words: str
    amount_cents: int | None = None
    registered: bool = False
    """Whether the amount is the table's own, from the last registered meter (I-28)."""
    confirmed_by: str = ""
    """The staff number of the person who confirmed it."""
    on_keyed_cards: bool = False
    """Whether it rests on cards that the dealer keyed although the source reads them."""
    win: Win | None = None
    """What the jackpot controller was told, to ask again; None in older journals."""
    locked_cents: int | None = None
    locked_reset_cents: int = 0
    locked_beside: list[int] = field(default_factory=list)
    """The meter that the claim holds, as the jackpot controller says, and the shares, in percent,
    of the others that hold it: what it is paid from, after some of them perhaps."""
    held_before_cents: int | None = None
    """The meter that it held until another claim of its round was withdrawn or made."""
    asked_again: bool = False
    """Whether it was awarded, and is to be awarded anew for that."""
    told_cents: list[int] = field(default_factory=list)
    """Every amount that the panel has said to pay on it, oldest first: of each there may be a slip."""
    told_ms: list[int] = field(default_factory=list)
    """Since when it has said each of them: two slips of one sum are told apart by it."""
    winners: int = 1
    """How many claims share what was awarded last."""
    award_cents: int | None = None
    """What the jackpot controller has awarded last, believed or not."""
    reckoned_cents: int | None = None
    """What the table reckons it to be worth, while it doubts the award."""
    decided_by: str = ""
    """The staff number of the person who decided what is paid, against a doubt."""

    @property
    def seat(self) -> int:
        """The seat that claims."""
        return self.claim.seat

    @property
    def awarded(self) -> bool:
        """Whether the jackpot controller has said what it pays, believed or not."""
        believed = self.amount_cents is not None and not self.registered
        return believed or self.award_cents is not None

    @property
    def doubted(self) -> bool:
        """Whether its award is not believed, and nobody has decided what is paid."""
        return self.reckoned_cents is not None

    @property
    def stands_registered(self) -> bool:
        """Whether the panel says to pay it from the registered meter, confirmed if need be."""
        return self.registered and self.amount_cents is not None and not self.unconfirmed

    @property
    def final(self) -> bool:
        """Whether somebody has confirmed it, or it has its amount: it is not changed by the way."""
        return bool(self.confirmed_by) or self.amount_cents is not None or self.doubted

    @property
    def unconfirmed(self) -> bool:
        """Whether it is still to be confirmed: a major, or what the dealer alone has keyed."""
        return (self.claim.level == "major" or self.on_keyed_cards) and not self.confirmed_by


class WithdrawnClaim(Struct):
    """A claim on which nothing is paid any more (I-37)."""

    seat: int
    words: str
    reason: str
    awarded: bool = False
    """Whether the jackpot controller has awarded it, before the withdrawal or after."""
    told_cents: list[int] = field(default_factory=list)
    told_ms: list[int] = field(default_factory=list)
    """Every amount that the panel had said to pay on it, and since when."""


class DenialState(Struct):
    """A seat whose claim is not confirmed, until the supervisor has said so himself.

    `which` counts the seat's claims from 1; 0 is the only one.
    """

    seat: int
    reason: str
    which: int = 0


class AwardChoice(Struct, frozen=True):
    """What is to be paid on a claim whose award is doubted, until the one who decides has come."""

    claim: str
    pay: Literal["awarded", "reckoned"]


class PaidClaim(Struct):
    """What was paid on a claim, and what the jackpot controller has awarded for it, if anything."""

    paid_cents: int
    award_cents: int | None = None
    withdrawn: bool = False
    """Whether nothing was paid because it was withdrawn: an award may have been on its way."""


class IncidentState(Struct):
    """An irregularity that is being dealt with: the ruling, and what was chosen so far."""

    irregularity: IrregularityName
    facts: Facts
    ruling: Ruling
    words: str
    resume: Phase
    noticed: bool = False
    """Whether the table itself noticed it; then the dealer alone cannot withdraw it."""
    withdrawing: bool = False
    """Whether the report is to be withdrawn by the next person with authority."""
    chosen: dict[int, str] = field(default_factory=dict)
    """What each seat has chosen; seat 0 is the person to whom it was referred."""
    confirmed_by: str = ""
    """The staff number of the person who confirmed it; the dealer alone has none."""
    cause: str = ""
    """What the table has noticed, where that says more than the irregularity: which card, and where."""


class PutRight(Struct, frozen=True, kw_only=True):
    """A stake or a decision to be put right, once a pit supervisor agrees (I-39)."""

    seat: int
    words: str
    bet: str = ""
    stake_cents: int = 0
    decision: str = ""
    """The decision that was meant; empty where a stake is put right."""
    about: str = ""
    """The bet that this decision was about."""
    shown: bool | None = None
    """Whether the hand is shown, where that is put right: with a claim, it claims again or not."""
    place: str = ""
    cards: tuple[str, ...] = ()
    """The place whose cards are keyed again, face up, and how they are keyed."""


class Waiting(Struct):
    """An irregularity that the table noticed while it was busy with another one."""

    irregularity: IrregularityName
    facts: Facts
    cause: str = ""


class Correction(Struct):
    """Where cards lie, as the dealer says; a place is a seat's number, `dealer` or `board`."""

    how: CorrectionKind
    places: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    """The cards that it is about, as the table had them when it was keyed."""


class RoundState(Struct):
    """The round of play under way; `stage` counts the stages of the deal (`stages.py`)."""

    number: int
    first_record: int = 0
    """The journal record that opened the round."""
    source: CardSource = "shoe"
    """Where the cards come from; a source that fails leaves the rest to the dealer's keys."""
    meter_cents: int | None = None
    reset_cents: int = 0
    """The meter last registered with the round: at closing, at a hit, at the loss of the link."""
    meter_books: str = ""
    """The controller's books that it is from: the round has contributed to no others."""
    by_registered_meter: bool = False
    """Whether somebody decided to pay claims by that meter while the link is down."""
    seats: dict[int, SeatState] = field(default_factory=dict)
    dealt: list[int] = field(default_factory=list)
    """The seats that are dealt a hand, as they were at the close, whatever happens to them."""
    dealer: list[str] = field(default_factory=list)
    community: list[str] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)
    """Every card that left the shoe or shuffler, the burnt ones too."""
    tracked: bool = False
    """Whether it is kept when each card left, and by whom cards were keyed: not in older rounds."""
    drawn_at_ms: dict[str, int] = field(default_factory=dict)
    """When each of them left it."""
    surplus: list[str] = field(default_factory=list)
    """Cards that came too early, to be used first when the deal needs cards."""
    unexpected: list[int] = field(default_factory=list)
    """Which of `drawn`, counted from 0, came although no card was due: the dealer says where they lie."""
    left: list[Target] | None = None
    """Where the rest of this stage's cards go, once a correction has changed the order."""
    unread_cards: int = 0
    """How many cards have left the source unread: they are in no hand, but they were dealt or burnt."""
    unexplained: bool = False
    """Whether a card too many has come and nobody has said where it lies."""
    corrected: bool = False
    """Whether somebody has said that cards lie elsewhere than the order of the deal has them."""
    tellable: list[CorrectionKind] = field(default_factory=list)
    """What may be said about the cards: a dealing error was ruled on, and play goes on (I-40)."""
    correction: Correction | None = None
    """A correction that waits for the pit supervisor."""
    lost: dict[str, int] = field(default_factory=dict)
    """The places whose cards the table does not know, which the dealer settles (I-40).

    With the moment of the newest card that came there.
    """
    keyed: list[str] = field(default_factory=list)
    """The places whose cards the dealer has keyed, face up."""
    turned_up: list[str] = field(default_factory=list)
    """The cards that were turned up, wherever they lie now; hands at the last reveal aside."""
    face_up: str | None = None
    """The dealer's card that lies face up, as he has said; empty if he has still to say it."""
    dealer_exposed: bool = False
    """Whether a card of the dealer was exposed by accident: it is the face-up card, and no other."""
    draws: Draws | None = None
    stage: int = 0
    stage_cards: int = 0
    dealt_at_ms: int = 0
    """When the first hand was complete."""
    players: list[list[int]] = field(default_factory=list)
    """The seats of each player who plays several."""
    bonus_by_memory: dict[int, int] = field(default_factory=dict)
    """The bonus that a seat has if it plays, because it had it in the last round; none was keyed."""
    incident: IncidentState | None = None
    waiting: list[Waiting] = field(default_factory=list)
    lost_at_cuts: list[list[int]] = field(default_factory=list)
    """For each power cut after which play went on: the seats whose fold was the outcome."""
    rulings: list[str] = field(default_factory=list)
    """What was ruled in this round, in words, for the dealer and the record."""
    to_put_right: PutRight | None = None
    """What waits for a supervisor to be put right."""
    may_be_paid: bool = False
    """Whether the table was restarted in the settlement, so that it may have been paid: until the
    jackpot controller has accepted the journal, or a supervisor has looked."""
    sent_back: list[int] = field(default_factory=list)
    """The seats whose jackpot bet without an ante goes back while the round is played, as the
    panel says then: not once more at its end."""
    void: bool = False
    results: list[SeatResult] = field(default_factory=list)
    claims: dict[str, ClaimState] = field(default_factory=dict)
    withdrawn: dict[str, WithdrawnClaim] = field(default_factory=dict)
    """The claims on which nothing is paid any more, by the id of the win."""
    denied: list[Claim] = field(default_factory=list)
    """What a supervisor has not confirmed, or the shift manager has settled by hand: it is not
    claimed again, whatever is put right."""
    rejected: list[Claim] = field(default_factory=list)
    """What of this the shift manager has settled by hand: nobody at the table takes it up again."""
    dropped: str = ""
    """What waited for a PIN and was dropped without one: the next PIN may be that of somebody who
    does not know it. It is told until a PIN has taken note of it, or the round is over."""
    denying: DenialState | None = None
    """The claim that the next person with authority does not confirm."""
    deciding_award: AwardChoice | None = None
    """What the next person with authority pays on a claim whose award is doubted."""
    closed_at_ms: int | None = None
    """When the bets were closed."""
    lifted_late: list[tuple[int, str]] = field(default_factory=list)
    """The spots whose chip was lifted just when the bets were closed: it is charged all the same."""

    def seat(self, number: int) -> SeatState:
        """Return a seat of the round, an empty one if nothing is known of it yet."""
        return self.seats.setdefault(number, SeatState(stakes={}))

    def seats_of_player(self, seat: int) -> set[int]:
        """List the seats of whoever plays a seat, this one among them (I-41)."""
        return {seat}.union(*(seats for seats in self.players if seat in seats))

    def claims_of(self, seat: int) -> list[ClaimState]:
        """List the claims of a seat, in the order in which they were made."""
        return [claim for claim in self.claims.values() if claim.seat == seat]

    def cards_at(self, place: str) -> list[str]:
        """Return the cards that the table has at a place: a seat, `dealer` or `board`."""
        if place == "dealer":
            return self.dealer
        return self.community if place == "board" else self.seats[int(place)].cards


class LastKey(Struct, frozen=True):
    """The last key that can be taken back: what was before it, and a mark of what it left."""

    before: bytes
    mark: str


class FaultState(Struct):
    """A fault that lasts, or is waiting for somebody to clear it."""

    code: FaultCode
    where: str
    detail: str
    at_ms: int
    passed: bool = False


class StaffTries(Struct):
    """How often a PIN was wrong, and when last: see `irregularities/tries.py`."""

    count: int = 0
    at_ms: int = 0
    """Since the firmware was started; in editions before 2 by the table's clock."""


class OnDuty(Struct, frozen=True):
    """The dealer who has signed on at the panel."""

    staff: str
    name: str


class AskedMeasure(Struct, frozen=True):
    """What is to be done about the player at a seat; somebody with authority comes next."""

    seat: int
    measure: Literal["bar", "restrict", "lift"]


class Totals(Struct):
    """What this journal has contributed since it began, less what it has reversed."""

    contributions: int = 0
    contributed_cents: int = 0


class TableState(Struct):
    """The whole table. The meter and what is pending elsewhere are observations, not journalled."""

    journal: str = ""
    sequence: int = 0
    """The number of journal records that made this state."""
    skipped: int = 0
    """By how much ids are ahead of the records: what is missing here and in the books is not used
    again (`WentOn`)."""
    went_on: int = 0
    """The last record that the controller knew when the house let the table go on without it."""
    refused: bool = False
    """Whether the jackpot controller has refused this unit since it accepted it last: no other unit is
    let go on by order."""
    edition: int = 0
    """Which edition of the table's behaviour writes these records (`events.EDITION`)."""
    phase: Phase = "idle"
    found_round: int = 0
    """The round that a restart has found under way; none once the jackpot controller has accepted the
    journal."""
    held_round: int = 0
    """The round in which nothing may happen before the jackpot controller lets this unit go on
    (`held.py`)."""
    round: RoundState = field(default_factory=lambda: RoundState(number=0))
    paid_at_ms: int = 0
    """When the last round was paid: a chip that was put down before that is no bet of the next one,
    whenever it is heard of."""
    spots: dict[int, dict[str, Spot]] = field(default_factory=dict)
    last_ante_cents: dict[int, int] = field(default_factory=dict)
    under_min: list[int] = field(default_factory=list)
    """The seats whose player has had a wager under the minimum settled once (I-30)."""
    last_bonus_cents: dict[int, int] = field(default_factory=dict)
    """The bonus of every seat that placed one in the last round."""
    without_chip: list[int] = field(default_factory=list)
    """The seats that played the last round without a jackpot chip: they are in the next one too."""
    last_key: LastKey | None = None
    last_frame: dict[str, int] = field(default_factory=dict)
    owed: dict[str, AnyObligation] = field(default_factory=dict)
    entered: list[str] = field(default_factory=list)
    """The wins that the controller has committed but not yet awarded: still owed."""
    paid: dict[str, PaidClaim] = field(default_factory=dict)
    """The claims that were paid or withdrawn last, by the id of the win: an award may still come."""
    totals: Totals = field(default_factory=Totals)
    faults: dict[str, FaultState] = field(default_factory=dict)
    clearing: str = ""
    """The fault to be cleared; the next person to identify himself answers for it."""
    key_on: bool = False
    tries: dict[str, StaffTries] = field(default_factory=dict)
    """The wrong PINs of each staff number."""
    place_tries: dict[str, StaffTries] = field(default_factory=dict)
    """Those entered at the panel, and over the maintenance socket."""
    on_duty: OnDuty | None = None
    opened_by_nobody: bool = False
    """Whether a round was opened since without one: the panel says so only once."""
    barred: dict[int, str] = field(default_factory=dict)
    """The seats whose player may not bet, and who decided that; until it is lifted."""
    restricted: dict[int, str] = field(default_factory=dict)
    """The seats whose player may play no other position, and who decided that."""
    measure: AskedMeasure | None = None
    clock: ClockQuality = "free"
    link_healthy: bool = False
    link_problem: str = ""
    link_problem_code: LinkProblemCode | None = None
    policy: HousePolicy | None = None
    """What was decided about rounds while the jackpot system is down."""
    meter_cents: int | None = None
    reset_cents: int = 0
    meter_books: str = ""
    believed_meter: BelievedMeter | None = None
    """While the meter is in doubt: the last one that was not."""
    doubted_meter: tuple[int, int] | None = None
    """The newest meter that is not believed, and its reset value: shown to nobody, and taken over
    when the shift manager clears the fault."""
    pending_ids: tuple[str, ...] = ()
    pending_words: tuple[str, ...] = ()

    def spot(self, seat: int, bet: str) -> Spot:
        """Return a coin spot, an empty one if nothing has been sensed there yet."""
        return self.spots.setdefault(seat, {}).setdefault(bet, Spot())

    def chips(self) -> list[tuple[int, str]]:
        """List the spots with a chip that bets: (seat, bet), clockwise."""
        return [
            (seat, bet)
            for seat, spots in sorted(self.spots.items())
            for bet, spot in spots.items()
            if spot.chip and spot.ready and not self.is_locked(seat, bet)
            if seat not in self.barred
        ]

    def record_of(self, obligation_id: str) -> int:
        """Return the oldest record that an obligation can have come with."""
        return max(1, sequence_of(obligation_id) - self.skipped)

    def has_chip(self, seat: int) -> bool:
        """Return whether a chip lies on a seat's spots, as far as they can be trusted."""
        spots = self.spots.get(seat, {}).items()
        return any(spot.chip and spot.ready and not self.is_locked(seat, b) for b, spot in spots)

    def remembered(self) -> "TableState":
        """Return what the journal can restore: everything but what was only observed."""
        return replace(
            self,
            meter_cents=None,
            reset_cents=0,
            meter_books="",
            doubted_meter=None,
            pending_ids=(),
            pending_words=(),
        )

    @property
    def meter_before(self) -> BelievedMeter | None:
        """What the first meter after a restart is judged by: the journal keeps no other one.

        In doubt that is the last one believed, and in a round the one registered with it: it would
        be paid from. A table at rest may have been off for days, and has nothing to lose by a meter.
        """
        if self.believed_meter is not None or self.phase in AT_REST:
            return self.believed_meter
        return self.registered_meter

    @property
    def registered_meter(self) -> BelievedMeter | None:
        """The meter registered with the round that is under way, or was the last.

        After a restart it is all that is known of the height from which the meter may have fallen.
        """
        play = self.round
        if play.meter_cents is None:
            return None
        return BelievedMeter(
            meter_cents=play.meter_cents, reset_cents=play.reset_cents, books=play.meter_books
        )

    @property
    def meter_known(self) -> bool:
        """Whether there is a meter to go by; without one no jackpot bet is taken."""
        return self.meter_cents is not None and not self.meter_doubted

    @property
    def shown_meter_cents(self) -> int | None:
        """The meter for everybody to see; none while nobody knows whose it is."""
        several = self.link_problem_code == "several_controllers"
        return None if several else self.meter_cents

    @property
    def meter_of_round(self) -> tuple[int, int] | None:
        """The meter that the round under way may be paid from, and its reset value, if known.

        One from other books is another controller's.
        """
        if self.meter_cents is None or self.meter_doubted:
            return None
        same = self.meter_books == self.round.meter_books or self.round.meter_cents is None
        return (self.meter_cents, self.reset_cents) if same else None

    @property
    def meter_doubted(self) -> bool:
        """Whether what the jackpot controller says of its meter cannot be so."""
        return any(FAULTS[fault.code].lock == "jackpot" for fault in self.faults.values())

    @property
    def known_pending(self) -> tuple[str, ...]:
        """What is pending on the link, in words; nobody knows while the link is down."""
        return self.pending_words if self.link_healthy else ()

    @property
    def spots_unknown(self) -> bool:
        """Whether nobody knows what lies on some coin spots: what was sensed there last is held."""
        return any(fault.code == "spots_unknown" for fault in self.faults.values())

    @property
    def takes_jackpot_bets(self) -> bool:
        """Whether a chip on a spot would be a bet: the link is up and its meter known."""
        return self.link_healthy and self.meter_known

    def is_locked(self, seat: int, bet: str) -> bool:
        """Return whether a fault keeps a spot from betting."""
        if not self.faults:
            return False  # nearly always; this is asked for every lamp at every step
        place = spot_place(seat, bet)
        return any(fault.where == place for fault in self.faults.values())

    @property
    def doing(self) -> Phase:
        """The phase that the table is in, leaving aside an irregularity being dealt with."""
        return self.incident.resume if self.phase == "ruling" else self.phase

    @property
    def incident(self) -> IncidentState:
        """The irregularity being dealt with; there is one in the phase `ruling`."""
        if self.round.incident is None:
            raise AssertionError("no irregularity is being dealt with")
        return self.round.incident


def sign_off(state: TableState) -> None:
    """Let no dealer be on duty; the panel will say so once more."""
    state.on_duty, state.opened_by_nobody = None, False
