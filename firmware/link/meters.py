"""Whether what the jackpot controller publishes can be so: its numbers, its meter, its books.

A message that is older than one before it, or a meter that has risen by more than a link can
contribute in the time, is ignored at first: it may be one that somebody else has published. What
comes after it decides, and where nothing comes, the time. A number that stays behind is what the
controller says now: it is followed, and is a fault. A meter that cannot be is never followed: it is
kept aside, and a fault, until the shift manager has compared it with the books. Other books begin
anew, unless they come and go; those that come back are judged by what was known of them. None of it
has a clock of its own.
"""

from functools import partial
from typing import Literal

from msgspec import Struct

from firmware.link.known import BACK_S, Known
from firmware.link.printable import amount
from firmware.protocol.fault_catalogue import FaultCode
from firmware.protocol.messages import (
    MOST_CENTS_PER_S,
    UNHEARD_S,
    MeterMessage,
    PendingMessage,
)
from firmware.table.events import BelievedMeter

LASTS_S = 10.0
"""How long something that cannot be so is only ignored."""
BOOKS_CHANGES = 3
BOOKS_WITHIN_S = 30.0
"""Books that change so often within this time are those of two controllers."""

BOOKS_KEPT = 16
"""Of so many books, the last ones, it is remembered what was known of them."""

QUIET_S = 10.0
"""A meter that moves is heard at once. A quiet hour allows no more than a busy broker may have kept
back: so much, and what is under way (`UNHEARD_S`)."""

Published = MeterMessage | PendingMessage


class Doubt(Struct, frozen=True):
    """Why a message cannot be so: the fault that it is if it lasts, and the words."""

    code: FaultCode
    words: str


class Judged(Struct, frozen=True):
    """What becomes of a message: it is followed, ignored, or kept aside for somebody to decide."""

    message: Published
    fate: Literal["follow", "ignore", "aside"]
    doubt: Doubt | None = None


class _Doubted(Struct):
    """The newest message with a doubt, and since when there is one."""

    message: Published
    doubt: Doubt
    since_s: float


class _Named(Struct):
    """The meter that a fault names, when it was told, and the newest that can have come of it."""

    doubt: Doubt
    known: Known
    newest: Published


class _Return(Struct, frozen=True):
    """When a table came to the link, and since when a lock that it finds there may have lasted."""

    at_s: float
    since_s: float


