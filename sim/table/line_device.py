"""A simulated serial device that speaks the line protocol: shoe, shuffler, panel or sign.

Acknowledges what the table sends, repeats what the table does not acknowledge, answers
`PING` with `HELLO`, and announces itself when it starts, as a real device does. A shoe or
shuffler keeps across its own restart what the table has not acknowledged, and sends it again. What
can go wrong with a device's bytes and its plug is in `pty_port.py`. Not simulated: what a device
does while the table is gone.
"""

from collections.abc import Callable
from pathlib import Path
from random import SystemRandom

from firmware.devices.line import DEVICE_NUMBERS
from firmware.devices.line_channel import LineChannel
from sim.table.pty_port import PluggedDevice

DEVICE_VERSION = "1.0"
_random = SystemRandom()
_KEEPS = frozenset({"shoe", "shuffler"})
"""The kinds that have non-volatile memory for one message."""


class LineDevice(PluggedDevice):
    """One device; `path` is what the table opens."""

    def __init__(
        self,
        on_message: Callable[[str], None],
        kind: str = "panel",
        link: Path | None = None,
        seed: int = 0,
        more: str = "",
    ) -> None:
        """Plug the device in; `more` is what its kind adds to the greeting."""
        self.kind = kind
        self._more = more
        self._on_message = on_message
        super().__init__(self._heard, link, seed)
        self._begin()

    def listen(self, tap: Callable[[bytes], None]) -> None:
        """Add a listener for every byte that comes from the table."""
        self._port.tap = tap

    async def send(self, text: str) -> None:
        """Send a message and wait until the table has acknowledged it."""
        self._channel.send(text)
        waited_for = None
        while waited_for is not self._channel:  # a restart begins anew
            waited_for = self._channel
            await waited_for.all_acknowledged()

    def restart(self, *, marks: bool = True) -> None:
        """Switch the device off and on: it counts from 1 again.

        What was waiting is lost, but for the one message that a shoe or shuffler keeps; a device
        that does not `marks` it sends it like a new one.
        """
        before, session = self._channel, self._session
        kept = before.in_flight if self.kind in _KEEPS else None
        self._begin()
        before.clear()
        if kept is not None:
            first = marks and not kept.text.startswith("AGAIN ")
            self._channel.send(f"AGAIN {session} {kept.number} {kept.text}" if first else kept.text)

    def close(self) -> None:
        """Take the device away for good."""
        self._channel.close()
        super().close()

    def _begin(self) -> None:
        # Never one that this table has heard before, of a device of an earlier floor in its folder: what
        # has the session and the number of an earlier message is taken for a repetition of that one.
        self._session = _random.randrange(1, 10**9)
        self._channel = LineChannel(self._port.write, self._take, self._announced, DEVICE_NUMBERS)
        self._hello()

    def _hello(self) -> None:
        words = f"HELLO {self.kind} {DEVICE_VERSION} {self._session} {self._more}"
        self._channel.announce(words.rstrip())

    def _heard(self, data: bytes) -> None:
        self._channel.feed(data)

    def _announced(self, text: str) -> None:
        if text == "PING":
            self._hello()

    def _take(self, text: str, number: int) -> None:
        self._channel.acknowledge(number)
        self._on_message(text)
