"""Tables and books against a naive reckoning, with voids at every point of a claim's life.

`SEED=7 make soak ARGS=tests/sim/test_tables_and_books.py` searches elsewhere. What is paid at the
tables must be what the books say, to the part of a cent, and nothing may wait for ever.
"""

import os
from collections import Counter

import pytest

from firmware.protocol.messages import AwardMessage
from firmware.protocol.obligations import AnyObligation
from tests.sim.naive_books import NaiveBooks
from tests.sim.random_floor import LINK, FloorTable, RandomFloor

SOAK = bool(os.environ.get("SOAK"))
SEED = int(os.environ.get("SEED", "12"))
FLOORS = range(SEED, SEED + (60 if SOAK else 3))
STEPS = 40_000 if SOAK else 6_000
QUIET_STEPS = 40_000
"""In how many steps a floor must have ended its last rounds."""
GAMES = ("rws-multilink-stud", "rws-casino-stud", "mbs-megalink-stud")


class Reckoning:
    """The naive books beside the real ones."""

    def __init__(self, floor: RandomFloor) -> None:
        self.floor = floor
        self.naive = NaiveBooks(LINK.reset_cents, LINK.rate_basis_points)
        self.seen: Counter[str] = Counter()
        """How often each thing happened that this is about."""
        self._payments = 0
        floor.heard = self.hear

    def hear(self, owed: AnyObligation) -> None:
        """Note what a withdrawal finds, then take it in."""
        win = getattr(owed, "win", None)
        claim = self.naive.claims.get(win) if isinstance(win, str) else None
        if claim is not None and not getattr(owed, "confirmed", True):
            self.seen[f"withdrawn when {claim.standing} {claim.win.claim.level}"] += 1
        self.naive.told(owed)

    def compare(self) -> None:
        """Let the reckoning pay what the books have paid since, and hold them together."""
        store, naive = self.floor.desk.store, self.naive
        rows = store.database.execute(
            "SELECT number, id, awarded_cents, amount_cents FROM payment WHERE number > ?"
            " ORDER BY number",
            (self._payments,),
        ).fetchall()
        for number, claim_id, awarded_cents, amount_cents in rows:
            cents = awarded_cents if awarded_cents is not None else amount_cents
            assert naive.paid(claim_id) == cents, claim_id
            self._payments = number
        naive.settle()
        found = store.accounts
        assert (found.meter_parts, found.reserve_parts, found.house_parts) == (
            naive.meter,
            naive.reserve,
            naive.house,
        )
        assert found.locked == naive.locked
        assert not self.floor.rejected

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
    elif table.state.phase == "settling":
        play = table.state.round
        if play.denying or any(claim.unconfirmed for claim in play.claims.values()):
            table.confirm_as()
        else:
            table.end()
    elif table.state.phase != "idle":
        table.go_on()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", FLOORS)
def test_tables_and_books_agree_whatever_is_withdrawn_and_when(seed: int, game: str) -> None:
    floor = RandomFloor(seed, game)
    reckoning = Reckoning(floor)
    for _ in range(STEPS):
        floor.step()
        reckoning.compare()
    for _ in range(QUIET_STEPS):
        if floor.is_quiet:
            break
        floor.step(quieten)
        reckoning.compare()
    assert floor.is_quiet, f"SEED={seed}: something waits for ever"
    reckoning.assert_paid_as_booked()
    assert not floor.desk.store.accounts.locked


def test_the_search_withdraws_claims_at_every_point_of_their_life() -> None:
    seen: Counter[str] = Counter()
    for seed in FLOORS:
        floor = RandomFloor(seed, GAMES[0])
        reckoning = Reckoning(floor)
        for _ in range(STEPS):
            floor.step()
            reckoning.compare()
        seen += reckoning.seen
    assert {
        "withdrawn when open major",
        "withdrawn when confirmed major",
        "withdrawn when awarded major",
        "withdrawn when awarded minor",
    } <= seen.keys(), seen


def test_an_award_is_what_a_table_is_told() -> None:
    """The reckoning reads payments in the books; that a table is told the same is shown here."""
    floor = RandomFloor(SEED, GAMES[0])
    told: dict[str, int] = {}
    for _ in range(STEPS):
        floor.step()
        for table in floor.tables:
            for said in table.inbox:
                if isinstance(said, AwardMessage):
                    assert told.setdefault(said.id, said.amount_cents) == said.amount_cents
    rows = floor.desk.store.database.execute("SELECT id, awarded_cents FROM payment").fetchall()
    booked = dict(rows)
    assert told
    assert all(booked[claim_id] == cents for claim_id, cents in told.items())
