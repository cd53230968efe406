"""A simulated serial device: the far end of a pseudo-terminal, speaking the line protocol.

Acknowledges what the table sends and repeats what the table does not acknowledge, as a
real device does. Not simulated: baud rate, lost or damaged bytes, unplugging.
"""

import os
import tty
from collections.abc import Callable

from firmware.devices.line_channel import LineChannel


class LineDevice:
    """One device; `path` is what the table opens."""

    def __init__(self, on_message: Callable[[str], None]) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._on_message = on_message
        self._channel = LineChannel(self._master, self._take)

    async def send(self, text: str) -> None:
        """Send a message and wait until the table has acknowledged it."""
        self._channel.send(text)
        await self._channel.all_acknowledged()

    def close(self) -> None:
        """Unplug the device."""
        self._channel.close()
        os.close(self._master)
        os.close(self._slave)

    def _take(self, text: str, number: int) -> None:
        self._channel.acknowledge(number)
        self._on_message(text)
