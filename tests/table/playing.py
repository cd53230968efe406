"""A table to play on: makes events with their times and frame numbers, and takes the effects.

`Playing` is what stands around a table at its barest: it steps, and keeps as journal what
was decided. Which events make a round, and what they must lead to, is in the tests.
"""

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from firmware.protocol.fault_catalogue import FaultCode, Role
from firmware.protocol.obligations import (
    Contribution,
    FaultReport,
    Reversal,
    RoundReport,
    Verdict,
    Win,
)
from firmware.rules.contract import Facts, IrregularityName
from firmware.table.effects import (
    AnyEffect,
    Part,
    Pattern,
    PublishStatus,
    Send,
    SetLamp,
    ShowPrompt,
    ShowRefusal,
    ShowSign,
)
from firmware.table.events import (
    Acknowledged,
    AwardGranted,
    BetKeyed,
    BetsClosed,
    BetsOpened,
    CardDrawn,
    CardsKeyed,
    CardsRevealed,
    CardUnread,
    CoinSensed,
    Decision,
    Event,
    FaultClearAsked,
    FaultNoticed,
    FaultPassed,
    FromPanel,
    HandDispensed,
    HandNotShown,
    HandsDealt,
    IrregularityReported,
    JournalOpened,
    KeyTurned,
    LinkChanged,
    LotsDrawn,
    MeterLocked,
    MeterMoved,
    OptionChosen,
    PendingChanged,
    PlayerDecided,
    ReportWithdrawn,
    Restarted,
    RoundPaid,
    RulingConfirmed,
    StaffIdentified,
    Tried,
)
from firmware.table.settings import TableSettings
from firmware.table.state import Phase, TableState
from firmware.table.table import Outcome, Table

_REPORTS = (RoundReport, FaultReport)
Effects = tuple[AnyEffect, ...]
Money = Contribution | Reversal | Win | Verdict

SETTINGS = TableSettings(
    name="T1",
    game="rws-multilink-stud",
    seats=4,
    ante_min_cents=2_500,
    ante_max_cents=100_000,
    jackpot_bet_cents=500,
)
JOURNAL = "fresh"
"""The id of the journal; a real one is random."""
METER_CENTS = 100_000_000
"""The meter that a table hears first: higher than whatever the tests award."""
LIMITS = "Ante $25.00 to $1,000.00, jackpot bet $5.00"

ACE_HIGH = ("As", "Kd", "9c", "7h", "2s")
TENS = ("Tc", "Td", "8h", "5s", "3c")
QUEEN_HIGH = ("Qs", "Jd", "9d", "6s", "4d")
FLUSH = ("Ah", "Jh", "9h", "6h", "3h")
STRAIGHT_FLUSH = ("4c", "5c", "6c", "7c", "8c")


def lamp(seat: int, pattern: Pattern, bet: str = "jackpot") -> SetLamp:
    """Expect a lamp."""
    return SetLamp(seat, bet, pattern)


def prompt(code: str, *lines: str, parts: tuple[Part, ...] = ()) -> ShowPrompt:
    """Expect a prompt."""
    return ShowPrompt(code, lines, parts)


def sign(meter_cents: int | None, text: str = LIMITS) -> ShowSign:
    """Expect something on the sign."""
    return ShowSign(meter_cents, text)


def refused(reason: str) -> Effects:
    """Expect a refusal and nothing else."""
    return (ShowRefusal(reason),)


def lamps_in(effects: Effects) -> dict[int, Pattern]:
    """Pick the lamps out of some effects, at a table with one spot a seat."""
    lamps = [effect for effect in effects if isinstance(effect, SetLamp)]
    assert all(effect.bet == "jackpot" for effect in lamps)
    return {effect.seat: effect.pattern for effect in lamps}


def prompt_in(effects: Effects) -> tuple[str, ...]:
    """Pick the lines of the prompt out of some effects."""
    (found,) = (effect.lines for effect in effects if isinstance(effect, ShowPrompt))
    return found


def owed_in(effects: Effects) -> list[Money]:
    """Pick the money that is to be sent out of some effects; reports are kept apart."""
    sent = [effect.obligation for effect in effects if isinstance(effect, Send)]
    return [owed for owed in sent if isinstance(owed, Money)]


OBSERVED = (
    "meter_cents",
    "reset_cents",
    "meter_books",
    "doubted_meter",
    "pending_ids",
    "pending_words",
)
"""What a table has seen and not written down."""


def written(state: TableState) -> bytes:
    """Write a whole state down, to compare it with a later one."""
    return msgspec.msgpack.encode(state)


def remembered(state: TableState) -> object:
    """Give what a journal can restore of a state: everything but the observations."""
    unseen = TableState()
    return msgspec.to_builtins(replace(state, **{name: getattr(unseen, name) for name in OBSERVED}))


