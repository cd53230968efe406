"""Whether what the jackpot controller publishes can be so: its numbers, and how its meter rises.

A message that is older than one before it, or a meter that has risen by more than a link can
contribute in the time, is ignored at first: it may be one that somebody else has published. If
nothing better comes for a while, it is what the controller says now: then it is followed, and is a
fault. Books separate all of this: other books begin anew. It has no clock of its own.
"""

from msgspec import Struct

from firmware.link.printable import dollars
from firmware.protocol.fault_catalogue import FaultCode
from firmware.protocol.messages import MOST_CENTS_PER_S, MeterMessage, PendingMessage

LASTS_S = 10.0
"""How long something that cannot be so is only ignored."""
HEARD_WITHIN_S = 2.0
"""A meter that moves is published several times a second; more may be under way."""

Published = MeterMessage | PendingMessage


class Doubt(Struct, frozen=True):
    """Why a message cannot be so: the fault that it is if it lasts, and the words."""

    code: FaultCode
    words: str


class PublishedWatch:
    """What one topic of the controller has said in one set of books."""

    def __init__(self) -> None:
        self._books: str | None = None
        self._newest = 0
        self._most_cents: int | None = None
        self._most_s = 0.0
        """The highest meter that was believed, and when: an award that is taken back may restore
        it."""
        self._doubted: FaultCode | None = None
        self._doubted_s = 0.0

    def judge(self, message: Published, now_s: float) -> tuple[Doubt | None, bool]:
        """Return what is wrong with a message, if anything, and whether to follow it."""
        doubt = self._doubt(message, now_s) if message.books == self._books else None
        if doubt is not None:
            if self._doubted != doubt.code:
                self._doubted, self._doubted_s = doubt.code, now_s
            if now_s - self._doubted_s < LASTS_S:
                return doubt, False
        if doubt is not None or message.books != self._books:
            self._most_cents = None
        self._doubted = None
        self._follow(message, now_s)
        return doubt, True

    def _doubt(self, message: Published, now_s: float) -> Doubt | None:
        if message.sequence < self._newest:
            words = f"it is old: number {message.sequence} after {self._newest}"
            return Doubt("sequence_fell", words)
        if isinstance(message, MeterMessage) and self._most_cents is not None:
            passed_s = now_s - self._most_s + HEARD_WITHIN_S
            most_cents = self._most_cents + int(passed_s * MOST_CENTS_PER_S)
            if message.meter_cents > most_cents:
                meters = f"{dollars(message.meter_cents)} after {dollars(self._most_cents)}"
                return Doubt("meter_doubted", f"the meter cannot have risen so: {meters}")
        return None

    def _follow(self, message: Published, now_s: float) -> None:
        self._books, self._newest = message.books, message.sequence
        if isinstance(message, MeterMessage):
            cents = message.meter_cents
            if self._most_cents is None or cents >= self._most_cents:
                self._most_cents, self._most_s = cents, now_s
