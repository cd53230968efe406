"""`underfelt watch`: the live view of one or more tables in the terminal."""

import sys

from firmware.errors import BadInput
from host_tools.connection.target_option import TargetArguments
from host_tools.connection.targets import parse_target


def watch(targets: TargetArguments) -> None:
    """Watch tables live: phase, spots, lamps, face-up cards, prompts, link, meter, faults.

    Keys: q quits, tab goes to the next table, z shows it alone, p pauses, s saves a picture.

    underfelt watch sim:T1 sim:T2 sim:T3

    underfelt watch ssh://pi@table7
    """
    for target in targets:
        parse_target(target)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInput(
            "watch",
            "this needs a terminal to draw on and to take keys from; without one, use"
            f" 'underfelt diagnose {targets[0]}', with --json for data",
        )
    # Imported here, so that no other command waits for it.
    from host_tools.watch.app import WatchApp  # noqa: PLC0415

    WatchApp(targets).run()
