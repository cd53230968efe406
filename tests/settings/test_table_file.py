"""The table file and the board file: good ones load, and every mistake is one sentence.

The mistakes and their sentences are in `bad_table_files.py`. Also that `underfelt-table` says them in one line and leaves. What settings do is tested
where they are used; the boards that are shipped are looked at in `tests/hw`.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.errors import BadInput
from firmware.link.mqtt import LinkSettings
from firmware.settings.board import Board, BoardPorts, BoardSpot, ServicePins, SpotLines
from firmware.settings.staff import Staff
from firmware.settings.table_file import PortSettings, TableFile, load
from firmware.table.settings import TableSettings
from tests.settings.bad_table_files import (
    BOARD,
    BOARD_MISTAKES,
    GOOD,
    HASHED,
    MISTAKES,
    STAFF,
    changed,
    swapped,
)

COMMAND = Path(sys.executable).with_name("underfelt-table")

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a table file."""

    def written(text: str) -> Path:
        path = tmp_path / "T1.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def on_board(write: Write, text: str) -> Path:
    """Write a table file that names a board file beside it, and that file."""
    path = write(changed('"pi-4-seats"', '"board.toml"'))
    path.with_name("board.toml").write_text(text, encoding="utf-8")
    return path


def complaint(path: Path, about: Path | None = None) -> str:
    """Load a file that cannot be accepted, and give the one sentence about it or its board."""
    with pytest.raises(BadInput) as caught:
        load(path)
    text = str(caught.value)
    assert text.startswith(f"{about or path}: ")
    assert text.isprintable()
    return text.removeprefix(f"{about or path}: ")


# A good file


def test_a_good_file_is_what_it_says(write: Write) -> None:
    path = on_board(write, BOARD)
    path.write_text(path.read_text(encoding="utf-8") + STAFF, encoding="utf-8")
    assert load(path) == TableFile(
        table=TableSettings(
            name="T1",
            game="rws-multilink-stud",
            seats=4,
            ante_min_cents=2_500,
            ante_max_cents=100_000,
            jackpot_bet_cents=500,
        ),
        journal="/var/lib/underfelt",
        board=Board(
            title="A board of our own",
            spots=(
                SpotLines(seat=1, sensor=4, lamp=16),
                SpotLines(seat=2, sensor=5, lamp=17),
                SpotLines(seat=3, sensor=6, lamp=18),
                SpotLines(seat=4, sensor=7, lamp=19),
            ),
            pins=ServicePins(power_good=12, cover=13),
            serial=BoardPorts(cards="/dev/shoe", panel="/dev/panel", sign="/dev/sign"),
        ),
        serial=PortSettings(cards="/dev/shoe", panel="/dev/panel", sign="/dev/sign"),
        link=LinkSettings(host="jackpot.example", port=1883, root="underfelt"),
        staff=(
            Staff(number="1001", name="A. Tan", role="dealer", pin=HASHED),
            Staff(number="2001", name="B. Lim", role="pit_supervisor", pin=HASHED),
        ),
    )


def test_a_shipped_board_is_found_by_its_name(write: Write) -> None:
    config = load(write(GOOD))
    assert (
        config.board.title == "Four seats, one coin spot per seat, on the header of a Raspberry Pi"
    )
    assert config.serial.panel == "/dev/underfelt/panel"
    assert config.pins.lamp_enable == 21


@pytest.mark.parametrize("layout", ["", "C", "D"])
def test_a_layout_has_as_many_positions_as_its_appendix_says(write: Write, layout: str) -> None:
    """Megalink, appendices: A and B have 5 to 7 positions, C and D have 4 to 6."""
    text = GOOD.replace("rws-multilink-stud", "mbs-megalink-stud")
    file = load(write(text.replace("seats = 4", f'seats = 4\nlayout = "{layout}"')))
    assert (file.table.layout, file.table.seats) == (layout, 4)


def test_a_board_file_may_lie_elsewhere(write: Write, tmp_path: Path) -> None:
    board = tmp_path / "boards" / "ours.toml"
    board.parent.mkdir()
    board.write_text(BOARD, encoding="utf-8")
    for name in ("boards/ours.toml", str(board)):
        path = write(changed('"pi-4-seats"', f'"{name}"'))
        assert load(path).board.title == "A board of our own"


def test_a_port_of_the_table_file_goes_before_the_board_s(write: Write) -> None:
    text = GOOD + '[serial]\ncards = "/dev/ttyACM0"\ncard_protocol = "angel-eye"\n'
    assert load(write(text)).serial == PortSettings(
        cards="/dev/ttyACM0",
        panel="/dev/underfelt/panel",
        sign="/dev/underfelt/sign",
        card_protocol="angel-eye",
    )


def test_a_table_without_a_card_reader_needs_no_port_for_it(write: Write) -> None:
    config = load(write(changed("seats = 4", 'seats = 4\ncard_source = "manual"')))
    assert config.serial.cards is None
    assert config.table.card_source == "manual"


