"""The books have room for all that they have let in: nothing that waits for its turn makes them raise.

Whatever a table may say and the house may command, with numbers at the ends of their bounds: it is
entered, or refused before anything is written, and what comes after is served.
"""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.protocol.obligations import AnyObligation, Verdict
from firmware.rules.contract import MAX_CENTS
from sim.jackpot_controller.accounts import MAX_PARTS, PARTS_PER_CENT, Accounts
from sim.jackpot_controller.house_payments import HousePayment
from sim.jackpot_controller.order import TableStatuses
from sim.jackpot_controller.schema import MOST_METER_CENTS, MOST_RESET_CENTS, open_database
from sim.jackpot_controller.store import JackpotLinkSettings, Store
from sim.jackpot_controller.withdrawals import Order, house_order
from tests.sim.jackpot_messages import (
    FLUSH,
    ROYAL,
    STRAIGHT,
    contribution,
    reversal,
    status,
    verdict,
    win,
)

NOW = datetime(2026, 1, 1, 20, tzinfo=UTC)
CENTS = st.sampled_from(
    [0, 1, 500, 10**7, MAX_CENTS // 3, MAX_CENTS // 2, MOST_METER_CENTS, MAX_CENTS]
)
GAMES = st.sampled_from(["rws-casino-stud", "rws-multilink-stud"])
HELD_UP: TableStatuses = {"T3": status("T3", online=False)}
"""No claim has its turn, since a table is offline that may hold an older hand."""
WINS = [
    win(10 * number, claim, round_=number)
    for number, claim in enumerate((ROYAL, STRAIGHT, FLUSH, ROYAL, ROYAL), start=1)
]
STAKES = [contribution(number) for number in range(1, 9)]


@st.composite
def owed(draw: st.DrawFn) -> AnyObligation:
    """Draw something that a table may say."""
    kind = draw(st.sampled_from(["contribution", "reversal", "win", "verdict"]))
    stake = replace(draw(st.sampled_from(STAKES)), stake_cents=draw(CENTS))
    claimed = draw(st.sampled_from(WINS))
    number = draw(st.integers(100, 999))
    if kind == "contribution":
        return stake
    if kind == "reversal":
        return reversal(number, stake)
    if kind == "win":
        return claimed
    paid_cents = draw(st.none() | CENTS)
    confirmed = paid_cents is not None or draw(st.booleans())
    return verdict(number, claimed, confirmed=confirmed, paid_cents=paid_cents)


@st.composite
def payments(draw: st.DrawFn) -> tuple[str, HousePayment]:
    """Draw a payment that the house may enter."""
    number, tier = draw(st.sampled_from([(3, "flush"), (4, "royal_flush"), (7, "royal_flush")]))
    return f"T1.j.{10 * number}.1", HousePayment(draw(CENTS), number, 1, tier)


def enter(
    store: Store, said: AnyObligation | tuple[str, HousePayment], statuses: TableStatuses
) -> None:
    """Enter what is said, if it can be; what is refused leaves the books as they were."""
    before = "\n".join(store.database.iterdump())
    try:
        if isinstance(said, tuple):
            claim, payment = said
            order = Order(house_order(claim), "300", "by hand", NOW)
            store.enter_payment(claim, payment, order, statuses)
        else:
            store.apply(said, NOW, statuses)
    except BadInput as error:
        assert "\n".join(store.database.iterdump()) == before
        if isinstance(said, Verdict):
            store.reject(said, str(error), statuses, NOW)


@pytest.mark.usefixtures("believed")
@given(
    game=GAMES,
    reset_cents=st.sampled_from([0, 10_000_000, MOST_RESET_CENTS]),
    limit=st.booleans(),
    said=st.lists(st.tuples(owed() | payments(), st.booleans()), max_size=12),
)
def test_nothing_within_the_bounds_of_messages_and_commands_makes_the_books_raise_later(
    game: str,
    reset_cents: int,
    limit: bool,  # noqa: FBT001  # drawn
    said: list[tuple[AnyObligation | tuple[str, HousePayment], bool]],
) -> None:
    limit_cents = MOST_METER_CENTS if limit else None
    link = JackpotLinkSettings(game, reset_cents, 10_000, limit_cents, stake_limit_cents=MAX_CENTS)
    with Store(open_database(Path(":memory:")), link) as store:
        for each, held_up in said:
            enter(store, each, HELD_UP if held_up else {})
        # The tables come back, and all that is pending has its turn.
        store.review({}, NOW)
        store.totals()
        for row in store.claims.rows.waiting():
            with suppress(BadInput):  # what was paid stands
                store.withdraw(row.id, "300", "why", {}, NOW)
        store.review({}, NOW)
        store.apply(contribution(5_000, 0), NOW)


def test_room_is_kept_for_the_payments_that_wait_and_the_resets_that_follow() -> None:
    accounts = Accounts(meter_parts=10, reserve_parts=-5, house_parts=-7)
    accounts.check(MAX_PARTS - 12, MAX_PARTS - 15)
    with pytest.raises(BadInput, match="cannot hold"):
        accounts.check(MAX_PARTS - 11, 0)
    with pytest.raises(BadInput, match="cannot hold"):
        accounts.check(0, MAX_PARTS - 14)
    with pytest.raises(BadInput, match="cannot hold"):
        Accounts(meter_parts=0).check((MOST_METER_CENTS + 1) * PARTS_PER_CENT)
