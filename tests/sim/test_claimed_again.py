"""Claims that are withdrawn and made again, and messages that are lost: each is booked once.

Pure tables with the outbox of their link, and the real desk and books (`random_floor.py`).
"""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from firmware.protocol.messages import AwardMessage
from firmware.protocol.obligations import AnyObligation, Contribution
from firmware.rules.cards import CODES
from firmware.table.events import CardsCorrected, DecisionCorrected, HandNotShown, MajorDenied
from sim.jackpot_controller.commands import Command, record_command, run_commands
from sim.jackpot_controller.desk import Outgoing
from sim.jackpot_controller.schema import transaction
from tests.sim.random_floor import FloorTable, RandomFloor

ROYAL = ("Th", "Jh", "Qh", "Kh", "Ah")
FLUSH = ("2h", "5h", "7h", "9h", "Jh")
FULL_HOUSE = ("3c", "3d", "3h", "8s", "8h")
METER_CENTS = 50_000_000


def some_tables(game: str, tables: int) -> list[FloorTable]:
    """Set up tables on a link whose meter has grown."""
    floor = RandomFloor(1, game, tables=tables)
    store = floor.desk.store
    with transaction(store.database):
        store.ledger.save(replace(store.accounts, meter_parts=METER_CENTS * 10_000))
    floor.tell(floor.tables, floor.desk.announcement())
    floor.exchange()
    return floor.tables


def one_table(game: str) -> FloorTable:
    """Set up one table on a link whose meter has grown."""
    return some_tables(game, 1)[0]


def dealt(table: FloorTable, hands: Mapping[int, tuple[str, ...]], **lots: object) -> None:
    """Deal these hands; the dealer has nothing that matters."""
    stacked(table, hands, **lots)
    while table.phase() == "dealing":
        draw(table)


def draw(table: FloorTable) -> None:
    """Draw the next card."""
    table.draw(table.deck[len(table.state.round.drawn)])


def stacked(table: FloorTable, hands: Mapping[int, tuple[str, ...]], **lots: object) -> None:
    """Take the bets for these hands, and stack the deck."""
    table.open()
    for seat in hands:
        table.chip(seat)
    table.close()
    if table.phase() == "drawing":
        table.lots("2h", **lots)  # type: ignore[arg-type]  # as `lots` takes them
    taken = {card for hand in hands.values() for card in hand}
    spare = [card for card in CODES if card not in taken]
    table.stack({seat: list(hand) for seat, hand in hands.items()}, spare)


def shown(table: FloorTable) -> None:
    """Let everybody bet and show."""
    while table.phase() == "deciding":
        for seat in table.state.round.seats:
            table.bet(seat)
    while table.phase() == "revealing":
        table.reveal()


def paid_on(table: FloorTable) -> int:
    """End the round, let everything be said, and return what the books say was paid."""
    table.end()
    assert table.phase() == "idle"
    table.floor.exchange()
    assert not table.floor.rejected
    assert not table.state.owed
    return table.floor.desk.store.totals().awarded_cents


def test_i_28_a_royal_withdrawn_and_claimed_again_without_a_link_is_booked_once() -> None:
    table = one_table("rws-casino-stud")
    dealt(table, {1: ROYAL, 3: FULL_HOUSE})
    table.floor.exchange()
    table.floor.cut(table)
    while table.phase() == "ruling":
        table.confirm()
        table.confirm_as("shift_manager")
    shown(table)
    for decision in ("fold", "bet"):
        table.press(DecisionCorrected, seat=1, decision=decision)
        table.confirm_as()
    table.confirm_as()
    claims = table.state.round.claims.values()
    royal_cents = max(claim.amount_cents or 0 for claim in claims)
    assert royal_cents > METER_CENTS - 1
    table.end()
    assert table.phase() == "idle"
    table.floor.mend(table)
    table.floor.exchange()
    assert not table.floor.rejected
    assert table.floor.desk.store.totals().awarded_cents == sum(table.paid_cents.values())
    assert table.floor.desk.store.meter_cents < METER_CENTS // 10, "the royal has emptied it"


def test_a_swap_withdraws_only_the_claims_that_no_longer_hold() -> None:
    table = one_table("mbs-singapore-stud")
    dealt(table, {1: FLUSH, 3: FULL_HOUSE}, lucky_seat=1)
    table.floor.exchange()
    shown(table)
    before = table.state.round.claims
    (lucky,) = [i for i, claim in before.items() if claim.claim.tier == "lucky_player"]
    table.send()  # on the air, and not answered yet
    table.press(CardsCorrected, how="swap", places=("1", "3"))
    table.confirm_as()
    after = {claim.claim.tier: (i, claim.seat) for i, claim in table.state.round.claims.items()}
    assert after["lucky_player"] == (lucky, 1)
    assert (after["flush"][1], after["full_house"][1]) == (3, 1)
    table.floor.exchange()
    claims = table.state.round.claims.values()
    due_cents = sum(claim.claim.amount or 0 for claim in claims)
    assert due_cents > 0
    assert paid_on(table) == due_cents


