"""The board's free memory does not fall, on the real interpreter with a Pico's heap, in virtual time."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.spot_board.interpreters import PROJECT, micropython, needs_interpreter

HOURS = "24" if os.environ.get("SOAK") else "0.3"
PLAY_BYTES = 2_048
"""What is in use at one moment and not at another: half a line, a full outbox, counted edges."""


@needs_interpreter
def test_the_free_memory_does_not_fall(record_property: Callable[[str, object], None]) -> None:
    program = Path(__file__).parent / "on_board/memory.py"
    done = subprocess.run(
        micropython(program, PROJECT, HOURS), check=False, capture_output=True, text=True
    )
    assert (done.stderr, done.returncode) == ("", 0)
    free = [int(line) for line in done.stdout.split()]
    assert len(free) >= 4
    assert min(free[1:]) >= free[0] - PLAY_BYTES, free
    record_property("measured", f"spot board: {min(free)} bytes of the heap free after {HOURS} h")
