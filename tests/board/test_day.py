"""A long day, as far as an emulated chip can live one: memory does not fall, and nothing is missed.

The chip takes several real seconds for one of its own, so a whole day would take days: here some seconds
of chips that come and go every moment, SOAK=1 for minutes of them. What only time brings, such as the wrap of the
milliseconds, is tested on the faster interpreter.
"""

import os
import time
from collections.abc import Callable

from tests.board.table import Table

SECONDS = 600 if os.environ.get("SOAK") else 4
MOVE_MS = 120.0
ENOUGH_BYTES = 150_000


def test_free_memory_does_not_fall_while_chips_come_and_go(
    table: Table, measured: Callable[[str], None]
) -> None:
    started, moves = time.monotonic(), 0
    table.alive = True
    table.tell("LAMPS 1sqfd1sqfd1sqf")
    free: list[int] = []
    for second in range(SECONDS):
        most = 0
        end_ms = table.chip.now_ms + 1_000
        while table.chip.now_ms < end_ms:
            level = moves // 14 % 2 == 0
            table.chip.set_input(moves % 14 + 1, level)
            moves += 1
            table.run_ms(MOVE_MS)
            most = max(most, table.chip.free_heap_bytes)
        if second:
            free.append(most)
    took_s = time.monotonic() - started
    measured(f"heap: {min(free):,} bytes free at least, after {SECONDS} s of its time")
    measured(f"speed: a second of the chip's time takes {took_s / SECONDS:.1f} s")
    assert min(free) > ENOUGH_BYTES
    assert free[-1] >= free[0] - 2_048
    assert len(table.findings) == moves
    assert table.chip.resets_ms == []
