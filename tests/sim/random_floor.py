"""A floor in one process: pure tables, the real desk and books, and everything at random.

Dealers void rounds, take hands out, do not confirm, cut links and power at every point between a
claim and its payment. Messages are lost, repeated and late; an answer may be lost too. Whatever
happens follows from the seed. What must hold after each step is in `test_tables_and_books.py`.
"""

from collections import Counter, deque
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from random import Random

import msgspec
from msgspec.structs import replace

from firmware.link.outbox import Outbox
from firmware.protocol.messages import (
    Acknowledgement,
    AwardMessage,
    MeterMessage,
    Mismatch,
    PendingMessage,
    Rejection,
    TableStatus,
    UnitRefused,
)
from firmware.protocol.obligations import AnyObligation, Verdict, moment
from firmware.rules.dealing import card_order
from firmware.table.dealing import allowed_answers
from firmware.table.events import (
    AwardDecided,
    CardsCorrected,
    DecisionCorrected,
    LinkChanged,
    MajorDenied,
    MeterLocked,
    PendingChanged,
    Restarted,
)
from firmware.table.irregularities.reports import choices
from firmware.table.stages import current, undecided
from firmware.table.table import Table
from firmware.table.view import view
from sim.jackpot_controller.desk import LinkDesk, Outgoing
from sim.jackpot_controller.schema import JackpotLinkSettings, open_database
from sim.jackpot_controller.store import Store
from tests.sim.stacked_hands import random_deck, stacked_deck
from tests.table.playing import JOURNAL, SETTINGS, Playing

DOUBTS = ("award_doubted", "meter_doubted")
START = datetime(2026, 1, 1, tzinfo=UTC)
LINK = JackpotLinkSettings("rws-multilink-stud", 1_000_000, 3_333)


