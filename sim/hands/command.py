"""`underfelt-sim hands`: say sentences to a running table, at a prompt, in one line, or from a file.

underfelt-sim hands                      list the running tables
underfelt-sim hands T1                   a prompt, with completion and history
underfelt-sim hands T1 coins 1 3         one sentence; the dealer rests until it is let play
underfelt-sim hands T1 -f FILE           sentences from a file, or from standard input: -
"""

import argparse
import sys
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING

from firmware.errors import BadInput, UnderfeltError
from firmware.shell.command_line import TYPED_WRONG, complain
from sim.arguments import text
from sim.floor.naming import running_names
from sim.hands.client import Answer, TableHands
from sim.hands.printing import print_lines
from sim.table.visible import as_text

if TYPE_CHECKING:
    # Only a file needs what reads it.
    from sim.scenario_language.reader import Head

_STANDARD_INPUT = Path("-")
_LONGEST_SENTENCE = 1000


def add_hands_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `underfelt-sim hands`."""
    parser.add_argument(
        "table", type=text(), nargs="?", help="the table, such as T1; without it, list them"
    )
    parser.add_argument(
        "words",
        type=text(_LONGEST_SENTENCE),
        nargs="*",
        metavar="SENTENCE",
        help="one sentence to say",
    )
    parser.add_argument(
        "-f", "--file", type=Path, metavar="FILE", help="say the sentences of a file, or of '-'"
    )


def run_hands(options: argparse.Namespace) -> int:
    """Say what is given; the exit status says whether all of it was done."""
    if options.table is None and options.file is not None:
        complain("underfelt-sim hands", "-f: name the table too: 'underfelt-sim hands T1 -f FILE'")
        return TYPED_WRONG
    if options.table is None:
        return _list_tables()
    if options.file is not None and options.words:
        raise BadInput("hands", "takes a sentence or a file, not both")
    name = options.table.removeprefix("sim:")
    with TableHands(options.table) as hands:
        if options.words and options.words[0].split()[0] == "help":
            from sim.hands.prompt import print_help  # noqa: PLC0415  # as the prompt itself

            return print_help(hands, " ".join(options.words).removeprefix("help").strip())
        if options.words:
            return _say_one(hands, name, " ".join(options.words))
        if options.file is not None or not sys.stdin.isatty():
            return _say_file(hands, name, options.file or _STANDARD_INPUT)
        from sim.hands.prompt import at_the_prompt  # noqa: PLC0415  # only a terminal needs it

        at_the_prompt(hands, name)
    return 0


def _list_tables() -> int:
    names = running_names()
    if not names:
        print("No simulated table is running; start some: underfelt-sim floor")
        return 0
    for name in names:
        print(f"  {name:<12} {_state_of(name)}")
    print("'underfelt-sim hands NAME' takes you to a table.")
    return 0


def _state_of(name: str) -> str:
    try:
        with TableHands(name) as hands:
            seen = hands.state()
    except UnderfeltError as error:
        return str(error).removeprefix(f"{name}: ")
    phase = (seen.code or "starting") if seen.is_on else "off"
    return f"{seen.game}, {phase}; {_who_plays(seen)}"


def _who_plays(seen: Answer) -> str:
    if seen.busy:
        return f"somebody's hands are at it: {seen.busy}"
    if seen.is_on and seen.code == "closed":
        return f"nobody plays; 'underfelt-sim hands {seen.table} let the dealer play' opens it"
    waits = "" if seen.is_on or seen.dealer == "rests" else " once it is on"
    return f"the dealer {seen.dealer}{waits}"


def _say_one(hands: TableHands, name: str, sentence: str) -> int:
    answer = hands.say(sentence, stay=True)
    if answer.problem:
        complain("underfelt-sim", f"{name}: {answer.problem.replace(chr(10), '; ')}")
        return 1
    if answer.refusal:
        print_lines(f"  REFUSED  {answer.refusal}")
    print_lines(as_text(answer))
    if answer.dealer == "rests":
        print(f"The dealer rests; 'underfelt-sim hands {name} let the dealer play' lets it go on.")
    return 0 if answer.is_done else 1


def _say_file(hands: TableHands, name: str, given: Path) -> int:
    """Say the sentences of a file, until one is not done; a scenario's own table must be alike."""
    from sim.scenario_language.reader import (  # noqa: PLC0415  # slow
        parse_scenario,
        parse_sentences,
        read_text,
    )

    path = Path("standard input") if given == _STANDARD_INPUT else given
    said = sys.stdin.read() if given == _STANDARD_INPUT else read_text(path)
    sentences = parse_sentences(said, path)
    answer = hands.say("look", glance=True)
    if sentences and sentences[0].text.startswith("table "):
        _check_head(sentences[0].text, answer, path)
        if words := _not_applied(parse_scenario(said, path).head, answer):
            print(f"{path}: {answer.table} stays as it is; not applied: {', '.join(words)}")
        sentences = sentences[1:]
        _let_finish(hands, name)
        _seat_new_players(hands, answer)
    for place, sentence in enumerate(sentences):
        answer = hands.say(sentence.text, sentence.block, glance=True)
        print(f"{path}:{sentence.line}: {sentence.text}", flush=True)
        after = [each.text for each in sentences[place + 1 : place + 2]]
        if answer.problem or (answer.refusal and not _expects_refusal([sentence.text, *after])):
            why = answer.problem or f"REFUSED  {answer.refusal}"
            print_lines(indent(why, "  "))
            print_lines(as_text(answer))
            return 1
    answer = hands.say("look")  # when it can be told what the lamps do
    print_lines(as_text(answer))
    after_words = "goes on" if answer.dealer_after == "plays" else "rests on"
    said_words = "1 sentence" if len(sentences) == 1 else f"{len(sentences)} sentences"
    print(f"{said_words} said; the dealer of {name} {after_words}.")
    return 0


def _let_finish(hands: TableHands, name: str) -> None:
    """Let the dealer end its round: a scenario begins at a table where nothing lies."""
    answer = hands.say("let the dealer finish", glance=True)
    if answer.problem:
        raise BadInput(name, answer.problem)


def _seats_of(answer: Answer) -> list[int]:
    return sorted({int(spot.split()[0]) for spot in answer.lamps})


def _seat_new_players(hands: TableHands, answer: Answer) -> None:
    """Let the table forget what it remembers of its players: a scenario begins with none."""
    for seat in _seats_of(answer):
        answer = hands.say(f"new player {seat}", glance=True)
        if answer.problem or answer.refusal:
            raise BadInput(f"new player {seat}", answer.problem or answer.refusal)


def _not_applied(head: "Head", answer: Answer) -> list[str]:
    """List what the head of a scenario asks for, and a table that runs already does not take over."""
    seats = len(_seats_of(answer))
    differs = [f"{head.seats} seats (here {seats})"] if head.seats != seats else []
    if head.source != answer.source:
        differs.append(f"card source {head.source} (here {answer.source})")
    return differs + [f"{name} {value}" for name, value in head.settings.items()]


def _expects_refusal(texts: list[str]) -> bool:
    return any(text.startswith("expect ") for text in texts[:1]) or any(
        text.startswith("expect refusal") for text in texts[1:]
    )


def _check_head(head: str, answer: Answer, path: Path) -> None:
    game = head.removeprefix("table ").partition(",")[0].strip()
    if game != answer.game:
        raise BadInput(f"{path}:1", f"is about {game}; {answer.table} plays {answer.game}")
