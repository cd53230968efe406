"""What the controller publishes for every table, on its way to this one: held, judged, passed on.

Nothing counts before the controller that keeps its books has accepted this unit; until then the
newest of each kind is held. Whether it can be so is judged in `meters.py`.
"""

from collections.abc import Callable, Iterator

from firmware.link.meters import Judged, Published, PublishedWatch
from firmware.link.printable import printable
from firmware.protocol.fault_catalogue import FaultCode
from firmware.protocol.messages import UNHEARD_S, MeterMessage, PendingClaim, PendingMessage
from firmware.table.events import BelievedMeter, Event, MeterLocked, MeterMoved, PendingChanged
from firmware.table.intake import Intake

Notice = Callable[[FaultCode, str, str], None]
"""Has a fault noted: its code, where it is, and the words."""


class Ignored(Exception):  # noqa: N818  # not an error: it says why a message is ignored
    """Why a message is of no use."""


class Publications:
    """The meter and the pending majors, as one table hears them."""

    def __init__(
        self,
        intake: Intake,
        notice: Notice,
        *,
        mine: str,
        rise_cents_per_s: int,
        currency: str,
    ) -> None:
        """Pass on what is believed; the ids of the table's own claims begin with `mine`."""
        self._intake = intake
        self._notice = notice
        self._mine = mine
        self.unheard_cents = UNHEARD_S * rise_cents_per_s
        """By how much the meter may have moved since it was heard."""
        # The meter first, here and in `release`: by it a lock is judged.
        self._watches: dict[type[Published], PublishedWatch] = {
            MeterMessage: PublishedWatch(rise_cents_per_s, currency),
            PendingMessage: PublishedWatch(),
        }
        self._held: dict[type[Published], Published] = {}

    def know_meter(self, believed: BelievedMeter, at_s: float) -> None:
        """Judge by the meter that the table believed before its restart."""
        self._watches[MeterMessage].know(believed, at_s)

    def recall_meter(self, registered: BelievedMeter) -> None:
        """Let the meter come back to where it was registered before a restart."""
        self._watches[MeterMessage].recall(registered)

    def begin_again(self) -> None:
        """Forget what waits: the controller, or the connection to it, is a new one."""
        self._held.clear()
        for watch in self._watches.values():
            watch.begin_again()

    def take(self, message: Published, books: str | None, now_s: float, *, accepted: bool) -> None:
        """Pass on a message, hold it until its controller is known, or say why it is ignored."""
        if message.books != books or not accepted:
            # The controller may be just about to say that these are its books.
            self._held[type(message)] = message
            if books in {None, message.books}:
                return
            raise Ignored("it is from books other than the controller's")
        judged = self._watches[type(message)].judge(message, now_s)
        if judged.fate == "ignore":
            raise Ignored(judged.doubt.words if judged.doubt is not None else "it cannot be so")
        self._pass_on(judged, now_s)

    def release(self, books: str, now_s: float) -> None:
        """Take what was held until the controller of these books had accepted this unit."""
        ignored: list[Ignored] = []
        for kind in self._watches:
            message = self._held.get(kind)
            if message is not None and message.books == books:
                del self._held[kind]
                try:
                    self.take(message, books, now_s, accepted=True)
                except Ignored as reason:
                    ignored.append(reason)
        if ignored:
            raise ignored[0]

    def controller_heard(self, now_s: float) -> None:
        """Note that the controller is there, and has said nothing of another meter."""
        self._watches[MeterMessage].stands(now_s)

    def look(self, now_s: float) -> None:
        """Judge what only the passing of time reveals."""
        for watch in self._watches.values():
            judged = watch.due(now_s)
            if judged is not None:
                self._pass_on(judged, now_s)

    def believe_meter(self, text: str, now_s: float) -> None:
        """Follow the meter that this fault names: the shift manager has cleared it."""
        self._watches[MeterMessage].believe(text, now_s)

    def _pass_on(self, judged: Judged, now_s: float) -> None:
        """Tell the table, of a doubt first: what is doubted is not shown."""
        if isinstance(judged.message, PendingMessage):
            locked = judged.message.locked_cents is not None
            self._watches[MeterMessage].hold(now_s, locked=locked)
        if judged.doubt is not None:
            topic = "meter" if isinstance(judged.message, MeterMessage) else "pending"
            self._notice(judged.doubt.code, topic, judged.doubt.words)
        for event in self._events_of(judged):
            self._intake.put(event)

    def _events_of(self, judged: Judged) -> Iterator[Event]:
        at_ms, message = self._intake.now_ms(), judged.message
        if isinstance(message, MeterMessage):
            yield MeterMoved(
                at_ms=at_ms,
                meter_cents=message.meter_cents,
                sequence=message.sequence,
                reset_cents=message.reset_cents,
                books=message.books,
                doubted=judged.fate == "aside",
            )
            return
        claims = message.claims
        yield PendingChanged(
            at_ms=at_ms,
            ids=tuple(claim.id for claim in claims),
            words=tuple(_words(claim) for claim in claims),
        )
        mine = tuple(claim.id for claim in claims if claim.id.startswith(self._mine))
        if mine and message.locked_cents is not None:
            yield MeterLocked(
                at_ms=at_ms,
                ids=mine,
                meter_cents=message.locked_cents,
                reset_cents=message.reset_cents,
                shares=tuple((c.id, c.percent) for c in claims if c.percent is not None),
                unheard_cents=self.unheard_cents,
            )


def _words(claim: PendingClaim) -> str:
    return printable(f"table {claim.table}, seat {claim.seat}: {claim.tier.replace('_', ' ')}")
