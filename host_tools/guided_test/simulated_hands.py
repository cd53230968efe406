"""The simulator's hands as the operator of a table under test, over the socket in its folder.

What they may do is in `sim/floor/hands.py`. They leave the table as they found it: chips,
switches, and closed if it was closed. A person at the table is in `operators.py`.
"""

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from host_tools.guided_test.checks import NotTestedError, TestedSpot, WhatNext

_HANDS_FILE = "hands.sock"
_LOOK_S = 0.1
_CLOSING_S = 120.0


class SimulatedHands:
    """The hands of the simulator."""

    patience_s = 20.0

    def __init__(self, folder: Path) -> None:
        self.meanwhile: Callable[[], object] = lambda: None
        self._found: dict[str, dict[str, Any]] = {}
        """How to put back what was moved, by the thing."""
        self._opens = False
        """Whether the table was open before."""
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(30.0)
        try:
            self._socket.connect(str(folder / _HANDS_FILE))
        except OSError:
            raise NotTestedError(
                "--auto: this simulated table has no hands; start it with underfelt-sim floor"
            ) from None
        self._lines = self._socket.makefile("rb")

    def close(self) -> None:
        """Hang up."""
        self._lines.close()
        self._socket.close()

    def close_table(self) -> None:
        """Close the table when its round is over."""
        self._does({"do": "rest", "on": True})
        if not self._sees(lambda seen: seen["code"] in {"idle", "closed"}, _CLOSING_S):
            raise NotTestedError("--auto: the round does not end, so the table cannot be closed")
        self._opens = self._does({"do": "look"})["code"] == "idle"
        self._does({"do": "press", "key": "CLOSETABLE"})
        if not self._sees(lambda seen: seen["code"] == "closed"):
            raise NotTestedError("--auto: the table does not close")

    def put_back(self) -> None:
        """Put back what was moved."""
        with suppress(NotTestedError):
            while self._found:
                self._does(self._found.popitem()[1])

    def leave(self) -> None:
        """Put everything back, and give the table back to its dealer."""
        self.put_back()
        with suppress(NotTestedError):
            # A tool that has hung up ends service mode a moment later.
            if self._opens and self._sees(lambda seen: seen["code"] == "closed"):
                self._does({"do": "press", "key": "OPENTABLE"})
            self._does({"do": "rest", "on": False})

    def sees_lamp(self, spot: TestedSpot, pattern: str) -> bool:
        """Watch a lamp until it does this."""
        seat, bet = spot
        return self._sees(lambda seen: seen["lamps"][f"{seat} {bet}"] == pattern)

    def sees_all_lamps(self, pattern: str) -> bool:
        """Watch all lamps until they do this."""
        return self._sees(lambda seen: {*seen["lamps"].values()} == {pattern})

    def reads(self, device: str, wanted: str) -> bool:
        """Read the panel or the sign."""
        if device == "sign":
            return self._sees(lambda seen: wanted in seen["sign"])
        return self._sees(lambda seen: wanted in " ".join(seen["panel"]))

    def moves_chip(self, spot: TestedSpot, *, on: bool) -> None:
        """Put a chip down, or lift it."""
        seat, bet = spot
        self._moves(f"chip {spot}", {"do": "chip", "seat": seat, "bet": bet}, on=on)

    def moves_switch(self, switch: str, *, on: bool) -> None:
        """Move a switch."""
        self._moves(switch, {"do": "switch", "switch": switch}, on=on)

    def has_hold_up(self) -> bool:
        """Say yes: a simulated table runs on without its main supply."""
        return True

    def presses_key(self) -> None:
        """Press a key: a table in service mode refuses it, but has received it."""
        self._does({"do": "press", "key": "OPEN"})

    def draws_card(self) -> None:
        """Draw a card."""
        self._does({"do": "draw"})

    def gives_up(self) -> bool:
        """Wait as long as it takes."""
        return False

    def after_failure(self, sentence: str) -> WhatNext:  # noqa: ARG002  # a person reads it
        """Let it have failed: simulated hands get nothing right the second time."""
        return "fail"

    def _moves(self, what: str, move: dict[str, Any], *, on: bool) -> None:
        # What is moved for the first time was the other way before.
        self._found.setdefault(what, {**move, "on": not on})
        self._does({**move, "on": on})

    def _sees(
        self, wanted: Callable[[dict[str, Any]], bool], patience_s: float | None = None
    ) -> bool:
        ends_s = time.monotonic() + (patience_s or self.patience_s)
        while not wanted(self._does({"do": "look"})):
            if time.monotonic() >= ends_s:
                return False
            time.sleep(_LOOK_S)
        return True

    def _does(self, move: dict[str, Any]) -> dict[str, Any]:
        try:
            self._socket.sendall(msgspec.json.encode(move) + b"\n")
            line = self._lines.readline()
        except OSError:
            line = b""
        if not line:
            raise NotTestedError("--auto: the simulator has gone")
        seen: dict[str, Any] = msgspec.json.decode(line)
        if "error" in seen:
            return self._does({"do": "look"})  # the device is missing; the test finds out
        return seen
