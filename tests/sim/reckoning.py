"""What tables and the jackpot controller say about money, held against each other.

A table's side is its journal, folded again; the controller's side is its books. Nothing
that either of them has told the other is asked for: only what is on the disks.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from firmware.devices.displays import display_text
from firmware.devices.panel_pages import display_of
from firmware.devices.panel_screen import PanelScreen
from firmware.journal.reader import records
from firmware.protocol.obligations import (
    OWED_MONEY,
    AnyObligation,
    Contribution,
    Reversal,
    Verdict,
    Win,
)
from firmware.table.effects import Send
from firmware.table.events import (
    Acknowledged,
    AwardGranted,
    Event,
    FaultNoticed,
    JournalOpened,
    MeterMoved,
)
from firmware.table.table import Table
from firmware.table.view import view
from sim.jackpot_controller.accounts import PARTS_PER_CENT, Accounts
from sim.jackpot_controller.ledger import LedgerTotals
from sim.jackpot_controller.store import Store
from sim.table.hardware import DISPLAY
from tests.sim.floors import RATE_BASIS_POINTS, RESET_CENTS, link_settings

COMPLAINTS = {
    ("count_mismatch", ""),
    ("message_rejected", ""),
    ("unit_refused", ""),
    ("unit_closed", ""),
    ("device_gone", "pins"),
}
"""Faults by code and, if it matters, place; pins do not fail here, but callbacks may."""


class Told(Struct, frozen=True):
    """What a table's own journal says that it has said about money, and what it still owes."""

    obligations: Mapping[str, AnyObligation]
    contributions: int
    owed: int
    rounds: int
    acknowledged: frozenset[str]
    """The ids that the table believes the controller to know."""
    awards: Mapping[str, int]
    """The payments that the table believes the controller to have granted, in cents."""
    complaints: tuple[str, ...]
    """What the controller found wrong with what the table said, and what failed in the table."""


class Entered(Struct, frozen=True):
    """What the books say."""

    obligations: Mapping[str, AnyObligation]
    awards: Mapping[str, int]
    """What each claim was paid, by award or by the table itself, in cents."""
    accounts: Accounts
    totals: LedgerTotals
    pending: int

    @property
    def is_settled(self) -> bool:
        """Whether no claim waits, and the meter is nobody's."""
        accounts = self.accounts
        return (accounts.reserve_parts, accounts.locked, self.pending) == (0, False, 0)


def told_by_journal(folder: Path) -> Told:
    """Fold a journal again, and collect what left the table on the way."""
    events = [record.event for record in records(folder)]
    table = _new_table(events)
    sent: dict[str, AnyObligation] = {}
    for event in events:
        effects = table.step(event).effects
        sent |= {e.obligation.id: e.obligation for e in effects if isinstance(e, Send)}
    owed = sum(isinstance(o, OWED_MONEY) for o in table.state.owed.values())
    return Told(
        obligations={i: o for i, o in sent.items() if isinstance(o, OWED_MONEY)},
        contributions=table.state.totals.contributions,
        owed=owed,
        rounds=table.state.round.number,
        acknowledged=frozenset(e.id for e in events if isinstance(e, Acknowledged)),
        awards={e.id: e.amount_cents for e in events if isinstance(e, AwardGranted)},
        complaints=tuple(
            f"{e.code} {e.where} {e.detail}"
            for e in events
            if isinstance(e, FaultNoticed) and {(e.code, ""), (e.code, e.where)} & COMPLAINTS
        ),
    )


def shown_at_rest(folder: Path, meter_cents: int) -> tuple[str, str] | None:
    """Fold a journal again; return what the table must show on its panel, and on its sign.

    None while something is owed: what is shown changes once it is answered. The meter is not in the
    journal: a table hears it again after each start.
    """
    events = [record.event for record in records(folder)]
    table = _new_table(events)
    for event in events:
        table.step(event)
    if table.state.owed:
        return None
    table.step(MeterMoved(at_ms=events[-1].at_ms, meter_cents=meter_cents, sequence=1))
    shown = view(table.settings, table.state)
    display = display_of((DISPLAY,))
    assert not isinstance(display, str)
    return PanelScreen(display).show(shown.prompt), display_text(shown.sign.text)


def _new_table(events: Sequence[Event]) -> Table:
    first = events[0]
    assert isinstance(first, JournalOpened)
    assert first.settings is not None
    return Table(first.settings)


