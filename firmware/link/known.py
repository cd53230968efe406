"""What is known of a meter in one set of books: where it stands, and how high it may come at once.

By what it has fallen it may rise again, when an award is taken back; and below its reset value it
may rise to that, when the whole meter is won. Whatever has come back is used up, so that nobody
climbs by letting it fall and rise.
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
    took_cents: int = 0
    """When it moved last, whether it fell then, and what of earlier falls came back with it."""
    falls: list[tuple[float, int]] = field(default_factory=list)
    """When it fell of late, and by how much: an award that is taken back restores that, no more."""

    def most_cents(self, now_s: float) -> int:
        """Return how high it may be at once: where it was before the hits of late, or reset."""
        back_cents = sum(cents for at_s, cents in self.falls if now_s - at_s < BACK_S)
        return max(self._before_cents + back_cents, self.reset_cents)

    @property
    def _before_cents(self) -> int:
        return max(self.last_cents or 0, self.once_cents)

    def move(self, cents: int, reset_cents: int, rise_cents: int, now_s: float) -> int:
        """Note a meter that is believed, to which bets can have contributed so much.

        Return by how much it is above all that may come at once.
        """
        first, before_cents, most_cents = self.last_cents is None, self._before_cents, 0
        if not first:
            most_cents = self.most_cents(now_s)
            self.moved_s = now_s if cents != self.last_cents else self.moved_s
        self.last_cents, self.reset_cents, self.once_cents = cents, reset_cents, 0
        if cents < before_cents:
            self.fell, self.took_cents = True, 0
            self.fall(before_cents - cents, now_s)
        elif cents > before_cents and not first:
            self.fell = False
            self.took_cents = self._take_back(cents - before_cents - rise_cents, now_s)
        return 0 if first else max(0, cents - most_cents)

    def add_reserve(self, most_cents: int, now_s: float) -> None:
        """Note that the last move had a reserve in it, of no more than this: it is from no hit."""
        self.fall(most_cents if self.fell else min(most_cents, self.took_cents), now_s)

    def fall(self, cents: int, now_s: float) -> None:
        """Note that so much may come back."""
        self._forget_old(now_s)
        if self.falls and now_s - self.falls[-1][0] < FALLS_WITHIN_S:
            at_s, fallen_cents = self.falls.pop()
            self.falls.append((at_s, fallen_cents + cents))
        else:
            self.falls.append((now_s, cents))

    def _take_back(self, cents: int, now_s: float) -> int:
        """Note that so much has come back, which cannot come a second time; return what had fallen.

        Nobody says which hit it was. The oldest is used up first: it could not come much longer.
        """
        self._forget_old(now_s)
        left_cents = max(0, cents)
        while self.falls and left_cents > 0:
            at_s, fallen_cents = self.falls.pop(0)
            if fallen_cents > left_cents:
                self.falls.insert(0, (at_s, fallen_cents - left_cents))
            left_cents -= min(left_cents, fallen_cents)
        return max(0, cents) - left_cents

    def _forget_old(self, now_s: float) -> None:
        self.falls = [(at_s, cents) for at_s, cents in self.falls if now_s - at_s < BACK_S]
