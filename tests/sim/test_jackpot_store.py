"""The books of the jackpot controller: exact, once, and there after a reopening.

Whatever arrives in whatever order, often or not at all: a count in fractions, which knows
no parts of a cent, is kept beside the books, from what was accepted and answered alone.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.protocol.obligations import (
    AnyObligation,
    Contribution,
    Reversal,
    RoundReport,
    Verdict,
    Win,
)
from firmware.rules.contract import MAX_CENTS, Claim
from firmware.rules.games import GAMES
from sim.jackpot_controller.order import TableStatuses
from sim.jackpot_controller.store import PARTS_PER_CENT, JackpotLinkSettings, Store
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

pytestmark = pytest.mark.usefixtures("believed")

NOW = datetime(2026, 1, 1, 20, tzinfo=UTC)
STUD = JackpotLinkSettings("rws-casino-stud", 10_000_000, 3_333, stake_limit_cents=MAX_CENTS)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Begin the books of a stud link."""
    with Store.open(tmp_path / "jackpot.db", STUD) as books:
        yield books


# ── any history ──────────────────────────────────────────────────────────────


def claims_of(game: str) -> st.SearchStrategy[Claim]:
    """Draw any claim that a game's pay table knows; odds are those of a stake of 500."""
    return st.sampled_from(
        [
            Claim(
                1,
                line.on,
                line.tier,
                line.level,
                percent=line.percent,
                amount=line.amount_cents if line.odds is None else line.odds * 500,
            )
            for line in GAMES[game].lines
        ]
    )


@st.composite
def links(draw: st.DrawFn) -> JackpotLinkSettings:
    """Draw a link; small values, so that limits are reached and meters run dry."""
    game = draw(st.sampled_from(sorted(GAMES)))
    reset_cents = draw(st.integers(0, 5_000))
    limit = draw(st.none() | st.integers(reset_cents, reset_cents + 2_000))
    rate = draw(st.integers(0, 10_000))
    if draw(st.booleans()):
        return JackpotLinkSettings(game, reset_cents, rate, limit, stake_limit_cents=MAX_CENTS)
    return JackpotLinkSettings(
        game,
        reset_cents,
        rate,
        limit,
        straight_flush_share="reset",
        stake_limit_cents=MAX_CENTS,
    )


@st.composite
def born(draw: st.DrawFn, game: str) -> list[AnyObligation]:
    """Draw what three tables owe: contributions, some taken back, wins and their verdicts."""
    owed: list[AnyObligation] = []
    for number in range(draw(st.integers(1, 12))):
        table = draw(st.sampled_from(["T1", "T2", "T3"]))
        drawn = draw(st.integers(0, 3_000) | claims_of(game))
        if isinstance(drawn, int):
            added = contribution(10 * number, drawn, table)
            owed.append(added)
            if draw(st.booleans()):
                owed.append(reversal(10 * number + 1, added))
            continue
        claimed = replace(drawn, seat=draw(st.integers(1, 3)))
        won = win(10 * number, claimed, table, round_=draw(st.integers(1, 2)))
        paid_cents = draw(st.none() | st.integers(0, 9_000))
        confirmed = paid_cents is not None or draw(st.booleans())
        owed.append(won)
        owed.append(verdict(10 * number + 1, won, confirmed=confirmed, paid_cents=paid_cents))
    return owed


STATUSES: list[TableStatuses] = [{}, {"T3": status("T3", online=False)}, {"T1": None}]


class Count:
    """What was accepted and answered, in cents and fractions of a cent."""

    def __init__(self, link: JackpotLinkSettings) -> None:
        self.link = link
        self.accepted: dict[str, AnyObligation] = {}
        self.awards: dict[str, int] = {}

    def funds(self) -> Fraction:
        """Give what must be in the accounts, if the house had borne nothing."""
        rate = Fraction(self.link.rate_basis_points, 10_000)
        funds = Fraction(self.link.reset_cents)
        for each in self.accepted.values():
            if isinstance(each, Contribution):
                funds += each.stake_cents * rate
            elif isinstance(each, Reversal):
                funds -= each.stake_cents * rate
        return funds


