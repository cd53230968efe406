"""Which board a simulated table has: a shipped one that has its spots, or one that is written for it.

A game whose spots do not fit on a Pi's pins has a shipped spot board. A scenario may want one at any
table, or some of the spots on each.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from firmware.errors import BadInput
from firmware.rules.game import Game
from firmware.settings import board as boards
from firmware.settings.board import SPOT_BOARD_LINES
from firmware.table.effects import SpotKey
from firmware.table.settings import TableSettings

Wiring = Literal["", "spot board", "pins and spot board"]
"""What is wished for; nothing: pins where they suffice."""

FIRST_SENSOR_PIN = 4
FIRST_LAMP_PIN = 18
"""The pins of the first spot on every shipped board."""
MOST_SPOTS = 12
"""Room on a board that is not shipped: sensors on 4–15, lamps on 16–27."""
MOST_SPOTS_WITH_KEY = 11
_KEY_PIN = 27
"""The last lamp's, where there is room for a key: without one nobody can confirm anything."""
_SERVICE_PINS = "power_good = 5\ncover = 6\nkey = 13\nlamp_enable = 21\n"
"""As on the shipped spot boards."""
_SENSORS = range(14, 21)
_LAMPS = (*range(22, 28), 12)
"""What is left then, for every second spot."""


def most_seats(game: Game, wiring: Wiring = "") -> int:
    """Return how many seats of a game a shipped or a simulated board has room for, and for the key."""
    bets = tuple(game.jackpot_bets)
    high = game.positions[1]
    if wiring:
        return min(high, SPOT_BOARD_LINES // len(bets))
    fits = [MOST_SPOTS_WITH_KEY // len(bets)]
    fits += [n for n in range(1, high + 1) if _shipped(n, bets) is not None]
    return max(fits)


def is_on_spot_board(game: Game, seats: int) -> bool:
    """Return whether a table with so many seats has a spot board, if nobody has wished for one."""
    name = _shipped(seats, tuple(game.jackpot_bets))
    return name is not None and bool(boards.shipped()[name].on_board)


def board_name(
    settings: TableSettings, spots: Sequence[SpotKey], folder: Path, wiring: Wiring = ""
) -> str:
    """Return the shipped board that has these spots, or write one that does."""
    shipped = _shipped(settings.seats, tuple(settings.rules.jackpot_bets))
    if shipped is not None and not wiring:
        return shipped
    most = SPOT_BOARD_LINES if wiring else MOST_SPOTS
    if len(spots) > most:
        raise BadInput("seats", f"the simulated board has room for {most} spots")
    text = _with_spot_board(spots, wiring) if wiring else _on_pins(spots)
    (folder / "board.toml").write_text(f'title = "Simulated"\n{text}', encoding="utf-8")
    return "board.toml"


def _shipped(seats: int, bets: tuple[str, ...]) -> str | None:
    found = (name for name, board in boards.shipped().items() if board.has_spots(seats, bets))
    return next(found, None)


def _on_pins(spots: Sequence[SpotKey]) -> str:
    key = f"\n[pins]\nkey = {_KEY_PIN}\n" if len(spots) <= MOST_SPOTS_WITH_KEY else ""
    lines = (_on(spot, "sensor", 4 + n, "lamp", 16 + n) for n, spot in enumerate(spots))
    return key + "".join(lines)


def _with_spot_board(spots: Sequence[SpotKey], wiring: Wiring) -> str:
    """Write all of them on a spot board, or every second one on pins."""
    text = f"\n[pins]\n{_SERVICE_PINS}"
    for place, spot in enumerate(spots):
        if wiring == "pins and spot board" and place % 2:
            text += _on(spot, "sensor", _SENSORS[place // 2], "lamp", _LAMPS[place // 2])
        else:
            text += _on(spot, "input", place + 1, "output", place + 1)
    return text


def _on(spot: SpotKey, first: str, number: int, second: str, other: int) -> str:
    seat, bet = spot
    return f'\n[[spots]]\nseat = {seat}\nbet = "{bet}"\n{first} = {number}\n{second} = {other}\n'
