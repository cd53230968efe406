"""The books of the jackpot controller: exact, once, and there after a reopening.

A model in fractions, which knows no parts of a cent, keeps its own books beside them.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.rules.contract import Claim
from firmware.rules.games import GAMES
from firmware.table.outbox import AnyObligation, Contribution, Win
from sim.jackpot.store import PARTS_PER_CENT, LinkSettings, Store

NOW = datetime(2026, 1, 1, 20, tzinfo=UTC)
STUD = LinkSettings("rws-casino-stud", 10_000_000, 3_333)


def contribution(number: int, stake_cents: int = 500) -> Contribution:
    """Make the nth contribution of a table."""
    return Contribution(
        id=f"T1.j.{number}.1",
        table="T1",
        round=1,
        seat=1,
        at_ms=0,
        bet="jackpot",
        stake_cents=stake_cents,
    )


def win(number: int, claim: Claim) -> Win:
    """Make the nth message of a table a win."""
    return Win(
        id=f"T1.j.{number}.1",
        table="T1",
        round=1,
        seat=claim.seat,
        at_ms=0,
        claim=claim,
        dealt_at_ms=1_767_300_000_000 + number,
    )


ROYAL = Claim(1, "player", "royal_flush", "major", percent=100)
STRAIGHT = Claim(1, "player", "straight_flush", "major", percent=10)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Begin the books of a stud link."""
    with Store.open(tmp_path / "jackpot.db", STUD) as books:
        yield books


# ── any sequence ─────────────────────────────────────────────────────────────


def claims_of(game: str) -> st.SearchStrategy[Claim]:
    """Draw any claim that a game's pay table knows."""
    return st.sampled_from(
        [
            Claim(1, line.on, line.tier, line.level, percent=line.percent)
            if line.percent
            else Claim(1, line.on, line.tier, line.level, amount=line.amount_cents or 7_700)
            for line in GAMES[game].lines
        ]
    )


@st.composite
def histories(draw: st.DrawFn) -> tuple[LinkSettings, list[AnyObligation | None]]:
    """Draw a link and what reaches it, in any order, with repeats; None is a reopening."""
    game = draw(st.sampled_from(sorted(GAMES)))
    link = LinkSettings(game, draw(st.integers(0, 10**9)), draw(st.integers(0, 10_000)))
    stake, claim = st.integers(0, 10**6), claims_of(game)
    born: list[AnyObligation] = [
        contribution(number, drawn) if isinstance(drawn, int) else win(number, drawn)
        for number, drawn in enumerate(draw(st.lists(stake | claim, min_size=1, max_size=10)))
    ]
    arriving = draw(st.lists(st.sampled_from([*born, None]), max_size=25))
    return link, arriving


class Model:
    """The meter in cents and fractions of a cent, and the answers given."""

    def __init__(self, link: LinkSettings) -> None:
        self.link = link
        self.meter = Fraction(link.reset_cents)
        self.answers: dict[str, int | None] = {}
        self.contributed = Fraction()

    def apply(self, obligation: AnyObligation) -> int | None:
        """Give the award of a win, and None for a contribution."""
        if obligation.id not in self.answers:
            self.answers[obligation.id] = self._applied(obligation)
        return self.answers[obligation.id]

    def _applied(self, obligation: AnyObligation) -> int | None:
        if isinstance(obligation, Contribution):
            added = Fraction(obligation.stake_cents * self.link.rate_basis_points, 10_000)
            self.meter += added
            self.contributed += added
            return None
        percent = obligation.claim.percent
        if percent is None:
            return obligation.claim.amount
        paid = int(self.meter) * percent // 100
        self.meter -= paid
        if percent == 100:
            self.meter += self.link.reset_cents
        return paid


@given(histories())
@settings(max_examples=60, deadline=None)
def test_the_meter_is_exact_and_every_id_counts_once(
    history: tuple[LinkSettings, list[AnyObligation | None]],
) -> None:
    link, arriving = history
    model = Model(link)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "jackpot.db"
        store = Store.open(path, link)
        for obligation in arriving:
            if obligation is None:
                before = seen(store)
                store.close()
                store = Store.open(path, link)
                assert seen(store) == before
            else:
                check_applied(store, model, obligation)
        check_totals(store, model, [each for each in arriving if each is not None])
        store.close()


def seen(store: Store) -> tuple[object, ...]:
    """Read everything that the books show."""
    return store.meter_parts, store.meter_cents, store.meter_sequence, store.totals()


def check_applied(store: Store, model: Model, obligation: AnyObligation) -> None:
    """Apply to both, and compare the answer, the meter and its sequence."""
    known = obligation.id in model.answers
    cents_before, sequence_before = store.meter_cents, store.meter_sequence
    applied = store.apply(obligation, NOW)
    assert (applied.id, applied.award_cents) == (obligation.id, model.apply(obligation))
    assert Fraction(store.meter_parts, PARTS_PER_CENT) == model.meter
    moves = not known and (isinstance(obligation, Win) or store.meter_cents != cents_before)
    assert applied.meter_moved == moves
    assert store.meter_sequence == sequence_before + moves


