"""`underfelt check` and `underfelt staff`: the same refusals as the firmware's, and the wiring.

That every mistake has its sentence is tested in `tests/settings/test_table_file.py`; here, that the
command says it in one line with exit status 2, and what it prints about a good file.
"""

import os
import pty
import re
import tomllib
import xml.etree.ElementTree as ET
from itertools import chain
from pathlib import Path

import msgspec
import pytest

from firmware.settings.staff import Staff, hash_pin, identify
from tests.host_tools.command import UNDERFELT, run
from tests.settings.bad_table_files import GOOD, HASHED, MISTAKES, STAFF, changed

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """Write a good table file."""
    path = tmp_path / "T1.toml"
    path.write_text(GOOD + STAFF, encoding="utf-8")
    path.chmod(0o600)
    return path


def rows(text: str) -> list[list[str]]:
    """Read the rows of the tables that were printed."""
    lines = [line for line in text.splitlines() if line.startswith("│")]
    return [[cell.strip() for cell in line.strip("│").split("│")] for line in lines]


def test_a_good_file_is_shown_with_its_wiring(good: Path) -> None:
    ran = run("check", str(good))
    assert (ran.status, ran.err) == (0, "")
    shown = rows(ran.out)
    assert ["game", "Multi-Link Progressive Casino Stud Poker (rws-multilink-stud)"] in shown
    assert ["ante", "$25.00 to $1,000.00"] in shown
    assert ["staff", "1 dealer, 1 pit supervisor"] in shown
    assert ["jackpot system down", "close the table"] in shown
    assert [row for row in shown if len(row) == 5] == [
        ["7", "GPIO4", "sensor", "1", "jackpot"],
        ["11", "GPIO17", "sensor", "2", "jackpot"],
        ["12", "GPIO18", "lamp", "1", "jackpot"],
        ["13", "GPIO27", "sensor", "3", "jackpot"],
        ["15", "GPIO22", "sensor", "4", "jackpot"],
        ["16", "GPIO23", "lamp", "2", "jackpot"],
        ["18", "GPIO24", "lamp", "3", "jackpot"],
        ["22", "GPIO25", "lamp", "4", "jackpot"],
        ["29", "GPIO5", "power-good", "", ""],
        ["31", "GPIO6", "cover switch", "", ""],
        ["33", "GPIO13", "key switch", "", ""],
        ["40", "GPIO21", "lamp enable", "", ""],
    ]
    assert ["shoe", "/dev/underfelt/cards", "line"] in shown
    assert ran.out.endswith(
        f"{good} is good; not checked: ports, certificates, journal folder (see --here).\n"
    )


def test_a_table_without_a_reader_and_without_staff_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "T1.toml"
    path.write_text(changed("seats = 4", 'seats = 4\ncard_source = "manual"'), encoding="utf-8")
    shown = rows(run("check", str(path)).out)
    assert ["staff", "nobody: no fault can be cleared at the table"] in shown
    assert [row[0] for row in shown if len(row) == 3] == ["panel", "sign"]


def test_no_hash_of_a_pin_is_printed(good: Path) -> None:
    assert "scrypt" not in run("check", str(good)).out


@pytest.mark.parametrize(
    "mistake",
    ["not TOML", "text for a number", "a board with too few seats", "a PIN as it is typed"],
)
def test_a_mistake_is_the_firmware_s_own_sentence(tmp_path: Path, mistake: str) -> None:
    text, sentence = MISTAKES[mistake]
    path = tmp_path / "T1.toml"
    path.write_text(text, encoding="utf-8")
    ran = run("check", str(path))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"underfelt: {path}: {sentence}\n"


# The picture


def test_the_picture_has_every_pin_and_label(good: Path, tmp_path: Path) -> None:
    picture = tmp_path / "header.svg"
    assert run("check", str(good), "--svg", str(picture)).status == 0
    texts = [each.text or "" for each in ET.parse(picture).iter(f"{SVG}text")]  # noqa: S314  # our own
    assert [text for text in texts if text.isdecimal()] == [str(number) for number in range(1, 41)]
    assert {"seat 1 sensor", "seat 4 lamp", "clock SDA", "lamp enable"} <= set(texts)
    assert "seat 5 sensor" not in texts
    assert "Table T1: Multi-Link Progressive Casino Stud Poker, 4 seats" in texts


def test_a_picture_that_cannot_be_written_is_one_sentence(good: Path, tmp_path: Path) -> None:
    picture = tmp_path / "nowhere" / "header.svg"
    ran = run("check", str(good), "--svg", str(picture))
    assert ran.status == 2
    assert ran.err == (
        f"underfelt: {picture}: there is no such folder; make it, or correct the name\n"
    )


