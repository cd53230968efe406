"""The table file: identity, limits, pins, ports, link, read strictly from TOML.

Whatever is wrong with it is one sentence that names the file and the key. Boards as
files of their own, and staff, come later.
"""

import tomllib
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from firmware.errors import BadInput
from firmware.link.mqtt import LinkSettings
from firmware.rules.contract import SeatNumber
from firmware.rules.games import find_game
from firmware.table.settings import TableSettings

Pin = Annotated[int, Meta(ge=2, le=27)]
_PULLED_UP = (2, 3)
"""The pins of the I²C bus have fixed resistors: a sensor that pulls up would always be on."""


class SpotPins(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pins of one coin spot."""

    seat: SeatNumber
    bet: str = "jackpot"
    sensor: Pin
    lamp: Pin


class SerialPorts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The serial devices of the table; `cards` is the shoe or the shuffler."""

    cards: str
    panel: str
    sign: str


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that the firmware has to know before it starts."""

    table: TableSettings
    journal: str
    """The folder of the journal, on a writable file system of its own."""
    spots: tuple[SpotPins, ...]
    serial: SerialPorts
    link: LinkSettings


def load(path: Path) -> Config:
    """Read a table file, or say what is wrong with it."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        config = msgspec.convert(document, Config)
        _check(config)
    except OSError as error:
        raise BadInput(str(path), f"cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(str(path), f"is not TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise BadInput(str(path), str(error)) from None
    except BadInput as error:
        raise BadInput(str(path), str(error)) from None
    return config


def _check(config: Config) -> None:
    table = config.table
    low, high = find_game(table.game).positions
    if not low <= table.seats <= high:
        raise BadInput("table.seats", f"{table.game} has {low} to {high} positions")
    if not 0 < table.ante_min_cents <= table.ante_max_cents:
        raise BadInput("table.ante_min_cents", "must be above zero, and not above ante_max_cents")
    ports = [config.serial.cards, config.serial.panel, config.serial.sign]
    if len(set(ports)) != len(ports):
        raise BadInput("serial", "one port is named for two devices")
    _check_spots(config)


def _check_spots(config: Config) -> None:
    seats, bets = config.table.seats, config.table.rules.jackpot_bets
    wanted = sorted((seat, bet) for seat in range(1, seats + 1) for bet in bets)
    if sorted((spot.seat, spot.bet) for spot in config.spots) != wanted:
        each = " and ".join(bets)
        raise BadInput("spots", f"the seats 1 to {seats} need one each for {each}")
    for spot in config.spots:
        if spot.sensor in _PULLED_UP:
            raise BadInput("spots.sensor", f"GPIO{spot.sensor} is pulled up on every board")
    pins = [pin for spot in config.spots for pin in (spot.sensor, spot.lamp)]
    for pin in pins:
        if pins.count(pin) > 1:
            raise BadInput("spots", f"GPIO{pin} is used twice")
