"""The person at a table under test: he is asked, told what to move, and may skip and try again.

The simulator's hands, who do the same without being asked, are in `simulated_hands.py`.
"""

import select
import sys
import termios
from collections.abc import Callable, Mapping
from io import BufferedReader

from firmware.rules.words import bet_name
from host_tools.guided_test.checks import CheckSkippedError, TestedSpot, WhatNext
from host_tools.terminal import ask_line, read_line, say

INTRODUCTION = (
    "Enter ends a wait. s skips a check. Ctrl-C ends the test; what was done is in the report."
)
_SKIPS = frozenset({"s", "skip"})
_MOVES: Mapping[tuple[str, bool], str] = {
    ("key", True): "Turn the key on",
    ("key", False): "Turn the key back",
    ("cover", True): "Close the cover",
    ("cover", False): "Open the cover",
    ("power_good", True): "Plug the main supply in again",
    ("power_good", False): "Pull the main supply's plug",
}
_AFTER: Mapping[str, WhatNext] = {
    "": "retry",
    "r": "retry",
    "retry": "retry",
    "f": "fail",
    "fail": "fail",
    "s": "skip",
    "skip": "skip",
}
_ANSWERS: Mapping[str, bool] = {"y": True, "yes": True, "n": False, "no": False}


def is_answered() -> bool:
    """Return whether questions may be answered: there is a terminal, or input that has not ended."""
    if sys.stdin.isatty():
        return True
    try:
        has_something = bool(select.select([sys.stdin], [], [], 0)[0])
    except (OSError, ValueError):  # it is no file, but something that is read like one
        return not sys.stdin.closed
    if not has_something:
        return True
    waiting = sys.stdin.buffer
    return not isinstance(waiting, BufferedReader) or bool(waiting.peek(1))


class HumanOperator:
    """A person at the table who answers questions and moves chips."""

    patience_s = 60.0

    def __init__(self) -> None:
        self.meanwhile: Callable[[], object] = lambda: None

    def sees_lamp(self, spot: TestedSpot, pattern: str) -> bool:
        """Ask whether a lamp is lit."""
        wanted = "lit" if pattern == "steady" else "dark"
        return self._confirms(f"Is the lamp of {_place(spot)} {wanted}?")

    def sees_all_lamps(self, pattern: str) -> bool:
        """Ask whether all lamps are lit."""
        if pattern == "steady":
            return self._confirms("Are all lamps lit?")
        return self._confirms("Are all lamps dark within two seconds?")

    def reads(self, device: str, wanted: str) -> bool:
        """Ask for the number shown, so that nobody just says yes."""
        number = wanted.rsplit(maxsplit=1)[-1]
        _forget_what_was_typed()
        while True:
            answer = self._asked(f"Which number does the {device} show? [s to skip]")
            if answer:
                return answer == number
            say("Please type the number, or n if it shows none; s skips this check.")

    def moves_chip(self, spot: TestedSpot, *, on: bool) -> None:
        """Ask for a chip."""
        _instruct(f"{'Put a chip on' if on else 'Lift the chip from'} {_place(spot)} …")

    def moves_switch(self, switch: str, *, on: bool) -> None:
        """Ask for a switch to be moved."""
        _instruct(f"{_MOVES[switch, on]} …")

    def has_hold_up(self) -> bool:
        """Ask whether pulling the plug would switch the table off."""
        question = "Has this table a hold-up supply, so that its plug may be pulled?"
        return self._confirms(question, "y/N/s", {**_ANSWERS, "": False})

    def presses_key(self) -> None:
        """Ask for a key."""
        _instruct("Press OPEN on the panel …")

    def draws_card(self) -> None:
        """Ask for a card."""
        _instruct("Have the shoe or shuffler read a card …")

    def gives_up(self) -> bool:
        """Return whether Enter was pressed while the table waits."""
        if not sys.stdin.isatty() or not select.select([sys.stdin], [], [], 0)[0]:
            return False
        _skip_if(read_line().strip().casefold())
        return True

    def after_failure(self, sentence: str) -> WhatNext:
        """Ask what becomes of a failed check; without a terminal it has failed."""
        if not sys.stdin.isatty():
            return "fail"
        _forget_what_was_typed()
        say(f"Not passed: {sentence}.")
        while True:
            answer = ask_line("Try again, fail or skip it? [R/f/s]", self.meanwhile)
            if answer in _AFTER:
                return _AFTER[answer]
            say("Please answer r (try again), f (it has failed) or s (skip it).")

    def _confirms(
        self, question: str, choice: str = "y/n/s", answers: Mapping[str, bool] = _ANSWERS
    ) -> bool:
        """Ask until one of the answers is given; Enter alone, which ends a wait, says nothing."""
        _forget_what_was_typed()
        while True:
            answer = self._asked(f"{question} [{choice}]")
            if answer in answers:
                return answers[answer]
            say("Please answer y (yes), n (no) or s (skip this check).")

    def _asked(self, question: str) -> str:
        answer = ask_line(question, self.meanwhile)
        _skip_if(answer)
        return answer


def _instruct(sentence: str) -> None:
    """Say what to do; a key that was pressed before does not end the wait."""
    _forget_what_was_typed()
    say(sentence)


def _forget_what_was_typed() -> None:
    """Let nothing that was typed for something else be an answer."""
    if sys.stdin.isatty():
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def _skip_if(answer: str) -> None:
    if answer in _SKIPS:
        raise CheckSkippedError("skipped by the technician")


def _place(spot: TestedSpot) -> str:
    seat, bet = spot
    return f"seat {seat}" if bet == "jackpot" else f"seat {seat} {bet_name(bet)}"