class PublishedWatch:
    """What one topic of the controller has said, in each set of books."""

    def __init__(self, rise_cents_per_s: int = MOST_CENTS_PER_S, currency: str = "$") -> None:
        """Expect the meter to rise by no more than this; name amounts in the table's currency."""
        self._money = partial(amount, currency=currency)
        self._rise_cents_per_s = rise_cents_per_s
        self._books: str | None = None
        self._known = Known()
        self._known_of: dict[str, Known] = {}
        """What is known of the last books, the newest last."""
        self._doubted: dict[FaultCode, _Doubted] = {}
        """What is only ignored so far."""
        self._named: _Named | None = None
        self._away = False
        """Whether no meter was heard since the controller, or the connection to it, was gone."""
        self._locked = False
        self._unlocked_s: float | None = None
        """Whether pending majors hold the meter, and since when no longer."""
        self._return: _Return | None = None
        """The first meter since then, until it is heard whether a lock stands."""
        self._by_journal = False
        """Whether nothing was followed since the restart: only the journal knows a meter."""
        self._compared = ""
        """The fault that somebody has cleared before what it names was heard again."""

    def know(self, believed: BelievedMeter, at_s: float) -> None:
        """Judge by the meter that the table believed before its restart, which was at that time."""
        self._known_of[believed.books] = Known(
            last_cents=believed.meter_cents, stands_s=at_s, reset_cents=believed.reset_cents
        )
        self._by_journal = self._away = True

    def recall(self, registered: BelievedMeter) -> None:
        """Let the meter come back to where it was registered before a restart: it may have fallen."""
        known = self._known_of.setdefault(registered.books, Known())
        known.once_cents = registered.meter_cents

    def judge(self, message: Published, now_s: float) -> Judged:
        """Judge a message that has come."""
        if message.books != self._books:
            self._open(message.books)
        doubt = self._doubt(message, now_s)
        if doubt is not None and doubt.words in self._compared:
            self._known.last_cents, doubt = None, None
        if doubt is None:
            self._forget_doubts()
            self._follow(message, now_s)
            return Judged(message, "follow")
        named = self._named if doubt.code == "meter_doubted" else None
        if named is not None and self._comes_of(named, message, now_s):
            self._doubted.pop("meter_doubted", None)
            named.newest = message
            self._note(named.known, message, now_s)
            return Judged(message, "aside", named.doubt)
        known = self._doubted.setdefault(doubt.code, _Doubted(message, doubt, now_s))
        if message.sequence < known.message.sequence:
            return Judged(message, "ignore", doubt)
        known.message, known.doubt = message, doubt
        return self._lasting(known, now_s) or Judged(message, "ignore", doubt)

    def due(self, now_s: float) -> Judged | None:
        """Judge what was ignored and has lasted: nothing better has come since."""
        for known in list(self._doubted.values()):
            judged = self._lasting(known, now_s)
            if judged is not None:
                return judged
        return None

    def begin_again(self) -> None:
        """Forget what was only ignored: what is retained comes anew, and may have gone on."""
        self._doubted.clear()
        self._away = True

    def stands(self, now_s: float) -> None:
        """Note that the controller is heard: a meter that had moved before would be heard, too."""
        known = self._known
        if known.last_cents is not None and not self._is_held(now_s):
            known.stands_s = max(known.stands_s, now_s - QUIET_S)

    def hold(self, now_s: float, *, locked: bool) -> None:
        """Note whether pending majors hold the meter: what is contributed meanwhile comes at once."""
        back, self._return = self._return, None
        if self._locked and not locked:
            self._end_lock(now_s)
        elif locked and not self._locked and back is not None and now_s - back.at_s < QUIET_S:
            # The meter is heard first: this lock stood when the table came.
            self._known.stands_s = min(self._known.stands_s, back.since_s)
        self._locked = locked

    def _end_lock(self, now_s: float) -> None:
        """Allow the reserve, unless it has come: the meter is published first (contract 3.5)."""
        known = self._known
        if now_s - known.moved_s >= QUIET_S:
            self._unlocked_s = now_s
            return
        known.add_reserve(int((now_s - known.stands_s) * self._rise_cents_per_s), now_s)
        known.stands_s = now_s

    def _is_held(self, now_s: float) -> bool:
        """Return whether the meter is locked, or was until just now: the new one may come after."""
        return self._locked or (self._unlocked_s is not None and now_s - self._unlocked_s < QUIET_S)

    def believe(self, text: str, now_s: float) -> None:
        """Follow the meter that the fault of this text names: somebody has compared it."""
        named = self._named
        if named is None:
            self._compared = text if self._by_journal else ""
        elif named.doubt.words in text:
            self._named = None
            self._known.last_cents = None
            self._follow(named.newest, now_s)

    def _comes_of(self, named: _Named, message: Published, now_s: float) -> bool:
        """Return whether a doubted meter can be what the named one has become since."""
        return (
            isinstance(message, MeterMessage)
            and message.sequence >= named.newest.sequence
            and not self._impossible(message, named.known, now_s)
        )

    def _forget_doubts(self) -> None:
        self._doubted.clear()
        self._named = None

    def _open(self, books: str) -> None:
        """Judge by what is known of these books, if they were there before."""
        self._forget_doubts()
        self._books, self._known = books, self._known_of.pop(books, Known())
        self._known_of[books] = self._known
        if len(self._known_of) > BOOKS_KEPT:
            del self._known_of[next(iter(self._known_of))]

    def _lasting(self, known: _Doubted, now_s: float) -> Judged | None:
        if now_s - known.since_s < LASTS_S:
            return None
        # The time that has passed may be enough for it: many bets at once are no forgery.
        message, doubt = known.message, self._doubt(known.message, now_s)
        del self._doubted[known.doubt.code]
        if doubt is not None and doubt.code == "meter_doubted":
            named = Known(stands_s=now_s)
            self._note(named, message, now_s)
            self._named = _Named(doubt, named, message)
            return Judged(message, "aside", doubt)
        if doubt is None:
            self._forget_doubts()
        self._follow(message, now_s)
        return Judged(message, "follow", doubt)

    def _doubt(self, message: Published, now_s: float) -> Doubt | None:
        # The meter first: a number that has fallen must not let in what cannot be.
        if isinstance(message, MeterMessage):
            impossible = self._impossible(message, self._known, now_s)
            if impossible:
                return Doubt("meter_doubted", impossible)
        if message.sequence < self._known.newest:
            words = f"it is old: number {message.sequence} after {self._known.newest}"
            return Doubt("sequence_fell", words)
        return None

    def _impossible(self, message: MeterMessage, known: Known, now_s: float) -> str:
        """Say why a meter cannot be so after what is known; empty if it can."""
        if known.last_cents is None:
            return ""
        rise_cents = self._rise_cents(known, now_s)
        most_cents = known.most_cents(now_s)
        words = []
        if message.meter_cents > most_cents + rise_cents:
            meters = f"{self._money(message.meter_cents)} after {self._money(known.last_cents)}"
            words.append(f"the meter cannot have risen so: {meters}")
        if message.reset_cents > most_cents + rise_cents:
            resets = f"{self._money(message.reset_cents)} after {self._money(known.reset_cents)}"
            words.append(f"its reset value cannot have risen so: {resets}")
        return "; ".join(words)

    def _rise_cents(self, known: Known, now_s: float) -> int:
        """Return by how much the floor can have raised the meter since it was known to stand.

        All the time counts only if nobody could have heard it move: while the controller was away,
        and while majors held the meter.
        """
        passed_s = now_s - known.stands_s
        if not (self._away or self._is_held(now_s)):
            passed_s = min(passed_s, QUIET_S)
        return int((passed_s + UNHEARD_S) * self._rise_cents_per_s)

    def _follow(self, message: Published, now_s: float) -> None:
        first = self._away or self._known.last_cents is None
        if first and isinstance(message, MeterMessage):
            self._come_back(now_s)
        self._note(self._known, message, now_s)
        self._away = False
        if not self._locked:
            self._unlocked_s = None
        self._by_journal, self._compared = False, ""

    def _come_back(self, now_s: float) -> None:
        """Note since when a lock may have lasted that is found on the link.

        Since the table was last there; after a start nobody knows, but no longer than a shift.
        """
        since_s = now_s - BACK_S
        if not self._by_journal:
            since_s = max(since_s, self._known.stands_s)
        self._return = _Return(now_s, since_s)
        if self._locked:
            self._known.stands_s = since_s

    def _note(self, known: Known, message: Published, now_s: float) -> None:
        known.newest = message.sequence
        if not isinstance(message, MeterMessage):
            return
        at_once = known.last_cents is None or self._locked
        rise_cents = 0 if at_once else self._rise_cents(known, now_s)
        over_cents = known.move(message.meter_cents, message.reset_cents, rise_cents, now_s)
        if self._away and not at_once and known.fell and known.moved_s == now_s:
            # Nobody has heard what came before the hit, or after it: so much more did it take.
            known.fall(rise_cents, now_s)
        if not self._locked:
            known.stands_s = now_s
        else:
            # What rises while the lock goes on is an award that was taken back, or a hit. What is
            # above that is the reserve, and uses up the time that so much takes.
            used_s = over_cents / self._rise_cents_per_s
            known.stands_s = min(now_s, known.stands_s + used_s)


class BooksWatch:
    """Whether one controller speaks, or several with different books in turn."""

    def __init__(self) -> None:
        self._books: str | None = None
        self._changes_s: list[float] = []

    def heard(self, books: str, now_s: float) -> None:
        """Note whose books the controller that is online keeps."""
        if self._books not in {None, books}:
            self._changes_s.append(now_s)
        self._books = books

    def several(self, now_s: float) -> bool:
        """Return whether books have come and gone so often that they cannot be one controller's."""
        self._changes_s = [at_s for at_s in self._changes_s if now_s - at_s < BOOKS_WITHIN_S]
        return len(self._changes_s) >= BOOKS_CHANGES
