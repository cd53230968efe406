"""Completion in bash of a word that holds a colon, such as `sim:T1`.

To bash a colon is the end of a word: it hands over `sim`, `:` and `T`, and puts what comes back
behind the colon. So the words are put together again before typer looks at them, and what stands
before the last colon is cut off what it finds. Which words there are is in
`connection/target_option.py`; other shells need nothing of this.
"""

import io
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stdout

_ASKS = "_UNDERFELT_COMPLETE"
_WORDS, _AT = "COMP_WORDS", "COMP_CWORD"


def is_asked_by_bash() -> bool:
    """Return whether bash runs this to complete a word."""
    return os.environ.get(_ASKS) == "complete_bash" and _AT in os.environ


def complete_in_bash(complete: Callable[[], object]) -> None:
    """Let typer complete the whole word, and print what bash is to add."""
    words, at, before = joined(os.environ[_WORDS].split("\n"), int(os.environ[_AT]))
    os.environ[_WORDS], os.environ[_AT] = "\n".join(words), str(at)
    found = io.StringIO()
    try:
        with redirect_stdout(found):
            complete()
    finally:
        for word in found.getvalue().splitlines():
            sys.stdout.write(f"{word.removeprefix(before)}\n")


def joined(words: list[str], at: int) -> tuple[list[str], int, str]:
    """Put words together that bash has cut at a colon.

    Return them, the place of the one to complete, and what of that stands before bash's own word.
    """
    together: list[str] = []
    place, before = at, ""
    for number, word in enumerate(words):
        cut = bool(together) and (word.startswith(":") or together[-1].endswith(":"))
        if number == at:
            place = len(together) - cut
            # Bash counts the colon as a word, and completes the empty one behind it.
            before = (together[-1] if cut else "") + (word if cut and word == ":" else "")
        if cut:
            together[-1] += word
        else:
            together.append(word)
    return together, place, before