# On the machine itself


def test_here_a_journal_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "T1.toml"
    folder = tmp_path / "nowhere"
    path.write_text(changed("/var/lib/underfelt", str(folder)), encoding="utf-8")
    ran = run("check", "--here", str(path))
    assert ran.status == 2
    assert ran.err.startswith(f"underfelt: {path}: journal: there is no folder {folder}; ")


def test_here_a_port_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "T1.toml"
    path.write_text(changed("/var/lib/underfelt", str(tmp_path)), encoding="utf-8")
    ran = run("check", "--here", str(path))
    assert ran.status == 2
    assert ran.err == (
        f"underfelt: {path}: serial.cards: there is no /dev/underfelt/cards;"
        " plug its adapter in, or name its port under [serial]\n"
    )


def test_here_a_machine_that_has_everything_is_good(tmp_path: Path) -> None:
    pairs = {name: pty.openpty() for name in ("cards", "panel", "sign")}
    ports = "".join(f'{name} = "{os.ttyname(far)}"\n' for name, (_, far) in pairs.items())
    path = tmp_path / "T1.toml"
    text = changed("/var/lib/underfelt", str(tmp_path)) + f"[serial]\n{ports}"
    path.write_text(text, encoding="utf-8")
    ran = run("check", "--here", str(path))
    for end in chain.from_iterable(pairs.values()):
        os.close(end)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.endswith(f"{path} is good; this machine has everything it names.\n")


# PINs


def test_the_pin_of_the_example_is_refused() -> None:
    example = Path(__file__).parents[2] / "hw" / "table.example.toml"
    ran = run("check", str(example))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        f"underfelt: {example}: staff.pin (entry 1): is the PIN of the example file, which everybody "
        "knows; make one with 'underfelt staff entry'\n"
    )


@pytest.mark.parametrize("pin", ["2468", "246810"])
def test_the_pin_of_the_example_is_refused_however_it_is_hashed(tmp_path: Path, pin: str) -> None:
    path = tmp_path / "T1.toml"
    hashed = hash_pin(pin, bytes(range(16)))
    path.write_text(GOOD + STAFF.replace(HASHED, hashed, 1), encoding="utf-8")
    ran = run("check", str(path))
    assert (ran.status, ran.out) == (2, "")
    assert "staff.pin (entry 1): is the PIN of the example file" in ran.err


@pytest.mark.parametrize("command", [("hash-pin",), ("entry", "1001", "Ann", "dealer")])
@pytest.mark.parametrize("pin", ["2468", "246810"])
def test_nobody_is_given_the_pin_of_the_example(command: tuple[str, ...], pin: str) -> None:
    ran = run("staff", *command, given=f"{pin}\n")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "underfelt: PIN: is one of the example file, which everybody knows; choose another\n"
    )


def test_here_hashes_that_others_can_read_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "T1.toml"
    path.write_text(GOOD + STAFF, encoding="utf-8")
    path.chmod(0o640)
    ran = run("check", "--here", str(path))
    assert ran.status == 2
    assert ran.err == (
        f"underfelt: {path}: others than the firmware can read the PINs' hashes in it; "
        f"run 'chown underfelt {path}' and 'chmod 600 {path}'\n"
    )
    path.chmod(0o600)
    assert "PINs' hashes" not in run("check", "--here", str(path)).err


def test_on_a_laptop_a_file_that_others_can_read_is_good_but_told(good: Path) -> None:
    good.chmod(0o644)
    ran = run("check", str(good))
    assert ran.status == 0
    told = f"Others can read the hashes of the PINs in it: run 'chmod 600 {good}'."
    assert ran.out.endswith(f"(see --here).\n{told}\n")
    good.chmod(0o600)
    assert "chmod" not in run("check", str(good)).out


@pytest.mark.parametrize("role", ["pit_supervisor", "shift_manager"])
def test_the_pin_of_who_may_confirm_a_major_has_six_digits(role: str) -> None:
    ran = run("staff", "entry", "2001", "Ann", role, given="24681\n")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "underfelt: PIN: must be 6 to 8 digits, as keyed at the panel\n"
    assert run("staff", "entry", "2001", "Ann", role, given="246813\n").status == 0


def test_a_pin_on_a_pipe_is_hashed_as_the_table_file_wants_it() -> None:
    ran = run("staff", "hash-pin", given="2469\n")
    assert (ran.status, ran.err) == (0, "")
    match = re.fullmatch(r'pin = "(scrypt\$[0-9a-f]{32}\$[0-9a-f]{64})"\n', ran.out)
    assert match is not None
    someone = Staff(number="1", name="A", role="dealer", pin=match[1])
    assert identify((someone,), "1", "2469") == someone


