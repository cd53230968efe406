"""What is typed after a command: numbers and texts with bounds, and one sentence if they are wrong.

`argparse` puts the name of the option before the sentence, and the parser of `firmware/shell/command_line.py`
the place of help behind it.
"""

import argparse
import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from firmware.rules.bounds import MOST_WHOLE, MOST_WORD_CHARACTERS
from firmware.shell.command_line import shown

_WHOLE = re.compile(r"-?[0-9]+")
_GIVEN = "options given"
_MOST_DIGITS = 20
"""More than any bound has, and few enough for a sentence."""


class Once(argparse.Action):
    """Takes an option once; `argparse` would silently let the last of several win."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002  # as the library has it
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        """Keep the value, or complain."""
        given = vars(namespace).setdefault(_GIVEN, set())
        if option_string is not None and self.dest in given:
            raise argparse.ArgumentError(self, "is given twice; give it once")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


def take_options_once(parser: argparse.ArgumentParser) -> None:
    """Let a parser refuse an option that is given twice, unless it says how it takes several."""
    for name in (None, "store"):
        parser.register("action", name, Once)


def whole(least: int = -MOST_WHOLE, most: int = MOST_WHOLE) -> Callable[[str], int]:
    """Return a reader of whole numbers between two bounds."""

    def read(given: str) -> int:
        if _WHOLE.fullmatch(given) and len(given) <= _MOST_DIGITS and least <= int(given) <= most:
            return int(given)
        if most >= MOST_WHOLE and _WHOLE.fullmatch(given) and _is_too_large(given, most):
            # Elsewhere the bound is worth a word.
            raise argparse.ArgumentTypeError(f"{shown(given)} is too large; {most} is the most")
        raise argparse.ArgumentTypeError(
            f"{shown(given)} is not a whole number{_between(least, most)}"
        )

    return read


def _is_too_large(given: str, most: int) -> bool:
    digits = given.lstrip("0")
    return not given.startswith("-") and (len(digits) > _MOST_DIGITS or int(digits or "0") > most)


def _between(least: int, most: int) -> str:
    """Say which bounds a number has; those that nobody comes near are not worth a word."""
    if most < MOST_WHOLE:
        return f" from {least} to {most}"
    if least > -MOST_WHOLE:
        return f" from {least} up"
    return ""


def seconds(most: float) -> Callable[[str], float]:
    """Return a reader of a time in seconds, up to a bound."""

    def read(given: str) -> float:
        try:
            number = float(given)
        except ValueError:
            number = math.nan
        if not 0 <= number <= most:  # nor is a number that is none
            raise argparse.ArgumentTypeError(
                f"{shown(given)} is not a number of seconds from 0 to {most:g}"
            )
        return number

    return read


def text(
    most: int = MOST_WORD_CHARACTERS, *, blank: str = "is empty; say what is meant"
) -> Callable[[str], str]:
    """Return a reader of a text that somebody reads, up to so many characters."""

    def read(given: str) -> str:
        found = given.strip()
        problem = blank if not found else problem_of_text(found, most)
        if problem:
            raise argparse.ArgumentTypeError(problem)
        return found

    return read


def problem_of_text(given: str, most: int) -> str:
    """Say why a text can be neither kept nor shown; nothing if it can."""
    if len(given) > most:
        return f"has {len(given)} characters; shorten it to {most}"
    odd = next((each for each in given if not each.isprintable()), None)
    # The bytes of an argument that are not UTF-8 come as such characters too.
    return "" if odd is None else f"{shown(given)} cannot be printed: leave out {odd!a}"
