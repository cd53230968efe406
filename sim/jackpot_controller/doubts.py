"""What contradicts a claim: then it is not paid before the house has said that it is believed.

A table, or anyone who speaks in its name, may say anything. A claim is held against what else is
in the books of its round: the contribution of its seat, the reports that the round was opened, with the
time at which that was received, and that it was over, and what its table has paid on it. Only the last of
this is kept, because the meter moves on: a contribution that comes late ends the doubt. What the house has
believed is kept (`believe`).
"""

import sqlite3
from datetime import UTC, datetime, timedelta

from firmware.errors import BadInput
from firmware.protocol.obligations import (
    OfSeat,
    Reversal,
    RoundReport,
    Verdict,
    Win,
    moment,
    sequence_of,
)
from firmware.rules.game import Game
from sim.jackpot_controller.claim_rows import ClaimRow
from sim.jackpot_controller.ledger import Ledger, unit_of
from sim.jackpot_controller.worth import Worth

MOST_OFF = timedelta(seconds=60)
"""How much later than by its own clock a table's report may be received, or earlier."""


class Doubts:
    """What is not believed of a link's claims."""

    def __init__(self, database: sqlite3.Connection, ledger: Ledger, game: Game) -> None:
        self._database = database
        self._ledger = ledger
        self._game = game
        self._root = ledger.settings.root
        self.worth = Worth(database, ledger, game)

    def note_round(self, report: RoundReport, journal: str, at: datetime) -> None:
        """Note when a round was opened, by its table's clock and by ours."""
        if report.stage == "opened":
            self._database.execute(
                "INSERT INTO opened_round VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (
                    *(self._root, unit_of(report.table, journal), report.round),
                    *(report.at_ms, at.isoformat()),
                ),
            )

    def believe(self, claim: str, staff: str, reason: str, at: datetime) -> None:
        """Believe a claim: the house has ordered it."""
        self._database.execute(
            "INSERT INTO believed VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (self._root, claim, staff, reason, at.isoformat()),
        )

    def check_doubted(self, row: ClaimRow) -> None:
        """Refuse to believe what nobody doubts."""
        if row.state == "withdrawn" or not self.about(row):
            raise BadInput("claim", f"{row.id!r} is {row.state}, and nothing contradicts it")

    def note_payment(self, row: ClaimRow, paid_cents: int) -> str:
        """Hold against a claim what its table has paid on it; return what contradicts that."""
        text = "" if self.is_believed(row) else self.worth.doubt(row, paid_cents)
        if text:
            self._database.execute(
                "INSERT INTO doubted_payment VALUES (?, ?, ?)"
                " ON CONFLICT DO UPDATE SET text = excluded.text",
                (self._root, row.id, text),
            )
        return text

    def is_believed(self, row: ClaimRow) -> bool:
        """Return whether the house believes a claim."""
        (count,) = self._database.execute(
            "SELECT count(*) FROM believed WHERE root = ? AND id = ?", (self._root, row.id)
        ).fetchone()
        return bool(count)

    def about(self, row: ClaimRow) -> str:
        """Say what contradicts a claim; nothing if it is believed."""
        if self.is_believed(row):
            return ""
        told = self._about_its_stake(row) or self._about_its_payment(row)
        if told or row.state in {"awarded", "booked"}:
            return told  # it was paid in its turn
        by_deal = self._game.payment.by == "dealt_at" and row.major
        return self._about_its_round(row) or (self._about_its_time(row) if by_deal else "")

    def raised_by(self, obligation: OfSeat, row: ClaimRow) -> str:
        """Say what contradicts a claim of a seat since this has come, and no late message can end."""
        if self.is_believed(row):
            return ""
        if isinstance(obligation, Win) and obligation.id == row.id:
            return self._about_its_round(row)
        if isinstance(obligation, Verdict) and obligation.win == row.id:
            return self._about_its_payment(row)
        if isinstance(obligation, Reversal) and row.state in {"awarded", "booked"}:
            # Before PAID the withdrawal of the award may be on its way.
            return self._about_its_stake(row) if self._is_over(row, obligation.id) else ""
        return ""

    def _about_its_stake(self, row: ClaimRow) -> str:
        bet = next(line.bet for line in self._game.tiers[row.tier] if line.on == row.owner)
        if self._ledger.stake_cents(row.unit, row.round, row.seat, bet):
            return ""
        if row.state in {"awarded", "booked"}:
            return f"the contribution of seat {row.seat} on {bet} was reversed after its award"
        return f"seat {row.seat} has no contribution on {bet} in round {row.round}"

    def _about_its_payment(self, row: ClaimRow) -> str:
        noted = self._database.execute(
            "SELECT text FROM doubted_payment WHERE root = ? AND id = ?", (self._root, row.id)
        ).fetchone()
        return str(noted[0]) if noted else ""

    def _about_its_round(self, row: ClaimRow) -> str:
        """Say that a claim was made after its table had reported the end of its round."""
        stage = self._is_over(row, row.id)
        return f"its table had reported round {row.round} as {stage} before" if stage else ""

    def _is_over(self, row: ClaimRow, id_: str) -> str:
        """Return how the round of a claim was over when something was made, by its id."""
        for stage, table in (("settled", "paid_round"), ("void", "void_round")):
            report = self._database.execute(
                f"SELECT report FROM {table} WHERE root = ? AND unit = ? AND round = ?",  # noqa: S608  # our own names
                (self._root, row.unit, row.round),
            ).fetchone()
            if report is not None and sequence_of(id_) > sequence_of(report[0]):
                return stage
        return ""

    def _about_its_time(self, row: ClaimRow) -> str:
        """Say what is wrong with the time of the deal, which decides who is paid first (I-19)."""
        opened = self._database.execute(
            "SELECT at_ms, received_at FROM opened_round WHERE root = ? AND unit = ? AND round = ?",
            (self._root, row.unit, row.round),
        ).fetchone()
        if opened is None:
            return f"its table has not said when round {row.round} was opened"
        said, received = moment(opened[0]), datetime.fromisoformat(opened[1])
        if row.dealt_at_ms < opened[0]:
            return f"its hand is dealt before its round was opened, at {_words(said)}"
        if abs(received - said) > MOST_OFF:
            return (
                f"its round was opened at {_words(said)} by its table's clock,"
                f" and at {_words(received)} here"
            )
        return ""


def _words(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")
