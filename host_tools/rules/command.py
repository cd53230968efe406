"""`underfelt rules`: asks the rules core from the command line.

`settle`, `ruling` and `award` read the JSON documents of the contract from a file or on
standard input and answer on standard output; `games`, `irregularities` and
`interpretations` print what the core knows. The answers are decided in `firmware.rules`.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, BinaryIO

import msgspec
import typer

from firmware.errors import BadInput
from firmware.rules.documents import MORE_FOLLOWS, Question, answer, explain
from firmware.rules.games import find_game
from host_tools.rules.irregularities import irregularity_lines
from host_tools.rules.tables import (
    games_tables,
    interpretations_table,
    irregularities_table,
    print_tables,
    with_facts,
)
from host_tools.terminal import escaped_json, print_help_alone, say

app = typer.Typer()

Document = Annotated[
    Path | None,
    typer.Argument(metavar="FILE", help="The document; without it, standard input is read."),
]
Lines = Annotated[
    bool,
    typer.Option(
        "--lines", help="Read one document per line; a bad one is reported and the run continues."
    ),
]
Explain = Annotated[bool, typer.Option("--explain", help="Answer in words instead of JSON.")]


@app.callback(invoke_without_command=True)
def rules(context: typer.Context) -> None:
    """Ask the rules of the five games.

    underfelt rules irregularities rws-holdem
    """
    print_help_alone(context)


@app.command()
def settle(file: Document = None, *, lines: Lines = False, explain: Explain = False) -> None:
    """Settle a round: what every bet pays.

    underfelt rules settle --explain host_tools/rules/round.json
    """
    _ask("settle", file, lines=lines, in_words=explain)


@app.command()
def ruling(file: Document = None, *, lines: Lines = False, explain: Explain = False) -> None:
    """Rule on an irregularity: what happens now.

    Which there are, and which facts each needs: underfelt rules irregularities GAME.

    echo '{"game": "rws-holdem", "irregularity": "foreign_card"}' | underfelt rules ruling
    """
    _ask("ruling", file, lines=lines, in_words=explain)


@app.command()
def award(file: Document = None, *, lines: Lines = False, explain: Explain = False) -> None:
    """Award claims: who is paid what from the meter, in which order.

    underfelt rules award --explain host_tools/rules/claims.json
    """
    _ask("award", file, lines=lines, in_words=explain)


@app.command()
def games() -> None:
    """Show the five games side by side, and how they differ.

    underfelt rules games
    """
    print_tables(*games_tables())


@app.command()
def irregularities(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="One game in full; without it, all side by side.")
    ] = "",
) -> None:
    """Show the irregularities, the facts that each needs, and what follows from them.

    underfelt rules irregularities rws-holdem
    """
    if not game:
        print_tables(irregularities_table(with_facts))
        say("One game in full, with what each fact means: underfelt rules irregularities GAME")
        return
    for line in irregularity_lines(find_game(game)):
        say(line)


@app.command()
def interpretations() -> None:
    """Show what was decided where the rule documents leave room for interpretation.

    underfelt rules interpretations
    """
    print_tables(interpretations_table())


def _ask(question: Question, file: Path | None, *, lines: bool, in_words: bool) -> None:
    if sys.stdout is None:
        raise BadInput("standard output", "must be open")
    respond = explain if in_words else answer
    sink = sys.stdout.buffer
    with _opened(file) as source:
        if not lines:
            told = _printing(_answer_to_one(respond, question, source.read()))
            sink.write(_encoded(told, in_words=in_words) + b"\n")
            return
        # Words take several lines, so a blank one ends each answer.
        end = b"\n\n" if in_words else b"\n"
        for document in _documents(source):
            told = _printing(_answer_or_error(respond, question, document))
            sink.write(_encoded(told, in_words=in_words) + end)
            sink.flush()  # the writer of a line may be waiting for its answer


def _answer_to_one(
    respond: Callable[[Question, bytes], bytes], question: Question, document: bytes
) -> bytes:
    """Answer the only document; whoever sent several is told how."""
    try:
        return respond(question, document)
    except BadInput as error:
        if not error.reason.startswith(MORE_FOLLOWS):
            raise
        several = f"{error.reason}; --lines reads one document per line"
        raise BadInput(error.field, several) from None


def _opened(file: Path | None) -> "BinaryIO | nullcontext[BinaryIO]":
    """Open a file, or leave standard input open."""
    if file is not None and str(file) != "-":
        try:
            return file.open("rb")
        except FileNotFoundError:
            raise BadInput(str(file), "no such file; name one with a JSON document") from None
    if sys.stdin is None:
        raise BadInput("standard input", "is not open; name a file")
    if sys.stdin.isatty():
        say("reading JSON from the keyboard; end with Ctrl-D", err=True)
    return nullcontext(sys.stdin.buffer)


def _encoded(answered: str, *, in_words: bool) -> bytes:
    """Write words as the terminal can show them, and a document as UTF-8 wherever it goes."""
    if in_words:
        return answered.encode(sys.stdout.encoding, sys.stdout.errors or "strict")
    return answered.encode()


def _printing(answered: bytes) -> str:
    """Return an answer without a character of its document that could steer a terminal."""
    lines = answered.decode().split("\n")
    return "\n".join(escaped_json(line) for line in lines)


def _documents(source: BinaryIO) -> Iterator[bytes]:
    """Yield one document per line, skipping blank lines and never holding more than one."""
    for line in source:
        document = line.strip()
        if document:
            yield document


def _answer_or_error(
    respond: Callable[[Question, bytes], bytes], question: Question, document: bytes
) -> bytes:
    try:
        return respond(question, document)
    except BadInput as error:
        return msgspec.json.encode({"error": {"field": error.field, "reason": error.reason}})
