"""A serial port of the table: pyserial opens it, a `LineChannel` speaks on it.

Each message is handed on with its number and acknowledged when `acknowledge` is called,
which the runtime does once the event is on the disk. Reconnecting and fault counting are
not here yet.
"""

import serial

from firmware.devices.line_channel import LineChannel, OnMessage

BAUD = 115_200


class SerialPort(LineChannel):
    """One serial device that speaks the line protocol."""

    def __init__(self, path: str, on_message: OnMessage) -> None:
        """Open the port and read it from the running event loop."""
        self._port = serial.Serial(path, BAUD, timeout=0)
        super().__init__(self._port.fileno(), on_message)

    def close(self) -> None:
        """Stop reading and close the port."""
        super().close()
        self._port.close()
