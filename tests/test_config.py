"""The table file: a good one loads, and every mistake is one sentence with file and key.

Also that `underfelt-table` says so in one line and leaves. What settings do is tested
where they are used.
"""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.config import Config, SerialPorts, SpotPins, load
from firmware.errors import BadInput
from firmware.link.mqtt import LinkSettings
from firmware.table.settings import TableSettings

COMMAND = Path(sys.executable).with_name("underfelt-table")

GOOD = """journal = "/var/lib/underfelt"

[table]
name = "T1"
game = "rws-multilink-stud"
seats = 4
ante_min_cents = 2500
ante_max_cents = 100000
jackpot_bet_cents = 500

[serial]
cards = "/dev/shoe"
panel = "/dev/panel"
sign = "/dev/sign"

[link]
host = "jackpot.example"

[[spots]]
seat = 1
sensor = 4
lamp = 16

[[spots]]
seat = 2
sensor = 5
lamp = 17

[[spots]]
seat = 3
sensor = 6
lamp = 18

[[spots]]
seat = 4
sensor = 7
lamp = 19
"""


def changed(old: str, new: str) -> str:
    """Give the good file with one thing changed."""
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


LAST_SPOT = "[[spots]]\nseat = 4\nsensor = 7\nlamp = 19\n"

MISTAKES: dict[str, tuple[str, str]] = {
    "not TOML": (changed("seats = 4", "seats = = 4"), "is not TOML: .*line 6"),
    "a part missing": (changed('[link]\nhost = "jackpot.example"\n', ""), "`link`"),
    "a key missing": (changed('game = "rws-multilink-stud"\n', ""), r"`game`.*\$\.table"),
    "the journal missing": (changed('journal = "/var/lib/underfelt"\n', ""), "`journal`"),
    "an unknown key": (changed("seats = 4", "seats = 4\nseat = 4"), r"`seat`.*\$\.table"),
    "an unknown part": (GOOD + "\n[extra]\n", "`extra`"),
    "an unknown key of a spot": (
        changed("lamp = 16", "lamp = 16\nbulb = 1"),
        r"`bulb`.*\$\.spots\[",
    ),
    "a wrong type": (changed("seats = 4", 'seats = "4"'), r"`int`.*\$\.table\.seats"),
    "a fraction of a cent": (changed("= 2500", "= 2500.5"), r"\$\.table\.ante_min_cents"),
    "a yes for a number": (changed("= 500\n", "= true\n"), r"\$\.table\.jackpot_bet_cents"),
    "a negative amount": (changed("= 2500", "= -1"), r"\$\.table\.ante_min_cents"),
    "spots that are no list": (
        GOOD.split("[[spots]]", maxsplit=1)[0] + "[spots]\nseat = 1\n",
        r"\$\.spots",
    ),
    "a pin below the header": (changed("sensor = 4", "sensor = 1"), r"\$\.spots\[.*sensor"),
    "a pin beyond the header": (changed("lamp = 19", "lamp = 28"), r"\$\.spots\[.*lamp"),
    "a sensor on a pin that is pulled up": (changed("sensor = 4", "sensor = 3"), "sensor|GPIO3"),
    "a pin for two sensors": (changed("sensor = 5", "sensor = 4"), "spots.*GPIO4 is used twice"),
    "a pin for sensor and lamp": (changed("lamp = 19", "lamp = 7"), "spots.*GPIO7 is used twice"),
    "a spot missing": (changed(LAST_SPOT, ""), "spots.*seats 1 to 4"),
    "a spot too many": (
        GOOD + "[[spots]]\nseat = 5\nsensor = 8\nlamp = 20\n",
        "spots.*seats 1 to 4",
    ),
    "a spot of a bet that the game does not have": (
        changed("seat = 4\nsensor", 'seat = 4\nbet = "jackpot_dealer"\nsensor'),
        "spots.*seats 1 to 4 need one each for jackpot$",
    ),
    "a spot missing of the second jackpot bet": (
        changed("rws-multilink-stud", "mbs-singapore-stud"),
        "spots.*seats 1 to 4 need one each for jackpot and jackpot_dealer$",
    ),
    "an unknown card source": (
        changed("seats = 4", 'seats = 4\ncard_source = "sleeve"'),
        r"\$\.table\.card_source",
    ),
    "a spot twice": (changed("seat = 4\nsensor", "seat = 3\nsensor"), "spots.*seats 1 to 4"),
    "too few seats for the game": (changed("seats = 4", "seats = 3"), r"table\.seats.*4 to 7"),
    "too many seats for the game": (changed("seats = 4", "seats = 8"), r"table\.seats"),
    "an unknown game": (changed("rws-multilink-stud", "poker"), "game.*'poker'"),
    "an empty name": (changed('"T1"', '""'), r"\$\.table\.name"),
    "a name with a slash": (changed('"T1"', '"T/1"'), r"\$\.table\.name"),
    "a name with a wildcard": (changed('"T1"', '"T+"'), r"\$\.table\.name"),
    "a name with a newline": (changed('"T1"', '"T1\\n"'), r"\$\.table\.name"),
    "a name that is too long": (changed('"T1"', f'"{"T" * 33}"'), r"\$\.table\.name"),
    "a minimum above the maximum": (changed("= 100000", "= 2400"), r"ante_m(in|ax)_cents"),
    "a minimum of nothing": (changed("= 2500", "= 0"), "ante_min_cents"),
    "a port that is none": (changed("[link]\n", "[link]\nport = 0\n"), r"\$\.link\.port"),
    "one serial port for two devices": (changed("/dev/panel", "/dev/shoe"), "serial"),
    "a root with a wildcard": (changed("[link]\n", '[link]\nroot = "#"\n'), r"link\.root"),
}


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    """Write a table file."""

    def written(text: str) -> Path:
        path = tmp_path / "table.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def complaint(path: Path) -> str:
    """Load a file that cannot be accepted, and give the one sentence about it."""
    with pytest.raises(BadInput) as caught:
        load(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: ")
    assert text.isprintable()
    return text.removeprefix(f"{path}: ")


def test_a_good_file_is_what_it_says(write: Callable[[str], Path]) -> None:
    assert load(write(GOOD)) == Config(
        table=TableSettings(
            name="T1",
            game="rws-multilink-stud",
            seats=4,
            ante_min_cents=2_500,
            ante_max_cents=100_000,
            jackpot_bet_cents=500,
        ),
        journal="/var/lib/underfelt",
        spots=(
            SpotPins(seat=1, sensor=4, lamp=16),
            SpotPins(seat=2, sensor=5, lamp=17),
            SpotPins(seat=3, sensor=6, lamp=18),
            SpotPins(seat=4, sensor=7, lamp=19),
        ),
        serial=SerialPorts(cards="/dev/shoe", panel="/dev/panel", sign="/dev/sign"),
        link=LinkSettings(host="jackpot.example", port=1883, root="underfelt"),
    )


def test_a_table_whose_game_has_two_jackpot_bets_has_two_spots_a_seat(
    write: Callable[[str], Path],
) -> None:
    spots = "".join(
        f'[[spots]]\nseat = {seat}\nbet = "{bet}"\nsensor = {sensor + seat}\nlamp = {lamp + seat}\n'
        for bet, sensor, lamp in (("jackpot", 3, 15), ("jackpot_dealer", 7, 19))
        for seat in (1, 2, 3, 4)
    )
    text = changed("rws-multilink-stud", "mbs-singapore-stud").split("[[spots]]", maxsplit=1)[0]
    config = load(write(text + spots))
    assert {(spot.seat, spot.bet) for spot in config.spots} == {
        (seat, bet) for seat in (1, 2, 3, 4) for bet in ("jackpot", "jackpot_dealer")
    }


def test_spots_may_stand_in_any_order(write: Callable[[str], Path]) -> None:
    first, *others = GOOD.split("[[spots]]\n")
    reordered = "[[spots]]\n".join([first, *reversed(others)])
    assert {spot.seat for spot in load(write(reordered)).spots} == {1, 2, 3, 4}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence_that_names_the_file_and_the_key(
    write: Callable[[str], Path], mistake: str
) -> None:
    text, expected = MISTAKES[mistake]
    with pytest.raises(BadInput, match=expected):
        load(write(text))
    complaint(write(text))


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    assert complaint(tmp_path / "table.toml") == "cannot be read: No such file or directory"


def test_a_folder_is_no_table_file(tmp_path: Path) -> None:
    assert complaint(tmp_path) == "cannot be read: Is a directory"


def test_a_file_that_is_no_text_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(b"\xff\xfe\x00")
    assert complaint(path).startswith("is not TOML: ")


# The command


def run(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    """Run the firmware's own command."""
    return subprocess.run(
        [COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("mistake", ["not TOML", "an unknown key", "a pin for two sensors"])
def test_the_command_says_one_line_and_ends_with_2(
    write: Callable[[str], Path], mistake: str
) -> None:
    path = write(MISTAKES[mistake][0])
    done = run("--config", path)
    assert done.returncode == 2
    assert done.stderr == f"underfelt-table: {path}: {complaint(path)}\n"
    assert done.stdout == ""


def test_the_command_without_a_file_says_one_line_and_ends_with_2(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.toml"
    done = run("--config", path)
    assert done.returncode == 2
    assert done.stderr == f"underfelt-table: {path}: cannot be read: No such file or directory\n"


def test_the_command_without_a_journal_folder_says_one_line(
    write: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = tmp_path / "nowhere"
    done = run("--config", write(changed("/var/lib/underfelt", str(folder))))
    assert done.returncode == 2
    why = "the journal's folder cannot be opened: No such file or directory"
    assert done.stderr == f"underfelt-table: {folder}: {why}\n"


def test_the_command_on_a_machine_without_pins_says_one_line(
    write: Callable[[str], Path], tmp_path: Path
) -> None:
    done = run("--config", write(changed("/var/lib/underfelt", str(tmp_path))))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("underfelt-table: ")
