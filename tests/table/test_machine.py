"""A table that anything can happen to: a state machine over legal and illegal events.

After every event: nothing but a refusal was raised, a refused event changed nothing and was
no fact, the money adds up, what is shown fits what is owed, and the journal alone gives the
same table. What should happen is in the other files, and what happens when a handler fails in
`test_failures.py`; here is what never may.
"""

# ruff: noqa: D102, FBT001  # a rule's name is its documentation; hypothesis names what it passes

import os
import re
from collections import Counter
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from firmware.protocol.fault_catalogue import FAULTS, FaultCode, Role
from firmware.protocol.obligations import Contribution, Reversal, Verdict, Win
from firmware.rules.cards import CODES
from firmware.rules.contract import Facts, IrregularityName
from firmware.rules.games import GAMES
from firmware.rules.ruling import NEEDED_FACTS
from firmware.table.effects import NOT_ACCEPTED, NOT_ASKED, Send, ShowRefusal
from firmware.table.events import (
    CardsCorrected,
    ClockJudged,
    CorrectionKind,
    DecisionCorrected,
    Event,
    FaceUpKeyed,
    Fact,
    KeyTakenBack,
    MajorDenied,
    NewPlayer,
    PendingChanged,
    Restarted,
    RestDecided,
    SeatsJoined,
    ServiceBegun,
    ServiceDone,
    ServiceEnded,
    StaffIdentified,
    StaffRefused,
    TableClosed,
    TableOpened,
)
from firmware.table.irregularities.reports import choices
from firmware.table.settings import CardSource, HousePolicy, TableSettings
from firmware.table.state import Phase, TableState
from firmware.table.table import Outcome, Table
from tests.devices.intake import ANSWERS
from tests.sixth_game import caribbean_stud
from tests.sixth_game.registering import register
from tests.table.playing import SETTINGS, Effects, remembered, written
from tests.table.random_events import any_event, noted
from tests.table.walking import Deck, Shown, Walker

LONG = bool(os.environ.get("SOAK"))
CARD = re.compile(r"\b([2-9TJQKA]|10)[cdhs]\b|[♣♦♥♠]|\bof (clubs|diamonds|hearts|spades)\b")
DRAWN = re.compile(r"magic card [a-z]+ of [a-z]+")
HAND = re.compile(r"flush|straight|pair|of.a.kind|full.house|royal|odd.cards", re.IGNORECASE)

seats = st.integers(1, 5)
"""The table has four; the fifth is nobody's."""
numbers = st.integers(1, 5)
roles = st.sampled_from(get_args(Role))
places = st.sampled_from(["", "seat 1", "seat 2", "seat 1 jackpot_dealer", "shoe", "shuffler"])
codes = st.sampled_from(sorted(FAULTS))
staff = st.sampled_from(["7", "8"])
several = st.lists(st.integers(1, 4), max_size=3).map(tuple)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "count": st.integers(1, 3),
    "seat": seats,
    "first_seat": seats,
    "seats": several,
    "viewed": several,
}


def refused_by(effects: Effects) -> str:
    """Say why something was refused; empty if it was not."""
    reasons = [effect.reason for effect in effects if isinstance(effect, ShowRefusal)]
    return reasons[0] if reasons else ""