@st.composite
def histories(
    draw: st.DrawFn,
) -> tuple[JackpotLinkSettings, list[tuple[AnyObligation | None, TableStatuses]]]:
    """Draw a link and what reaches it, in any order, with repeats; None is a reopening."""
    link = draw(links())
    owed = draw(born(link.game))
    arriving = draw(st.permutations([*owed, *owed[:3], None]) | st.just([*owed, *owed]))
    return link, [(each, draw(st.sampled_from(STATUSES))) for each in arriving]


@given(histories())
@settings(max_examples=150, deadline=None)
def test_the_accounts_are_exact_and_every_id_counts_once(
    history: tuple[JackpotLinkSettings, list[tuple[AnyObligation | None, TableStatuses]]],
) -> None:
    link, arriving = history
    count = Count(link)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "jackpot.db"
        store = Store.open(path, link)
        for obligation, statuses in arriving:
            if obligation is None:
                before = seen(store)
                store.close()
                store = Store.open(path, link)
                assert seen(store) == before
            else:
                arrive(store, count, obligation, statuses)
            check_accounts(store, count)
        store.close()


def arrive(store: Store, count: Count, obligation: AnyObligation, statuses: TableStatuses) -> None:
    """Let an obligation arrive; what is refused leaves no trace, what is known changes nothing."""
    before = seen(store)
    try:
        applied = store.apply(obligation, NOW, statuses)
    except BadInput:
        assert obligation.id not in count.accepted
        assert seen(store) == before
        return
    if obligation.id in count.accepted:
        assert seen(store) == before
        assert not applied.meter_moved
        assert not applied.pending_moved
    for award in applied.awards:
        # An award stays what it was, however often it is asked for.
        assert count.awards.setdefault(award.id, award.amount_cents) == award.amount_cents
    count.accepted[obligation.id] = obligation
    assert (applied.meter_moved, applied.pending_moved) == (
        store.ledger.sequences[0] != before[1][0],
        store.ledger.sequences[1] != before[1][1],
    )


def seen(store: Store) -> tuple[object, tuple[int, int], object, object]:
    """Read everything that the books show."""
    return store.accounts, store.ledger.sequences, store.totals(), store.claims.pending()


def check_accounts(store: Store, count: Count) -> None:
    """Hold the accounts against the count, to the fraction of a cent."""
    accounts, totals = store.accounts, store.totals()
    held = accounts.meter_parts + accounts.reserve_parts + accounts.overflow_parts
    resets = totals.resets_cents - store.settings.reset_cents
    house = Fraction(accounts.house_parts, PARTS_PER_CENT)
    paid = from_meter(store, count)
    assert totals.from_meter_cents == paid
    assert Fraction(held, PARTS_PER_CENT) == count.funds() + resets - paid + house
    if not accounts.locked:
        assert accounts.reserve_parts == 0
        assert accounts.meter_parts <= store.settings.limit_parts
        assert not store.claims.pending()
    if not any(isinstance(each, (Reversal, Verdict)) for each in count.accepted.values()):
        assert accounts.house_parts == 0


def from_meter(store: Store, count: Count) -> int:
    """Add up what was the meter's to pay, from the answers and the verdicts alone."""
    total = 0
    for each in list(count.accepted.values()):
        if not isinstance(each, Win):
            continue
        row = store.claims.rows.find(each.id)
        assert row is not None
        amount = {"awarded": count.awards.get(each.id), "booked": row.paid_cents}.get(row.state)
        if amount is not None:
            total += amount - (each.claim.amount or 0)
    return total


# ── single steps ─────────────────────────────────────────────────────────────