def test_4_3_a_win_by_odds_waits_for_a_contribution_that_the_broker_drops() -> None:
    table = one_table("mbs-singapore-stud")
    dealt(table, {1: FLUSH})
    shown(table)
    dropped: list[AnyObligation] = []
    for owed in tuple(table.send()):
        if isinstance(owed, Contribution) and not dropped:
            dropped.append(owed)
        else:
            table.floor.deliver(table, owed, loss=0.0)
    assert dropped
    table.air.clear()
    table.floor.exchange()
    claims = table.state.round.claims.values()
    assert paid_on(table) == sum(claim.claim.amount or 0 for claim in claims)


@pytest.mark.parametrize("game", ["rws-casino-stud", "mbs-megalink-stud"])
def test_a_hand_swapped_there_and_back_is_claimed_and_paid_once(game: str) -> None:
    table = one_table(game)
    dealt(table, {1: ROYAL, 3: FULL_HOUSE})
    table.floor.exchange()
    shown(table)
    for _ in range(2):
        table.press(CardsCorrected, how="swap", places=("1", "3"))
        table.confirm_as()
    table.confirm_as()
    table.floor.exchange()
    assert paid_on(table) > METER_CENTS


@pytest.mark.parametrize("game", ["rws-casino-stud", "mbs-megalink-stud"])
def test_i_37_a_no_that_was_a_mistake_is_taken_back_and_the_royal_is_paid_once(game: str) -> None:
    table = one_table(game)
    dealt(table, {1: ROYAL, 3: FULL_HOUSE})
    table.floor.exchange()
    shown(table)
    table.floor.exchange()
    table.press(MajorDenied, seat=1, reason="meant seat 3")
    table.confirm_as()
    table.floor.exchange()
    table.press(HandNotShown, seat=1, shown=True)
    table.confirm_as()
    table.floor.exchange()
    table.confirm_as()
    table.floor.exchange()
    claims = table.state.round.claims.values()
    due_cents = sum(claim.amount_cents or 0 for claim in claims)
    assert due_cents > METER_CENTS
    assert paid_on(table) == due_cents


# ── several majors of one round ──────────────────────────────────────────────

SPADES = ("Ts", "Js", "Qs", "Ks", "As")


@pytest.mark.parametrize("game", ["rws-casino-stud", "rws-multilink-stud", "mbs-megalink-stud"])
@pytest.mark.parametrize("out", [1, 3])
def test_i_37_the_other_royal_of_an_unpaid_round_is_awarded_as_if_there_were_one(
    game: str, out: int
) -> None:
    table = one_table(game)
    dealt(table, {1: ROYAL, 3: SPADES})
    table.floor.exchange()
    shown(table)
    table.floor.exchange()
    table.confirm_as()
    table.floor.exchange()
    amounts = [claim.amount_cents for claim in table.state.round.claims.values()]
    assert None not in amounts
    table.press(MajorDenied, seat=out, reason="not a royal")
    table.confirm_as()
    assert [claim.amount_cents for claim in table.state.round.claims.values()] == [None]
    table.floor.exchange()
    meter_cents = sum(claim.amount_cents or 0 for claim in table.state.round.claims.values())
    assert meter_cents >= METER_CENTS
    assert paid_on(table) == meter_cents
    assert table.floor.desk.store.meter_cents < METER_CENTS // 10


@pytest.mark.parametrize("game", ["rws-casino-stud", "rws-multilink-stud", "mbs-megalink-stud"])
def test_i_31_what_others_bet_since_the_award_is_not_paid_when_it_is_made_anew(game: str) -> None:
    table, other = some_tables(game, 2)
    dealt(table, {1: ROYAL, 3: SPADES})
    table.floor.exchange()
    shown(table)
    table.floor.exchange()
    table.confirm_as()
    table.floor.exchange()
    store = table.floor.desk.store
    rows = store.database.execute("SELECT meter_before_cents FROM payment ORDER BY number")
    (locked_cents,) = rows.fetchone()
    bet(other, 1, 2, 3)
    late_cents = store.meter_cents
    table.press(MajorDenied, seat=3, reason="not a royal")
    table.confirm_as()
    table.floor.exchange()
    assert paid_on(table) == locked_cents
    other.end()
    table.floor.exchange()
    # What was bet since then is in the new meter; of an odd sum, two who shared had left a cent there.
    assert late_cents - store.meter_cents in {0, 1}


def bet(table: FloorTable, *seats: int) -> None:
    """Take jackpot bets and let them be booked."""
    table.open()
    for seat in seats:
        table.chip(seat)
    table.close()
    table.floor.exchange()


def test_an_award_from_before_the_withdrawal_is_not_believed() -> None:
    table = one_table("mbs-megalink-stud")
    dealt(table, {1: ROYAL, 3: SPADES})
    table.floor.exchange()
    shown(table)
    table.floor.exchange()
    table.confirm_as()
    table.floor.exchange()
    (first, second), claims = table.state.round.claims, table.state.round.claims
    shared_cents = claims[second].amount_cents or 0
    table.press(MajorDenied, seat=1, reason="not a royal")
    table.confirm_as()
    table.award(second, shared_cents)
    assert claims[second].amount_cents is None
    assert second in table.state.owed
    assert first not in claims
    table.floor.exchange()
    assert (claims[second].amount_cents or 0) > shared_cents


