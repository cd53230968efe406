"""The accounts of a link and every way in which money moves between them: pure arithmetic.

    meter       what is displayed and won
    reserve     what was contributed (less reversed) while the meter is locked (I-31)
    overflow    what was contributed beyond the meter's limit; it feeds the next reset
    house       what was paid or reversed that the meter could not cover (I-28, I-35)

All are in parts of 1/10,000 cent: a contribution is a stake times a rate in basis points,
so nothing is ever rounded on the way in; a payment takes whole cents and leaves the
fraction where it is. At every moment, to the part:

    meter + reserve + overflow = resets + contributions - reversals - payments + house

Who is paid when is in `order.py`; what is written down in `ledger.py` and `claims.py`.
"""

from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from firmware.errors import BadInput

PARTS_PER_CENT = 10_000
"""A basis point of a cent is the smallest step that the meter can make."""
MAX_PARTS = 2**63 - 1
"""What an SQLite column can hold: 9.2 trillion dollars."""
_WHOLE = 100


class Accounts(Struct, frozen=True):
    """The balances; each movement returns new accounts."""

    meter_parts: int
    reserve_parts: int = 0
    overflow_parts: int = 0
    house_parts: int = 0
    locked: bool = False
    """Whether a claim is pending, so that the meter must not change."""
    won_whole: int = 0
    """How often the whole meter has been won since it was locked."""

    @property
    def meter_cents(self) -> int:
        """The meter as displayed: whole cents."""
        return self.meter_parts // PARTS_PER_CENT

    def lock(self) -> Self:
        """Lock the meter for the pending claims."""
        return self if self.locked else replace(self, locked=True, won_whole=0)

    def held_at(self, most_cents: int) -> Self:
        """Put into the reserve what is more than was locked before: it came after the lock (I-31).

        Only whole cents are paid, so the fraction of a cent stays where it is.
        """
        most_parts = most_cents * PARTS_PER_CENT + self.meter_parts % PARTS_PER_CENT
        late_parts = max(0, self.meter_parts - most_parts)
        return replace(
            self,
            meter_parts=self.meter_parts - late_parts,
            reserve_parts=self.reserve_parts + late_parts,
        )

    def unlock(self, limit_parts: int) -> Self:
        """Unlock: add the reserve to what is left, and after a reset the overflow up to the limit."""
        freed = replace(self, locked=False, won_whole=0, reserve_parts=0)
        freed = freed._added(self.reserve_parts, limit_parts)  # noqa: SLF001  # its own kind
        if not self.won_whole:
            return freed
        fed = min(freed.overflow_parts, limit_parts - freed.meter_parts)
        return replace(
            freed,
            meter_parts=freed.meter_parts + fed,
            overflow_parts=freed.overflow_parts - fed,
        )

    def contribute(self, parts: int, limit_parts: int) -> Self:
        """Add a contribution: to the reserve while the meter is locked."""
        if self.locked:
            return replace(self, reserve_parts=self.reserve_parts + parts)
        return self._added(parts, limit_parts)

    def reverse(self, parts: int, overflow_parts: int, limit_parts: int) -> Self:
        """Reverse a contribution; `overflow_parts` of it had gone to the overflow."""
        from_overflow = min(overflow_parts, self.overflow_parts)
        left = replace(self, overflow_parts=self.overflow_parts - from_overflow)
        return left.contribute(from_overflow - parts, limit_parts)

    def pay(self, total_cents: int, percent: int, winners: int, reset_parts: int) -> Self:
        """Pay the winners of one unit together; each win of the whole meter is a reset.

        The reset of each further winner is shared among them (Megalink §3.15.1); the last one is
        what the meter starts from. The house bears what is not covered.
        """
        resets = winners if percent == _WHOLE else 0
        funds_parts = self.meter_parts + max(0, resets - 1) * reset_parts
        left_parts = funds_parts - total_cents * PARTS_PER_CENT
        return replace(
            self,
            meter_parts=max(0, left_parts) + (reset_parts if resets else 0),
            house_parts=self.house_parts + max(0, -left_parts),
            won_whole=self.won_whole + resets,
        )

    def take_back(
        self,
        from_meter_parts: int,
        house_parts: int,
        reset_parts: int,
        limit_parts: int,
        resets: int = 1,
    ) -> Self:
        """Undo payments (I-37), of which the house bore `house_parts`.

        The meter itself, locked or not, gets back what they took from it, and gives back the
        reset values that were put in; the house bears what it no longer has. Payments made
        since stand. A reset that is given back feeds no overflow: that waits for the next one.
        """
        borne = replace(
            self,
            house_parts=self.house_parts - house_parts,
            won_whole=max(0, self.won_whole - resets),
        )
        back_parts = from_meter_parts - house_parts - reset_parts
        return borne._added(back_parts, limit_parts)  # noqa: SLF001  # its own kind

    def bear(self, parts: int) -> Self:
        """Charge the house with something that does not touch the meter."""
        return replace(self, house_parts=self.house_parts + parts)

    def check(self, house_parts: int = 0, reset_parts: int = 0) -> None:
        """Refuse balances that the books cannot hold.

        There must be room too for all that the pending claims may still charge the house with
        (`house_parts`) and put into the meter (`reset_parts`): when their turn comes, nobody is
        there whom they could be refused to. A reserve below zero may become the house's.
        """
        funds = (self.meter_parts, self.reserve_parts, self.overflow_parts)
        funds_parts = sum(map(abs, funds)) + reset_parts
        borne_parts = abs(self.house_parts) + abs(self.reserve_parts) + house_parts
        if max(funds_parts, borne_parts) > MAX_PARTS:
            raise BadInput("amount", "the books cannot hold an amount this large")

    def _added(self, parts: int, limit_parts: int) -> Self:
        meter_parts = self.meter_parts + parts
        over_parts = max(0, meter_parts - limit_parts)
        return replace(
            self,
            meter_parts=max(0, meter_parts - over_parts),
            overflow_parts=self.overflow_parts + over_parts,
            house_parts=self.house_parts + max(0, -meter_parts),
        )