def test_a_staff_entry_is_one_that_the_table_file_takes() -> None:
    ran = run("staff", "entry", "1001", 'Ann "Ace" Tan', "dealer", given="2469\n")
    assert (ran.status, ran.err) == (0, "")
    (entry,) = tomllib.loads(ran.out)["staff"]
    someone = msgspec.convert(entry, Staff)
    assert (someone.number, someone.name, someone.role) == ("1001", 'Ann "Ace" Tan', "dealer")
    assert identify((someone,), "1001", "2469") == someone


ROLES = "dealer, pit_supervisor, shift_manager, technician"


@pytest.mark.parametrize(
    ("number", "name", "role", "sentence"),
    [
        ("2001x", "Ann", "dealer", "number: must be 1 to 8 digits"),
        ("1001", "Ann", "boss", f"role: must be one of {ROLES}, not 'boss'"),
        ("1001", "", "dealer", "name: must be a name of 1 to 64 characters"),
        ("1001", "A\nB", "dealer", "name: has characters that do not print; write it without them"),
        (
            "1001",
            "\udcff",
            "dealer",
            "name: has characters that do not print; write it without them",
        ),
    ],
)
def test_a_staff_entry_that_no_table_file_takes_is_one_sentence_before_a_pin_is_asked(
    number: str, name: str, role: str, sentence: str
) -> None:
    ran = run("staff", "entry", number, name, role, given="")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"underfelt: staff entry: {sentence}\n"


def test_a_name_beyond_the_basic_plane_is_toml() -> None:
    ran = run("staff", "entry", "1001", "Ann \U0001f0a1", "dealer", given="2469\n")
    assert tomllib.loads(ran.out)["staff"][0]["name"] == "Ann \U0001f0a1"


def test_two_hashes_of_one_pin_differ() -> None:
    assert run("staff", "hash-pin", given="2469").out != run("staff", "hash-pin", given="2469").out


@pytest.mark.parametrize("pin", ["", "123", "123456789", "12a4", "\uff11\uff12\uff13\uff14"])
def test_what_is_no_pin_is_one_sentence(pin: str) -> None:
    ran = run("staff", "hash-pin", given=f"{pin}\n")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "underfelt: PIN: must be 4 to 8 digits, as keyed at the panel\n"


def at_the_keyboard(*lines: str) -> str:
    """Answer the questions of the command on a terminal, and give all that is seen there."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(UNDERFELT, ["underfelt", "staff", "hash-pin"])  # noqa: S606  # our own command
    seen = b""
    for number, line in enumerate(lines, 1):
        while seen.count(b": ") < number:
            seen += os.read(terminal, 1024)
        os.write(terminal, line.encode() + b"\n")
    while True:
        try:
            seen += os.read(terminal, 1024)
        except OSError:  # the other end has closed it
            break
    os.waitpid(child, 0)
    os.close(terminal)
    return seen.decode()


def test_a_pin_at_the_keyboard_is_asked_twice_and_never_shown() -> None:
    seen = at_the_keyboard("97531", "97531")
    assert 'pin = "scrypt$' in seen
    assert "97531" not in seen.partition("scrypt")[0]


def test_two_different_pins_at_the_keyboard_are_refused() -> None:
    seen = at_the_keyboard("97531", "97532")
    assert "underfelt: PIN: the two entries differ; try again" in seen
    assert "scrypt" not in seen


def test_a_place_for_a_picture_is_checked_before_anything_is_printed(good: Path) -> None:
    ran = run("check", str(good), "--svg", "/nope/x.svg")
    assert (ran.status, ran.out) == (2, "")
    assert "/nope/x.svg: there is no such folder" in ran.err


def test_the_wiring_of_a_spot_board_has_every_pin_that_its_picture_has(tmp_path: Path) -> None:
    path = tmp_path / "T1.toml"
    text = changed("pi-4-seats", "spot-board-7-seats-two-spots")
    text = text.replace("rws-multilink-stud", "mbs-singapore-stud")
    path.write_text(text.replace("seats = 4", "seats = 7"), encoding="utf-8")
    shown = [row for row in rows(run("check", str(path)).out) if len(row) == 6]
    assert ["Pico", "21", "GP16", "to the lamp enable", "", ""] in shown
    assert {"GP16", "GP17", "GP18", "GP19", "3V3", "VSYS"} <= {row[2] for row in shown}
    for register in ("register 1", "register 2"):
        named = {row[2] for row in shown if row[0] == register}
        assert {"G", "RCK", "SRCK", "SER IN", "VCC", "SRCLR"} <= named
    assert not any(row[2] == "GND" for row in shown)
