"""Shows the help of a command group that is called without a command."""

import typer


def print_help_alone(context: typer.Context) -> None:
    """Show the help of a group that was called without a command; this is not an error."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