class FloorTable(Playing):
    """A table of the floor with its dealer; the time is the floor's."""

    def __init__(self, name: str, floor: "RandomFloor") -> None:
        self.floor = floor
        self.random = floor.random
        self.name = name
        self.online = True
        self.outbox = Outbox(window=8, overdue_s=0.0)
        self._boxed: set[str] = set()
        self.air: list[AnyObligation] = []
        """What was sent and has not arrived; it may arrive late, or twice."""
        self.inbox: deque[msgspec.Struct] = deque()
        self.deck: list[str] = []
        self.paid_cents: dict[str, int] = {}
        """What was paid on each claim when PAID was pressed."""
        self.missed_in: set[int] = set()
        """The rounds in which a list of pending majors, or a reason, did not reach the table."""
        self.stood: set[str] = set()
        """The claims that were to be paid from the registered meter when their award came (I-28)."""
        super().__init__(replace(SETTINGS, name=name, game=floor.game))
        self.meter(floor.desk.store.meter_cents, 1, LINK.reset_cents)

    def now(self) -> int:
        """Let the floor's time pass."""
        self.at_ms = self.floor.now_ms()
        return self.at_ms

    # The dealer

    def act(self) -> None:
        """Let the dealer, or whoever stands at the table, do one thing."""
        chance = self.random.random()
        if self.online and chance < 0.02:
            self.floor.cut(self)
        elif not self.online and (chance < 0.2 or self.state.phase in {"idle", "betting"}):
            self.floor.mend(self)
        elif chance < 0.03:
            self.power_cut()
        elif chance < 0.2 and self.has_rejected:
            self.settle_rejected()
        elif chance < 0.2 and self.has_doubts:
            self.settle_doubt()
        else:
            self.go_on()

    def go_on(self) -> None:
        """Do what the phase asks for, or what somebody finds in it."""
        _ACTS[self.state.phase](self)

    @property
    def has_rejected(self) -> bool:
        """Whether something of the table was rejected, and nobody has settled it."""
        return any(fault.code == "message_rejected" for fault in self.state.faults.values())

    def settle_rejected(self) -> None:
        """Let the shift manager settle what was rejected."""
        where = [f.where for f in self.state.faults.values() if f.code == "message_rejected"]
        self.clear("message_rejected", self.random.choice(where))
        self.confirm_as("shift_manager")

    @property
    def has_doubts(self) -> bool:
        """Whether an award, or a meter that a claim holds, is in doubt."""
        return any(fault.code in DOUBTS for fault in self.state.faults.values())

    def settle_doubt(self) -> None:
        """Let the shift manager decide what is paid, or clear what he has compared with the books."""
        doubted = [claim.seat for claim in self.state.round.claims.values() if claim.doubted]
        if doubted:
            pay, which = self.random.choice(("awarded", "reckoned")), self._which(doubted[0])
            self.press(AwardDecided, seat=doubted[0], pay=pay, which=which)
        else:
            faults = [each for each in self.state.faults.values() if each.code in DOUBTS]
            self.clear(faults[0].code, faults[0].where)
        self.confirm_as("shift_manager")
        self.floor.seen["doubt settled"] += 1

    def _which(self, seat: int) -> int:
        claims = self.state.round.claims_of(seat)
        return 1 + [claim.doubted for claim in claims].index(True)

    def lose_inbox(self) -> None:
        """Lose what was on its way to the table."""
        for message in self.inbox:
            self.miss(message)
        self.inbox.clear()

    def miss(self, message: msgspec.Struct) -> None:
        """Note what the table does not hear."""
        if isinstance(message, PendingMessage):
            self.missed_in.add(self.state.round.number)

    def _check_believed(self) -> None:
        """Find nothing in doubt that is true, unless nothing that the table has heard explains it."""
        faults = self.state.faults
        meter = any(fault.code == "meter_doubted" for fault in faults.values())
        doubted = {i for i, claim in self.state.round.claims.items() if claim.doubted}
        if meter or doubted - self.stood:
            assert self.state.round.number in self.missed_in, faults
            self.floor.seen["doubted after a list was missed"] += 1

    def _hear_award(self, said: AwardMessage) -> None:
        """Doubt no award, unless somebody was told to pay another amount while the link was down."""
        claim = self.state.round.claims.get(said.id)
        if claim is not None and claim.stands_registered:
            self.stood.add(said.id)
        self.award(said.id, said.amount_cents, said.meter_cents, said.winners)
        if claim is not None and claim.doubted and said.id in self.stood:
            self.floor.seen["awarded otherwise than registered"] += 1
        self._check_believed()

    def power_cut(self) -> None:
        """Cut the power; the table goes on from its journal."""
        self.lose_inbox()
        self.outbox, self._boxed = Outbox(window=8, overdue_s=0.0), set()
        self.table = Table.recovered(self.table.settings, self.journal)
        self.take(Restarted(at_ms=self.now()))
        self.take(LinkChanged(at_ms=self.now(), healthy=self.online))
        self.floor.tell([self], self.floor.desk.announcement())

    def _bet(self) -> None:
        settings = self.table.settings
        seats = range(1, settings.seats + 1)
        for seat, bet in product(seats, settings.rules.jackpot_bets):
            if self.state.spot(seat, bet).chip:
                self.lift(seat, bet)
        for seat in self.random.sample(seats, self.random.randint(1, 3)):
            self.chip(seat)
            for bet in [*settings.rules.jackpot_bets][1:]:
                if self.random.random() < 0.5:
                    self.chip(seat, bet)
        self.close()
        if not self.state.round.dealt:
            return  # no chip counts while the link is down, so nobody plays
        self.deck = random_deck(settings.rules, self.state.round.dealt, self.random)

    def stack(self, wanted: dict[int, list[str]], spare: list[str]) -> None:
        """Stack the deck with these hands; the others get what is left."""
        hands = {str(seat): cards[::-1] for seat, cards in wanted.items()}
        seats = self.state.round.dealt
        self.deck = stacked_deck(self.table.settings.rules, seats, hands, spare)

    def _draw_lots(self) -> None:
        """Draw lots that often win something."""
        seats = list(self.state.round.seats)
        lucky_seat = self.random.choice((None, *seats))
        self.lots("2s", lucky_seat=lucky_seat, lucky_dealer=self.random.random() < 0.3)

    def _decide(self) -> None:
        stage = current(self.table.settings, self.state.round)
        assert stage is not None
        if self._finds_something():
            return
        seat = undecided(self.state.round, stage.step.bet)[0]
        stays, leaves, *_ = allowed_answers(self.table.settings.rules, stage.step.bet)
        self.decide(seat, self.random.choice((stays, stays, leaves)))

    def _reveal(self) -> None:
        if not self._finds_something():
            self.reveal()

    def _finds_something(self) -> bool:
        """Find now and then what may void the round, or take a hand out of it."""
        found = self.random.random() < 0.02
        if found:
            seat = self.random.choice(list(self.state.round.seats))
            self._irregularity(seat)
        return found

    def _irregularity(self, seat: int) -> None:
        self.random.choice(
            (
                lambda: self.report("foreign_card"),
                lambda: self.report("other"),
                lambda: self.report(
                    "player_count_wrong", seat=seat, reconstructable=False, before_next_round=True
                ),
            )
        )()

    def _claim_by_hand(self) -> None:
        """Key a hand that the table does not know, as it was dealt or as it was not; then PAID."""
        play, chance = self.state.round, self.random.random()
        if self._finds_something():
            return
        unknown = [place for place in play.lost if place not in play.keyed]
        if unknown and chance < 0.6:
            place = self.random.choice(unknown)
            to = {"dealer": "dealer", "board": "community"}.get(place) or int(place)
            self.cards(to, *self._lies_at(place))  # type: ignore[arg-type]  # the places there are
        elif chance < 0.9:
            self.end()

    def _lies_at(self, place: str) -> list[str]:
        """Say what lies at a place: what the deck had for it."""
        rules, play = self.table.settings.rules, self.state.round
        order = card_order(rules, "shoe", play.dealt)
        dealt = zip(order, self.deck, strict=True)
        return [card for target, card in dealt if target.place == place]

    def _rule(self) -> None:
        """Choose what is offered and confirm it, or withdraw it."""
        incident = self.state.incident
        if self.random.random() < 0.1:
            self.cancel()
        elif choices(incident) and not incident.chosen and not incident.withdrawing:
            self.choose(self.random.choice(choices(incident)))
        else:
            was_void = self.state.round.void
            self.confirm()
            if self.state.phase == "ruling":
                self.confirm_as("shift_manager")
            if self.state.round.void and not was_void:
                self.floor.seen[f"void in {incident.resume}"] += 1

    def _settle(self) -> None:
        play, chance = self.state.round, self.random.random()
        seats = [claim.seat for claim in play.claims.values()]
        if chance < 0.08 and seats and not play.void:
            self._withdraw(self.random.choice(seats))
        elif chance < 0.12 and not play.void:
            self._correct()
        elif chance < 0.3 and (play.denying or any(c.unconfirmed for c in play.claims.values())):
            self.confirm_as()
        elif chance < 0.5:
            self.end()
        # Otherwise people take their time, and messages come and go.

    def _withdraw(self, seat: int) -> None:
        """Begin what takes the claim of a seat out of the round, or cancel it."""
        self.random.choice(
            (
                lambda: self.press(MajorDenied, seat=seat, reason="not a royal", which=1),
                lambda: self._irregularity(seat),
                lambda: self._irregularity(seat),
                self.cancel,
            )
        )()

    def _correct(self) -> None:
        """Put something right; mostly the supervisor agrees."""
        seats = list(self.state.round.seats)
        seat, other = self.random.choice(seats), self.random.choice(seats)
        decision = self.random.choice((self.table.settings.rules.stay, "fold"))
        self.random.choice(
            (
                lambda: self.press(CardsCorrected, how="swap", places=(str(seat), str(other))),
                lambda: self.press(CardsCorrected, how="lost", places=(str(seat),)),
                lambda: self.press(CardsCorrected, how="went", places=(str(seat), str(other))),
                lambda: self.press(DecisionCorrected, seat=seat, decision=decision),
                lambda: self.key(seat, "bet", self.random.choice((5_000, 7_500))),
            )
        )()
        correction = self.state.round.correction
        if self.random.random() < 0.7:
            self.confirm_as()
            if correction and not self.state.round.correction:
                self.floor.seen[correction.how] += 1
        else:
            self.cancel()

    def end(self) -> None:
        """Press PAID, and note what is paid."""
        claims = dict(self.state.round.claims)
        self.paid()
        if self.state.phase == "idle":
            for claim_id, claim in claims.items():
                assert claim.amount_cents is not None
                assert not claim.unconfirmed
                self.paid_cents[claim_id] = claim.amount_cents

    def _deal(self) -> None:
        if self.random.random() < 0.01:
            self.report("foreign_card")
        else:
            for _ in range(self.random.randint(1, 12)):
                if self.state.phase == "dealing":
                    self.draw(self.deck[len(self.state.round.drawn)])

    # The wire

    def send(self) -> list[AnyObligation]:
        """Send what the outbox lets go, and return all that is on its way."""
        now_s = float(self.now())
        owed = self.state.owed
        for gone in self._boxed - owed.keys():
            self.outbox.drop(gone)
        for obligation in owed.values():
            self.outbox.add(obligation)
        self._boxed = set(owed)
        self.air += self.outbox.to_send(now_s)
        if not self.air:
            self.air += self.outbox.to_repeat(now_s)
        return self.air

    def hear(self) -> None:
        """Take the oldest message for this table."""
        said = self.inbox.popleft()
        at_ms = self.now()
        if isinstance(said, Acknowledgement):
            if self.outbox.answered(said.id, "acknowledged"):
                self.acknowledge(said.id)
        elif isinstance(said, AwardMessage):
            self._hear_award(said)
        elif isinstance(said, MeterMessage):
            self.meter(said.meter_cents, said.sequence, said.reset_cents)
        elif isinstance(said, PendingMessage):
            ids = tuple(claim.id for claim in said.claims)
            self.take(PendingChanged(at_ms=at_ms, ids=ids, words=ids))
            mine = tuple(each for each in ids if each.startswith(f"{self.name}."))
            if mine and said.locked_cents is not None:
                event = MeterLocked(
                    at_ms=at_ms,
                    ids=mine,
                    meter_cents=said.locked_cents,
                    reset_cents=said.reset_cents,
                    shares=tuple((c.id, c.percent) for c in said.claims if c.percent is not None),
                )
                self.take(event)
                self._check_believed()
        elif isinstance(said, Rejection) and self.outbox.answered(said.id, "rejected"):
            self.floor.rejected.append(f"{said.id}: {said.reason}")
            self.fault("message_rejected", said.id, said.reason)
        else:
            assert not isinstance(said, (Mismatch, UnitRefused)), said

    @property
    def told_status(self) -> TableStatus:
        """The status of the table, as its link publishes it."""
        shown = view(self.table.settings, self.state).status
        fields = {name: getattr(shown, name) for name in shown.__struct_fields__}
        return TableStatus(
            table=self.name, journal=JOURNAL, online=self.online, game=self.floor.game,
            at_ms=self.now(), **fields,
        )  # fmt: skip