def test_a_fraction_of_a_cent_outlives_a_reset(store: Store) -> None:
    store.apply(contribution(1, 501), NOW)
    assert store.accounts.meter_parts == 10_000_000 * PARTS_PER_CENT + 501 * 3_333
    store.apply(win(2, ROYAL), NOW)
    (award,) = store.apply(verdict(3, win(2, ROYAL)), NOW).awards
    assert award.amount_cents == 10_000_166
    assert store.accounts.meter_parts == 10_000_000 * PARTS_PER_CENT + 9_833


def test_an_award_stays_what_it_was_when_the_meter_has_moved_on(store: Store) -> None:
    store.apply(win(1, STRAIGHT), NOW)
    first = store.apply(verdict(2, win(1, STRAIGHT)), NOW).awards
    store.apply(contribution(3, 100_000), NOW)
    for again in (win(1, STRAIGHT), verdict(2, win(1, STRAIGHT))):
        assert store.apply(again, NOW).awards == first
    assert [award.amount_cents for award in first] == [1_000_000]
    assert store.totals().awards == 1


def test_a_contribution_below_a_cent_does_not_move_what_is_displayed(store: Store) -> None:
    first = store.ledger.sequences
    assert not store.apply(contribution(1, 1), NOW).meter_moved
    assert store.ledger.sequences == first
    assert store.totals().contributed_parts == 3_333


def test_a_reversal_takes_back_exactly_what_was_added(store: Store) -> None:
    before = store.accounts
    store.apply(contribution(1, 501), NOW)
    store.apply(reversal(2, contribution(1, 501)), NOW)
    assert store.accounts == before
    assert (store.totals().contributions, store.totals().reversals) == (1, 1)


def test_what_concerns_no_money_is_kept_and_changes_none(store: Store) -> None:
    before = store.accounts
    dealt = RoundReport(id="T1.j.1.1", table="T1", at_ms=0, round=1, stage="dealt")
    store.apply(dealt, NOW)
    assert store.knows(dealt)
    assert store.accounts == before


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("id", replace(contribution(1), stake_cents=600)),
        ("id", replace(contribution(1), table="T2")),
        ("id", replace(contribution(1), id="T1.j.1")),
        ("id", replace(contribution(1), id="T1.j.\u0661.1")),
        ("stake_cents", contribution(2, -1)),
        ("stake_cents", contribution(2, 10**30)),
        ("amount", contribution(2, 10**15)),
        ("bet", replace(contribution(2), bet="ante")),
        ("seat", replace(contribution(2), seat=99)),
        ("round", replace(contribution(2), round=2**63)),
        ("at_ms", replace(contribution(2), at_ms=10**40)),
        ("round", RoundReport(id="T1.j.2.1", table="T1", at_ms=0, round=10**40, stage="dealt")),
        ("contribution", reversal(2, contribution(9))),
        ("contribution", replace(reversal(2, contribution(1)), stake_cents=499)),
        ("contribution", replace(reversal(2, contribution(1)), id="T2.j.2.1", table="T2")),
        ("claim.tier", win(2, replace(ROYAL, tier="five_jokers"))),
        ("claim", win(2, replace(ROYAL, percent=50))),
        ("claim", win(2, replace(ROYAL, amount=5))),
        ("claim", win(2, replace(ROYAL, on="dealer"))),
        ("claim", win(2, Claim(1, "player", "flush", "minor", percent=100))),
        ("claim", win(2, Claim(1, "player", "flush", "major", percent=100))),
        ("claim", win(2, Claim(1, "player", "flush", "minor", amount=10_001))),
        ("claim", win(2, Claim(1, "player", "flush", "minor", amount=-5))),
        ("claim", win(2, replace(ROYAL, percent=None))),
        ("claim", win(2, replace(ROYAL, percent=10**40))),
        ("seat", win(2, replace(ROYAL, seat=0))),
        ("claim.seat", replace(win(2, ROYAL), seat=2)),
        ("final", replace(win(2, ROYAL), final=True)),
        ("dealt_at_ms", replace(win(2, ROYAL), dealt_at_ms=10**18)),
        ("win", verdict(2, win(9, ROYAL))),
        ("win", replace(verdict(2, win(5, FLUSH)), seat=2)),
        ("paid_cents", verdict(2, win(5, FLUSH), paid_cents=-1)),
        ("amount", verdict(2, win(5, FLUSH), paid_cents=10**15)),
        ("paid_cents", verdict(2, win(5, FLUSH), confirmed=False, paid_cents=1)),
        ("claim", win(2, FLUSH)),
    ],
)
def test_what_cannot_be_right_is_refused_and_leaves_no_trace(
    store: Store, field: str, bad: AnyObligation
) -> None:
    store.apply(contribution(1), NOW)
    # Almost as much as the books can hold, so that a stake of 10^15 is too much.
    store.apply(contribution(3, 10**15), NOW)
    store.apply(contribution(4, 10**15), NOW)
    store.apply(win(5, FLUSH), NOW)
    before = seen(store)
    with pytest.raises(BadInput) as refused:
        store.apply(bad, NOW)
    assert refused.value.field == field
    assert seen(store) == before
    # The id was not used up by the refusal.
    store.apply(contribution(2), NOW)


