"""A table and the stand-in controller: a claim is paid what both hold it to be worth, or both say so.

The same desk and books as on a floor; what is lost between them is lost on purpose.
"""

from firmware.protocol.messages import AwardMessage
from firmware.protocol.obligations import FaultReport, Verdict
from firmware.table.events import AwardDecided
from sim.jackpot_controller.desk import Outgoing
from tests.sim.random_floor import FloorTable, RandomFloor
from tests.sim.stacked_hands import HANDS
from tests.sim.test_tables_and_books import dealt, shown

ROYAL = HANDS[0]


class Lossy(RandomFloor):
    """A floor on which no award arrives until somebody says so."""

    awards_arrive = False

    def tell(self, tables: list[FloorTable], said: list[Outgoing]) -> None:
        """Lose the awards."""
        kept = [e for e in said if self.awards_arrive or not isinstance(e.document, AwardMessage)]
        super().tell(tables, kept)


def royal_committed() -> tuple[Lossy, FloorTable, int]:
    """Let the controller commit a royal and publish the reset meter; its award is lost."""
    floor = Lossy(1, "rws-multilink-stud", tables=1)
    (table,) = floor.tables
    dealt(table, ROYAL)
    locked_cents = floor.desk.store.meter_cents
    shown(table)
    table.confirm_as("pit_supervisor")
    floor.exchange()
    (claim,) = table.state.round.claims.values()
    assert claim.amount_cents is None, "the award is lost"
    assert table.state.meter_cents == floor.desk.store.meter_cents != locked_cents
    return floor, table, locked_cents


def notices(floor: RandomFloor) -> list[str]:
    """List what the house is told about what tables have paid."""
    floor.desk.write()
    rows = floor.desk.store.database.execute(
        "SELECT last_text FROM notice WHERE kind = 'paid otherwise'"
    ).fetchall()
    return [text for (text,) in rows]


def test_i_28_a_royal_whose_award_was_lost_is_paid_from_the_meter_that_was_locked_for_it() -> None:
    floor, table, locked_cents = royal_committed()
    floor.cut(table)
    table.end()
    assert list(table.paid_cents.values()) == [locked_cents]
    floor.mend(table)
    floor.awards_arrive = True
    floor.exchange()
    assert floor.desk.store.totals().awarded_cents == locked_cents
    assert floor.desk.store.accounts.house_parts == 0
    assert not table.state.faults
    assert notices(floor) == []


def test_a_payment_that_is_not_the_award_is_a_fault_at_the_table_and_told_to_the_house() -> None:
    floor, table, locked_cents = royal_committed()
    (claim_id,) = table.state.round.claims
    # As a table of an older firmware, which did not know what was locked.
    table.state.round.claims[claim_id].locked_cents = None
    floor.cut(table)
    table.end()
    (paid_cents,) = table.paid_cents.values()
    assert paid_cents != locked_cents
    floor.mend(table)
    floor.awards_arrive = True
    floor.exchange()
    fault = table.state.faults[f"award_doubted {claim_id}"]
    assert "paid $" in fault.detail
    assert any("it has paid" in text for text in notices(floor))


def test_a_doubted_award_is_booked_as_the_shift_manager_has_decided() -> None:
    floor, table, locked_cents = royal_committed()
    (claim_id,) = table.state.round.claims
    table.award(claim_id, locked_cents + 1_000_000, locked_cents + 1_000_000)
    table.press(AwardDecided, seat=1, pay="reckoned")
    table.confirm_as("shift_manager")
    table.end()
    assert list(table.paid_cents.values()) == [locked_cents]
    floor.awards_arrive = True
    owed = list(table.state.owed.values())
    assert [each.paid_cents for each in owed if isinstance(each, Verdict)] == [locked_cents]
    assert {each.code for each in owed if isinstance(each, FaultReport)} == {"award_doubted"}
    floor.exchange()
    assert floor.desk.store.totals().awarded_cents == locked_cents
    assert floor.is_quiet
