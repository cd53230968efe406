"""How a pin's edges get from gpiozero's threads into the event loop.

One crossing at a time per pin, however fast it changes: the callback reads the level when it
runs, so one crossing covers every edge until then.
"""

from collections.abc import Callable

from gpiozero import DigitalInputDevice

from firmware.table.intake import Intake


def on_edges(line: DigitalInputDevice, callback: Callable[[], None], intake: Intake) -> None:
    """Call back in the event loop when the line has changed, and now."""
    crossing = False

    def arrive() -> None:
        nonlocal crossing
        crossing = False
        if not line.closed:
            callback()

    def changed() -> None:
        nonlocal crossing
        if not crossing:
            crossing = True
            intake.from_thread(arrive)

    line.when_activated = line.when_deactivated = changed
    callback()
