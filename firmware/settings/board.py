"""A board: what each spot's sensor and lamp are wired to, what else has a pin, which port is which.

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


SPOT_BOARD_LINES = 14
"""How many inputs and outputs a spot board has."""
SPOT_BOARD_EDGES = 500
"""How many changes of each sensor it can remember."""
SPOT_BOARD_MOST = 999_999_999
"""The largest limit that it reads."""
_WANTED = {
    "sensor": "the GPIO of the sensor",
    "lamp": "the GPIO of the lamp",
    "input": f"the spot board's input, 1 to {SPOT_BOARD_LINES}",
    "output": f"the spot board's output, 1 to {SPOT_BOARD_LINES}",
}


class SpotLines(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one coin spot is wired to: a pair of pins, or a pair of lines of the spot board."""

    seat: BoardSeat
    bet: str = "jackpot"
    sensor: int | None = None
    lamp: int | None = None
    input: int | None = None
    output: int | None = None


class SpotPins(Struct, frozen=True):
    """A coin spot on pins."""

    seat: int
    bet: str
    sensor: int
    lamp: int


class BoardSpot(Struct, frozen=True):
    """A coin spot on the spot board."""

    seat: int
    bet: str
    input: int
    output: int


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
    spots: str | None = None
    """The spot board, if any spot is on one."""


class Line(Struct, frozen=True):
    """One used pin, or one used line of the spot board: its key, what is wired to it, whose it is."""

    number: int
    key: str
    what: str
    seat: int | None = None
    bet: str = ""


class Board(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A board, as its file describes it."""

    title: str
    spots: tuple[SpotLines, ...]
    pins: ServicePins = ServicePins()
    serial: BoardPorts = BoardPorts()

    @property
    def on_pins(self) -> tuple[SpotPins, ...]:
        """The spots that are on pins."""
        return tuple(
            SpotPins(spot.seat, spot.bet, spot.sensor, spot.lamp)
            for spot in self.spots
            if spot.sensor is not None and spot.lamp is not None
        )

    @property
    def on_board(self) -> tuple[BoardSpot, ...]:
        """The spots that are on the spot board."""
        return tuple(
            BoardSpot(spot.seat, spot.bet, spot.input, spot.output)
            for spot in self.spots
            if spot.input is not None and spot.output is not None
        )

    def lines(self) -> Iterator[Line]:
        """Yield every used pin, spots first."""
        yield from self._lines_of("sensor", "lamp")
        for key, what in SERVICE_PINS.items():
            gpio = getattr(self.pins, key)
            if gpio is not None:
                yield Line(gpio, f"pins.{key}", what)

    def spot_board_lines(self) -> Iterator[Line]:
        """Yield every used input and output of the spot board."""
        yield from self._lines_of("input", "output")

    def _lines_of(self, *keys: str) -> Iterator[Line]:
        for entry, spot in enumerate(self.spots, 1):
            for key in keys:
                number = getattr(spot, key)
                if number is not None:
                    yield Line(number, f"spots.{key} (entry {entry})", key, spot.seat, spot.bet)

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
        _check_pair(where, entry, spot)
        first = seen.setdefault((spot.seat, spot.bet), entry)
        if first != entry:
            reason = f"seat {spot.seat} has its {spot.bet} spot in entry {first}; remove one"
            raise BadInput(where, f"spots (entry {entry}): {reason}")
    taken: dict[int, str] = {}
    for line in board.lines():
        _check_pin(where, line)
        other = taken.setdefault(line.number, line.key)
        if other != line.key:
            reason = f"GPIO{line.number} is already used by {other}; give it a pin of its own"
            raise BadInput(where, f"{line.key}: {reason}")
    _check_spot_board(where, board)


def _check_pair(where: str, entry: int, spot: SpotLines) -> None:
    """Check that a spot has one pair, and all of it."""
    pairs = (("sensor", "lamp"), ("input", "output"))
    given = [[key for key in pair if getattr(spot, key) is not None] for pair in pairs]
    if all(given):
        both = f"{given[0][0]} and {given[1][0]}"
        reason = f"has {both}; give it the two pins, or input and output of the spot board"
        raise BadInput(where, f"spots (entry {entry}): {reason}")
    if not any(given):
        reason = "is wired to nothing; add sensor and lamp, or input and output of the spot board"
        raise BadInput(where, f"spots (entry {entry}): {reason}")
    for pair, keys in zip(pairs, given, strict=True):
        missing = [key for key in pair if key not in keys]
        if keys and missing:
            reason = f"is missing beside {keys[0]}; add {_WANTED[missing[0]]}"
            raise BadInput(where, f"spots.{missing[0]} (entry {entry}): {reason}")


def _check_pin(where: str, line: Line) -> None:
    if line.number in _RESERVED:
        raise BadInput(where, f"{line.key}: GPIO{line.number} {_RESERVED[line.number]}; {_USABLE}")
    if not FIRST_PIN <= line.number <= LAST_PIN:
        raise BadInput(where, f"{line.key}: the header has no GPIO{line.number}; {_USABLE}")


def _check_spot_board(where: str, board: Board) -> None:
    taken: dict[tuple[str, int], str] = {}
    for line in board.spot_board_lines():
        if not 1 <= line.number <= SPOT_BOARD_LINES:
            reason = f"the spot board has no {line.what} {line.number}; use 1 to {SPOT_BOARD_LINES}"
            raise BadInput(where, f"{line.key}: {reason}")
        other = taken.setdefault((line.what, line.number), line.key)
        if other != line.key:
            reason = f"{line.what} {line.number} is already used by {other}; give it one of its own"
            raise BadInput(where, f"{line.key}: {reason}")
