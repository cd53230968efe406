"""What a group of commands does when it is called alone: it shows its help."""

import typer


def print_help_alone(context: typer.Context) -> None:
    """Show the help of a group that was called without a command; that is no error."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