def test_odds_are_paid_on_the_stake_that_was_contributed(tmp_path: Path) -> None:
    link = replace(STUD, game="mbs-singapore-stud")
    flush = Claim(1, "player", "flush", "minor", amount=50 * 300)
    with Store.open(tmp_path / "jackpot.db", link) as store:
        with pytest.raises(BadInput, match="no contribution on jackpot"):
            store.apply(win(2, flush), NOW)
        store.apply(contribution(1, 300), NOW)
        with pytest.raises(BadInput, match="pays 50 times 300"):
            store.apply(win(2, replace(flush, amount=50 * 301)), NOW)
        assert [a.amount_cents for a in store.apply(win(2, flush), NOW).awards] == [15_000]


@pytest.mark.parametrize(
    ("field", "other"),
    [
        ("game", replace(STUD, game="rws-holdem")),
        ("reset_cents", replace(STUD, reset_cents=1)),
        ("rate_basis_points", replace(STUD, rate_basis_points=1)),
        ("limit_cents", replace(STUD, limit_cents=10_000_000)),
    ],
)
def test_the_books_of_another_link_are_refused(
    tmp_path: Path, field: str, other: JackpotLinkSettings
) -> None:
    Store.open(tmp_path / "jackpot.db", STUD).close()
    with pytest.raises(BadInput, match="started with") as refused:
        Store.open(tmp_path / "jackpot.db", other)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("game", replace(STUD, game="snap")),
        ("reset_cents", replace(STUD, reset_cents=-1)),
        ("reset_cents", replace(STUD, reset_cents=10**15)),
        ("rate_basis_points", replace(STUD, rate_basis_points=10_001)),
        ("limit_cents", replace(STUD, limit_cents=9_999_999)),
    ],
)
def test_a_link_that_cannot_be_is_refused_before_any_file(
    tmp_path: Path, field: str, bad: JackpotLinkSettings
) -> None:
    with pytest.raises(BadInput) as refused:
        Store.open(tmp_path / "jackpot.db", bad)
    assert refused.value.field == field
    assert list(tmp_path.iterdir()) == []


def test_two_links_in_one_database_keep_their_books_apart(tmp_path: Path) -> None:
    holdem = JackpotLinkSettings("rws-holdem", 5_000_000, 10_000, root="holdem")
    with Store.open(tmp_path / "jackpot.db", STUD) as stud:
        other = Store(stud.database, holdem)
        stud.apply(contribution(1), NOW)
        other.apply(contribution(1, 700), NOW)
        assert other.meter_cents == 5_000_700
        assert stud.totals().stakes_cents == 500
        assert stud.ledger.books != other.ledger.books
