"""A shoe of the Angel Eye family as a card source: its reports become events.

It is a baccarat shoe. In a poker deal only the card counts, and the table knows whose it is;
the shoe's own view of the game (start, standby, result) means nothing here. The table only
listens, so it does not know of a card that leaves the shoe while the table is off.
"""

from firmware.devices.angel_eye import ERRORS, Decoder, ShoeReport
from firmware.devices.serial_port import PortStats, SerialPort
from firmware.table.events import CardDrawn, CardUnread, Event, FaultNoticed, FaultPassed
from firmware.table.intake import Intake

BAUD = 4_800
WHERE = "shoe"
UNREAD = frozenset({1, 6})
"""The errors after which a card has left the shoe unread."""
_LOCKED = "the shoe has locked itself: unlock it"
_DISPUTED = "the shoe reports R: confirm whether its last card was dealt again"
_TWICE = "two different reports with one number"


class AngelEye:
    """Turns reports into events; drops a report that is sent again."""

    def __init__(self, first_frame: int) -> None:
        """Start numbering events here, so that no number is used twice."""
        self._frame = first_frame
        self._last: ShoeReport | None = None
        self._contradicted = False
        self._locked: bool | None = None  # at first it is not known
        self.repeated = 0

    def restarted(self) -> None:
        """Forget the last report: a card taken twice is refused, a card lost is not found."""
        self._last = None

    def events(self, report: ShoeReport, at_ms: int) -> list[Event]:
        """Return what a report means to the table; nothing if it is a repeat."""
        last = self._last
        if last is not None and last.seq == report.seq:
            self.repeated += 1
            return self._sent_again(last, report, at_ms)
        self._last, self._contradicted = report, False
        return [*self._lock(report, at_ms), *self._meaning(report, at_ms)]

    def _meaning(self, report: ShoeReport, at_ms: int) -> list[Event]:
        if report.card:
            return [CardDrawn(at_ms=at_ms, frame=self._next_frame(), card=report.card)]
        match report.code:
            case "E" if report.error in UNREAD:
                return [self._unread(ERRORS[report.error], at_ms)]
            case "E":
                words = ERRORS.get(report.error, "the shoe reports an unknown error")
                return [_noticed(f"error {report.error}, {words}", at_ms)]
            case "e":
                return [FaultPassed(at_ms=at_ms, code="cards_unread", where=WHERE)]
            case "R":
                return [_noticed(_DISPUTED, at_ms)]
        return []

    def _lock(self, report: ShoeReport, at_ms: int) -> list[Event]:
        """Report that the shoe has locked itself, and with its next report that it has not."""
        locked, self._locked = self._locked, report.code == "L"
        if locked == self._locked:
            return []
        if not self._locked:
            return [FaultPassed(at_ms=at_ms, code="device_silent", where=WHERE)]
        return [FaultNoticed(at_ms=at_ms, code="device_silent", where=WHERE, detail=_LOCKED)]

    def _sent_again(self, last: ShoeReport, report: ShoeReport, at_ms: int) -> list[Event]:
        """Drop a repeat; of two different reports one is wrong, and that is reported once."""
        if last == report or self._contradicted:
            return []
        self._contradicted = True
        if last.card or report.card:
            return [self._unread(_TWICE, at_ms)]
        return [_noticed(_TWICE, at_ms)]

    def _unread(self, problem: str, at_ms: int) -> CardUnread:
        return CardUnread(at_ms=at_ms, frame=self._next_frame(), problem=problem)

    def _next_frame(self) -> int:
        self._frame += 1
        return self._frame


def _noticed(detail: str, at_ms: int) -> FaultNoticed:
    return FaultNoticed(at_ms=at_ms, code="cards_unread", where=WHERE, detail=detail)


class AngelEyePort:
    """The shoe on its serial port."""

    baud = BAUD
    beats = False
    problem = ""

    def __init__(self, path: str, intake: Intake) -> None:
        """Open the port; one that is not there is tried again."""
        self.stats = PortStats()
        self._intake = intake
        self._decoder = Decoder()
        # The shoe's numbers mean nothing across a restart of the table; the time does.
        self._shoe = AngelEye(first_frame=intake.now_ms())
        self.port = SerialPort(path, WHERE, self, self.stats, intake)
        self.port.open()

    def close(self) -> None:
        """Stop reading and close the port."""
        self.port.close()

    # What the port needs from a `Talk`

    def opened(self) -> None:
        """Wait for what comes."""

    def closed(self) -> None:
        """Forget half a report, and the last one."""
        self._decoder = Decoder()
        self._shoe.restarted()

    def beat(self) -> None:
        """Ask nothing: the shoe is only listened to."""

    def feed(self, data: bytes) -> int:
        """Take the bytes that have come."""
        noise = self._decoder.unread_bytes
        reports = self._decoder.feed(data)
        self.stats.dropped += self._decoder.unread_bytes > noise
        for report in reports:
            for event in self._shoe.events(report, self._intake.now_ms()):
                self._intake.put(event)
        self.stats.repeated = self._shoe.repeated
        return len(reports)

    @property
    def babble_bytes(self) -> int:
        """How many bytes have come since the last good report."""
        return self._decoder.unread_bytes