def entered_in_books(folder: Path, game: str) -> Entered:
    """Read what the jackpot controller has entered, beside a controller that may be running."""
    with Store.open(folder / "jackpot.sqlite", link_settings(game)) as store:
        rows = store.database.execute("SELECT id, document FROM obligation").fetchall()
        paid = store.database.execute(
            "SELECT id, payment.amount_cents FROM payment JOIN claim USING (root, id)"
            " WHERE state != 'withdrawn'"
        ).fetchall()
        return Entered(
            obligations={i: msgspec.json.decode(text, type=AnyObligation) for i, text in rows},
            awards=dict(paid),
            accounts=store.accounts,
            totals=store.totals(),
            pending=len(store.claims.pending()),
        )


async def until_settled(folder: Path, game: str) -> None:
    """Wait until no claim waits in the books.

    A table owes nothing once the controller has acknowledged what the table has paid by itself;
    that is booked when its turn comes (I-28), which is when every other table has said where it
    stands. So this is waited for while all tables are on the link.
    """
    while not entered_in_books(folder, game).is_settled:  # noqa: ASYNC110  # a file tells nobody
        await asyncio.sleep(0.2)


def assert_exactly_once(tables: Mapping[str, Told], books: Entered) -> None:
    """Hold every table's journal against the books: every id once, and nothing else."""
    told: dict[str, AnyObligation] = {}
    for name, table in tables.items():
        assert not table.owed, f"{name} still owes {table.owed}"
        assert all(each.startswith(f"{name}.") for each in table.obligations)
        told |= table.obligations
    money = {i: o for i, o in books.obligations.items() if isinstance(o, OWED_MONEY)}
    # A verdict that the table replaced may have arrived or not.
    left_out = told.keys() - money.keys() - _replaced(told.values())
    assert not left_out, sorted(left_out)
    assert money == {i: o for i, o in told.items() if i in money}
    for name, table in tables.items():
        assert table.acknowledged <= books.obligations.keys(), f"{name} believes too much"
        # An award that came before or after its claim was withdrawn was taken back (I-37).
        withdrawn = _withdrawn(told.values())
        stand = {i: cents for i, cents in table.awards.items() if i not in withdrawn}
        believed = {i: (cents, books.awards.get(i)) for i, cents in stand.items()}
        assert all(cents == known for cents, known in believed.values()), (name, believed)
    assert books.awards.keys() <= {i for i, o in told.items() if isinstance(o, Win)}


def _withdrawn(obligations: Iterable[AnyObligation]) -> set[str]:
    """List the wins that a table has withdrawn."""
    return {o.win for o in obligations if isinstance(o, Verdict) and not o.confirmed}


def _replaced(obligations: Iterable[AnyObligation]) -> set[str]:
    """List the verdicts after which the table has paid by itself (I-28) or withdrawn (I-37)."""
    verdicts = [each for each in obligations if isinstance(each, Verdict)]
    ended = {v.win: v.id for v in verdicts if v.paid_cents is not None or not v.confirmed}
    return {each.id for each in verdicts if ended.get(each.win, each.id) != each.id}


def assert_exact(books: Entered) -> None:
    """Add everything up again from the single obligations, to the fraction of a cent.

    meter + reserve + overflow = resets + contributions - reversals - awards + the house's part
    """
    obligations, totals, accounts = books.obligations.values(), books.totals, books.accounts
    contributed = [o.stake_cents for o in obligations if isinstance(o, Contribution)]
    reversed_ = [o.stake_cents for o in obligations if isinstance(o, Reversal)]
    assert (totals.contributions, totals.reversals) == (len(contributed), len(reversed_))
    fixed_cents = sum(
        o.claim.amount or 0
        for i, o in ((i, o) for i, o in books.obligations.items() if isinstance(o, Win))
        if books.awards.get(i)
    )
    whole = [
        o
        for i, o in books.obligations.items()
        if isinstance(o, Win) and o.claim.percent == 100 and i in books.awards
    ]
    resets_cents = RESET_CENTS * (1 + len(whole))
    from_meter_cents = sum(books.awards.values()) - fixed_cents
    stakes_cents = sum(contributed) - sum(reversed_)
    held = accounts.meter_parts + accounts.reserve_parts + accounts.overflow_parts
    assert held == (
        (resets_cents - from_meter_cents) * PARTS_PER_CENT
        + stakes_cents * RATE_BASIS_POINTS
        + accounts.house_parts
    )
    assert books.is_settled, (accounts.reserve_parts, accounts.locked, books.pending)
