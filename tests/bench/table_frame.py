"""Measures from a frame on a pseudo-terminal to its event in the inbox.

Beside it the least that can be done with the same bytes on the same kind of line: a
reader callback of the event loop. Both ends are in this process, so that nothing but the
line and the callbacks is measured.
"""

import asyncio
import os
import tty
from collections.abc import Callable
from time import perf_counter

from firmware.devices.angel_eye import card_byte
from firmware.devices.angel_eye import encode as encode_report
from firmware.devices.card_source import CardProtocol, card_source_port
from firmware.devices.line import Frame, encode
from firmware.table.events import CardDrawn, Event

ROUNDS = 5_000
BARE = "a reader callback alone"
_READ_BYTES = 65_536
_REPORT = bytes([0x44, 0x11, card_byte("As")])
_KINDS: dict[str, tuple[CardProtocol, Callable[[int], bytes]]] = {
    "Underfelt, line protocol": (
        "line",
        lambda number: encode(Frame("message", number % 999 + 1, "CARD As")),
    ),
    "Underfelt, Angel Eye": (
        "angel-eye",
        lambda number: encode_report(0x30 + number % 10, _REPORT),
    ),
}


class Line:
    """A pseudo-terminal; `seconds` writes to it and waits until somebody says `seen`."""

    def __init__(self) -> None:
        self.far, self.near = os.openpty()
        tty.setraw(self.near)
        os.set_blocking(self.near, False)
        self._seen: asyncio.Future[float] | None = None

    def seen(self) -> None:
        """Note the time: what was written has arrived."""
        if self._seen is not None and not self._seen.done():
            self._seen.set_result(perf_counter())

    async def seconds(self, data: bytes) -> float:
        """Write bytes, and give how long it took until they were seen."""
        self._seen = asyncio.get_running_loop().create_future()
        started = perf_counter()
        os.write(self.far, data)
        return await self._seen - started


class _Shell:
    """Where the inbox stands: it notes when an event arrives, and acknowledges its frame."""

    def __init__(self, line: Line) -> None:
        self._line = line

    def now_ms(self) -> int:
        return 1

    def put(self, event: Event, afterwards: Callable[[], None] | None = None) -> None:
        if isinstance(event, CardDrawn):
            self._line.seen()
        if afterwards is not None:
            afterwards()

    def from_thread(self, callback: Callable[[], None]) -> None:
        raise NotImplementedError


async def latencies() -> dict[str, list[float]]:
    """Give the seconds of every frame, by who read it; all take turns."""
    loop = asyncio.get_running_loop()
    bare = Line()

    def readable() -> None:
        os.read(bare.near, _READ_BYTES)
        bare.seen()

    loop.add_reader(bare.near, readable)
    lines = {name: Line() for name in _KINDS}
    ports = {
        name: card_source_port(protocol, os.ttyname(lines[name].near), "shoe", _Shell(lines[name]))
        for name, (protocol, _) in _KINDS.items()
    }
    hello = encode(Frame("announcement", 0, "HELLO shoe 1.0 1"))
    os.write(lines["Underfelt, line protocol"].far, hello)
    await asyncio.sleep(0.1)
    measured: dict[str, list[float]] = {name: [] for name in (BARE, *_KINDS)}
    for number in range(ROUNDS):
        for name, (_, data) in _KINDS.items():
            measured[name].append(await lines[name].seconds(data(number)))
        measured[BARE].append(await bare.seconds(encode(Frame("message", 1, "CARD As"))))
        if number % 100 == 0:
            _drain(lines["Underfelt, line protocol"].far)
    loop.remove_reader(bare.near)
    for port in ports.values():
        port.close()
    # The first frames fill the caches.
    return {name: found[ROUNDS // 10 :] for name, found in measured.items()}


def _drain(descriptor: int) -> None:
    """Read the acknowledgements away, so that the line does not fill up."""
    os.set_blocking(descriptor, False)
    try:
        os.read(descriptor, _READ_BYTES)
    except BlockingIOError:
        return
    finally:
        os.set_blocking(descriptor, True)