_ACTS: dict[str, Callable[[FloorTable], object]] = {
    "idle": FloorTable.open,
    "betting": FloorTable._bet,  # noqa: SLF001  # the dealer's own keys
    "dealing": FloorTable._deal,  # noqa: SLF001
    "deciding": FloorTable._decide,  # noqa: SLF001
    "revealing": FloorTable._reveal,  # noqa: SLF001
    "drawing": FloorTable._draw_lots,  # noqa: SLF001
    "claiming": FloorTable._claim_by_hand,  # noqa: SLF001
    "ruling": FloorTable._rule,  # noqa: SLF001
    "settling": FloorTable._settle,  # noqa: SLF001
}


class RandomFloor:
    """The tables, the wire between, and the desk."""

    def __init__(self, seed: int, game: str, tables: int = 3) -> None:
        self.random = Random(seed)
        self.game = game
        self._ms = 1_767_300_000_000
        self.heard: Callable[[AnyObligation], None] = lambda _: None
        """Who wants to hear what the desk is told, before it answers."""
        self.after: Callable[[], None] = lambda: None
        """Who wants to look at the books after each change."""
        self.said: Callable[[list[Outgoing]], None] = lambda _: None
        """Who wants to hear what the desk says, before anybody else does."""
        self.house: Callable[[], None] | None = None
        """What the house does now and then, if it does anything."""
        self.rejected: list[str] = []
        self.seen: Counter[str] = Counter()
        """How often each thing happened that a search must meet."""
        self._database = open_database(Path(":memory:"))
        self._settings = replace(LINK, game=game)
        self.desk = self._new_desk()
        self.tables = [FloorTable(f"T{number}", self) for number in range(1, tables + 1)]
        for table in self.tables:
            self._publish_status(table)
            self.tell([table], self.desk.announcement())

    def _new_desk(self) -> LinkDesk:
        return LinkDesk(Store(self._database, self._settings))

    def now_ms(self) -> int:
        """Let a few milliseconds pass; never the same time twice."""
        self._ms += self.random.randint(1, 9)
        return self._ms

    def at(self) -> datetime:
        """Return the time of the desk."""
        return moment(self.now_ms())

    @property
    def is_quiet(self) -> bool:
        """Whether every round is over, everything is told, and nothing is owed or pending."""
        return not self.desk.store.accounts.locked and not any(
            (table.inbox, table.state.owed, table.state.phase, table.online, table.has_rejected)
            != (deque(), {}, "idle", True, False)
            for table in self.tables
        )

    def step(self, act: "Callable[[FloorTable], None] | None" = None) -> None:
        """Let one thing happen somewhere; `act` is what somebody at a table does."""
        table = self.random.choice(self.tables)
        chance = self.random.random()
        if chance < 0.2:
            (act or FloorTable.act)(table)
        elif chance < 0.5:
            for _ in range(min(len(table.inbox), self.random.randint(1, 12))):
                table.hear()
        elif chance < 0.51:
            self.restart()
        elif chance < 0.52 and self.house is not None:
            self.house()
        elif table.online:
            self._send(table)

    def _send(self, table: FloorTable) -> None:
        """Let a table publish its status, or send some of what it owes."""
        if self.random.random() < 0.5:
            self._publish_status(table)
            return
        for _ in range(self.random.randint(1, 6)):
            if air := table.send():
                at = self.random.randrange(min(3, len(air)))
                # Now and then something arrives twice.
                owed = air[at] if self.random.random() < 0.1 else air.pop(at)
                self.deliver(table, owed)

    def restart(self) -> None:
        """Start the controller again on its books; the broker has kept the statuses."""
        self.desk = self._new_desk()
        for each in self.tables:
            self._publish_status(each)

    def exchange(self) -> None:
        """Let everything be said and heard, with nothing lost."""
        for _ in range(9):
            for table in self.tables:
                if table.online:
                    for owed in tuple(table.send()):
                        self.deliver(table, owed, loss=0.0)
                    table.air.clear()
                    while table.inbox:
                        table.hear()
                    self._publish_status(table)

    def deliver(self, table: FloorTable, owed: AnyObligation, loss: float = 0.1) -> None:
        """Let an obligation arrive; some messages are lost, there or back."""
        if self.random.random() < loss:
            return
        self.heard(owed)
        if isinstance(owed, Verdict):
            self._note_unexplained(owed)
        payload = msgspec.json.encode(owed)
        said = self.desk.take(self.desk.topics.owed(table.name), payload, self.at())
        self.after()
        mine = self.desk.topics.answer(table.name)
        lost = self.random.random() < loss
        self.tell(self.tables, [each for each in said if not (lost and each.topic == mine)])

    def _note_unexplained(self, verdict: Verdict) -> None:
        """Note for every table that the meter may stand anywhere now, and that no message says why.

        An award is taken back (I-37), or a table has paid by itself what others wait behind (I-28).
        """
        row = self.desk.store.claims.rows.find(verdict.win)
        if row is None or row.percent is None:
            return
        taken_back = not verdict.confirmed and row.state == "awarded"
        if taken_back or verdict.paid_cents is not None:
            for table in self.tables:
                table.missed_in.add(table.state.round.number)

    def tell(self, tables: list[FloorTable], said: list[Outgoing]) -> None:
        """Put messages into the inboxes of those who are on the link and listen."""
        self.said(said)
        for each in said:
            for table in tables:
                mine = self.desk.topics.answer(table.name)
                if table.online and (each.topic == mine or each.retain):
                    table.inbox.append(each.document)
                elif each.retain:
                    table.miss(each.document)

    def _publish_status(self, table: FloorTable) -> None:
        topic = self.desk.topics.status(table.name)
        said = self.desk.take(topic, msgspec.json.encode(table.told_status), self.at())
        self.after()
        self.tell(self.tables, said)

    def cut(self, table: FloorTable) -> None:
        """Cut a table off; the broker says so."""
        table.online = False
        table.lose_inbox()
        table.link(healthy=False)
        self._publish_status(table)

    def mend(self, table: FloorTable) -> None:
        """Put a table on the link again; everything is sent anew."""
        table.online = True
        table.outbox.begin_again()
        table.link(healthy=True)
        self._publish_status(table)
        self.tell([table], self.desk.announcement())
