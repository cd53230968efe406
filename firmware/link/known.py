"""What is known of a meter in one set of books: where it stands, and how high it may come back.

A meter that is below its reset value may always rise to it, by a hit of the whole meter. So what is
judged is the higher of the two: only what is above the reset value can fall by a hit that is taken
back, and is added up here. Whatever comes back is used up, so that nobody climbs by it.
"""

from math import inf

from msgspec import Struct, field

BACK_S = 8 * 3600.0
"""How long an award may still be taken back, and majors hold the meter: a round is paid within a
shift."""
FALLS_WITHIN_S = BACK_S / 64
"""Falls within this time are counted as one: returned bets are many, and crowd no hit out."""


class Known(Struct):
    """What is known of one set of books: the newest number, and of the meter what was believed."""

    newest: int = 0
    last_cents: int | None = None
    """The meter that was believed last."""
    reset_cents: int = 0
    once_cents: int = 0
    """The meter that was registered before a restart, until one is heard: it may have fallen since."""
    stands_s: float = -inf
    """Until when it cannot have risen: since then the floor has contributed."""
    moved_s: float = -inf
    fell: bool = False
    """When it moved last, and whether it fell then."""
    falls: list[tuple[float, int]] = field(default_factory=list)
    """When it fell of late, and by how much: an award that is taken back restores that, no more."""

    @property
    def height_cents(self) -> int:
        """The meter, or the reset value to which a hit may raise it."""
        return max(self.last_cents or 0, self.reset_cents, self.once_cents)

    def most_cents(self, now_s: float) -> int:
        """Return how high it may be at once: where it was before the hits of late."""
        return self.height_cents + sum(c for at_s, c in self.falls if now_s - at_s < BACK_S)

    def move(self, cents: int, reset_cents: int, rise_cents: int, now_s: float) -> int:
        """Note a meter that is believed, to which bets can have contributed so much.

        Return by how much it has risen, other than to its reset value.
        """
        last_cents, before_cents = self.last_cents, self.height_cents
        self.last_cents, self.reset_cents, self.once_cents = cents, reset_cents, 0
        if last_cents is not None and cents != last_cents:
            self.moved_s, self.fell = now_s, cents < last_cents
        risen_cents = self.height_cents - before_cents
        if risen_cents < 0:
            self.fall(-risen_cents, now_s)
        elif last_cents is not None:
            self._take_back(risen_cents - rise_cents, now_s)
            return risen_cents
        return 0

    def fall(self, cents: int, now_s: float) -> None:
        """Note that so much may come back."""
        self._forget_old(now_s)
        if self.falls and now_s - self.falls[-1][0] < FALLS_WITHIN_S:
            at_s, fallen_cents = self.falls.pop()
            self.falls.append((at_s, fallen_cents + cents))
        else:
            self.falls.append((now_s, cents))

    def _take_back(self, cents: int, now_s: float) -> None:
        """Note that so much has come back: it cannot come a second time.

        Nobody says which hit it was. The oldest is used up first: it could not come much longer.
        """
        self._forget_old(now_s)
        while self.falls and cents > 0:
            at_s, fallen_cents = self.falls.pop(0)
            if fallen_cents > cents:
                self.falls.insert(0, (at_s, fallen_cents - cents))
            cents -= fallen_cents

    def _forget_old(self, now_s: float) -> None:
        self.falls = [(at_s, cents) for at_s, cents in self.falls if now_s - at_s < BACK_S]
