"""A naive reckoning of one link: meter, reserve and house, written from the documents.

It is told what the jackpot controller was told, and which claims were paid in which order; it
works out what they must have been paid and what the accounts must be then. It shares no code
with the controller. Megalink §3.15: what several hands of one round share (I-4: declining). I-28: what a table paid by
itself. I-31: the lock and the reserve. I-35: the meter never falls below 0. I-37: what is
withdrawn until PAID.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from firmware.protocol.obligations import (
    AnyObligation,
    Contribution,
    Reversal,
    RoundReport,
    Verdict,
    Win,
)

PARTS = 10_000
Standing = Literal["open", "confirmed", "paid by the table", "awarded", "booked", "withdrawn"]


class NaiveClaim(Struct):
    """What the reckoning knows of a claim."""

    win: Win
    standing: Standing
    awarded_cents: int = 0
    paid_cents: int = 0
    paid_from: tuple[int, int] = (0, 0)
    """How many units were paid before it, and the whole cents of the meter that it was paid from."""

    @property
    def round(self) -> tuple[str, int]:
        """The table and round that it is of."""
        return self.win.table, self.win.round

    @property
    def is_major_share(self) -> bool:
        """Whether it is a major that is paid from the meter."""
        return self.win.claim.level == "major" and self.win.claim.percent is not None

    @property
    def holds_the_meter(self) -> bool:
        """Whether the meter is locked for it (I-31)."""
        waits = self.standing in {"open", "confirmed", "paid by the table"}
        return waits and self.win.claim.level == "major"


class NaiveBooks:
    """The accounts in parts of 1/10,000 cent."""

    def __init__(self, reset_cents: int, rate_basis_points: int) -> None:
        self._reset = reset_cents * PARTS
        self._rate = rate_basis_points
        self.meter = self._reset
        self.reserve = 0
        self.house = 0
        self.claims: dict[str, NaiveClaim] = {}
        self._contributed: dict[str, int] = {}
        self._told: set[str] = set()
        self._paid_rounds: set[tuple[str, int]] = set()
        self._units_paid = 0

    @property
    def locked(self) -> bool:
        """Whether a major waits."""
        return any(claim.holds_the_meter for claim in self.claims.values())

    def told(self, owed: AnyObligation) -> None:
        """Take what a table says; the same thing said again says nothing."""
        if owed.id in self._told:
            return
        self._told.add(owed.id)
        if isinstance(owed, Contribution):
            self._contributed[owed.id] = owed.stake_cents * self._rate
            self._put_in(self._contributed[owed.id])
        elif isinstance(owed, Reversal):
            self._put_in(-self._contributed.pop(owed.contribution))
        elif isinstance(owed, Win):
            self._enter(owed)
        elif isinstance(owed, Verdict):
            self._decide(self.claims[owed.win], owed)
        elif isinstance(owed, RoundReport) and owed.stage == "settled":
            self._paid_rounds.add((owed.table, owed.round))

    def _enter(self, win: Win) -> None:
        """Enter a claim; the awarded majors of its round wait for their award again, with it."""
        entered = NaiveClaim(win, "confirmed" if win.final else "open")
        if entered.is_major_share and entered.round not in self._paid_rounds:
            held = self._held_for(entered.round, majors=True)
            for other in self.claims.values():
                is_awarded = other.is_major_share and other.standing == "awarded"
                if other.round == entered.round and is_awarded:
                    self._give_back(other)
            self._cover()
            self._hold(entered.round, held)
        self.claims[win.id] = entered

    def withdraw(self, claim_id: str) -> None:
        """Strike a claim out, or take its award back (I-37).

        The others of the round that were awarded from the meter wait for their award again:
        before PAID they are no payments.
        """
        claim = self.claims[claim_id]
        assert claim.standing not in {"booked", "paid by the table"}
        held = None
        if claim.standing == "awarded" and claim.win.claim.percent is not None:
            held = self._held_for(claim.round, majors=False)
            for other in self.claims.values():
                if other.round == claim.round and other.standing == "awarded":
                    self._give_back(other)
            self._cover()
        claim.standing, claim.awarded_cents = "withdrawn", 0
        self._hold(claim.round, held)

    def _held_for(self, round_: tuple[str, int], *, majors: bool) -> int | None:
        """Find the whole cents of the meter of which the awards of a round were paid first.

        None if somebody else's claim holds the meter now, which is then left alone.
        """
        of_round = [claim for claim in self.claims.values() if claim.round == round_]
        paid = [
            claim.paid_from
            for claim in of_round
            if claim.standing == "awarded" and claim.win.claim.percent is not None
            if claim.is_major_share or not majors
        ]
        return min(paid)[1] if paid and not self.locked else None

    def _hold(self, round_: tuple[str, int], held_cents: int | None) -> None:
        """Let what waits again hold no more than it held before: the rest came later (I-31)."""
        again = [claim for claim in self.claims.values() if claim.round == round_]
        late = 0 if held_cents is None else self.meter // PARTS - held_cents
        if late > 0 and any(claim.holds_the_meter for claim in again):
            self.meter -= late * PARTS
            self.reserve += late * PARTS

    def _give_back(self, claim: NaiveClaim) -> None:
        """Let the meter have back what an award took, and give back the reset value."""
        if claim.win.claim.percent is not None:
            given_back = self._reset if claim.win.claim.percent == 100 else 0
            self.meter += claim.awarded_cents * PARTS - given_back
            claim.standing, claim.awarded_cents = "confirmed", 0

    def paid(self, claim_ids: Sequence[str]) -> list[int]:
        """Pay the claims whose turn it is together, and return what each must be paid."""
        claims = [self.claims[claim_id] for claim_id in claim_ids]
        assert {claim.standing for claim in claims} <= {"confirmed", "paid by the table"}, claims
        percent, fixed = claims[0].win.claim.percent, claims[0].win.claim.amount
        due_cents = fixed if percent is None else self._share_cents(percent, len(claims))
        assert due_cents is not None
        for claim in claims:
            by_table = claim.standing == "paid by the table"
            claim.awarded_cents = claim.paid_cents if by_table else due_cents
            claim.standing = "booked" if by_table else "awarded"
            claim.paid_from = (self._units_paid, self.meter // PARTS)
        self._units_paid += 1
        cents = [claim.awarded_cents for claim in claims]
        if percent is None:
            self.house += sum(each - due_cents for each in cents) * PARTS
            return cents
        resets = len(claims) if percent == 100 else 0
        self.meter += max(0, resets - 1) * self._reset - sum(cents) * PARTS
        self._cover()
        self.meter += self._reset if resets else 0
        return cents

    def _share_cents(self, percent: int, winners: int) -> int:
        """Say what each of so many winners gets of the meter (Megalink §3.15.1, §3.15.2)."""
        meter_cents = self.meter // PARTS
        if percent == 100:
            return (meter_cents + (winners - 1) * self._reset // PARTS) // winners
        pot_cents = 0
        for _ in range(winners):
            pot_cents += (meter_cents - pot_cents) * percent // 100
        return pot_cents // winners

    def settle(self) -> None:
        """End a step: the reserve goes to a meter that nobody holds (I-31)."""
        if not self.locked:
            self.meter += self.reserve
            self.reserve = 0
            self._cover()

    def _put_in(self, parts: int) -> None:
        if self.locked:
            self.reserve += parts
        else:
            self.meter += parts
            self._cover()

    def _decide(self, claim: NaiveClaim, verdict: Verdict) -> None:
        if not verdict.confirmed:
            if claim.standing != "withdrawn":
                self.withdraw(claim.win.id)
        elif verdict.paid_cents is None:
            # One that was on its way when the table withdrew changes nothing.
            claim.standing = "confirmed" if claim.standing == "open" else claim.standing
        elif claim.standing == "awarded":
            # The meter has paid the award; the house bears what the table paid otherwise.
            self.house += (verdict.paid_cents - claim.awarded_cents) * PARTS
            claim.standing, claim.awarded_cents = "booked", verdict.paid_cents
        else:
            claim.standing, claim.paid_cents = "paid by the table", verdict.paid_cents

    def _cover(self) -> None:
        """Let the house bear what the meter does not have (I-35)."""
        self.house += max(0, -self.meter)
        self.meter = max(0, self.meter)
