"""Asks whoever is at the end of a cable who he is, and what he senses.

A spot board answers `=PING` with its greeting. Another device answers with another, MicroPython without a
program shows its prompt, and what is none of these is silent or makes no sense. What follows from it is in
`judging.py`.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Literal

from msgspec import Struct

from firmware.devices.line import Decoder, Frame, encode
from firmware.devices.spot_texts import Readings, SpotGreeting, greeting_of, readings_of
from host_tools.board.cable import Cable, Port, PortError

KIND = "spots"
ASK_S = 0.5
PATIENCE_S = 4.0
"""Longer than a board needs that has just begun to hang."""
PROMPT = b">>> "
_PROMPTS = (PROMPT, b"raw REPL")
_LEAVE_RAW_REPL = b"\r\x02\r\n"
"""Brings MicroPython to its prompt, whatever it is in; an empty line to everybody else."""
_HELLO_WORDS = 4
_SESSION_DIGITS = 9
_MOST_TOLD = 200
Who = Literal["board", "other", "prompt", "noise", "silent"]


class Heard(Struct, frozen=True, kw_only=True):
    """Who has answered, and what of it."""

    who: Who
    kind: str = ""
    """What kind of device has greeted."""
    session: int = 0
    greeting: SpotGreeting | None = None
    told: str = ""
    """The end of what made no sense."""


class BoardLine:
    """An open cable, on which lines are said and heard; opened anew if the port vanishes."""

    def __init__(self, cable: Cable) -> None:
        self.cable = cable
        self._decoder = Decoder()
        self._port: Port | None = None

    def open(self) -> Port:
        """Open the port, unless it is open."""
        if self._port is None:
            self._decoder.reset()
            self._port = self.cable.open()
        return self._port

    def close(self) -> None:
        """Let the port go; a board that was unplugged has taken it away already."""
        port, self._port = self._port, None
        if port is not None:
            with suppress(OSError):
                port.close()

    def say(self, text: str) -> None:
        """Announce something."""
        self._write(encode(Frame("announcement", 0, text)))

    def ask_who(self, within_s: float = PATIENCE_S) -> Heard:
        """Ask who is there until a device greets, a prompt is seen, or the time is over."""
        rounds = _Rounds(self.cable, within_s)
        told = b""
        for is_due in rounds:
            if is_due:
                # A prompt first: the line behind it must find no half line.
                self._write(_LEAVE_RAW_REPL if rounds.asked > 1 else b"\n")
                self.say("PING")
            data = self._read()
            for frame in self._decoder.feed(data):
                heard = _greeted(frame)
                if heard is not None:
                    return heard
            told = (told + data)[-_MOST_TOLD:]
            if any(prompt in told for prompt in _PROMPTS):
                return Heard(who="prompt")
        words = told.decode("ascii", "replace")
        return Heard(who="noise" if told.strip() else "silent", told=words)

    def ask_again(self, after_s: float) -> Heard:
        """Ask again after a time; what was said until then does not count."""
        self.cable.wait(after_s)
        port = self.open()
        while waiting := port.in_waiting:
            port.read(waiting)
        self._decoder.reset()
        return self.ask_who()

    def ask_readings(self, within_s: float = 2.0) -> Readings | None:
        """Ask for the bare levels and edges."""
        for is_due in _Rounds(self.cable, within_s):
            if is_due:
                self.say("READ")
            for frame in self._decoder.feed(self._read()):
                word, *words = frame.text.split() or [""]
                if frame.kind == "announcement" and word == "READINGS":
                    return readings_of(tuple(words))
        return None

    def release(self, session: int, within_s: float = 3.0) -> bool:
        """Ask the board to end its program and give the line up; return whether MicroPython shows its prompt."""
        told = b""
        for is_due in _Rounds(self.cable, within_s):
            if is_due:
                self.say(f"RELEASE {session}")
            told = (told + self._read())[-_MOST_TOLD:]
            if PROMPT in told:
                return True
        return False

    def wait_for_greeting(self, within_s: float, is_it: Callable[[Heard], bool]) -> Heard | None:
        """Wait for the greeting of a board that is being reset; its port may vanish meanwhile."""
        end_s = self.cable.now_s() + within_s
        while (left_s := end_s - self.cable.now_s()) > 0:
            try:
                self.open()
                heard = self.ask_who(min(left_s, 2 * ASK_S))
            except PortError as error:
                if error.trouble not in ("missing", "bootsel", "forbidden"):  # udev is not done yet
                    raise
                self.cable.wait(0.1)
                continue
            except OSError:
                self.close()
                self.cable.wait(0.1)
                continue
            if is_it(heard):
                return heard
        return None

    def _read(self) -> bytes:
        port = self.open()
        return port.read(max(port.in_waiting, 1))

    def _write(self, data: bytes) -> None:
        self.open().write(data)


class _Rounds:
    """Rounds of reading until a time is over; now and then it is due to ask."""

    def __init__(self, cable: Cable, within_s: float) -> None:
        self._cable = cable
        self._end_s = cable.now_s() + within_s
        self.asked = 0

    def __iter__(self) -> Iterator[bool]:
        due_s = self._cable.now_s()
        while (now_s := self._cable.now_s()) < self._end_s:
            is_due = now_s >= due_s
            if is_due:
                due_s = now_s + ASK_S
                self.asked += 1
            yield is_due


def _greeted(frame: Frame) -> Heard | None:
    words = frame.text.split()
    if frame.kind != "announcement" or words[:1] != ["HELLO"] or len(words) < _HELLO_WORDS:
        return None
    _, kind, version, session, *rest = words
    if not (session.isascii() and session.isdecimal() and len(session) <= _SESSION_DIGITS):
        return None
    greeting = greeting_of(version, tuple(rest)) if kind == KIND else None
    return Heard(
        who="board" if kind == KIND else "other", kind=kind, session=int(session), greeting=greeting
    )