class Playing:
    """A table with its journal, a clock that moves with every event, and frame counters."""

    def __init__(self, settings: TableSettings = SETTINGS) -> None:
        """Begin a journal, as the first start of a table does."""
        self.table = Table(settings)
        self.journal: list[Decision] = []
        self.at_ms = 0
        self.up_ms = 0
        """The time since the firmware was started, by which wrong PINs are counted."""
        self.between_tries_ms = 3_600_000
        """How long people wait between PINs: so long that no wrong one counts any more."""
        self.frames = {"panel": 0, "shoe": 0, "shuffler": 0}
        self.last: Event = LinkChanged(at_ms=0, healthy=False)
        self.decided = False
        self.status: PublishStatus | None = None
        self.reports: list[RoundReport | FaultReport] = []
        self.called: Callable[[Role], str] = str
        """What people are called who have a role."""
        self.listener: Callable[[Event, bytes, Outcome], None] | None = None
        """Who wants to hear of every event: with the state before it, and what it led to."""
        self.take(
            JournalOpened(at_ms=self.now(), table=settings.name, journal=JOURNAL, settings=settings)
        )
        self.link(healthy=True)
        self.heard_meter = (METER_CENTS, 0)
        self.take(MeterMoved(at_ms=self.at_ms, meter_cents=METER_CENTS, sequence=1))

    @property
    def state(self) -> TableState:
        """What the table remembers."""
        return self.table.state

    @property
    def stages(self) -> list[str]:
        """How far the jackpot controller was told that rounds had come."""
        return [report.stage for report in self.reports if isinstance(report, RoundReport)]

    def phase(self) -> Phase:
        """Ask for the phase: a call, since what was so before an event need not be after it."""
        return self.state.phase

    def now(self) -> int:
        """Let a second pass."""
        self.at_ms += 1_000
        return self.at_ms

    def frame(self, device: str = "panel") -> int:
        """Count a device's next frame."""
        self.frames[device] += 1
        return self.frames[device]

    def take(self, event: Event) -> Effects:
        """Let an event happen as the runtime does, and give its effects."""
        self.last = self.table.completed(event)
        before = written(self.state) if self.listener else b""
        outcome = self.table.step(self.last)
        self.decided = outcome.decided
        if outcome.decided:
            assert isinstance(self.last, Decision)
            if outcome.left_out:
                self.last = replace(self.last, left_out=True)
            self.journal.append(self.last)
        if self.listener:
            self.listener(self.last, before, outcome)
        return self.without_reports(outcome.effects)

    def without_reports(self, effects: Effects) -> Effects:
        """Keep apart what only tells the jackpot controller how far the table is."""
        kept: list[AnyEffect] = []
        for effect in effects:
            if isinstance(effect, PublishStatus):
                self.status = effect
            elif isinstance(effect, Send) and isinstance(effect.obligation, _REPORTS):
                self.reports.append(effect.obligation)
            else:
                kept.append(effect)
        return tuple(kept)

    def again(self) -> Effects:
        """Let the last frame arrive once more, because its acknowledgement was lost."""
        return self.take(replace(self.last, at_ms=self.now()))

    # The felt

    def chip(self, seat: int, bet: str = "jackpot") -> Effects:
        """Put a chip on a coin spot."""
        return self.take(CoinSensed(at_ms=self.now(), seat=seat, bet=bet, present=True))

    def lift(self, seat: int, bet: str = "jackpot") -> Effects:
        """Take the chip off a coin spot."""
        return self.take(CoinSensed(at_ms=self.now(), seat=seat, bet=bet, present=False))

    def draw(self, card: str) -> Effects:
        """Draw a card from the shoe."""
        return self.take(CardDrawn(at_ms=self.now(), frame=self.frame("shoe"), card=card))

    def dispense(self, *cards: str) -> Effects:
        """Let the shuffler dispense a hand."""
        frame = self.frame("shuffler")
        return self.take(HandDispensed(at_ms=self.now(), frame=frame, cards=cards))

    def lots(
        self, magic_card: str, *, lucky_seat: int | None = None, lucky_dealer: bool = False
    ) -> Effects:
        """Let the system draw its lots."""
        event = LotsDrawn(
            at_ms=self.now(),
            magic_card=magic_card,
            lucky_seat=lucky_seat,
            lucky_dealer=lucky_dealer,
        )
        return self.take(event)

    def unread(self, problem: str = "smudged") -> Effects:
        """Let a card leave the shoe unread."""
        frame = self.frame("shoe")
        return self.take(CardUnread(at_ms=self.now(), frame=frame, problem=problem))

    def deal(self, hands: Mapping[int, tuple[str, ...]], dealer: tuple[str, ...]) -> Effects:
        """Burn the two of diamonds and deal these hands; give the effects of the last card."""
        self.draw("2d")
        around = [hands[seat] for seat in sorted(hands)]
        effects: Effects = ()
        for place in range(5):
            for hand in (*around, dealer):
                effects = self.draw(hand[place])
        return effects

    # The panel

    def open(self) -> Effects:
        """Press OPEN."""
        return self.take(BetsOpened(at_ms=self.now(), frame=self.frame()))

    def ante(self, seat: int, ante_cents: int) -> Effects:
        """Key an ante."""
        return self.key(seat, "ante", ante_cents)

    def key(self, seat: int, bet: str, stake_cents: int) -> Effects:
        """Key a bet."""
        frame = self.frame()
        event = BetKeyed(at_ms=self.now(), frame=frame, seat=seat, bet=bet, stake_cents=stake_cents)
        return self.take(event)

    def close(self) -> Effects:
        """Press CLOSE."""
        return self.take(BetsClosed(at_ms=self.now(), frame=self.frame()))

    def bet(self, seat: int) -> Effects:
        """Press BET for a seat."""
        return self.decide(seat, "bet")

    def fold(self, seat: int) -> Effects:
        """Press FOLD for a seat."""
        return self.decide(seat, "fold")

    def decide(self, seat: int, answer: str) -> Effects:
        """Press the key of any answer for a seat."""
        event = PlayerDecided(at_ms=self.now(), frame=self.frame(), seat=seat, decision=answer)
        return self.take(event)

    def hidden(self, seat: int) -> Effects:
        """Press HIDDEN for a seat."""
        return self.take(HandNotShown(at_ms=self.now(), frame=self.frame(), seat=seat))

    def reveal(self) -> Effects:
        """Press REVEAL."""
        return self.take(CardsRevealed(at_ms=self.now(), frame=self.frame()))

    def paid(self) -> Effects:
        """Press PAID."""
        return self.take(RoundPaid(at_ms=self.now(), frame=self.frame()))

    def dealt(self) -> Effects:
        """Press DEALT."""
        return self.press(HandsDealt)

    def cards(self, to: int | Literal["dealer", "community"], *cards: str) -> Effects:
        """Key cards that lie face up: a seat's, the dealer's, or the board."""
        place, seat = ("seat", to) if isinstance(to, int) else (to, 0)
        return self.press(CardsKeyed, to=place, seat=seat, cards=cards)

    def press(self, key: type[FromPanel], **more: object) -> Effects:
        """Press any key of the panel."""
        event = key(at_ms=self.now(), frame=self.frame(), **more)
        if isinstance(event, Tried):
            self.up_ms += self.between_tries_ms
            event = replace(event, up_ms=self.up_ms)
        return self.take(event)

    # Irregularities and authority

    def report(self, irregularity: IrregularityName, **facts: object) -> Effects:
        """Report an irregularity with what the dealer says about it."""
        told = msgspec.convert(facts, Facts)
        return self.press(IrregularityReported, irregularity=irregularity, facts=told)

    def rule_on_the_deal(self) -> None:
        """Report that cards were dealt wrongly; play goes on with them as they lie."""
        self.report("dealing_error", reconstructable=False)
        if self.state.incident.ruling.action == "refer":
            self.choose("continue")
            self.confirm_as("shift_manager")
        else:
            self.confirm()

    def choose(self, option: str, seat: int = 0) -> Effects:
        """Choose what a ruling offers."""
        return self.press(OptionChosen, option=option, seat=seat)

    def confirm(self) -> Effects:
        """Press CONFIRM."""
        return self.press(RulingConfirmed)

    def cancel(self) -> Effects:
        """Press CANCEL."""
        return self.press(ReportWithdrawn)

    def turn_key(self, *, on: bool = True) -> Effects:
        """Turn the key switch."""
        return self.take(KeyTurned(at_ms=self.now(), on=on))

    def identify(self, role: Role = "pit_supervisor") -> Effects:
        """Let somebody enter number and PIN; his number and name are those of his role."""
        return self.press(
            StaffIdentified, staff=f"{role}-7", name=f"the {self.called(role)}", role=role
        )

    def confirm_as(self, role: Role = "pit_supervisor") -> Effects:
        """Turn the key, identify, and give the effects of that; the key is turned back."""
        self.turn_key()
        effects = self.identify(role)
        decided = self.decided
        self.turn_key(on=False)
        self.decided = decided
        return effects

    # Faults

    def fault(self, code: FaultCode, where: str = "", detail: str = "") -> Effects:
        """Let a device, the link or the shell notice a fault."""
        event = FaultNoticed(at_ms=self.now(), code=code, where=where, detail=detail)
        return self.take(event)

    def fault_passes(self, code: FaultCode, where: str = "") -> Effects:
        """Let a fault be over."""
        return self.take(FaultPassed(at_ms=self.now(), code=code, where=where))

    def clear(self, code: FaultCode, where: str = "") -> Effects:
        """Ask to clear a fault."""
        return self.press(FaultClearAsked, code=code, where=where)

    # The link and the power

    def acknowledge(self, message_id: str) -> Effects:
        """Let the jackpot controller acknowledge a message."""
        return self.take(Acknowledged(at_ms=self.now(), id=message_id))

    def award(
        self,
        message_id: str,
        amount_cents: int,
        meter_cents: int | None = None,
        winners: int = 1,
    ) -> Effects:
        """Let the jackpot controller say what a claim is paid.

        If nobody says so, a share is of the meter of which it is that share.
        """
        claim = self.state.round.claims.get(message_id)
        if meter_cents is None and claim is not None and claim.claim.percent is not None:
            meter_cents = -(-amount_cents * 100 // claim.claim.percent)
        event = AwardGranted(
            at_ms=self.now(),
            id=message_id,
            amount_cents=amount_cents,
            meter_cents=meter_cents,
            winners=winners,
        )
        return self.take(event)

    def worth_cents(self, claim_id: str) -> int:
        """Say what a claim may be awarded: what the pay table has, or any share of the meter."""
        return self.state.round.claims[claim_id].claim.amount or 10_000

    def pending(
        self, *ids: str, locked_cents: int, reset_cents: int = 0, beside: tuple[int, ...] = ()
    ) -> None:
        """Let the jackpot controller publish that claims hold the meter, others of it `beside`."""
        claims = self.state.round.claims
        others = {f"T2.other.{number}.1": share for number, share in enumerate(beside)}
        shares = {i: claims[i].claim.percent for i in ids} | others
        listed = tuple(shares)
        self.take(PendingChanged(at_ms=self.now(), ids=listed, words=listed))
        event = MeterLocked(
            at_ms=self.now(),
            ids=ids,
            meter_cents=locked_cents,
            reset_cents=reset_cents,
            shares=tuple((i, share) for i, share in shares.items() if share is not None),
        )
        self.take(event)

    def meter(self, meter_cents: int, sequence: int, reset_cents: int = 0) -> Effects:
        """Let the jackpot controller publish its meter."""
        self.heard_meter = (meter_cents, reset_cents)
        event = MeterMoved(
            at_ms=self.now(), meter_cents=meter_cents, sequence=sequence, reset_cents=reset_cents
        )
        return self.take(event)

    def link(self, *, healthy: bool, problem: str = "") -> Effects:
        """Let the jackpot link come or go."""
        return self.take(LinkChanged(at_ms=self.now(), healthy=healthy, problem=problem))

    def restart(self) -> Effects:
        """Cut the power and start again from the journal; give what a start carries out."""
        self.table = Table.recovered(self.table.settings, self.journal)
        self.up_ms = 0
        self.take(Restarted(at_ms=self.now()))
        self.link(healthy=True)
        meter_cents, reset_cents = self.heard_meter
        heard = MeterMoved(
            at_ms=self.at_ms, meter_cents=meter_cents, sequence=1, reset_cents=reset_cents
        )
        self.take(heard)
        return self.without_reports(self.table.resumed())


EVENTS_OF_A_START = 3
"""What `Playing.restart` lets happen: the restart, the link, the meter."""


def bets_placed(settings: TableSettings = SETTINGS) -> Playing:
    """Open the bets, with chips of seats 1 and 3."""
    playing = Playing(settings)
    playing.open()
    playing.chip(1)
    playing.chip(3)
    return playing


def at_reveal(first: tuple[str, ...], third: tuple[str, ...] = QUEEN_HIGH) -> Playing:
    """Play seats 1 and 3 up to the reveal, both staying in, the chips swept and acknowledged."""
    playing = bets_placed()
    for contribution in owed_in(playing.close()):
        playing.acknowledge(contribution.id)
    playing.lift(1)
    playing.lift(3)
    playing.deal({1: first, 3: third}, ACE_HIGH)
    playing.bet(1)
    playing.bet(3)
    return playing


def play_to_the_end(playing: Playing) -> None:
    """Play one or two bets that are placed to the end; nobody wins a jackpot line."""
    if playing.state.phase == "betting":
        playing.close()
    hands = dict(zip(playing.state.round.seats, (TENS, QUEEN_HIGH), strict=False))
    playing.deal(hands, ACE_HIGH)
    for seat in hands:
        playing.bet(seat)
    playing.reveal()
    playing.paid()
    assert playing.state.phase == "idle"
