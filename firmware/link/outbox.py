"""What is owed and on its way: what to send now, what waits for an answer, what is overdue.

The obligations are the table's, from its journal, oldest first; this only knows how far each
has got on the present connection. It publishes nothing and has no clock: the connection asks
it what to send, and passes the time.
"""

from collections import deque
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from firmware.protocol.obligations import AnyObligation, Reversal, Verdict

Answered = Literal["", "acknowledged", "rejected"]


class Passage(Struct):
    """How far an obligation has got."""

    obligation: AnyObligation
    first_sent_s: float | None = None
    """When it was first sent on this connection."""
    sent_s: float = 0.0
    sent_again: bool = False
    answered: Answered = ""


class Outbox:
    """Everything that the table owes, oldest first, until it no longer owes it."""

    def __init__(self, window: int, overdue_s: float) -> None:
        self._window = window
        self._overdue_s = overdue_s
        self._owed: dict[str, Passage] = {}
        self._unsent: deque[str] = deque()
        self._waiting: dict[str, Passage] = {}
        """What was sent and is not answered, in the order of sending."""

    def __len__(self) -> int:
        return len(self._owed)

    def add(self, obligation: AnyObligation) -> None:
        """Take something that is owed; one already here keeps its place."""
        if obligation.id not in self._owed:
            self._owed[obligation.id] = Passage(obligation)
            self._unsent.append(obligation.id)

    def drop(self, obligation_id: str) -> None:
        """Forget something that the table no longer owes."""
        self._owed.pop(obligation_id, None)
        self._waiting.pop(obligation_id, None)

    def answered(self, obligation_id: str, answer: Answered) -> bool:
        """Note an answer, and return whether it is the first to something that is owed.

        A win is owed until its award is known; so it stays, and is sent again, even once
        it is acknowledged.
        """
        passage = self._owed.get(obligation_id)
        if passage is None or passage.answered == answer:
            return False
        passage.answered = answer
        self._waiting.pop(obligation_id, None)
        return True

    def begin_again(self) -> None:
        """Send everything again: the connection is new, or the controller is."""
        self._unsent = deque(self._owed)
        self._waiting.clear()
        for passage in self._owed.values():
            passage.first_sent_s = None
            passage.sent_again = False

    def to_send(self, now_s: float) -> Iterator[AnyObligation]:
        """Return what has not been sent, as far as the window allows.

        What refers to another obligation waits until that one is answered: a busy broker drops
        messages, and the controller would reject what it cannot understand.
        """
        # What was sent twice no longer holds up the others.
        under_way = sum(not passage.sent_again for passage in self._waiting.values())
        held: list[str] = []
        while self._unsent and under_way < self._window:
            passage = self._owed.get(self._unsent.popleft())
            if passage is not None and _about(passage.obligation) in self._waiting:
                held.append(passage.obligation.id)
            elif passage is not None:
                passage.first_sent_s = passage.sent_s = now_s
                if not passage.answered:
                    self._waiting[passage.obligation.id] = passage
                    under_way += 1
                yield passage.obligation
        self._unsent.extendleft(reversed(held))

    def to_repeat(self, now_s: float) -> Iterator[AnyObligation]:
        """Return what was sent too long ago, at most a window, so that each gets its turn."""
        overdue = [
            passage
            for passage in self._owed.values()
            if passage.first_sent_s is not None
            and passage.answered != "rejected"
            and now_s - passage.sent_s >= self._overdue_s
        ]
        overdue.sort(key=lambda passage: passage.sent_s)
        for passage in overdue[: self._window]:
            passage.sent_s = now_s
            passage.sent_again = True
            yield passage.obligation

    def longest_wait_s(self, now_s: float) -> float:
        """Return how long the oldest unanswered one has been on its way."""
        for passage in self._waiting.values():
            return now_s - (passage.first_sent_s or now_s)
        return 0.0


def _about(obligation: AnyObligation) -> str | None:
    """Return the id of the obligation that this one reverses or decides."""
    if isinstance(obligation, Reversal):
        return obligation.contribution
    return obligation.win if isinstance(obligation, Verdict) else None
