"""`underfelt board show`: who is at the end of a cable, on the board's real program where that can be had."""

import asyncio
import json
import os
import pty
import tty
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Self

import msgspec
import pytest

from firmware.devices.line import Frame, encode
from firmware.maintenance.protocol import VitalsRead
from firmware.maintenance.vitals import SensorVitals, SpotBoardVitals, Vitals
from host_tools.board import asking, cable, program, showing
from host_tools.board.cable import PortError, SerialCable, missing
from sim.spot_board.process import SpotBoardProcess
from tests.host_tools.command import UNDERFELT, Ran, run
from tests.host_tools.fake_board import FakeBoard
from tests.spot_board.interpreters import interpreter, needs_interpreter


async def underfelt(*arguments: str) -> Ran:
    process = await asyncio.create_subprocess_exec(
        UNDERFELT, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await asyncio.wait_for(process.communicate(), 60)
    return Ran(process.returncode or 0, out.decode(), err.decode())


def with_board(folder: Path, do: Callable[[SpotBoardProcess], Coroutine[None, None, None]]) -> None:
    async def scene() -> None:
        assert interpreter is not None
        board = SpotBoardProcess(folder / "board", interpreter, folder / "spots")
        try:
            await do(board)
        finally:
            board.close()

    asyncio.run(scene())


@needs_interpreter
def test_a_board_in_order_is_shown_with_what_it_senses(tmp_path: Path) -> None:
    async def scene(board: SpotBoardProcess) -> None:
        board.set_level(3, True)  # noqa: FBT003  # a level is a level
        ran = await underfelt("board", "show", str(tmp_path / "spots"), "--json")
        assert ran.status == 0, ran
        shown = json.loads(ran.out)
        assert shown["state"] == "in_order"
        assert (shown["kind"], shown["version"], shown["inputs"]) == ("spots", "1.0", 14)
        assert shown["program"] == f"frozen:{program.sources().name}"
        assert shown["same_program"] is True
        assert shown["limits"] == "-"
        assert [each["level"] for each in shown["lines"]].index(True) == 2
        words = await underfelt("board", "show", str(tmp_path / "spots"))
        assert words.status == 0
        assert "the spot board is in order" in words.out
        assert "the one of this installation" in words.out

    with_board(tmp_path, scene)


@needs_interpreter
def test_a_board_whose_line_was_given_up_is_known_by_its_prompt(tmp_path: Path) -> None:
    async def scene(board: SpotBoardProcess) -> None:
        line = asking.BoardLine(SerialCable(str(tmp_path / "spots")))
        heard = await asyncio.to_thread(line.ask_who)
        assert await asyncio.to_thread(line.release, heard.session)
        line.close()
        assert board.released

    with_board(tmp_path, scene)


@needs_interpreter
def test_a_port_that_the_table_holds_is_left_to_it(tmp_path: Path) -> None:
    async def scene(_: SpotBoardProcess) -> None:
        held = SerialCable(str(tmp_path / "spots")).open()
        ran = await underfelt("board", "show", str(tmp_path / "spots"))
        flashed = await underfelt("board", "flash", str(tmp_path / "spots"))
        held.close()
        assert (ran.status, flashed.status) == (3, 2)
        for each in (ran, flashed):
            assert "in use, probably by the running table" in each.err
            assert "stop the service" in each.err
            assert len(each.err.splitlines()) == 1

    with_board(tmp_path, scene)


@needs_interpreter
def test_the_program_that_a_board_has_is_not_written_again(tmp_path: Path) -> None:
    async def scene(board: SpotBoardProcess) -> None:
        ran = await underfelt("board", "flash", str(tmp_path / "spots"), "--json")
        assert ran.status == 2
        outcome = json.loads(ran.out)
        assert outcome["end"] == "refused"
        assert "already" in outcome["sentence"]
        assert not board.released

    with_board(tmp_path, scene)


def prompt(board: FakeBoard) -> None:
    board.mode = "prompt"


def later_version(board: FakeBoard) -> None:
    board.version = "2.0"


def shoe(board: FakeBoard) -> None:
    board.kind = "shoe"


def noise(board: FakeBoard) -> None:
    board.mode = "noise"


def silent(board: FakeBoard) -> None:
    board.mode = "silent"


@pytest.mark.parametrize(
    ("wrong", "status", "what", "remedy"),
    [
        (prompt, 1, "MicroPython's prompt", "underfelt board flash /dev/fake"),
        (later_version, 1, "version 2.0", "underfelt board flash /dev/fake"),
        (shoe, 1, "of the kind shoe", "name the spot board's port"),
        (noise, 1, "not the line protocol", "BOOTSEL"),
        (silent, 3, "nothing answers", "pull the board's cable"),
    ],
)
def test_whatever_is_there_instead_is_one_sentence_and_its_remedy(
    wrong: Callable[[FakeBoard], None],
    status: int,
    what: str,
    remedy: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    board = FakeBoard()
    wrong(board)
    shown = showing.at_port(board)
    assert what in shown.problem
    assert remedy in shown.remedy
    assert showing.tell(shown, json=False) == status
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_pico_that_waits_in_bootsel_is_told_instead_of_a_missing_port(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert missing("/dev/none").trouble == "missing"
    monkeypatch.setattr(cable, "pico_waits", lambda: True)
    error = missing("/dev/none")
    assert error.trouble == "bootsel"
    assert "--image" in str(error)


def test_what_is_no_port_or_not_there_is_said(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"")
    for path, words in ((tmp_path / "none", "no such port"), (file, "no serial port")):
        with pytest.raises(PortError, match=words):
            SerialCable(str(path)).open()
        ran = run("board", "show", str(path))
        assert (ran.status, ran.out) == (3, "")
        assert len(ran.err.splitlines()) == 1


def test_an_empty_word_is_neither_a_table_nor_a_port() -> None:
    for empty in ("", " "):
        ran = run("board", "show", empty)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err == (
            "underfelt: TARGET|PORT: is empty; name a table, or the board's port "
            "(/dev/underfelt/spots)\n"
        )


class FakeTable:
    """A table that tells its vitals."""

    def __init__(self, vitals: Vitals) -> None:
        self._vitals = vitals

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def ask(self, _: object, make: Callable[[int], object]) -> VitalsRead:
        """Answer whatever is asked."""
        make(1)
        return VitalsRead(number=1, vitals=msgspec.to_builtins(self._vitals))


@pytest.mark.parametrize(
    ("vitals", "status", "words"),
    [
        (Vitals(), 1, "has no spot board"),
        (Vitals(spot_board=SpotBoardVitals(why_unknown="it is not there")), 1, "it is not there"),
        (
            Vitals(
                spot_board=SpotBoardVitals(
                    version="1.0", program="frozen:0", session=7, known=True
                ),
                sensors=(SensorVitals(where="seat 2 jackpot", input=4, level=True, edges=12),),
            ),
            0,
            "seat 2 jackpot",
        ),
    ],
)
def test_a_running_table_tells_of_its_board(
    vitals: Vitals,
    status: int,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(showing, "open_table", lambda _: FakeTable(vitals))
    assert showing.tell(showing.at_table("sim:T1"), json=False) == status
    said = capsys.readouterr()
    assert words in said.out + said.err


def test_hostile_greetings_are_no_board_and_steer_no_terminal(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    (tmp_path / "port").symlink_to(os.ttyname(theirs))
    lines = (
        encode(Frame("announcement", 0, "HELLO \x1b[2Jshoe 1.0 7")),
        encode(Frame("announcement", 0, "HELLO spots 1.0 " + "9" * 50 + " 14 - x")),
        encode(Frame("announcement", 0, "HELLO spots 1.0 7 many - x")),
        encode(Frame("announcement", 0, "HELLO spots")),
    )

    async def scene() -> None:
        for line in lines:
            asked = asyncio.create_task(underfelt("board", "show", str(tmp_path / "port")))
            while not asked.done():
                await asyncio.sleep(0.2)
                os.write(ours, line)
            ran = asked.result()
            assert ran.status in (1, 3), ran
            assert "\x1b" not in ran.out + ran.err
            assert "Traceback" not in ran.err

    asyncio.run(scene())
    os.close(ours)
    os.close(theirs)
