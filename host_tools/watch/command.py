"""`underfelt watch`: the live view of one or more tables in the terminal."""

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
    # Imported here, so that no other command waits for it.
    from host_tools.watch.app import WatchApp  # noqa: PLC0415

    WatchApp(targets).run()
