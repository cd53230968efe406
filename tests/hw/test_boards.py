"""The shipped boards: every layout has one, and each can be built on a Pi's header.

Also the numbering of the header itself, against gpiozero's own knowledge of it.
"""

import re
import tomllib
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from gpiozero.pins.pi import PiBoardInfo

from firmware.devices.sensor_limits import SensorLimits
from firmware.link.settings import LinkSettings
from firmware.protocol.fault_catalogue import Role
from firmware.rules.games import GAMES
from firmware.settings.board import FIRST_PIN, LAST_PIN, SERVICE_PINS, Board, shipped
from firmware.settings.staff import EXAMPLE_HASHES, Staff, identify
from firmware.settings.table_file import HealthSettings, PortSettings, TableFile, load
from firmware.table.settings import TableSettings
from host_tools.check.header import FIXED, GPIO, POWER, HeaderPin, header
from host_tools.check.header_svg import draw
from host_tools.check.pico import pico, register

HW = Path(__file__).parents[2] / "hw"
BOARDS = shipped()
PULLED_UP_AT_START = range(9)
"""GPIO0 to GPIO8 are pulled up until the firmware runs: a lamp there would be driven."""
PI_4 = 0xC03111
ON_A_SPOT_BOARD = {name for name, board in BOARDS.items() if board.on_board}


def test_the_shipped_boards_are_the_files() -> None:
    assert set(BOARDS) == {path.stem for path in (HW / "boards").glob("*.toml")}
    assert len(BOARDS) == 8


@pytest.mark.parametrize(("game", "seats"), list(product(GAMES, (4, 5, 6, 7))))
def test_every_layout_has_one_board_on_the_header_if_that_has_lines_enough(
    game: str, seats: int
) -> None:
    bets = tuple(GAMES[game].jackpot_bets)
    (fitting,) = [name for name, board in BOARDS.items() if board.has_spots(seats, bets)]
    lines = 2 * seats * len(bets) + len(SERVICE_PINS)
    assert (fitting in ON_A_SPOT_BOARD) == (lines > LAST_PIN - FIRST_PIN + 1)


@pytest.mark.parametrize("name", sorted(ON_A_SPOT_BOARD))
def test_a_shipped_board_on_a_spot_board_has_one_input_and_output_for_each_spot(name: str) -> None:
    board = BOARDS[name]
    assert len(board.on_board) == len(board.spots)
    for place, spot in enumerate(sorted(board.on_board, key=lambda each: (each.seat, each.bet)), 1):
        assert (spot.input, spot.output) == (place, place)
    assert board.serial.spots == "/dev/underfelt/spots"
    assert {line.what for line in board.lines()} == set(SERVICE_PINS.values())


@pytest.mark.parametrize("name", sorted(set(BOARDS) - ON_A_SPOT_BOARD))
def test_a_shipped_board_can_be_built(name: str) -> None:
    board = BOARDS[name]
    lines = list(board.lines())
    assert len({line.number for line in lines}) == len(lines)
    assert {line.number for line in lines}.isdisjoint({0, 1, 2, 3})
    assert {line.number for line in lines if line.what == "lamp"}.isdisjoint(PULLED_UP_AT_START)
    assert {line.what for line in lines} == {"sensor", "lamp", *SERVICE_PINS.values()}
    assert None not in (board.serial.cards, board.serial.panel, board.serial.sign)


def test_a_seat_has_the_same_pins_on_every_board_so_that_one_cable_fits() -> None:
    first: dict[int, tuple[int, int]] = {}
    for board in BOARDS.values():
        for spot in board.on_pins:
            if spot.bet == "jackpot":
                pins = first.setdefault(spot.seat, (spot.sensor, spot.lamp))
                assert pins == (spot.sensor, spot.lamp)
        assert board.pins == BOARDS["pi-7-seats"].pins


# The header


def test_the_header_is_numbered_as_gpiozero_knows_it() -> None:
    headers = PiBoardInfo.from_revision(PI_4).headers.values()
    (real,) = [each for each in headers if each.rows == 20]
    known = {number: pin.name for number, pin in real.pins.items()}
    assert {number: f"GPIO{gpio}" for number, gpio in GPIO.items()} == {
        number: name for number, name in known.items() if name.startswith("GPIO")
    }
    assert {n: name for n, name in known.items() if not name.startswith("GPIO")} == POWER


