"""The argument TARGET of every command that talks to a table, with its completion."""

from typing import Annotated

import typer

from host_tools.connection.targets import running_tables


def _complete(incomplete: str) -> list[str]:
    known = [*(f"sim:{name}" for name in running_tables()), "unix:", "ssh://"]
    return [each for each in known if each.startswith(incomplete)]


TargetArgument = Annotated[
    str,
    typer.Argument(
        metavar="TARGET",
        help="The table: sim:NAME, unix:PATH or ssh://USER@HOST.",
        autocompletion=_complete,
    ),
]
TargetArguments = Annotated[
    list[str],
    typer.Argument(
        metavar="TARGET…",
        help="The tables: sim:NAME, unix:PATH or ssh://USER@HOST.",
        autocompletion=_complete,
    ),
]
