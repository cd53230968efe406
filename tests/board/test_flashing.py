"""`underfelt board flash` on the emulated chip: a new program runs or the old one does, whatever fails.

The flash memory of one whole flashing is written down write by write, so that a power cut in the middle of
each can be tried without doing all before it again.
"""

import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import Struct

from firmware.spot_board.session import SECTOR_BYTES, SECTORS
from host_tools.board import program as programs
from host_tools.board.asking import BoardLine
from host_tools.board.flashing import Flashing, Outcome
from host_tools.board.program import Program
from sim.pico.chip import Chip
from sim.pico.flash import SIZE
from tests.board.chip_port import ChipCable
from tests.board.table import Table
from tests.board.test_flash import STORAGE, STORAGE_AT
from tests.spot_board.interpreters import PROJECT, interpreter

SAMPLE = 16
"""So many power cuts are tried on the chip, evenly over all writes, unless all are."""
LAST = 5
"""And those of the last writes, where the board tries the new program and chooses it."""
GREETS_MS = 10_000.0
FILES_AT = STORAGE_AT + SECTORS * SECTOR_BYTES
_PACKAGES = (
    "firmware/__init__.py",
    "firmware/spot_board/__init__.py",
    "firmware/spot_board/chip.py",
    "firmware/spot_board/usb.py",
)
_MAIN = "firmware/spot_board/main.py"


class Recorded(Struct):
    """One flashing: what the flash held before, and each write since."""

    before: bytes
    writes: list[tuple[int, bytes, bytes]]
    outcome: Outcome
    new: Program
    chip: Chip

    def cut(self, number: int, done: float) -> bytes:
        """Return what the flash holds if the power fails in the middle of a write."""
        held = bytearray(self.before)
        for start, _, after in self.writes[:number]:
            held[start : start + len(after)] = after
        start, before, after = self.writes[number]
        part = int(len(after) * done)
        held[start : start + len(after)] = after[:part] + before[part:]
        return bytes(held)


def flash_program(chip: Chip, program: Program) -> Outcome:
    return Flashing(BoardLine(ChipCable(chip)), program, lambda _done, _total: None).run()


def changed() -> Program:
    """Return a program that is another one, and can be told by its greeting."""
    files = dict(programs.sources().files)
    board = files["firmware/spot_board/board.py"]
    assert b'VERSION = "1.0"' in board
    files["firmware/spot_board/board.py"] = board.replace(b'VERSION = "1.0"', b'VERSION = "1.1"')
    return Program(files)


def broken(main: str) -> Program:
    """Return a program whose loop is this."""
    files = programs.sources().files
    return Program({name: files[name] for name in _PACKAGES} | {_MAIN: main.encode()})


@pytest.fixture(scope="module")
def recorded(flash: bytes) -> Recorded:
    chip = Chip(flash)
    writes: list[tuple[int, bytes, bytes]] = []
    table = Table(chip)
    table.until(lambda: bool(table.greetings), GREETS_MS)  # what a start writes is another test's
    before = chip.flash[:SIZE]
    chip.flash.on_write = lambda start, old, new: writes.append((start, old, new))
    new = changed()
    outcome = flash_program(chip, new)
    chip.flash.on_write = None
    return Recorded(before, writes, outcome, new, chip)


def test_a_new_program_is_sent_compiled_and_kept(
    recorded: Recorded, measured: Callable[[str], None]
) -> None:
    compiled = programs.compiled(recorded.new)
    assert compiled is not None
    assert recorded.outcome.end == "done", recorded.outcome
    assert recorded.outcome.compiled
    assert recorded.outcome.after == f"file:{compiled.name}"
    assert recorded.outcome.before.startswith("frozen:")
    measured(
        f"board flash: {recorded.outcome.bytes_written:,} bytes, {len(recorded.writes)} writes to the flash"
    )
    chip = Chip(recorded.chip.flash[:SIZE])
    assert greeted_as(chip) == ("1.1", f"file:{compiled.name}")


def test_the_same_program_is_refused_and_nothing_is_written(flash: bytes) -> None:
    chip = Chip(flash)
    table = Table(chip)
    table.until(lambda: bool(table.greetings), GREETS_MS)
    writes = chip.flash.writes
    outcome = flash_program(chip, programs.sources())
    assert outcome.end == "refused"
    assert "runs this program already" in outcome.sentence
    assert chip.flash.writes == writes


@pytest.mark.parametrize(
    ("main", "why"),
    [
        pytest.param("raise ValueError", "broke off with an error", id="crashes"),
        pytest.param(
            "import time\nwhile True:\n    time.sleep(1)\n",
            "hung or broke off",
            id="hangs as it is imported",
        ),
        pytest.param(
            "import time\nfrom firmware.spot_board import chip\ndef run(*_):\n    chip.watch()\n"
            "    while True:\n        time.sleep(1)\n",
            "hung or broke off",
            id="hangs",
        ),
        pytest.param(
            "import time\nfrom firmware.spot_board import chip\ndef run(*_):\n    dog = chip.watch()\n"
            "    while True:\n        dog.feed()\n        time.sleep(1)\n",
            "did not say who it is",
            id="never greets",
        ),
    ],
)
def test_a_program_that_is_no_good_gives_way_to_the_old_one(
    flash: bytes, main: str, why: str
) -> None:
    chip = Chip(flash)
    outcome = flash_program(chip, broken(main))
    assert outcome.end == "went_back", outcome
    assert why in outcome.sentence
    assert outcome.after == outcome.before
    assert outcome.after.startswith("frozen:")