@pytest.mark.parametrize("name", BOARDS)
def test_the_picture_shows_every_line_of_a_board_once(name: str) -> None:
    board = BOARDS[name]
    pins = list(header(board))
    assert [pin.number for pin in pins] == list(range(1, 41))
    assert {pin.name: pin.line for pin in pins if pin.line is not None} == {
        f"GPIO{line.number}": line for line in board.lines()
    }
    picture = draw(board, "Title", "Subtitle")
    numbers = [pin.number for part in parts_of(board) for pin in part]
    for pin in pins:
        assert picture.count(f">{pin.number}</text>") == numbers.count(pin.number)
    for label in {pin.label for pin in pins if pin.line is not None}:
        assert picture.count(f">{label}</text>") >= 1
    assert picture.count(">keep free</text>") == sum(gpio in FIXED for gpio in (0, 1))


def parts_of(board: Board) -> list[list[HeaderPin]]:
    """List the parts that are drawn of a board: the header, and a spot board's Pico and registers."""
    parts = [list(header(board))]
    if board.on_board:
        parts += [list(pico(board)), list(register(board, 1)), list(register(board, 2))]
    return parts


@pytest.mark.parametrize("name", sorted(ON_A_SPOT_BOARD))
def test_the_picture_shows_every_line_of_a_spot_board_once(name: str) -> None:
    board = BOARDS[name]
    _, chip, *registers = parts_of(board)
    assert [pin.number for pin in chip] == list(range(1, 41))
    inputs = {pin.name: pin.line.number for pin in chip if pin.line is not None}
    assert inputs == {f"GP{number - 1}": number for number in range(1, len(board.spots) + 1)}
    outputs = [
        pin.line.number
        for part in registers
        for pin in sorted(part, key=lambda pin: pin.name)
        if pin.line is not None
    ]
    assert outputs == list(range(1, len(board.spots) + 1))
    picture = draw(board, "Title", "Subtitle")
    for pin in (pin for part in (chip, *registers) for pin in part if pin.line is not None):
        assert picture.count(f">{pin.label}</text>") == 1


def test_the_committed_picture_of_a_spot_board_is_what_the_check_draws() -> None:
    board = BOARDS["spot-board-7-seats-two-spots"]
    drawn = draw(board, board.title, "mbs-singapore-stud, 7 seats")
    assert drawn == (HW / "spot-board.svg").read_text(encoding="utf-8")


# The example


def test_the_example_is_a_good_table_file_that_says_everything() -> None:
    config = load(HW / "table.example.toml")
    assert identify(config.staff, "1001", "2468") == config.staff[0]
    assert identify(config.staff, "2001", "246810") == config.staff[1]
    assert {each.pin for each in config.staff} == EXAMPLE_HASHES
    assert [each.role for each in config.staff] == list(get_args(Role))
    given = tomllib.loads(_uncommented())
    assert set(given) == set(TableFile.__struct_fields__)
    sections = {
        "table": TableSettings,
        "link": LinkSettings,
        "serial": PortSettings,
        "sensors": SensorLimits,
        "health": HealthSettings,
    }
    for name, kind in sections.items():
        assert set(given[name]) == set(kind.__struct_fields__), name
    assert {key for entry in given["staff"] for key in entry} == set(Staff.__struct_fields__)


def test_what_the_example_says_of_limits_and_patience_is_what_holds_without_it() -> None:
    config = load(HW / "table.example.toml")
    assert config.sensors == SensorLimits()
    assert config.health == HealthSettings()
    assert config.link == LinkSettings(host=config.link.host)


def test_every_setting_that_the_example_leaves_out_can_be_put_in(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    of_a_spot_board = re.compile(r"^spots = .*\n", re.MULTILINE)
    path.write_text(of_a_spot_board.sub("", _uncommented()), encoding="utf-8")
    config = load(path)
    assert config.watchdog
    assert config.link.ca
    assert config.link.fallback


def _uncommented() -> str:
    """Return the example with the settings that most tables leave out."""
    text = (HW / "table.example.toml").read_text(encoding="utf-8")
    return re.sub(r"^# (?=[a-z_]+ = )", "", text, flags=re.MULTILINE)


def test_the_committed_picture_is_what_the_check_draws() -> None:
    config = load(HW / "table.example.toml")
    table = config.table
    subtitle = f"Table {table.name}: {table.rules.title}, {table.seats} seats"
    drawn = draw(config.board, config.board.title, subtitle)
    assert drawn == (HW / "header.svg").read_text(encoding="utf-8"), "underfelt check --svg"