def check_totals(store: Store, model: Model, arrived: Sequence[AnyObligation]) -> None:
    """Compare what the books add up to with what arrived, each id once."""
    once = {each.id: each for each in arrived}.values()
    totals = store.totals()
    stakes = [each.stake_cents for each in once if isinstance(each, Contribution)]
    assert (totals.contributions, totals.stakes_cents) == (len(stakes), sum(stakes))
    assert Fraction(totals.contributed_parts, PARTS_PER_CENT) == model.contributed
    assert totals.awards == len(once) - len(stakes)
    assert totals.awarded_cents == sum(award or 0 for award in model.answers.values())
    added_up = store.settings.reset_cents + model.contributed - totals.lowered_cents
    assert added_up == model.meter


# ── single steps ─────────────────────────────────────────────────────────────


def test_a_fraction_of_a_cent_outlives_a_reset(store: Store) -> None:
    store.apply(contribution(1, 501), NOW)
    assert store.meter_parts == 10_000_000 * PARTS_PER_CENT + 501 * 3_333
    assert store.apply(win(2, ROYAL), NOW).award_cents == 10_000_166
    assert store.meter_parts == 10_000_000 * PARTS_PER_CENT + 9_833


def test_an_award_stays_what_it_was_when_the_meter_has_moved_on(store: Store) -> None:
    assert store.apply(win(1, STRAIGHT), NOW).award_cents == 1_000_000
    store.apply(contribution(2, 100_000), NOW)
    assert store.apply(win(1, STRAIGHT), NOW).award_cents == 1_000_000
    assert store.totals().awards == 1


def test_a_contribution_below_a_cent_does_not_move_what_is_displayed(store: Store) -> None:
    first_sequence = store.meter_sequence
    assert not store.apply(contribution(1, 1), NOW).meter_moved
    assert store.meter_sequence == first_sequence
    assert store.totals().contributed_parts == 3_333


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("id", replace(contribution(1), stake_cents=600)),
        ("id", replace(contribution(1), table="T2")),
        ("stake_cents", contribution(2, -1)),
        ("stake_cents", contribution(2, 10**30)),
        ("stake_cents", contribution(2, 10**15)),
        ("claims[0].tier", win(2, replace(ROYAL, tier="five_jokers"))),
        ("claims[0].percent", win(2, replace(ROYAL, percent=50))),
        ("claims[0]", win(2, replace(ROYAL, amount=5))),
        ("claim", win(2, Claim(1, "player", "flush", "minor", amount=-5))),
        ("claim", win(2, replace(ROYAL, seat=0))),
        ("claim.seat", replace(win(2, ROYAL), seat=2)),
        ("dealt_at_ms", replace(win(2, ROYAL), dealt_at_ms=10**30)),
    ],
)
def test_what_cannot_be_right_is_refused_and_leaves_no_trace(
    store: Store, field: str, bad: AnyObligation
) -> None:
    store.apply(contribution(1), NOW)
    # Almost as much as the books can hold, so that a stake of 10^15 is too much.
    store.apply(contribution(3, 10**15), NOW)
    store.apply(contribution(4, 10**15), NOW)
    before = seen(store)
    with pytest.raises(BadInput) as refused:
        store.apply(bad, NOW)
    assert refused.value.field == field
    assert seen(store) == before
    # The id was not used up by the refusal.
    assert store.apply(contribution(2), NOW).id == "T1.j.2.1"


@pytest.mark.parametrize(
    ("field", "other"),
    [
        ("game", replace(STUD, game="rws-holdem")),
        ("reset_cents", replace(STUD, reset_cents=1)),
        ("rate_basis_points", replace(STUD, rate_basis_points=1)),
    ],
)
def test_the_books_of_another_link_are_refused(
    tmp_path: Path, field: str, other: LinkSettings
) -> None:
    Store.open(tmp_path / "jackpot.db", STUD).close()
    with pytest.raises(BadInput, match="begun with") as refused:
        Store.open(tmp_path / "jackpot.db", other)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("game", replace(STUD, game="snap")),
        ("reset_cents", replace(STUD, reset_cents=-1)),
        ("reset_cents", replace(STUD, reset_cents=10**15)),
        ("rate_basis_points", replace(STUD, rate_basis_points=10_001)),
    ],
)
def test_a_link_that_cannot_be_is_refused_before_any_file(
    tmp_path: Path, field: str, bad: LinkSettings
) -> None:
    with pytest.raises(BadInput) as refused:
        Store.open(tmp_path / "jackpot.db", bad)
    assert refused.value.field == field
    assert list(tmp_path.iterdir()) == []
