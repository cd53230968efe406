"""Which simulated tables have a spot board, and what is said where there is none."""

from pathlib import Path
from typing import NoReturn

import pytest

from firmware.rules.games import find_game
from firmware.settings import board as boards
from sim.emulator.steps import BuildError
from sim.floor import command
from sim.main import main
from sim.scenario_language.mistakes import mistakes_in
from sim.scenario_language.reader import parse_scenario
from sim.table.boards import Wiring, board_name, is_on_spot_board, most_seats
from tests.sim.floors import SETTINGS

SINGAPORE = find_game("mbs-singapore-stud")


def mistakes(text: str) -> list[str]:
    return [mistake.words for mistake in mistakes_in(parse_scenario(text, Path("x")))]


def test_a_game_whose_spots_do_not_fit_on_pins_has_a_spot_board() -> None:
    assert [n for n in range(1, 8) if is_on_spot_board(SINGAPORE, n)] == [6, 7]
    assert most_seats(SINGAPORE) == 7
    assert not is_on_spot_board(find_game("rws-multilink-stud"), 7)


@pytest.mark.parametrize(
    ("wiring", "on_pins", "on_board"), [("spot board", 0, 4), ("pins and spot board", 2, 2)]
)
def test_a_scenario_gets_the_wiring_that_it_wishes(
    wiring: Wiring, on_pins: int, on_board: int, tmp_path: Path
) -> None:
    spots = [(seat, "jackpot") for seat in range(1, SETTINGS.seats + 1)]
    board = boards.find(board_name(SETTINGS, spots, tmp_path, wiring), tmp_path)
    assert (len(board.on_pins), len(board.on_board)) == (on_pins, on_board)


def test_a_sentence_about_a_spot_board_needs_one() -> None:
    for said in ("unplug the spot board", "the spot board hangs"):
        assert "this table has none" in mistakes(f"table rws-multilink-stud, 5 seats\n{said}")[0]
        assert not mistakes(f"table rws-multilink-stud, 5 seats, spot board\n{said}")
        assert not mistakes(f"table mbs-singapore-stud, 7 seats\n{said}")


def test_a_floor_without_the_interpreter_says_so_before_anything_starts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nowhere() -> NoReturn:
        raise BuildError("micropython cannot be had here: no network")

    monkeypatch.setattr(command, "find", nowhere)
    with pytest.raises(SystemExit) as ended:
        main(["floor", "--game=mbs-singapore-stud", "--seats=7", "--rounds=1"])
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert "is played on a spot board, but micropython cannot be had here" in error
    assert error.count("\n") == 1