@pytest.fixture(autouse=True)
def _sixth_game(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


class Anything(RuleBasedStateMachine):
    """One table, its journal, and a second table that knows only the journal."""

    def __init__(self) -> None:
        super().__init__()
        self.table: Walker
        self.shadow: Table
        self.settings: TableSettings
        self.folded = 0
        self.money: dict[str, Contribution | Reversal | Win | Verdict] = {}
        self.shown = Shown()

    @initialize(
        game=st.sampled_from([*sorted(GAMES), caribbean_stud.GAME.id]),
        source=st.sampled_from(get_args(CardSource)),
        policy=st.sampled_from(get_args(HousePolicy)),
        seed=st.integers(0, 2**32),
        kind=st.booleans(),
    )
    def begin(  # everything that makes a table
        self, game: str, source: CardSource, policy: HousePolicy, seed: int, kind: bool
    ) -> None:
        at = replace(SETTINGS, game=game, card_source=source, house_policy=policy)
        self.table = Walker(Deck(seed, kind=kind), at)
        self.shadow = Table(at)
        self.settings = self.table.table.settings
        self.shown = Shown().carry_out(self.table.table.resumed())
        self.table.listener = self.happened

    # What must hold after every single event

    def happened(self, event: Event, before: bytes, outcome: Outcome) -> None:
        """Check one event; the table that is played tells of each."""
        effects = outcome.effects
        assert outcome.failure is None, event
        if isinstance(event, StaffRefused) and outcome.decided:
            assert effects in {(ShowRefusal(NOT_ACCEPTED),), (ShowRefusal(NOT_ASKED),)}
        elif isinstance(event, StaffIdentified) and outcome.decided and refused_by(effects):
            # What had waited for a PIN was dropped: that is told, and nothing else is done.
            assert refused_by(effects).startswith(("Nothing confirmed; dropped", "Dropped: "))
            assert not any(isinstance(effect, Send) for effect in effects)
        elif refused_by(effects):
            assert len(effects) == 1
            assert not outcome.decided
            assert not isinstance(event, Fact)
            assert written(self.table.state) == before, event
            assert self.table.table.settings is self.settings
        if isinstance(event, Fact):
            assert noted(event, self.table.state), event
        self.settings = self.table.table.settings
        for effect in effects:
            if isinstance(effect, Send):
                self._count(effect.obligation)
        self.shown.carry_out(e for e in effects if not isinstance(e, ShowRefusal))
        self._check_nothing_leaks(effects)
        if isinstance(event, Restarted):
            # The lamps of another layout are other lamps.
            self.shown = Shown().carry_out(self.table.table.resumed())

    def _count(self, obligation: object) -> None:
        if not isinstance(obligation, Contribution | Reversal | Win | Verdict):
            return
        assert obligation.id not in self.money
        self.money[obligation.id] = obligation

    def _check_nothing_leaks(self, effects: Effects) -> None:
        if self.table.state.doing not in {"settling", "claiming"}:
            told = DRAWN.sub("", msgspec.json.encode(effects).decode())
            assert not CARD.search(told), told
            assert not HAND.search(told), told

    @invariant()
    def the_journal_gives_the_same_table(self) -> None:
        for event in self.table.journal[self.folded :]:
            assert self.shadow.step(event).decided, event
        self.folded = len(self.table.journal)
        assert remembered(self.shadow.state) == remembered(self.table.state)

    @invariant()
    def the_state_can_be_written_and_read(self) -> None:
        text = msgspec.json.encode(self.table.state)
        assert msgspec.json.decode(text, type=TableState) == self.table.state

    @invariant()
    def contributions_add_up(self) -> None:
        contributed = {i: m for i, m in self.money.items() if isinstance(m, Contribution)}
        reversals = [m for m in self.money.values() if isinstance(m, Reversal)]
        assert max(Counter(r.contribution for r in reversals).values(), default=1) == 1
        for reversal in reversals:
            assert contributed[reversal.contribution].stake_cents == reversal.stake_cents
        totals = self.table.state.totals
        assert totals.contributions == len(contributed) - len(reversals)
        cents = sum(c.stake_cents for c in contributed.values())
        assert totals.contributed_cents == cents - sum(r.stake_cents for r in reversals)

    @invariant()
    def stakes_add_up(self) -> None:
        state = self.table.state
        jackpots = self.table.table.settings.rules.jackpot_bets
        for result in state.round.results:
            player = state.round.seats[result.seat]
            assert {b: of.stake for b, of in result.bets.items() if of.stake} == {
                b: cents for b, cents in player.stakes.items() if cents
            }
            for bet, of in result.bets.items():
                assert 0 <= of.returned <= of.stake
                if bet in jackpots:
                    # What was contributed is not handed back as well, nor kept twice.
                    assert (of.returned == of.stake) == (bet not in player.contributions)

    @invariant()
    def no_claim_is_made_twice_and_none_is_decided_both_ways(self) -> None:
        verdicts = [m for m in self.money.values() if isinstance(m, Verdict)]
        withdrawn = {verdict.win for verdict in verdicts if not verdict.confirmed}
        wins = [m for m in self.money.values() if isinstance(m, Win) and m.id not in withdrawn]
        made = Counter((w.round, w.seat, w.claim.on, w.claim.tier) for w in wins)
        assert max(made.values(), default=1) == 1
        owed = [o for o in self.table.state.owed.values() if isinstance(o, Verdict)]
        assert max(Counter(o.win for o in owed).values(), default=1) == 1

    @invariant()
    def what_is_shown_is_what_a_start_would_show(self) -> None:
        resumed = Shown().carry_out(self.table.table.resumed())
        assert resumed.lamps == self.shown.lamps
        assert resumed.prompt == self.shown.prompt
        assert resumed.sign == self.shown.sign
        assert list(resumed.owed) == list(self.shown.owed)

    @invariant()
    def a_steady_lamp_is_an_acknowledged_contribution(self) -> None:
        state = self.table.state
        for (seat, bet), pattern in self.shown.lamps.items():
            if pattern == "steady":
                contribution = state.round.seats[seat].contributions[bet]
                assert contribution in self.money
                assert contribution not in state.owed

    # What goes on most

    @rule(number=numbers, many=st.integers(1, 8))
    def phases(self, number: int, many: int) -> None:
        for _ in range(many):
            self._through_the_phase(number)

    @rule(number=numbers)
    def to_the_settlement(self, number: int) -> None:
        self._until("settling", number)

    @rule(number=numbers)
    def to_the_deal(self, number: int) -> None:
        self._until("dealing", number)

    @rule(number=numbers)
    def to_the_decisions(self, number: int) -> None:
        self._until("deciding", number)

    @rule(number=numbers)
    def to_the_end(self, number: int) -> None:
        self._until("idle", number)

    @rule(number=numbers)
    def go_on(self, number: int) -> None:
        self.table.go_on(number)

    def _until(self, phase: Phase, number: int) -> None:
        """Go on to a phase, if this game and card source come there in a round and a bit."""
        for _ in range(12):
            self._through_the_phase(number)
            if self.table.state.phase == phase:
                return

    def _through_the_phase(self, number: int) -> None:
        """Go on as a dealer does, to the next phase; what keeps him from it is mended."""
        phase = self.table.state.phase
        for _ in range(30):
            self.table.go_on(number)
            if not self.table.decided:
                self.table.mend_everything()
            if self.table.state.phase != phase:
                return

    @rule(seat=seats, bet=st.sampled_from(["jackpot", "jackpot", "jackpot_dealer"]))
    def chip(self, seat: int, bet: str) -> None:
        self.table.chip(seat, bet)

    @rule(seat=seats, bet=st.sampled_from(["jackpot", "jackpot_dealer"]))
    def lift(self, seat: int, bet: str) -> None:
        self.table.lift(seat, bet)

    @rule(
        seat=seats,
        bet=st.sampled_from(
            ["ante", "ante", "jackpot", "jackpot_dealer", "bonus", "bet", "flop", "turn", "river"]
        ),
        cents=st.sampled_from([0, 500, 1_000, 2_500, 5_000, 200_000]),
    )
    def key_bet(self, seat: int, bet: str, cents: int) -> None:
        self.table.key(seat, bet, cents)

    @rule(joined=several)
    def join(self, joined: tuple[int, ...]) -> None:
        self.table.press(SeatsJoined, seats=joined)

    @rule(seat=seats)
    def new_player(self, seat: int) -> None:
        self.table.press(NewPlayer, seat=seat)

    @rule(seat=seats, answer=st.sampled_from(sorted(ANSWERS)))
    def decide(self, seat: int, answer: str) -> None:
        self.table.decide(seat, answer)

    @rule(seat=seats, answer=st.sampled_from(sorted(ANSWERS)), agreed=st.booleans())
    def correct(self, seat: int, answer: str, agreed: bool) -> None:
        self.table.press(DecisionCorrected, seat=seat, decision=answer)
        if agreed and self.table.decided:
            self.table.confirm_as("pit_supervisor")

    @rule(answer=st.sampled_from(sorted(ANSWERS)))
    def answer_for_all_others(self, answer: str) -> None:
        self.table.press(RestDecided, decision=answer)

    @rule()
    def undo(self) -> None:
        self.table.press(KeyTakenBack)

    @rule(seat=seats, cents=st.sampled_from([0, 1_000, 5_000, 200_000]))
    def correct_ante(self, seat: int, cents: int) -> None:
        self.table.ante(seat, cents)
        if self.table.state.round.to_put_right is not None:
            self.table.confirm_as("pit_supervisor")

    @rule(seat=seats)
    def hide(self, seat: int) -> None:
        self.table.hidden(seat)

    @rule(seed=st.integers(0, 2**32), many=st.integers(1, 5))
    def anything(self, seed: int, many: int) -> None:
        rng = Random(seed)
        for _ in range(many):
            self.table.take(any_event(rng, self.table))

    # Cards that should not come

    @rule(card=st.sampled_from(["1x", *CODES]))
    def draw_any(self, card: str) -> None:
        self.table.draw(card)

    @rule(cards=st.lists(st.sampled_from(list(CODES)), max_size=6))
    def dispense_any(self, cards: list[str]) -> None:
        self.table.dispense(*cards)

    @rule()
    def unread(self) -> None:
        self.table.unread()

    @rule(
        to=st.integers(1, 5) | st.sampled_from(["dealer", "community"]),
        cards=st.lists(st.sampled_from(list(CODES)), min_size=5, max_size=5, unique=True),
    )
    def key_cards(self, to: Any, cards: list[str]) -> None:  # noqa: ANN401  # a seat or a place
        rules = self.table.table.settings.rules
        count = {"dealer": rules.dealer_cards, "community": rules.community_cards}
        self.table.cards(to, *cards[: count.get(to, rules.own_cards)])

    @rule(
        how=st.sampled_from(get_args(CorrectionKind)),
        places=st.lists(st.sampled_from(["1", "2", "3", "dealer", "board"]), max_size=2),
        confirmed=st.booleans(),
    )
    def correct_cards(self, how: CorrectionKind, places: list[str], confirmed: bool) -> None:
        self.table.press(CardsCorrected, how=how, places=tuple(places))
        if confirmed:
            self.table.confirm_as("pit_supervisor")

    @rule(card=st.sampled_from(["1x", *CODES]))
    def key_face_up(self, card: str) -> None:
        self.table.press(FaceUpKeyed, card=card)

    @rule()
    def press_at_random(self) -> None:
        self.table.dealt()
        self.table.reveal()
        self.table.paid()

    # Irregularities

    @rule(kind=st.sampled_from(get_args(IrregularityName)), data=st.data(), complete=st.booleans())
    def report(self, kind: IrregularityName, data: st.DataObject, complete: bool) -> None:
        needed = NEEDED_FACTS[kind] if complete else NEEDED_FACTS[kind][:1]
        facts = {n: data.draw(VALUES.get(n, st.booleans()), label=n) for n in needed}
        assert msgspec.convert(facts, Facts)
        self.table.report(kind, **facts)

    @precondition(lambda self: self.table.state.phase == "ruling")
    @rule(data=st.data(), seat=st.integers(0, 5))
    def choose(self, data: st.DataObject, seat: int) -> None:
        offered = choices(self.table.state.incident)
        self.table.choose(data.draw(st.sampled_from([*offered, *offered, "sing"])), seat)

    @precondition(lambda self: self.table.state.phase == "ruling")
    @rule(role=st.none() | roles)
    def confirm(self, role: Role | None) -> None:
        self.table.confirm() if role is None else self.table.confirm_as(role)

    @rule()
    def cancel(self) -> None:
        self.table.cancel()

    @rule(seat=st.integers(1, 5))
    def deny(self, seat: int) -> None:
        self.table.press(MajorDenied, seat=seat, reason="not a royal")

    @precondition(lambda self: self.table.state.owed)
    @rule(number=numbers)
    def reject(self, number: int) -> None:
        # What is contributed and dropped is counted in `test_withdrawn.py`.
        owed = [i for i, o in self.table.state.owed.items() if isinstance(o, Win | Verdict)]
        if owed:
            self.table.fault("message_rejected", owed[number % len(owed)], "not in the books")

    @rule(role=roles)
    def identify(self, role: Role) -> None:
        self.table.confirm_as(role)

    @rule(role=roles, on=st.booleans())
    def identify_without_key(self, role: Role, on: bool) -> None:
        self.table.turn_key(on=on)
        self.table.identify(role)

    @rule(number=staff)
    def wrong_pin(self, number: str) -> None:
        self.table.press(StaffRefused, staff=number)

    # Faults and service

    @rule(code=codes, where=places)
    def fault(self, code: FaultCode, where: str) -> None:
        self.table.fault(code, where)

    @rule(code=codes, where=places)
    def fault_passes(self, code: FaultCode, where: str) -> None:
        self.table.fault_passes(code, where)

    @precondition(lambda self: self.table.state.faults)
    @rule(number=numbers, role=roles)
    def mend(self, number: int, role: Role) -> None:
        faults = list(self.table.state.faults.values())
        self.table.mend(faults[number % len(faults)], role)

    @rule(role=roles)
    def service(self, role: Role) -> None:
        self.table.press(TableClosed)
        self.table.take(ServiceBegun(at_ms=self.table.now(), staff="9", name="Somebody", role=role))
        self.table.take(ServiceDone(at_ms=self.table.now(), what="lamp test"))
        self.table.take(ServiceEnded(at_ms=self.table.now()))
        self.table.press(TableOpened)

    @rule(free=st.booleans())
    def judge_clock(self, free: bool) -> None:
        self.table.take(
            ClockJudged(at_ms=self.table.now(), quality="free" if free else "synchronised")
        )

    # The link and the power

    @rule(healthy=st.booleans(), problem=st.sampled_from(["", "no route"]))
    def link(self, healthy: bool, problem: str) -> None:
        self.table.link(healthy=healthy, problem=problem)

    @rule(number=numbers)
    def acknowledge(self, number: int) -> None:
        self.table.acknowledge_one(number)

    @rule(number=numbers)
    def award(self, number: int) -> None:
        self.table.award_one(number)

    @rule(number=numbers)
    def decide_award(self, number: int) -> None:
        self.table.decide_one(number)

    @rule(number=numbers)
    def award_what_is_no_win(self, number: int) -> None:
        owed = [i for i, o in self.table.state.owed.items() if not isinstance(o, Win)]
        state = self.table.state
        before, all_owed = msgspec.json.encode(state.round), list(state.owed)
        self.table.award([*owed, "none"][number % (len(owed) + 1)], 100)
        state = self.table.state
        assert msgspec.json.encode(state.round) == before
        assert list(state.owed)[: len(all_owed)] == all_owed
        assert "award_doubted no claim" in state.faults

    @rule(number=numbers)
    def meter(self, number: int) -> None:
        self.table.move_meter(number)

    @rule(count=st.integers(0, 2))
    def pending(self, count: int) -> None:
        ids = tuple(f"T2.other.{n}.1" for n in range(count))
        self.table.take(PendingChanged(at_ms=self.table.now(), ids=ids, words=ids))

    @rule()
    def again(self) -> None:
        self.table.again()

    @rule()
    def restart(self) -> None:
        self.table.restart()
        self.shown = Shown().carry_out(self.table.table.resumed())


Anything.TestCase.settings = settings(
    max_examples=600 if LONG else 60,
    stateful_step_count=120 if LONG else 60,
    deadline=None,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)
TestAnything = Anything.TestCase
