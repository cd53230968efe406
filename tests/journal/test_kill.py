"""`kill -9` of a process that plays and rotates without end: nothing acknowledged is lost.

The process says on its standard output which record is on the disk, after `append` has
returned; what it has said must be there when the next one starts.
"""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

from firmware.errors import JournalError
from firmware.journal.reader import newest, read_snapshot, records, segments
from firmware.shell.folding import folded
from firmware.table.table import Table
from tests.table.playing import SETTINGS

KILLS = 300 if os.environ.get("SOAK") else 12
SEED = int(os.environ.get("SEED", "7"))
HANG_S = 60

CHILD = """
import sys
from pathlib import Path
from firmware.shell.inbox import Arrival
from firmware.shell.runtime import Runtime
from firmware.table.events import CoinSensed
from tests.table.playing import SETTINGS
runtime = Runtime(SETTINGS, Path(sys.argv[1]), segment_bytes=1_000)
lies = bool(runtime.table.state.chips())
while True:
    lies = not lies
    runtime.handle(Arrival(CoinSensed(at_ms=1, seat=1, present=lies)))
    print(runtime.table.state.sequence, flush=True)
"""


def killed_writer(folder: Path, rng: random.Random) -> int:
    """Let a process write until it is killed, and give the last record that it told of.

    It is killed after so many records, not after a time in which a busy machine writes none.
    """
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder)], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(rng.randint(1, 60))]
        assert all(lines), "the writer did not start, or has ended"
        time.sleep(rng.uniform(0.0, 0.005))
        child.kill()
        lines += child.stdout.readlines()
        child.wait(timeout=HANG_S)
    # The last line may be cut off itself.
    return int([line for line in lines if line.endswith("\n")][-1])


def test_a_writer_killed_at_random_moments_loses_nothing_that_it_told_of(tmp_path: Path) -> None:
    rng = random.Random(SEED)
    rotations = 0
    for _ in range(KILLS):
        said = killed_writer(tmp_path, rng)
        found = folded(SETTINGS, tmp_path, newest(tmp_path))
        assert found.problems == (), f"SEED={SEED}"
        assert found.table.state.sequence >= said, f"SEED={SEED}"
        rotations = len(_snapshots(tmp_path))
    assert rotations > KILLS
    whole = Table.recovered(SETTINGS, (record.event for record in records(tmp_path)))
    assert whole.state == folded(SETTINGS, tmp_path, newest(tmp_path)).table.state


def _snapshots(folder: Path) -> list[bytes]:
    """Verify the whole folder and give its snapshots."""
    try:
        return [read_snapshot(segment) for segment in segments(folder) if segment.first != 1]
    except JournalError as error:
        raise AssertionError(f"SEED={SEED}: {error}") from error
