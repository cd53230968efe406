"""A board: which pin is which spot's sensor and lamp, what else has a pin, which port is which.

A board is a TOML file. Those that come with Underfelt are in `hw/boards/` and are part of
an installation; a table file names one of them, or a file of its own. What is wired to the
pins is described in `hw/README.md`; which spots a game needs is checked in `table_file.py`.
"""

from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from firmware.errors import BadInput
from firmware.settings import toml_file

BoardSeat = Annotated[int, Meta(ge=1, le=7)]

FIRST_PIN, LAST_PIN = 4, 27
_RESERVED = {
    0: "is reserved for identifying add-on boards",
    1: "is reserved for identifying add-on boards",
    2: "is the real-time clock's data line, and pulled up",
    3: "is the real-time clock's clock line, and pulled up",
}
_USABLE = f"use GPIO{FIRST_PIN} to GPIO{LAST_PIN}"

SERVICE_PINS = {
    "power_good": "power-good",
    "cover": "cover switch",
    "key": "key switch",
    "lamp_enable": "lamp enable",
}
"""The pins that belong to no spot, by key, and what is wired to them."""


class SpotPins(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pins of one coin spot."""

    seat: BoardSeat
    bet: str = "jackpot"
    sensor: int
    lamp: int


class ServicePins(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pins that belong to no spot; a board need not have any of them.

    High means: the supply is good, the cover is closed, the key is turned. The firmware
    toggles `lamp_enable` while it is alive; that alone enables the lamp drivers.
    """

    power_good: int | None = None
    cover: int | None = None
    key: int | None = None
    lamp_enable: int | None = None


class BoardPorts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The serial ports of the devices; `cards` is the shoe or the shuffler."""

    cards: str | None = None
    panel: str | None = None
    sign: str | None = None


class Line(Struct, frozen=True):
    """One used pin: its key in the file, what is wired to it, and whose it is."""

    gpio: int
    key: str
    what: str
    seat: int | None = None
    bet: str = ""


class Board(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A board, as its file describes it."""

    title: str
    spots: tuple[SpotPins, ...]
    pins: ServicePins = ServicePins()
    serial: BoardPorts = BoardPorts()

    def lines(self) -> Iterator[Line]:
        """Yield every used pin, spots first."""
        for entry, spot in enumerate(self.spots, 1):
            for what, gpio in (("sensor", spot.sensor), ("lamp", spot.lamp)):
                yield Line(gpio, f"spots.{what} (entry {entry})", what, spot.seat, spot.bet)
        for key, what in SERVICE_PINS.items():
            gpio = getattr(self.pins, key)
            if gpio is not None:
                yield Line(gpio, f"pins.{key}", what)

    def has_spots(self, seats: int, bets: tuple[str, ...]) -> bool:
        """Return whether the spots are exactly those of a game with this many seats."""
        wanted = {(seat, bet) for seat in range(1, seats + 1) for bet in bets}
        return {(spot.seat, spot.bet) for spot in self.spots} == wanted


def shipped() -> dict[str, Board]:
    """Return the boards that come with Underfelt, by name."""
    folder = resources.files("hw.boards")
    files = (file for file in folder.iterdir() if file.name.endswith(".toml"))
    return {
        file.name.removesuffix(".toml"): _read(file.name, file.read_text(encoding="utf-8"))
        for file in sorted(files, key=lambda file: file.name)
    }


def find(name: str, beside: Path) -> Board:
    """Return the shipped board of this name, or the one in a file relative to a folder."""
    if name.endswith(".toml"):
        path = beside / name
        return _checked(str(path), toml_file.read(path))
    file = resources.files("hw.boards") / f"{name}.toml"
    if name.isascii() and name.replace("-", "").isalnum() and file.is_file():
        return _read(file.name, file.read_text(encoding="utf-8"))
    boards = shipped()
    meant = toml_file.nearest(name, boards)
    remedy = f"did you mean {meant}?" if meant else f"use one of {', '.join(boards)}"
    raise BadInput("board", f"{name!a} is not a board; {remedy} (or the path of a .toml file)")


def _read(where: str, text: str) -> Board:
    return _checked(where, toml_file.parse(where, text))


def _checked(where: str, document: object) -> Board:
    board = toml_file.fit(where, document, Board, {})
    _check(where, board)
    return board


def _check(where: str, board: Board) -> None:
    seen: dict[tuple[int, str], int] = {}
    for entry, spot in enumerate(board.spots, 1):
        first = seen.setdefault((spot.seat, spot.bet), entry)
        if first != entry:
            reason = f"seat {spot.seat} has its {spot.bet} spot in entry {first}; remove one"
            raise BadInput(where, f"spots (entry {entry}): {reason}")
    taken: dict[int, str] = {}
    for line in board.lines():
        _check_pin(where, line)
        other = taken.setdefault(line.gpio, line.key)
        if other != line.key:
            reason = f"GPIO{line.gpio} is already used by {other}; give it a pin of its own"
            raise BadInput(where, f"{line.key}: {reason}")


def _check_pin(where: str, line: Line) -> None:
    if line.gpio in _RESERVED:
        raise BadInput(where, f"{line.key}: GPIO{line.gpio} {_RESERVED[line.gpio]}; {_USABLE}")
    if not FIRST_PIN <= line.gpio <= LAST_PIN:
        raise BadInput(where, f"{line.key}: the header has no GPIO{line.gpio}; {_USABLE}")
