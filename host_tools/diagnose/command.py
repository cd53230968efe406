"""`underfelt diagnose`: what is wrong with tables, in plain words, worst first.

Only what is typed is here; `examining.py` does it, and is imported when it is needed.
"""

from pathlib import Path
from typing import Annotated

import typer

from host_tools.connection.target_option import TargetArguments


def diagnose(  # noqa: PLR0913  # each is an option
    targets: TargetArguments,
    *,
    config: Annotated[
        Path | None,
        typer.Option(metavar="TABLE.TOML", help="The table file, for a table that is not running."),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Answer in JSON; with several tables a list.")
    ] = False,
    prometheus: Annotated[
        bool, typer.Option("--prometheus", help="Answer in the text format of Prometheus.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="With --json or --prometheus: put the answer into this file, whole or not at all.",
        ),
    ] = None,
    bundle_file: Annotated[
        Path | None,
        typer.Option("--bundle", metavar="FILE", help="Put everything into one file for support."),
    ] = None,
) -> None:
    """Say what is wrong with tables, worst first, and what to do about it.

    Exit status: 0 nothing is wrong, 1 warnings, 2 faults, 3 a table cannot be reached; with several
    tables the highest of theirs. 64 means that the command itself was not carried out: a wrong
    option, or a file that cannot be written.

    underfelt diagnose sim:T1

    underfelt diagnose ssh://pi@table7 --bundle table7.zip

    underfelt diagnose ssh://pi@table7 ssh://pi@table8 --prometheus --output underfelt.prom

    underfelt diagnose unix:/run/underfelt/maintenance.sock --config /etc/underfelt/table.toml
    """
    # Imported here, so that the help does not wait for it.
    from host_tools.diagnose import examining  # noqa: PLC0415

    asked = examining.Asked(targets, config, bundle_file, output)
    form = examining.form_of(json=json, prometheus=prometheus)
    raise typer.Exit(examining.examine(asked, form))
