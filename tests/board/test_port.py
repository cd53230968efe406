"""The board behind a pseudo-terminal: what a tool does with MicroPython's raw REPL, and a power cut in the middle."""

import serial

from sim.pico.port import Port
from tests.board.table import Table

PATIENCE_S = 120.0
_WRITE = b"""
import rp2
rp2.Flash(start=8192, len=8192).writeblocks(0, bytes(4096))
print("written")
"""


def _raw_repl(port: serial.Serial) -> None:
    port.write(b"\r\x01")
    assert port.read_until(b"raw REPL; CTRL-B to exit\r\n>").endswith(b">")


def test_a_tool_has_the_raw_repl_once_the_line_is_released(table: Table) -> None:
    table.announce(f"RELEASE {table.session}")
    table.run_ms(50)
    with Port(table.chip) as board, serial.Serial(board.path, timeout=PATIENCE_S) as port:
        _raw_repl(port)
        port.write(b"print(6 * 7)\x04")
        assert port.read_until(b"\x04>") == b"OK42\r\n\x04\x04>"


def test_the_power_can_fail_in_the_middle_of_what_a_tool_writes(table: Table) -> None:
    table.announce(f"RELEASE {table.session}")
    table.run_ms(50)
    storage = (2048 - 1408) * 1024 + 8192
    table.chip.cut_power_at_write(4)  # after one erasure and three pages
    with Port(table.chip) as board, serial.Serial(board.path, timeout=2.0) as port:
        port.timeout = PATIENCE_S
        _raw_repl(port)
        port.write(_WRITE + b"\x04")
        port.timeout = 20.0
        assert b"written" not in port.read_until(b"written")
    assert not table.chip.has_power
    assert table.chip.flash[storage : storage + 4096] == bytes(3 * 256 + 128).ljust(4096, b"\xff")
    table.greetings.clear()
    table.chip.power_on()
    table.until(lambda: bool(table.greetings), 3_000)
