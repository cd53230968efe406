"""An emulated board behind a pseudo-terminal, for tools that open a port: it runs by itself, as fast as it can.

Its time is still its own, so what a tool waits for takes several times as long as with a real board. A power cut that
was ordered (`Chip.cut_power_at_write`) comes in the middle of what the tool does; then the port says nothing.
"""

import os
import threading
import time
import tty
from contextlib import suppress
from types import TracebackType
from typing import Self

from sim.pico.chip import Chip

STEP_MS = 2.0
_READ_BYTES = 4_096
_WITHOUT_POWER_S = 0.01


class Port:
    """The port, and the thread in which the board runs while it is entered."""

    def __init__(self, chip: Chip) -> None:
        self._chip = chip
        self._ours, self._theirs = os.openpty()
        tty.setraw(self._theirs)
        os.set_blocking(self._ours, False)
        self.path = os.ttyname(self._theirs)
        self._heard = len(chip.heard)
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ends.set()
        self._thread.join()
        os.close(self._ours)
        os.close(self._theirs)

    def _run(self) -> None:
        while not self._ends.is_set():
            if not self._chip.has_power:
                time.sleep(_WITHOUT_POWER_S)
                continue
            with suppress(BlockingIOError):
                self._chip.host.write(os.read(self._ours, _READ_BYTES))
            self._chip.run_ms(STEP_MS)
            for _, data in self._chip.heard[self._heard :]:
                os.write(self._ours, data)
            self._heard = len(self._chip.heard)
