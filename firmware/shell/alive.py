"""Signs of life that stop when the table hangs: for systemd, the watchdog, the lamp drivers.

An event loop that keeps turning while the runtime hangs is not alive. So a sign is sent only
while events are taken out of the inbox, or none is waiting. Who gets it is decided elsewhere.
"""

import asyncio
import logging
from collections.abc import Callable

_log = logging.getLogger(__name__)

Progress = Callable[[], tuple[int, int]]
"""How many events have been taken so far, and how many are waiting."""


_LASTS = 2
"""So many signs in a row are left out where the table does not just have much to do."""
JudgeSign = Callable[[Exception | None], None]
"""Hears after each sign whether giving it failed, and with what."""


async def while_events_are_taken(
    progress: Progress, every_s: float, give_sign: Callable[[], None], judge: JudgeSign
) -> None:
    """Give a sign of life for ever, but not while events wait and none is taken.

    A sign that cannot be given never ends the program. One that is left out is a moment in which there was
    much to do; a second one after it is told.
    """
    taken_before, missed = -1, 0
    while True:
        taken, waiting = progress()
        if waiting == 0 or taken != taken_before:
            missed = 0
            judge(_given(give_sign))
        else:
            missed += 1
        if missed >= _LASTS:
            waits = "1 event waits" if waiting == 1 else f"{waiting} events wait"
            _log.error("%s and none was taken: no sign of life given", waits)
        taken_before = taken
        await asyncio.sleep(every_s)


def _given(give_sign: Callable[[], None]) -> Exception | None:
    try:
        give_sign()
    except Exception as error:  # noqa: BLE001  # a pin or a device never ends the program
        return error
    return None
