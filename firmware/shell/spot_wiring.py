"""Which coin spots are wired to what, as the board file says: the one place where that is chosen."""

from gpiozero.pins import Factory
from msgspec import Struct

from firmware.devices.spot_board import PLACE, SpotBoard
from firmware.devices.spots import AllSpots, PinSpots, Spots
from firmware.protocol.fault_catalogue import FaultCode
from firmware.settings.table_file import TableFile
from firmware.table.effects import SpotKey
from firmware.table.events import FaultPassed
from firmware.table.intake import Intake

_OF_A_BOARD: tuple[FaultCode, ...] = (
    "device_gone",
    "device_babbles",
    "device_silent",
    "device_unfit",
    "spots_unknown",
)


class WiredSpots(Struct, frozen=True):
    """All spots, and the spot board if there is one."""

    all: AllSpots
    board: SpotBoard | None


def open_spots(file: TableFile, factory: Factory | None, intake: Intake) -> WiredSpots:
    """Open every coin spot with its lamp."""
    places: dict[SpotKey, Spots] = {}
    on_pins = {(spot.seat, spot.bet): (spot.sensor, spot.lamp) for spot in file.board.on_pins}
    if on_pins:
        places |= dict.fromkeys(on_pins, PinSpots(on_pins, factory, intake, file.sensors))
    on_board = {(each.seat, each.bet): (each.input, each.output) for each in file.board.on_board}
    board = None
    if on_board and file.serial.spots is not None:
        board = SpotBoard(file.serial.spots, on_board, intake, file.sensors)
        places |= dict.fromkeys(on_board, board)
    else:
        _pass_old_faults(intake)
    return WiredSpots(AllSpots(places), board)


def _pass_old_faults(intake: Intake) -> None:
    """End the faults of a spot board that the table no longer has."""
    for code in _OF_A_BOARD:
        intake.put(FaultPassed(at_ms=intake.now_ms(), code=code, where=PLACE))
