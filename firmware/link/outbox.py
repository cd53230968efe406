"""What is owed and on its way: what to send now, what waits for an answer, what is overdue.

The obligations are the table's, from its journal, oldest first; this only knows how far each
has got on the present connection. It publishes nothing and has no clock: the connection asks
it what to send, and passes the time.

What is owed about a round is understood only after what was owed before it: a win rests on the
contributions of its seat, a verdict on its win, a second claim on the withdrawal of the first.
A broker drops messages, so whatever may rest on something earlier waits until that is answered
(`_rests_on`); a rejection is an answer too.
"""

from collections import deque
from collections.abc import Iterator
from itertools import takewhile
from typing import Literal

from msgspec import Struct

from firmware.protocol.obligations import AnyObligation, Contribution, OfSeat, Verdict

Answered = Literal["", "acknowledged", "rejected"]
_PAST = 1_000
"""So many that are no longer owed are remembered, with their answers."""


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
        self._unanswered: dict[int, dict[str, OfSeat]] = {}
        """What is not answered of each round, sent or not, oldest first."""
        self._past: dict[str, Answered] = {}
        """What was owed until of late, oldest first, and how it was answered by then."""

    def __len__(self) -> int:
        return len(self._owed)

    def add(self, obligation: AnyObligation) -> None:
        """Take something that is owed; one already here keeps its place."""
        if obligation.id not in self._owed:
            self._owed[obligation.id] = Passage(obligation)
            self._unsent.append(obligation.id)
            if isinstance(obligation, OfSeat):
                self._unanswered.setdefault(obligation.round, {})[obligation.id] = obligation

    def drop(self, obligation_id: str) -> None:
        """Forget something that the table no longer owes."""
        passage = self._owed.pop(obligation_id, None)
        if passage is not None:
            self._settle(passage)
            self._past.pop(obligation_id, None)
            self._past[obligation_id] = passage.answered
            if len(self._past) > _PAST:
                del self._past[next(iter(self._past))]

    def answered(self, obligation_id: str, answer: Answered) -> bool:
        """Note an answer, and return whether it is the first to something that is owed.

        A win is owed until its award is known; so it stays, and is sent again, even once
        it is acknowledged.
        """
        passage = self._owed.get(obligation_id)
        if passage is None or passage.answered == answer:
            return False
        passage.answered = answer
        self._settle(passage)
        return True

    def says_nothing_new(self, obligation_id: str, answer: Answered) -> bool:
        """Return whether an answer only repeats one, or comes after what ended the obligation.

        Both are as they should be: an award comes before the acknowledgement of its win and ends
        it, and what is sent again is answered again (contract 5.4, 5.5).
        """
        passage = self._owed.get(obligation_id)
        if passage is not None:
            return passage.answered == answer
        return self._past.get(obligation_id) in {"", answer}

    def is_unsent(self, obligation_id: str) -> bool:
        """Return whether something is owed, and was not sent on this connection yet."""
        passage = self._owed.get(obligation_id)
        return passage is not None and passage.first_sent_s is None

    def _settle(self, passage: Passage) -> None:
        """Let nothing wait for this one any more."""
        obligation = passage.obligation
        self._waiting.pop(obligation.id, None)
        if isinstance(obligation, OfSeat):
            of_round = self._unanswered.get(obligation.round, {})
            of_round.pop(obligation.id, None)
            if not of_round:
                self._unanswered.pop(obligation.round, None)

    def begin_again(self) -> None:
        """Send everything again: the connection is new, or the controller is."""
        self._unsent = deque(self._owed)
        self._waiting.clear()
        for passage in self._owed.values():
            passage.first_sent_s = None
            passage.sent_again = False

    def to_send(self, now_s: float) -> Iterator[AnyObligation]:
        """Return what has not been sent and rests on nothing unanswered, as the window allows."""
        # What was sent twice no longer holds up the others.
        under_way = sum(not passage.sent_again for passage in self._waiting.values())
        held: list[str] = []
        while self._unsent and under_way < self._window:
            passage = self._owed.get(self._unsent.popleft())
            if passage is not None and self._is_held(passage.obligation):
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

    def _is_held(self, obligation: AnyObligation) -> bool:
        """Return whether something that this one rests on is not answered."""
        if not isinstance(obligation, OfSeat):
            return False
        of_round = self._unanswered.get(obligation.round, {})
        if obligation.id not in of_round:
            return False  # it is answered, and only asks again
        before = takewhile(lambda each: each.id != obligation.id, of_round.values())
        return any(_rests_on(obligation, earlier) for earlier in before)


def _rests_on(later: OfSeat, earlier: OfSeat) -> bool:
    """Return whether one may rest on another of its round: that of its seat, in this order.

    A contribution rests on nothing. A withdrawal is about the whole round: it changes what the
    other claims are paid (I-37).
    """
    if isinstance(later, Contribution):
        return False
    of_round = any(isinstance(each, Verdict) and not each.confirmed for each in (later, earlier))
    return of_round or later.seat == earlier.seat
