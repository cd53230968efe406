"""Raw serial traffic, written down with times and played back: for service alone.

A recording of a round would hold its cards, so the caller says at every byte whether it
may be made (service mode, no round under way), and it ends by itself when it may not. A
line of a recording is

    <milliseconds since 1970> <device> <'<' in or '>' out> <bytes as hex>

PINs that are keyed at the panel are struck out. Who gives the permission, and where the
file goes, is not decided here.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from firmware.devices.serial_port import Direction, Tap
from firmware.errors import BadInput, Refused

_PIN = re.compile(rb"(?<=KEY AUTH )[^*]*")
_LONGEST_LINE = 256


class Noted(Struct, frozen=True):
    """Some bytes of a recording."""

    at_ms: int
    device: str
    direction: Direction
    data: bytes

    def line(self) -> str:
        """Write it as a line of a recording."""
        return f"{self.at_ms} {self.device} {self.direction} {self.data.hex(' ')}\n"


class Recorder:
    """Writes down what passes over ports, as long as it may."""

    def __init__(
        self, path: Path, may_record: Callable[[], bool], now_ms: Callable[[], int]
    ) -> None:
        """Begin a recording in a new file, which only its owner may read."""
        if not may_record():
            raise Refused("Recording is possible in service mode only, while no round is on.")
        self._may_record = may_record
        self._now_ms = now_ms
        self._open_lines: dict[str, bytes] = {}
        path.touch(mode=0o600, exist_ok=False)
        self._file = path.open("w", encoding="ascii", buffering=1)

    def tap(self, device: str) -> Tap:
        """Make what listens to the port of a device."""

        def listen(direction: Direction, data: bytes) -> None:
            self._note(device, direction, data)

        return listen

    @property
    def ended(self) -> bool:
        """Whether the recording is closed, by whomever."""
        return self._file.closed

    def close(self) -> None:
        """End the recording."""
        self._open_lines.clear()
        self._file.close()

    def _note(self, device: str, direction: Direction, data: bytes) -> None:
        if self.ended:
            return
        if not self._may_record():
            self.close()
            return
        if device == "panel" and direction == "<":
            data = self._without_pins(data)
        if data:
            self._file.write(Noted(self._now_ms(), device, direction, data).line())

    def _without_pins(self, data: bytes) -> bytes:
        """Strike PINs out; so a line is noted when it is whole, or too long to be one."""
        held = self._open_lines.get("panel", b"") + data
        whole, newline, rest = held.rpartition(b"\n")
        if len(rest) > _LONGEST_LINE:
            whole, newline, rest = held, b"", b""
        self._open_lines["panel"] = rest
        return _PIN.sub(lambda pin: b"#" * len(pin[0]), whole + newline)


def read_recording(path: Path) -> list[Noted]:
    """Read a recording, or say which line is none of one."""
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except OSError as error:
        raise BadInput(str(path), f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(str(path), "is not a recording of serial traffic") from None
    return [_noted(f"{path}:{number}", line) for number, line in enumerate(lines, start=1)]


def _noted(where: str, line: str) -> Noted:
    match line.split(" ", 3):
        case [at_ms, device, ("<" | ">") as direction, data] if at_ms.isdecimal():
            try:
                return Noted(int(at_ms), device, direction, bytes.fromhex(data))
            except ValueError:
                pass
    raise BadInput(where, "is no line of a recording: time, device, < or >, bytes as hex")


def sent_by(device: str, recording: Iterable[Noted]) -> Iterator[tuple[float, bytes]]:
    """Give what a device has said, each with the seconds since the piece before it.

    Feed the bytes to a decoder to see what was understood, or write them to a
    pseudo-terminal, with the pauses, to see what a table does about them.
    """
    before_ms: int | None = None
    for noted in recording:
        if noted.device == device and noted.direction == "<":
            pause_ms = 0 if before_ms is None else max(0, noted.at_ms - before_ms)
            before_ms = noted.at_ms
            yield pause_ms / 1000, noted.data