def test_a_board_without_a_file_system_is_given_one(flash: bytes) -> None:
    storage = random.Random(7).randbytes(STORAGE)
    chip = Chip(flash.ljust(STORAGE_AT, b"\xff") + storage)
    outcome = flash_program(chip, broken("raise ValueError"))
    assert outcome.formatted
    assert outcome.bytes_written > 0
    assert outcome.after == outcome.before


def test_a_power_cut_at_every_write_leaves_the_old_program_or_the_new_one_chosen(
    recorded: Recorded, tmp_path: Path
) -> None:
    # Every point: by the board's own chooser and file system, on an interpreter that is fast.
    compiled = programs.compiled(recorded.new)
    assert compiled is not None
    chosen = choices(recorded, tmp_path)
    assert set(chosen) == {"frozen", f"trial {compiled.name}", f"chosen {compiled.name}"}
    assert chosen[0] == "frozen"
    assert chosen[-1] == f"chosen {compiled.name}"


def sampled() -> list[int]:
    """Return which power cuts the chip tries: thousandths of all writes, and those at the end by their number from there."""
    return [*(number * 1000 // SAMPLE for number in range(SAMPLE)), *range(-LAST, 0)]


@pytest.mark.parametrize("thousandth", [None] if os.environ.get("SOAK") else sampled())
def test_a_board_whose_power_failed_during_a_write_runs_the_old_program_or_the_new_one(
    recorded: Recorded, thousandth: int | None
) -> None:
    count = len(recorded.writes)
    if thousandth is None:
        points = list(range(count))
    else:
        points = [count + thousandth if thousandth < 0 else thousandth * count // 1000]
    compiled = programs.compiled(recorded.new)
    assert compiled is not None
    for point in points:
        _, program = greeted_as(Chip(recorded.cut(point, 0.5)))
        assert program in {recorded.outcome.before, f"file:{compiled.name}"}, f"write {point}"


def greeted_as(chip: Chip) -> tuple[str, str]:
    """Return version and program of a board's greeting."""
    table = Table(chip)
    table.until(lambda: bool(table.greetings), GREETS_MS)
    words = table.greetings[0][1].split()
    return words[2], words[6]


_CHOOSE = """
import sys, vfs
sys.path.insert(0, sys.argv[1])
from firmware.spot_board.slots import Slots
class Memory:
    def __init__(self, data):
        self.data, self.written = data, {}
    def block(self, number):
        return self.written.get(number) or memoryview(self.data)[number * 4096:(number + 1) * 4096]
    def readblocks(self, block, buffer, offset=0):
        buffer[:] = self.block(block)[offset:offset + len(buffer)]
    def writeblocks(self, block, buffer, offset=0):
        if block not in self.written:
            self.written[block] = bytearray(self.block(block))
        self.written[block][offset:offset + len(buffer)] = buffer
    def ioctl(self, what, value):
        if what == 4:
            return len(self.data) // 4096
        if what == 5:
            return 4096
        if what == 6:
            self.written[value] = bytearray(b"\\xff" * 4096)
        return 0
def choose(memory):
    try:
        vfs.mount(vfs.VfsLfs2(memory, progsize=256), "/board")
    except OSError:
        return "frozen"
    slot = Slots("/board").choose(0)
    vfs.umount("/board")
    return "frozen" if slot is None else f"{'trial' if slot.on_trial else 'chosen'} {slot.digest[:12]}"
with open(sys.argv[2], "rb") as file:
    data = bytearray(file.read())
with open(sys.argv[3], "rb") as file:
    while head := file.read(8):
        start, size = int.from_bytes(head[:4], "little"), int.from_bytes(head[4:], "little")
        after = file.read(size)
        for part in (0, size // 2, size):
            data[start:start + part] = after[:part]
            print(choose(Memory(data)))
"""


def choices(recorded: Recorded, folder: Path) -> list[str]:
    """Return what the board chooses after a cut before, in the middle of and after each write."""
    assert interpreter is not None, "MicroPython is needed"
    held, log = folder / "held.bin", folder / "writes.bin"
    held.write_bytes(recorded.before[FILES_AT : STORAGE_AT + STORAGE])
    with log.open("wb") as file:
        for start, _, after in recorded.writes:
            if start >= FILES_AT:  # the rest are the session's
                head = (start - FILES_AT).to_bytes(4, "little") + len(after).to_bytes(4, "little")
                file.write(head + after)
    command = [*interpreter.command, "-X", "heapsize=16m", "-c", _CHOOSE, PROJECT, held, log]
    run = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()
