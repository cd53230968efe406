"""Who operates a table under test: a person who is asked, or the simulator's hands."""

import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import typer

from firmware.rules.words import spaced
from host_tools.guided_test.checks import NotTestedError, TestedSpot
from host_tools.terminal import say

_HANDS_FILE = "hands.sock"
_LOOK_S = 0.1
_CLOSING_S = 120.0


class HumanOperator:
    """A person at the table who answers questions and moves chips."""

    patience_s = 60.0

    def sees_lamp(self, spot: TestedSpot, pattern: str) -> bool:
        """Ask whether a lamp is lit."""
        wanted = "lit" if pattern == "steady" else "dark"
        return typer.confirm(f"Is the lamp of {_place(spot)} {wanted}?", default=True)

    def reads(self, device: str, wanted: str) -> bool:
        """Ask for the number shown, so that nobody just says yes."""
        number = wanted.rsplit(maxsplit=1)[-1]
        return bool(typer.prompt(f"Which number does the {device} show?").strip() == number)

    def moves_chip(self, spot: TestedSpot, *, on: bool) -> None:
        """Ask for a chip."""
        say(f"{'Put a chip on' if on else 'Lift the chip from'} {_place(spot)} …")

    def presses_key(self) -> None:
        """Ask for a key."""
        say("Press OPEN on the panel …")

    def draws_card(self) -> None:
        """Ask for a card."""
        say("Have the shoe or shuffler read a card …")


class SimulatedHands:
    """The hands of the simulator (`sim/floor/hands.py`), over the socket in a table's folder."""

    patience_s = 20.0

    def __init__(self, folder: Path) -> None:
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
        self._does({"do": "press", "key": "CLOSETABLE"})
        if not self._sees(lambda seen: seen["code"] == "closed"):
            raise NotTestedError("--auto: the table does not close")

    def open_table(self) -> None:
        """Give the table back to its dealer."""
        self._does({"do": "press", "key": "OPENTABLE"})
        self._does({"do": "rest", "on": False})

    def sees_lamp(self, spot: TestedSpot, pattern: str) -> bool:
        """Watch a lamp until it does this."""
        seat, bet = spot
        return self._sees(lambda seen: seen["lamps"][f"{seat} {bet}"] == pattern)

    def reads(self, device: str, wanted: str) -> bool:
        """Read the panel or the sign."""
        if device == "sign":
            return self._sees(lambda seen: wanted in seen["sign"])
        return self._sees(lambda seen: wanted in " ".join(seen["panel"]))

    def moves_chip(self, spot: TestedSpot, *, on: bool) -> None:
        """Put a chip down, or lift it."""
        seat, bet = spot
        self._does({"do": "chip", "seat": seat, "bet": bet, "on": on})

    def presses_key(self) -> None:
        """Press a key: a table in service mode refuses it, but has received it."""
        self._does({"do": "press", "key": "OPEN"})

    def draws_card(self) -> None:
        """Draw a card."""
        self._does({"do": "draw"})

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


def _place(spot: TestedSpot) -> str:
    seat, bet = spot
    return f"seat {seat}" if bet == "jackpot" else f"seat {seat} ({spaced(bet)})"
