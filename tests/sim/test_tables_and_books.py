"""Tables and books against a naive reckoning, with voids at every point of a claim's life.

`SEED=7 make soak ARGS=tests/sim/test_tables_and_books.py` searches elsewhere. What is paid at the
tables must be what the books say, to the part of a cent, and nothing may wait for ever.
"""

import os
from collections import Counter
from collections.abc import Callable
from itertools import groupby

import pytest

from firmware.protocol.messages import AwardMessage
from firmware.protocol.obligations import AnyObligation, RoundReport, Verdict, sequence_of
from firmware.rules.cards import CODES
from sim.jackpot_controller.commands import Command, record_command, run_commands
from sim.jackpot_controller.desk import Outgoing
from tests.pairing import SOAK
from tests.sim.naive_books import NaiveBooks
from tests.sim.random_floor import LINK, START, FloorTable, RandomFloor
from tests.sim.stacked_hands import HANDS

SEED = int(os.environ.get("SEED", "12"))
FLOORS = range(SEED, SEED + (20 if SOAK else 2))
STEPS = 20_000 if SOAK else 4_000
SLOW = {"rws-holdem": 4}
"""Games whose rounds take so many times as long: hold'em decides three times."""
QUIET_STEPS = 40_000
"""In how many steps a floor must have ended its last rounds."""
GAMES = (
    "rws-multilink-stud",
    "rws-casino-stud",
    "rws-holdem",
    "mbs-megalink-stud",
    "mbs-singapore-stud",
)
EVERYWHERE = {
    *(f"void in {phase}" for phase in ("dealing", "deciding", "revealing", "settling")),
    *("swap", "lost", "went"),
}
MET = {
    "rws-multilink-stud": {
        *EVERYWHERE,
        *(f"withdrawn when {standing} major" for standing in ("open", "confirmed", "awarded")),
        "withdrawn when awarded minor",
        "older hands have claimed too",
    },
    "rws-casino-stud": EVERYWHERE,
    "rws-holdem": {*EVERYWHERE, "a river royal while locked"},
    "mbs-megalink-stud": EVERYWHERE - {"void in revealing"},
    "mbs-singapore-stud": EVERYWHERE,
}
"""What the search has to meet in each game, or it searches nothing."""


def play(floor: RandomFloor) -> None:
    """Let so much happen on a floor that every kind of thing does."""
    for _ in range(STEPS * SLOW.get(floor.game, 1)):
        floor.step()


