"""Payments that were made at a table and are not in the books: the house enters them by command.

A table tells of what it has paid by itself (I-28); if that was rejected, or the table is gone, its
message cannot be entered any more. The command says who and why; it stays in the books. Everything
expects a transaction around it.
"""

import sqlite3
from datetime import datetime

import msgspec
from msgspec import Struct

from firmware.errors import BadInput
from firmware.protocol.obligations import Verdict, Win
from firmware.rules.bounds import Count, Word
from firmware.rules.contract import Cents, Claim, Owner, SeatNumber
from firmware.rules.game import JackpotLine
from firmware.rules.games import find_game
from sim.jackpot_controller.checks import check_obligation, journal_of
from sim.jackpot_controller.claim_rows import ClaimRow
from sim.jackpot_controller.claims import ClaimBook
from sim.jackpot_controller.ledger import unit_of
from sim.jackpot_controller.withdrawals import Order, house_order


class HousePayment(Struct, frozen=True):
    """What was paid; the claim is described if the books do not have it."""

    paid_cents: Cents
    round: Count | None = None
    seat: SeatNumber | None = None
    tier: Word = ""
    owner: Owner = "player"


def enter_payment(
    database: sqlite3.Connection, book: ClaimBook, claim: str, payment: HousePayment, order: Order
) -> None:
    """Book a payment at its place in the order, as if its table had told of it."""
    row = book.rows.find(claim) or _enter(database, book, claim, payment, order.at)
    if row.state == "booked" or (row.state == "paid" and not book.doubts.about(row)):
        raise BadInput("claim", f"{claim!r} is {row.state} already")
    verdict = Verdict(
        id=house_order(claim),
        table=row.table_name,
        round=row.round,
        seat=row.seat,
        at_ms=0,
        win=claim,
        confirmed=True,
        paid_cents=payment.paid_cents,
        staff=order.staff,
        reason=order.reason,
    )
    check_obligation(verdict, find_game(book.settings.game))
    book.doubts.believe(row.id, order.staff, order.reason, order.at)
    book.confirm(row, verdict)


def _enter(
    database: sqlite3.Connection, book: ClaimBook, id_: str, payment: HousePayment, at: datetime
) -> ClaimRow:
    """Enter a claim that the books do not have, as the house describes it."""
    if payment.round is None or payment.seat is None or not payment.tier:
        raise BadInput("claim", f"{id_!r} is not in the books: say its round, seat and tier")
    table = id_.partition(".")[0]
    win = Win(
        id=id_,
        table=table,
        round=payment.round,
        seat=payment.seat,
        at_ms=0,
        claim=_claim(book.settings.game, payment, payment.seat),
        dealt_at_ms=int(at.timestamp() * 1000),
        final=False,
    )
    check_obligation(win, find_game(book.settings.game))
    database.execute(
        "INSERT INTO obligation VALUES (?, ?, ?, ?)",
        (book.settings.root, id_, at.isoformat(), msgspec.json.encode(win)),
    )
    unit = unit_of(table, journal_of(id_, table))
    book.check_new(win, unit)
    book.rows.insert(win, unit, max(at, book.rows.last_entry() or at))
    row = book.rows.find(id_)
    assert row is not None  # noqa: S101  # it was just entered
    return row


def _claim(game_id: str, payment: HousePayment, seat: int) -> Claim:
    """Return the claim as the pay table has it."""
    lines = find_game(game_id).tiers.get(payment.tier, ())
    for line in lines:
        if line.on == payment.owner:
            fixed = line.amount_cents if isinstance(line, JackpotLine) else None
            percent = line.percent if isinstance(line, JackpotLine) else None
            by_odds = percent is None and fixed is None
            return Claim(
                seat=seat,
                on=line.on,
                tier=payment.tier,
                level=line.level if isinstance(line, JackpotLine) else "minor",
                percent=percent,
                amount=payment.paid_cents if by_odds else fixed,
            )
    raise BadInput("tier", f"{game_id} pays no {payment.tier!r} on the {payment.owner}'s hand")
