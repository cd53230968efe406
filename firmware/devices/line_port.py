"""A device on the line protocol, as the table sees it: what it is, what it says and is told.

The table asks `=PING`; the device answers `=HELLO <kind> <version> <session>`, and also
says so unasked when it starts; what follows is the kind's own, such as the size of a panel.
`session` is a number that the device makes up at every start. That lets the table tell a repeat
from a device that has restarted and counts from 1: an event's frame is session × 1000 + number,
even after the table itself has restarted. A message that comes before the greeting is left for
the device to repeat.

What the texts mean is in `card_source.py`, `panel.py`, `sign.py` and `spot_texts.py`.
"""

import logging
from collections.abc import Callable
from functools import partial

from firmware.devices.line import LASTING, TABLE_NUMBERS, fits_a_line, word_of
from firmware.devices.line_channel import LineChannel, OnMessage
from firmware.devices.serial_port import PortStats, SerialPort
from firmware.table.events import SESSION_FRAMES, Event
from firmware.table.intake import Intake

_log = logging.getLogger(__name__)

BAUD = 115_200
_MOST_DIGITS = 9
"""How long the number of a session may be."""
NAMES = {"spots": "spot board"}
"""What people call a kind, where that is something else."""

_ECHOES = "it sends back what the table says, or counts as the table does: switch its echo off"
_UNHEARD = "it acknowledges nothing of what the table sends, for 6 s"

EventOf = Callable[[str, int, int], Event | None]
"""Reads a message: its text, its frame and the time; None if it means nothing."""
OnHello = Callable[[tuple[str, ...]], str]
"""Takes the rest of a greeting; says what is wrong with it, or nothing."""
Hear = Callable[[tuple[str, ...]], None]
"""Takes the words of an announcement."""


