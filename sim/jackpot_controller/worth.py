"""What a claim can be worth to a table that has paid it by itself (I-28).

Such a table has paid from the meter that the claim held, or from the one that it was shown last. The
books do not have what was shown when, but between which values it lay since the round was opened.
"""

import sqlite3
from datetime import datetime, timedelta

from msgspec.structs import replace

from firmware.rules.award import award
from firmware.rules.contract import Claims, Meter, Settings
from firmware.rules.game import Game
from firmware.rules.words import money
from sim.jackpot_controller.accounts import PARTS_PER_CENT
from sim.jackpot_controller.claim_rows import ClaimRow
from sim.jackpot_controller.ledger import Ledger

_WHOLE = 100
_SHOWN_BEFORE = timedelta(seconds=60)
"""How much older than its round a meter can be that a table goes by."""


class Worth:
    """What the claims of a link can be worth."""

    def __init__(self, database: sqlite3.Connection, ledger: Ledger, game: Game) -> None:
        self._database = database
        self._ledger = ledger
        self._game = game
        self._root = ledger.settings.root

    def doubt(self, row: ClaimRow, paid_cents: int) -> str:
        """Say why a table cannot have paid so much on a claim, or so little; nothing if it can."""
        least_cents, most_cents = self._range(row)
        if least_cents <= paid_cents <= most_cents:
            return ""
        worth = money(most_cents)
        if least_cents != most_cents:
            worth = f"{money(least_cents)} to {worth}"
        return f"its table has paid {money(paid_cents)} on it, and it can be worth {worth}"

    def _range(self, row: ClaimRow) -> tuple[int, int]:
        if row.percent is None:
            fixed_cents = row.amount_cents or 0
            return fixed_cents, fixed_cents
        least_cents, most_cents = self._meters(row)
        # Others of its round, which may not be in the books yet, may have been paid before or with it.
        seats = self._game.positions[1]
        least_cents = min(self._paid(row, least_cents, seats))
        for _ in range(1, seats):
            least_cents -= least_cents * self._most_before() // _WHOLE
        return least_cents, max(self._paid(row, most_cents, 1))

    def _most_before(self) -> int:
        """Return the largest part of the meter, in percent, that leaves something of it."""
        shares = (line.percent or 0 for line in self._game.lines)
        return max((share for share in shares if share < _WHOLE), default=0)

    def _paid(self, row: ClaimRow, meter_cents: int, claims: int) -> list[int]:
        """Return what so many claims like this one are paid from a meter."""
        settings = self._ledger.settings
        asked = Claims(
            game=settings.game,
            meter=Meter(value=meter_cents, reset=settings.reset_cents),
            claims=tuple(
                replace(row.entered, id=f"{row.id}/{number}", seat=number)
                for number in range(1, claims + 1)
            ),
            settings=Settings(straight_flush_share=settings.straight_flush_share),
        )
        return [paid.amount for paid in award(asked).awards]

    def _meters(self, row: ClaimRow) -> tuple[int, int]:
        """Return the least and the most that the meter can have been since the round was opened."""
        since = self._since(row)
        shown = [self._ledger.accounts().meter_cents, self._ledger.settings.reset_cents]
        rows = self._database.execute(
            "SELECT meter_before_cents, meter_after_cents FROM payment"
            " WHERE root = ? AND paid_at >= ?",
            (self._root, since),
        )
        shown += [cents for both in rows for cents in both]
        risen_cents = self._moved("contribution.id", since)
        fallen_cents = self._moved("contribution.reversed_by", since)
        return max(0, min(shown) - risen_cents), max(shown) + fallen_cents

    def _moved(self, column: str, since: str) -> int:
        """Return by how many cents, rounded up, contributions or reversals have moved the meter."""
        (parts,) = self._database.execute(
            "SELECT ifnull(sum(parts), 0) FROM contribution JOIN obligation"  # noqa: S608  # our own
            f" ON obligation.root = contribution.root AND obligation.id = {column}"
            " WHERE contribution.root = ? AND entered_at >= ?",
            (self._root, since),
        ).fetchone()
        return -(-int(parts) // PARTS_PER_CENT)

    def _since(self, row: ClaimRow) -> str:
        """Return from when on a meter can have been shown; ever, if no opening was reported."""
        opened = self._database.execute(
            "SELECT received_at FROM opened_round WHERE root = ? AND unit = ? AND round = ?",
            (self._root, row.unit, row.round),
        ).fetchone()
        if opened is None:
            return ""
        return (datetime.fromisoformat(opened[0]) - _SHOWN_BEFORE).isoformat()
