"""What the table has not acknowledged yet: findings and snapshots, in order, one in flight at a time.

Bounded, and right about every chip all the same: when it is full, two findings of one input that cancel
out are forgotten, never the newest one alone. Pure, on times alone.
"""

from firmware.devices.line import DEVICE_NUMBERS, Frame, encode

REPEAT_MS = 250
MOST_WAITING = 128
"""More than two findings of each sort for each input before and behind a snapshot, so that there are always
two that cancel out in a full outbox."""
_SNAPSHOT = -1
_SORTS = ("present absent", "chatters quiet", "stuck free")


class Outbox:
    """The messages of this session."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, str, int, str]] = []
        """Input from 0, finding, when it was found, words; or no input and the text of a snapshot."""
        self._in_flight: tuple[int, str, int, str] | None = None
        self._number = DEVICE_NUMBERS[-1]
        self._said_ms = 0
        self._tries = 0

    def found(self, place: int, news: str, at_ms: int, words: str) -> None:
        """Queue a finding."""
        if len(self._waiting) >= MOST_WAITING:
            self._make_room()
        self._waiting.append((place, news, at_ms, words))

    def snapshot(self, text: str, at_ms: int) -> None:
        """Queue a snapshot behind all findings; one that still waits is superseded."""
        self._waiting = [each for each in self._waiting if each[0] != _SNAPSHOT]
        self._waiting.append((_SNAPSHOT, text, at_ms, ""))

    def acknowledged(self, number: int) -> None:
        """Note an acknowledgement; one for another number is old, and changes nothing."""
        if number == self._number:
            self._in_flight = None

    def due(self, at_ms: int) -> bytes:
        """Return what is to be said now: the next message, or the one in flight again; or nothing."""
        if self._in_flight is None:
            if not self._waiting:
                return b""
            counted_out = self._number == DEVICE_NUMBERS[-1]
            self._number = DEVICE_NUMBERS[0] if counted_out else self._number + 1
            self._in_flight, self._tries = self._waiting.pop(0), 0
        elif at_ms - self._said_ms < REPEAT_MS:
            return b""
        self._said_ms = at_ms
        self._tries += 1
        line = encode(Frame("message", self._number, _text(self._in_flight, at_ms)))
        return b"\n" + line if self._tries > 1 else line  # ends any noise on the line

    @property
    def waiting(self) -> int:
        """How many messages wait, without the one in flight."""
        return len(self._waiting)

    def _make_room(self) -> None:
        """Forget the oldest two findings of one input that cancel out, on one side of a snapshot."""
        before: dict[tuple[int, str], int] = {}
        for index, (place, news, _, _) in enumerate(self._waiting):
            if place == _SNAPSHOT:
                before.clear()
                continue
            sort = next(each for each in _SORTS if news in each.split())
            first = before.get((place, sort))
            if first is not None:
                del self._waiting[index]
                del self._waiting[first]
                return
            before[place, sort] = index


def _text(message: "tuple[int, str, int, str]", at_ms: int) -> str:
    place, news, found_ms, words = message
    if place == _SNAPSHOT:
        return news
    return f"SPOT {place + 1} {news} {at_ms - found_ms} {words}".rstrip()