class LinePort:
    """One serial device that speaks the line protocol."""

    baud = BAUD
    beats = True

    def __init__(
        self,
        path: str,
        kind: str,
        on_message: OnMessage,
        intake: Intake,
        on_hello: OnHello | None = None,
    ) -> None:
        """Open the port of a `kind` of device; a missing port is tried again.

        Without `on_hello` a greeting says nothing more than who is there.
        """
        self.stats = PortStats()
        self.version = ""
        """The version of whoever has greeted last, in the maker's words."""
        self.greeted_session = 0
        """The session of whoever has greeted last, whether or not he can be used here."""
        self.held = False
        """Whether messages are left for the device to repeat, because it is too early for them."""
        self.hears: dict[str, Hear] = {}
        """Takes what the device announces beside its greeting, by the first word; nothing when
        it has restarted, since then it has forgotten what it announced."""
        self.on_session: Callable[[], None] | None = None
        """Hears when a device is there that was not there before, or none is any more."""
        self._kind = kind
        self._on_message = on_message
        self._on_hello = on_hello
        self._session: int | None = None
        self._last_frame = 0
        self._newest: dict[str, str] = {}
        self._misplaced = self._nonsense = ""
        self.port = SerialPort(path, NAMES.get(kind, kind), self, self.stats, intake)
        self._echoes = False
        self._channel = LineChannel(self.port.write, self._message, self._announced, TABLE_NUMBERS)
        self.port.open()

    def send(self, text: str) -> None:
        """Send a message, and again until it is acknowledged.

        What a device shows is sent again when it comes back; a refusal is not, because by
        then the key it was about is long forgotten.
        """
        if not fits_a_line(text):
            raise ValueError(f"a message of {len(text)} characters is longer than a line")
        word = word_of(text)
        if word in LASTING:
            self._newest[word] = text
        if self._session is not None:
            self._channel.send(text)

    def announce(self, text: str) -> None:
        """Say something once, if the device that belongs here is there."""
        if self._session is not None:
            self._channel.announce(text)

    @property
    def answered(self) -> bool:
        """Whether the device has acknowledged something of this table since it is there."""
        return self._channel.answered

    @property
    def session(self) -> int | None:
        """The session of the device; None while the one that belongs here is not there."""
        return self._session

    def acknowledge(self, frame: int) -> None:
        """Tell the device not to repeat its message, if it is still the same device."""
        session, number = divmod(frame, SESSION_FRAMES)
        if session == self._session:
            self._channel.acknowledge(number)

    def cannot_be_used(self, why: str) -> None:
        """Tell that the device says what it must not say, until it has restarted."""
        self._nonsense = why

    def close(self) -> None:
        """Stop reading and close the port."""
        self._channel.close()
        self.port.close()

    # What the port needs from a `Talk`

    def opened(self) -> None:
        """Ask who is there."""
        self._channel.announce("PING")

    def closed(self) -> None:
        """Forget who was there."""
        self._misplaced = ""
        self._end()
        self._channel.clear()

    def beat(self) -> None:
        """Ask the device for a sign of life."""
        self._channel.announce("PING")

    def feed(self, data: bytes) -> int:
        """Take the bytes that have come."""
        echoed = self._channel.echoed
        frames = self._channel.feed(data)
        self._echoes = self._channel.echoed > echoed
        self.stats.dropped = self._channel.decoder.dropped
        self.stats.resent = self._channel.resent
        return frames

    @property
    def babble_bytes(self) -> int:
        """How many bytes have come since the last good frame."""
        return self._channel.decoder.babble_bytes

    @property
    def problem(self) -> str:
        """Report it if the table cannot use what is plugged in here, or if that sends back."""
        unheard = _UNHEARD if self._channel.unheard else ""
        return self._misplaced or self._nonsense or (_ECHOES if self._echoes else unheard)

    # What the device says

    def _announced(self, text: str) -> None:
        match text.split():
            case ["HELLO", kind, version, session, *more] if is_session(session):
                if not more or self._on_hello is not None:
                    self._greeted(kind, version, int(session), tuple(more))
            case [word, *more] if word in self.hears and self._session is not None:
                self.hears[word](tuple(more))

    def _greeted(self, kind: str, version: str, session: int, more: tuple[str, ...]) -> None:
        self.version, self.greeted_session = version, session
        if kind != self._kind:
            # Only a kind that a device may have: anything else is noise.
            named = kind if kind.isalpha() and kind.islower() else "device of another kind"
            self._misplaced = f"a {NAMES.get(named, named)} is plugged in here: swap the plugs"
        else:
            self._misplaced = self._on_hello(more) if self._on_hello else ""
        if self._misplaced:
            self._end()
        elif session != self._session:
            self._nonsense = ""
            self._begin(session)

    def _begin(self, session: int) -> None:
        """Begin with a device that has just started, or was not there before."""
        self._session = session
        self._channel.clear()
        for hear in self.hears.values():
            hear(())
        for newest in self._newest.values():
            self._channel.send(newest)
        if self.on_session is not None:
            self.on_session()

    def _end(self) -> None:
        """Forget the device that was there, if one was."""
        if self._session is None:
            return
        self._session = None
        self._channel.clear()
        if self.on_session is not None:
            self.on_session()

    def _message(self, text: str, number: int) -> None:
        if self._session is None:
            self._channel.announce("PING")
            return
        if self.held:
            return
        frame = self._session * SESSION_FRAMES + number
        self.stats.repeated += frame == self._last_frame
        self._last_frame = frame
        self._on_message(text, frame)


def is_session(text: str) -> bool:
    """Return whether a text is the number of a session."""
    return text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS and int(text) > 0


def event_port(
    path: str, kind: str, event_of: EventOf, intake: Intake, nonsense: str = ""
) -> LinePort:
    """Open a port whose messages become events; each is acknowledged once it is handled.

    `nonsense` is what is wrong with a device that sends others, if that matters.
    """

    def on_message(text: str, frame: int) -> None:
        event = event_of(text, frame, intake.now_ms())
        if event is None:
            # Not the message itself: it could name a card.
            _log.warning("%s: a message of %d characters was not understood", kind, len(text))
            port.cannot_be_used(nonsense)
            port.acknowledge(frame)
        else:
            intake.put(event, partial(port.acknowledge, frame))

    port = LinePort(path, kind, on_message, intake)
    return port