class Reckoning:
    """The naive books beside the real ones."""

    def __init__(self, floor: RandomFloor) -> None:
        self.floor = floor
        self.naive = NaiveBooks(LINK.reset_cents, LINK.rate_basis_points)
        self.seen = floor.seen
        self._payments = 0
        self._called_off: set[object] = set()
        """The wins, and the rounds, of which the desk knows that they are withdrawn or void."""
        floor.heard, floor.after, floor.said = self.hear, self.compare, self.listen

    def withdraw(self) -> None:
        """Let the house withdraw a claim that waits."""
        claims = self.naive.claims.items()
        waiting = [i for i, claim in claims if claim.standing in {"open", "confirmed"}]
        waiting = [i for i in waiting if self.naive.claims[i].holds_the_meter]
        if waiting:
            desk, claim_id = self.floor.desk, self.floor.random.choice(waiting)
            order = Command(
                desk.topics.root, "withdraw", claim_id[:2], "", "4711", claim_id, "gone"
            )
            record_command(desk.store.database, order, START)
            self.floor.tell(self.floor.tables, run_commands(desk, self.floor.at()))
            self.naive.withdraw(claim_id)
            self.seen["withdrawn by the house"] += 1
            self.compare()

    def hear(self, owed: AnyObligation) -> None:
        """Note what a withdrawal finds, then take it in."""
        win = getattr(owed, "win", None)
        claim = self.naive.claims.get(win) if isinstance(win, str) else None
        if claim is not None and not getattr(owed, "confirmed", True):
            self.seen[f"withdrawn when {claim.standing} {claim.win.claim.level}"] += 1
        if isinstance(owed, Verdict) and not owed.confirmed:
            self._called_off |= {owed.win, *self._withdrawn_with(owed)}
        elif isinstance(owed, RoundReport) and owed.stage == "void":
            self._called_off.add((owed.table, owed.round))
            self.seen["void"] += 1
        self.naive.told(owed)

    def _withdrawn_with(self, verdict: Verdict) -> set[str]:
        """List what its table withdraws by the same record, whatever the message says."""
        (table,) = [table for table in self.floor.tables if table.name == verdict.table]
        return {
            owed.win
            for owed in table.state.owed.values()
            if isinstance(owed, Verdict) and sequence_of(owed.id) == sequence_of(verdict.id)
        }

    def _is_called_off(self, claim_id: str) -> bool:
        return bool({claim_id, self.naive.claims[claim_id].round} & self._called_off)

    def listen(self, said: list[Outgoing]) -> None:
        """Hear no award of a claim whose withdrawal, or whose round's end, the desk was told of."""
        for each in said:
            if isinstance(each.document, AwardMessage):
                assert not self._is_called_off(each.document.id), each.document

    def compare(self) -> None:
        """Let the reckoning pay what the books have paid since, and hold them together."""
        store, naive = self.floor.desk.store, self.naive
        rows = store.database.execute(
            "SELECT number, id, awarded_cents, amount_cents FROM payment WHERE number > ?"
            " ORDER BY number",
            (self._payments,),
        ).fetchall()
        for _, unit in groupby(rows, self._unit):
            paid = list(unit)
            cents = [amount if awarded is None else awarded for *_, awarded, amount in paid]
            claim_ids = [claim_id for _, claim_id, *_ in paid]
            self._assert_nobody_is_older(claim_ids[0])
            if naive.locked and naive.claims[claim_ids[0]].win.claim.percent == 5:
                self.seen["a river royal while locked"] += 1
            assert naive.paid(claim_ids) == cents, claim_ids
            self.seen["shared"] += len(paid) > 1
            self._payments = paid[-1][0]
        naive.settle()
        found = store.accounts
        assert (found.meter_parts, found.reserve_parts, found.house_parts) == (
            naive.meter,
            naive.reserve,
            naive.house,
        )
        assert found.locked == naive.locked
        if self.floor.house is None:
            assert not self.floor.rejected

        self._assert_no_minor_waits()

    def _assert_no_minor_waits(self) -> None:
        """Find no minor that is final and not paid: only majors have an order (I-43)."""
        waiting = self.floor.desk.store.database.execute(
            "SELECT id FROM claim WHERE level = 'minor' AND state = 'confirmed'"
        ).fetchall()
        assert all(self._is_called_off(claim_id) for (claim_id,) in waiting), waiting

    def _assert_nobody_is_older(self, claim_id: str) -> None:
        """Find no other table that may still bring a hand dealt before a major that is paid (I-19).

        One that has claimed a major itself may wait for this one.
        """
        win = self.naive.claims[claim_id].win
        if self.floor.game.startswith("mbs") or win.claim.level == "minor":
            return
        for table in self.floor.tables:
            play = table.state.round
            over = table.state.phase in {"idle", "betting"} or play.void or not play.dealt_at_ms
            older = (play.dealt_at_ms, table.name) < (win.dealt_at_ms, win.table)
            if not over and older and table.name != win.table:
                waits = [c for c in play.claims.values() if c.claim.level == "major"]
                assert waits or play.withdrawn, f"{claim_id} is paid before {table.name}"
                self.seen["older hands have claimed too"] += 1

    def _unit(self, row: tuple[int, str, int | None, int]) -> object:
        """Say with what a payment is made in one go: MBS games share (Megalink §3.15)."""
        claim = self.naive.claims[row[1]]
        shares = self.floor.game.startswith("mbs") and claim.win.claim.percent is not None
        return (claim.round, claim.win.claim.tier) if shares else row[0]

    def assert_paid_as_booked(self) -> None:
        """Hold what was paid at the tables against what stands in the reckoning."""
        paid: dict[str, int] = {}
        for table in self.floor.tables:
            paid |= table.paid_cents
        standing = {
            claim_id: claim.awarded_cents
            for claim_id, claim in self.naive.claims.items()
            if claim.standing != "withdrawn"
        }
        assert paid == standing
        assert sum(standing.values()) == self.floor.desk.store.totals().awarded_cents


def quieten(table: FloorTable) -> None:
    """Let a table come to an end of its round, with nothing more going wrong."""
    if not table.online:
        table.floor.mend(table)
    elif table.has_rejected:
        table.settle_rejected()
    elif table.has_doubts:
        table.settle_doubt()
    elif table.state.phase == "settling":
        play = table.state.round
        if play.correction or play.to_put_right:
            table.cancel()
        elif play.denying or any(claim.unconfirmed for claim in play.claims.values()):
            table.confirm_as()
        else:
            table.end()
    elif table.state.phase != "idle":
        table.go_on()


@pytest.mark.parametrize("game", GAMES)
def test_tables_and_books_agree_and_the_search_has_met_what_can_go_wrong(game: str) -> None:
    seen: Counter[str] = Counter()
    for seed in FLOORS:
        seen += agreed(seed, game)
    assert MET[game] <= seen.keys(), seen


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", FLOORS)
def test_tables_and_books_agree_when_the_house_withdraws_too(seed: int, game: str) -> None:
    assert agreed(seed, game, house=True)["withdrawn by the house"]


def agreed(seed: int, game: str, *, house: bool = False) -> Counter[str]:
    """Play a floor, let it come to rest, compare what was paid, and return what was met."""
    floor = RandomFloor(seed, game)
    reckoning = Reckoning(floor)
    if house:
        floor.house = reckoning.withdraw
    play(floor)
    for _ in range(QUIET_STEPS):
        if floor.is_quiet:
            break
        floor.step(quieten)
    assert floor.is_quiet, f"SEED={seed}: something waits for ever"
    reckoning.assert_paid_as_booked()
    assert not floor.desk.store.accounts.locked
    return floor.seen


