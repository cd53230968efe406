"""What the shared modules say, in JSON, so that both interpreters can be asked the same.

Imported by CPython's tests, and run by MicroPython: `answers.py ROOT` answers each line of its standard input, a
list of a function's name and its arguments. Bytes are written in hex.
"""

import binascii
import json
import sys

if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])

from firmware.devices.lamp_patterns import is_lit, next_change_ms
from firmware.devices.line import Decoder, Frame, decode, encode
from firmware.devices.sensing import SensorWatch
from firmware.spot_board.limits import read_limits

TYPE_CHECKING = False  # MicroPython has no module `typing`
if TYPE_CHECKING:
    from firmware.devices.line import FrameKind
    from firmware.table.effects import Pattern


def findings(
    limits: str, events: "list[tuple[int, int]]"
) -> "list[tuple[int, list[str], int | None, str]]":
    """Say what a sensor is found to do: an event is how much later it is, and a level or a look."""
    watch = SensorWatch(read_limits(limits))  # type: ignore[arg-type]  # the same attributes
    at_ms = 0
    said: list[tuple[int, list[str], int | None, str]] = []
    for later_ms, level in events:
        at_ms += later_ms
        if level >= 0:
            watch.edge(bool(level), at_ms)
        found = [str(news) for news in watch.look(at_ms)]
        said.append((at_ms, found, watch.next_look_ms, watch.chatter_words))
    return said


def encoded(kind: "FrameKind", number: int, text: str) -> str:
    """Write a frame."""
    return binascii.hexlify(encode(Frame(kind, number, text))).decode()


def decoded(line: str) -> "list[object] | None":
    """Read a line."""
    frame = decode(binascii.unhexlify(line))
    return None if frame is None else [frame.kind, frame.number, frame.text]


def cut(pieces: "list[str]") -> "list[object]":
    """Cut a stream into frames; say what was dropped after each piece."""
    decoder = Decoder()
    said: list[object] = []
    for piece in pieces:
        frames = decoder.feed(binascii.unhexlify(piece))
        said.extend([[frame.kind, frame.number, frame.text] for frame in frames])
        said.append([decoder.dropped, decoder.babble_bytes])
    return said


def lamp(pattern: "Pattern", into_ms: int) -> "list[object]":
    """Say what a lamp does this far into its pattern."""
    return [is_lit(pattern, into_ms), next_change_ms(pattern, into_ms)]


FUNCTIONS = {
    "findings": findings,
    "encoded": encoded,
    "decoded": decoded,
    "cut": cut,
    "lamp": lamp,
}

if __name__ == "__main__":
    while line := sys.stdin.readline():
        name, *arguments = json.loads(line)
        print(json.dumps(FUNCTIONS[name](*arguments)))  # type: ignore[operator]  # noqa: T201  # its answer
