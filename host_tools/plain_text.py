"""Prints lines of plain text: the half of `terminal.py` that every command needs at once.

What is drawn, asked for or written as JSON is in `terminal.py`, which takes longer to import.
"""

import sys

import typer


def plain(text: str) -> str:
    """Return a text as one line that prints as it is, with a question mark for all else."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else " " if each.isspace() else "?" for each in text)


def say(text: str = "", *, err: bool = False) -> None:
    """Print one line."""
    # Named, the stream is written to as it is; unnamed, UTF-8 is written to any terminal.
    typer.echo(plain(text), file=sys.stderr if err else sys.stdout)  # the one place


def print_help_alone(context: typer.Context) -> None:
    """Show the help of a group that was called without a command; this is not an error."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), file=sys.stdout)  # our own words


def sentence(words: str) -> str:
    """End words with a full stop, unless they have an end."""
    return words if words.endswith(("?", "!", ".", "…")) else f"{words}."


def counted(number: int, noun: str) -> str:
    """Return a number of things: 1 fault, 2 faults."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
