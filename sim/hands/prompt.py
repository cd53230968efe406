"""The prompt at a table: line editing, completion with TAB, and a history that is kept.

What is typed goes to the table as a sentence, but for `help` and `leave`, which are said to the
prompt. The history is in the user's state folder; a folder that cannot be written costs nothing
but the history.
"""

import os
import readline
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sim.hands.client import Answer, TableHands
from sim.hands.printing import print_lines
from sim.table.visible import as_text

_LEAVE = ("leave", "exit", "quit")
_OWN_WORDS = ("help", "leave")
_LINES_KEPT = 1_000


def history_file() -> Path:
    """Return where the history is kept."""
    state = os.environ.get("XDG_STATE_HOME")
    folder = Path(state) if state else Path.home() / ".local" / "state"
    return folder / "underfelt-sim" / "hands-history"


def at_the_prompt(hands: TableHands, name: str) -> None:
    """Say what is typed until the person leaves."""
    answer = hands.say("look", glance=True)
    print(f"{name} plays {answer.game}; its dealer {answer.dealer}, and rests while you play.")
    print(
        "TAB completes a sentence, 'help' lists them, Ctrl-C stops one, 'leave' or Ctrl-D leaves."
    )
    print_lines(as_text(answer))
    with _line_editing(hands):
        for line in _typed(f"{name}> "):
            if line.split()[0] == "help":
                print_help(hands, line.removeprefix("help").strip())
                continue
            try:
                with hands.stopped_by_interrupt():
                    answer = hands.say(line)
                tell(answer)
            except KeyboardInterrupt:
                if hands.waits:
                    raise
                print()
    after = "goes on" if answer.dealer_after == "plays" else "rests on"
    if answer.dealer == "rests":
        print(f"You have left {name}; its dealer {after}.")


def tell(answer: Answer) -> None:
    """Print what came of a sentence."""
    if answer.stopped:
        print(
            "  (The dealer rests while your hands are here; 'let the dealer play' lets it go on.)"
        )
    if answer.nearest:
        print(f"{answer.sentence!r} is not a sentence; the nearest are:")
        print("".join(f"  {each}\n" for each in answer.nearest), end="")
        return
    if answer.problem:
        print_lines(answer.problem)
    if answer.refusal:
        print_lines(f"  REFUSED  {answer.refusal}")
    print_lines(as_text(answer))


def _typed(prompt: str) -> Iterator[str]:
    """List what is typed, line by line, until somebody leaves."""
    while True:
        try:
            line = input(prompt).strip()
        except EOFError:
            print()
            return
        except KeyboardInterrupt:
            print()
            continue
        if line in _LEAVE:
            return
        if line:
            yield line


def print_help(hands: TableHands, words: str) -> int:
    """Print the sentences, an example of each; all forms of those that have these words."""
    found = hands.language(words)
    for meaning, forms in found:
        if words:
            print(f"{meaning}:\n" + "".join(f"  {form}\n" for form in forms), end="")
        else:
            print(f"  {forms[0]:<50} {meaning}")
    if not found:
        print(f"No sentence has the words {words!r}; 'help' lists all.")
        return 1
    return 0


class _Completer:
    """Completes a line by asking the table."""

    def __init__(self, hands: TableHands) -> None:
        self._hands = hands
        self._found: list[str] = []

    def __call__(self, text: str, state: int) -> str | None:
        if state == 0:
            own = [word for word in _OWN_WORDS if word.startswith(text)]
            self._found = sorted([*self._hands.completions(text), *own])
        return self._found[state] if state < len(self._found) else None


@contextmanager
def _line_editing(hands: TableHands) -> Iterator[None]:
    readline.set_completer_delims("")
    readline.set_completer(_Completer(hands))
    is_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
    readline.parse_and_bind("set show-all-if-ambiguous on")
    file = history_file()
    with suppress(OSError):
        readline.read_history_file(file)
    readline.set_history_length(_LINES_KEPT)
    try:
        yield
    finally:
        readline.set_completer(None)
        with suppress(OSError):
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            readline.write_history_file(file)
