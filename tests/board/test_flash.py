"""Whatever the flash holds outside the image, and wherever the power fails, the board greets with a new session."""

import random
from collections.abc import Callable

import pytest

from sim.pico.chip import Chip
from tests.board.table import Table

STORAGE_AT = (2048 - 1408) * 1024
STORAGE = 1408 * 1024
SESSION = 2 * 4096
HELLO_MS = 3_000.0
WRITES_A_START = 2
_FILL = """
import rp2, vfs
flash = rp2.Flash(start=8192, len=65536)
vfs.VfsLfs2.mkfs(flash, progsize=256)
vfs.mount(vfs.VfsLfs2(flash, progsize=256), "/full")
try:
    with open("/full/all", "wb") as file:
        while True:
            file.write(bytes(1024))
except OSError as error:
    print("full", error.errno)
"""


def greeted(table: Table) -> float:
    """Wait for the greeting; return how long it took since the power came."""
    since_ms = table.chip.now_ms
    table.until(lambda: bool(table.greetings), HELLO_MS)
    return table.greetings[0][0] - since_ms


@pytest.mark.parametrize(
    "storage",
    [
        pytest.param(b"\xff" * STORAGE, id="blank"),
        pytest.param(b"\x00" * STORAGE, id="zeros"),
        pytest.param(random.Random(16).randbytes(STORAGE), id="random"),
    ],
)
def test_a_board_greets_within_3_s_whatever_its_storage_holds(
    flash: bytes, storage: bytes, measured: Callable[[str], None], request: pytest.FixtureRequest
) -> None:
    chip = Chip(flash.ljust(STORAGE_AT, b"\xff") + storage)
    took = greeted(Table(chip))
    measured(f"greeting after power on, storage {request.node.callspec.id}: {took:.0f} ms")
    # Not formatted: whatever lies there may be somebody's.
    assert chip.flash[STORAGE_AT + SESSION : STORAGE_AT + STORAGE] == storage[SESSION:]


def test_a_board_whose_file_system_is_full_greets(flash: bytes) -> None:
    table = Table(Chip(flash))
    greeted(table)
    table.announce(f"RELEASE {table.session}")
    table.run_ms(50)
    table.chip.heard.clear()
    table.chip.host.write(b"\r\x01" + _FILL.encode() + b"\x04")

    def is_full() -> bool:
        return b"full 28" in b"".join(data for _, data in table.chip.heard)

    assert table.chip.run_until(is_full, within_ms=20_000, every_ms=10)
    table.chip.power_off()
    table.greetings.clear()
    table.chip.power_on()
    greeted(table)


def test_no_session_comes_twice_when_the_power_fails_at_each_write_of_its_counter(
    flash: bytes,
) -> None:
    # The emulated chip's random source always says the same.
    table = Table(Chip(flash))
    greeted(table)
    sessions = [table.session]
    for write in range(WRITES_A_START):
        for done in (0.0, 0.02, 1.0):
            table.chip.power_off()
            table.chip.power_on()
            table.chip.cut_power_at_write(write, done)
            assert table.chip.run_until(lambda: not table.chip.has_power, within_ms=500)
            table.greetings.clear()
            table.chip.power_on()
            greeted(table)
            sessions.append(table.session)
    assert len(set(sessions)) == len(sessions)