# Mistakes


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence_with_file_key_and_remedy(write: Write, mistake: str) -> None:
    text, sentence = MISTAKES[mistake]
    assert complaint(write(text)) == sentence


@pytest.mark.parametrize("mistake", BOARD_MISTAKES)
def test_a_mistake_in_a_board_file_names_the_board_file(write: Write, mistake: str) -> None:
    text, sentence = BOARD_MISTAKES[mistake]
    path = on_board(write, text)
    assert complaint(path, path.with_name("board.toml")) == sentence


@pytest.mark.parametrize("part", ["table", "link"])
def test_a_part_missing_is_told_with_its_keys(write: Write, part: str) -> None:
    text = GOOD[: GOOD.index("[link]")] if part == "link" else swapped(GOOD, "[table]", "[tables]")
    sentence = complaint(write(text))
    if part == "link":
        assert sentence.startswith("link: is missing; add a section with host, port, ")
    else:
        assert sentence == "tables: is not a known key; did you mean table?"


@pytest.mark.parametrize("device", ["cards", "panel", "sign"])
def test_a_port_that_neither_file_has_is_missing(write: Write, device: str) -> None:
    board = "".join(line for line in BOARD.splitlines(keepends=True) if not line.startswith(device))
    assert complaint(on_board(write, board)) == (
        f"serial.{device}: neither this file nor the board has it;"
        f" add {device} = the path of its port, such as /dev/underfelt/{device}"
    )


def test_a_spot_board_that_neither_file_has_a_port_for_is_missing(write: Write) -> None:
    board = swapped(BOARD, "sensor = 4\nlamp = 16\n", "input = 1\noutput = 1\n")
    assert complaint(on_board(write, board)) == (
        "serial.spots: neither this file nor the board has it;"
        " add spots = the path of its port, such as /dev/underfelt/spots"
    )


def test_a_table_may_have_some_spots_on_pins_and_some_on_a_spot_board(write: Write) -> None:
    board = swapped(BOARD, "sensor = 4\nlamp = 16\n", "input = 14\noutput = 9\n")
    board = swapped(board, "[serial]\n", '[serial]\nspots = "/dev/spots"\n')
    file = load(on_board(write, board))
    assert file.serial.spots == "/dev/spots"
    assert file.board.on_board == (BoardSpot(1, "jackpot", 14, 9),)
    assert [spot.seat for spot in file.board.on_pins] == [2, 3, 4]


def test_the_sentence_about_a_pin_does_not_repeat_it(write: Write) -> None:
    assert "2468" not in complaint(write(MISTAKES["a PIN as it is typed"][0]))


def test_a_board_file_that_is_not_there_is_one_sentence(write: Write, tmp_path: Path) -> None:
    path = write(changed('"pi-4-seats"', '"board.toml"'))
    assert complaint(path, tmp_path / "board.toml") == (
        "cannot be read: No such file or directory; check its name and who may read it"
    )


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    assert complaint(tmp_path / "T1.toml") == (
        "cannot be read: No such file or directory; check its name and who may read it"
    )


def test_a_folder_is_no_table_file(tmp_path: Path) -> None:
    assert complaint(tmp_path) == (
        "cannot be read: Is a directory; check its name and who may read it"
    )


def test_a_file_that_is_no_text_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "T1.toml"
    path.write_bytes(b"\xff\xfe\x00")
    assert complaint(path) == "not UTF-8 text; save it as UTF-8"


# The command


def run(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    """Run the firmware's own command."""
    return subprocess.run(
        [COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("mistake", ["not TOML", "an unknown part", "a PIN as it is typed"])
def test_the_command_says_one_line_and_ends_with_2(write: Write, mistake: str) -> None:
    text, sentence = MISTAKES[mistake]
    path = write(text)
    done = run("--config", path)
    assert done.returncode == 2
    assert done.stderr == f"underfelt-table: {path}: {sentence}\n"
    assert done.stdout == ""


def test_the_command_without_a_journal_folder_says_one_line(write: Write, tmp_path: Path) -> None:
    folder = tmp_path / "nowhere"
    path = write(changed("/var/lib/underfelt", str(folder)))
    done = run("--config", path)
    assert done.returncode == 2
    assert done.stderr == (
        f"underfelt-table: {path}: journal: there is no folder {folder};"
        f" create it with 'mkdir -p {folder}', or correct the key\n"
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_the_command_with_a_journal_folder_that_is_closed_says_one_line(
    write: Write, tmp_path: Path
) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    path = write(changed("/var/lib/underfelt", str(folder)))
    done = run("--config", path)
    assert done.returncode == 2
    assert done.stderr == (
        f"underfelt-table: {path}: journal: {folder} cannot be written;"
        " give it to the user of the service with chown\n"
    )


def test_the_command_on_a_machine_without_pins_says_one_line_and_ends_with_3(
    write: Write, tmp_path: Path
) -> None:
    done = run("--config", write(changed("/var/lib/underfelt", str(tmp_path))))
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("underfelt-table: ")