# One story, step by step


SPARE = [card for card in CODES if card[1] in "dc" and card not in {"5d", "6d", "7d", "8d", "9d"}]


def dealt(table: FloorTable, hand: tuple[str, ...]) -> None:
    """Deal seat 1 of a table this hand; it has to decide."""
    table.open()
    table.chip(1)
    table.floor.exchange()
    table.close()
    table.lift(1)
    table.stack({1: list(hand)}, SPARE[:])
    while table.phase() == "dealing":
        table.draw(table.deck[len(table.state.round.drawn)])
    table.floor.exchange()


def shown(table: FloorTable) -> None:
    """Let seat 1 bet and show."""
    table.bet(1)
    table.reveal()
    table.floor.exchange()


def void_by_foreign_card(table: FloorTable) -> None:
    """Find a foreign card (RWS §5.8.1, Megalink §5.1.1)."""
    table.report("foreign_card")
    table.confirm()
    if table.phase() == "ruling":
        table.confirm_as("shift_manager")


def void_by_the_shift_manager(table: FloorTable) -> None:
    """Leave it to the shift manager, who voids the round."""
    table.report("other")
    table.choose("void")
    table.confirm_as("shift_manager")


def void_by_a_lost_link(table: FloorTable) -> None:
    """Lose the link; the shift manager voids the round before it is back."""
    table.floor.cut(table)
    table.choose("void")
    table.confirm_as("shift_manager")
    table.floor.mend(table)


ROYAL, STRAIGHT_FLUSH = HANDS[:2]


@pytest.mark.parametrize(
    ("game", "void"),
    [
        ("rws-multilink-stud", void_by_foreign_card),
        ("rws-multilink-stud", void_by_the_shift_manager),
        ("mbs-megalink-stud", void_by_foreign_card),
        ("mbs-megalink-stud", void_by_the_shift_manager),
        ("mbs-megalink-stud", void_by_a_lost_link),
    ],
)
def test_5_8_1_a_confirmed_royal_that_waits_is_not_paid_after_a_void_and_later_majors_flow(
    game: str, void: Callable[[FloorTable], None]
) -> None:
    floor = RandomFloor(SEED, game)
    reckoning = Reckoning(floor)
    one, two, three = floor.tables
    dealt(two, STRAIGHT_FLUSH)
    if game.startswith("mbs"):
        # By entry: the royal waits for the verdict on what was entered before it.
        shown(two)
    dealt(one, ROYAL)
    shown(one)
    one.confirm_as("pit_supervisor")
    floor.exchange()
    (claim,) = one.state.round.claims.values()
    assert claim.amount_cents is None, "it waits for the other table"
    void(one)
    one.end()
    assert one.phase() == "idle"
    floor.exchange()
    if not game.startswith("mbs"):
        shown(two)
    two.confirm_as("pit_supervisor")
    floor.exchange()
    two.end()
    dealt(three, ROYAL)
    shown(three)
    three.confirm_as("pit_supervisor")
    floor.exchange()
    three.end()
    floor.exchange()
    assert floor.is_quiet
    assert not one.paid_cents
    (straight_flush_cents,) = two.paid_cents.values()
    (royal_cents,) = three.paid_cents.values()
    # What is left of the reset value, and of the contributions that stand.
    assert straight_flush_cents >= LINK.reset_cents // 10
    assert royal_cents >= LINK.reset_cents - straight_flush_cents
    reckoning.assert_paid_as_booked()


class Listening(RandomFloor):
    """A floor that holds each award that is told against the books at that moment."""

    awards = 0

    def tell(self, tables: list[FloorTable], said: list[Outgoing]) -> None:
        """Look at the awards before they are heard."""
        for each in said:
            if isinstance(each.document, AwardMessage):
                (cents,) = self.desk.store.database.execute(
                    "SELECT awarded_cents FROM payment WHERE id = ?", (each.document.id,)
                ).fetchone()
                assert each.document.amount_cents == cents
                self.awards += 1
        super().tell(tables, said)


def test_an_award_is_what_a_table_is_told() -> None:
    """The reckoning reads payments in the books; that a table is told the same is shown here."""
    floor = Listening(SEED, GAMES[0])
    play(floor)
    assert floor.awards


def test_the_search_shares_and_reckons_anew() -> None:
    seen: Counter[str] = Counter()
    anew = 0
    for seed, game in ((14, "mbs-megalink-stud"), (12, "mbs-singapore-stud")):
        floor = RandomFloor(seed, game)
        reckoning = Reckoning(floor)
        play(floor)
        seen += reckoning.seen
        (count,) = floor.desk.store.database.execute(
            "SELECT count(*) FROM withdrawal WHERE reason LIKE 'reckoned anew%'"
        ).fetchone()
        anew += count
    assert seen["shared"]
    assert anew