# ── an older hand at a table that has not paid its round ─────────────────────


def younger_royal_waits() -> tuple[FloorTable, FloorTable]:
    """Give two tables: a royal folded by mistake, not paid; one dealt after it, confirmed."""
    older, younger = some_tables("rws-casino-stud", 2)
    dealt(older, {1: ROYAL, 3: FULL_HOUSE})
    dealt(younger, {1: SPADES})
    older.fold(1)
    older.bet(3)
    older.reveal()
    shown(younger)
    older.floor.exchange()
    younger.confirm_as()
    older.floor.exchange()
    assert (older.phase(), younger.phase()) == ("settling", "settling")
    assert amounts(younger) == [None]
    return older, younger


def amounts(table: FloorTable) -> list[int | None]:
    """List what the claims from the meter are awarded at a table."""
    claims = table.state.round.claims.values()
    return [claim.amount_cents for claim in claims if claim.claim.percent is not None]


def put_right(older: FloorTable) -> None:
    """Let the supervisor find that the royal was not folded."""
    older.press(DecisionCorrected, seat=1, decision="bet")
    older.confirm_as()


def test_4_5_2_an_older_royal_that_a_correction_brings_is_paid_first() -> None:
    older, younger = younger_royal_waits()
    put_right(older)
    older.floor.exchange()
    assert amounts(older) == amounts(younger) == [None], "the older one has no verdict"
    older.confirm_as()
    older.floor.exchange()
    (first_cents,), (second_cents,) = amounts(older), amounts(younger)
    assert (first_cents or 0) > METER_CENTS > 10 * (second_cents or 0)
    for table in (older, younger):
        table.end()
    older.floor.exchange()
    assert older.floor.is_quiet


def test_4_5_2_a_royal_is_paid_once_the_older_round_is_paid() -> None:
    older, younger = younger_royal_waits()
    older.end()
    older.floor.exchange()
    assert (amounts(younger)[0] or 0) > METER_CENTS


def test_4_5_2_a_royal_is_paid_once_the_older_round_is_void() -> None:
    older, younger = younger_royal_waits()
    older.report("foreign_card")
    older.floor.exchange()
    assert amounts(younger) == [None]
    older.confirm_as("pit_supervisor")
    assert older.state.round.void
    older.floor.exchange()
    assert (amounts(younger)[0] or 0) > METER_CENTS


def test_4_5_2_the_house_may_overrule_a_table_that_is_not_paid() -> None:
    older, younger = younger_royal_waits()
    desk = older.floor.desk
    command = Command(desk.topics.root, "overrule", older.name, "", "4711")
    record_command(desk.store.database, command, older.floor.at())
    older.floor.tell(older.floor.tables, run_commands(desk, older.floor.at()))
    older.floor.exchange()
    assert (amounts(younger)[0] or 0) > METER_CENTS


@pytest.mark.parametrize("first", [0, 1])
def test_4_5_2_two_tables_whose_deals_overlap_do_not_wait_for_each_other(first: int) -> None:
    """Seat 3 of each table has the royal: each has a hand that is older than the other's royal."""
    tables = some_tables("rws-casino-stud", 2)
    for table in tables:
        stacked(table, {1: FULL_HOUSE, 3: ROYAL})
    while tables[1].phase() == "dealing":
        for table in tables:
            draw(table)
    for table in (tables[first], tables[1 - first]):
        shown(table)
        table.floor.exchange()
        table.confirm_as()
    tables[0].floor.exchange()
    older, younger = amounts(tables[0])[0], amounts(tables[1])[0]
    assert (older or 0) > METER_CENTS > 10 * (younger or METER_CENTS)


# ── a void round with several claims ─────────────────────────────────────────


@pytest.mark.parametrize("game", ["rws-casino-stud", "mbs-megalink-stud"])
def test_5_8_1_no_claim_of_a_void_round_is_awarded_after_its_first_withdrawal(game: str) -> None:
    table = one_table(game)
    dealt(table, {1: ROYAL, 3: SPADES})
    table.floor.exchange()
    shown(table)
    table.floor.exchange()
    table.confirm_as()
    table.floor.exchange()
    assert None not in amounts(table)
    awards: list[Outgoing] = []
    table.floor.said = lambda said: awards.extend(
        each for each in said if isinstance(each.document, AwardMessage)
    )
    table.report("foreign_card")
    table.confirm_as("shift_manager" if game.startswith("mbs") else "pit_supervisor")
    assert table.state.round.void
    for owed in tuple(table.send()):
        table.floor.deliver(table, owed, loss=0.0)
    assert not awards
    assert paid_on(table) == 0
    assert table.floor.desk.store.meter_cents == METER_CENTS
