"""What several commands print alike: the help of a group, and a number of things."""

import typer


def print_help_alone(context: typer.Context) -> None:
    """Show the help of a group that was called without a command; this is not an error."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def counted(number: int, noun: str) -> str:
    """Return a number of things: 1 fault, 2 faults."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
