"""A spot board's port: the line protocol's, which also knows MicroPython's prompt when it sees it.

What the board says is in `spot_board.py`.
"""

from firmware.devices.line_channel import OnMessage
from firmware.devices.line_port import LinePort, OnHello
from firmware.table.intake import Intake

FLASH = "run 'underfelt board flash'"
"""What helps a board that runs another program, or none."""
_PROMPTS = (b">>> ", b"raw REPL")
_LONGEST_PROMPT = 8
_BARE = f"it shows MicroPython's prompt and runs no program: {FLASH}"


class SpotBoardPort(LinePort):
    """A spot board's port, which also knows MicroPython's prompt when it sees it."""

    def __init__(
        self, path: str, kind: str, on_message: OnMessage, intake: Intake, on_hello: OnHello
    ) -> None:
        self._tail = b""
        self._bare = False
        super().__init__(path, kind, on_message, intake, on_hello)

    def feed(self, data: bytes) -> int:
        """Take the bytes that have come; look for a prompt where no frames are."""
        frames = super().feed(data)
        seen = self._tail + data
        self._tail = b"" if frames else seen[-_LONGEST_PROMPT:]
        self._bare = not frames and (self._bare or any(each in seen for each in _PROMPTS))
        return frames

    @property
    def problem(self) -> str:
        """Report it if nobody runs the board's program."""
        return _BARE if self._bare else super().problem
