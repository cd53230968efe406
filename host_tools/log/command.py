"""`underfelt log`: the last lines of a table's log, and what comes after them.

Only what is typed is here; `reading.py` does it, and is imported when it is needed.
"""

from typing import Annotated, Literal

import typer

from host_tools.connection.target_option import TargetArgument


def log(
    target: TargetArgument,
    *,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Go on with what comes, until Ctrl-C.")
    ] = False,
    lines: Annotated[
        int, typer.Option("--lines", "-n", metavar="N", help="At most so many lines.", min=0)
    ] = 50,
    since: Annotated[
        str,
        typer.Option(
            metavar="WHEN",
            help="Only from then on: 10min, 2h, 15:04 (the last one) or 2026-01-02T15:04.",
        ),
    ] = "",
    level: Annotated[
        Literal["debug", "info", "warning", "error"],
        typer.Option(
            metavar="LEVEL",
            help="Only debug, info, warning or error, and worse.",
            case_sensitive=False,
        ),
    ] = "info",
) -> None:
    """Show the log of a table, or follow it.

    The table keeps its last 200 lines since it was started; the whole log is in
    'journalctl -u underfelt-table' on the table. Times are in this machine's time zone. A card is
    never in the log.

    underfelt log sim:T1

    underfelt log ssh://pi@table7 --follow --level warning

    underfelt log ssh://pi@table7 --since 10min
    """
    # Imported here, so that the help does not wait for it.
    from host_tools.log import reading  # noqa: PLC0415

    wanted = reading.Wanted(lines, reading.moment_ms(since), level)
    if follow:
        reading.follow(target, wanted)
    else:
        reading.show(target, wanted)
