"""Whether the terminal shows what is typed: not where a PIN may be typed, as early as that may be.

Who knows that a PIN will be asked for types it at once, while the command is still being imported. So the
echo is off from the first moment of a command that may ask, and what was typed is kept for the question.
However the command ends, the terminal is as it was. Only what is quick to import is imported here; the
questions themselves are in `terminal.py`.
"""

import os
import signal
import sys
import termios
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType

ASK_FOR_PIN = (
    ("test",),
    ("journal", "pull", "--mark"),
    ("staff", "hash-pin"),
    ("staff", "entry"),
)
"""The words of every command line that may ask for a PIN."""
_INPUT = 0
_LOCAL_FLAGS = 3
_SIGNALS = (signal.SIGTERM, signal.SIGHUP)
_before: list[int] = []
"""The local flags of the terminal when it was found, once it was changed."""


def may_ask_for_pin(words: Sequence[str]) -> bool:
    """Return whether a command line may ask for a PIN."""
    if not any({*asking} <= {*words} for asking in ASK_FOR_PIN):
        return False
    given = any(word.partition("=")[0] == "--pin" for word in words)
    # `staff` makes a new PIN, and always asks.
    return "staff" in words or not (given or os.environ.get("UNDERFELT_PIN"))


def hide_for(words: Sequence[str]) -> None:
    """Hide what is typed from now on, if the command may ask for a PIN."""
    if may_ask_for_pin(words) and _is_ours():
        hide()


def hide() -> None:
    """Hide what is typed; what was typed before stays to be read."""
    if not _before:
        # Who has a handler of his own, or ignores it, comes to `restore` by himself.
        for each in _SIGNALS:
            if signal.getsignal(each) is signal.SIG_DFL:
                signal.signal(each, _end)
        _before.append(termios.tcgetattr(_INPUT)[_LOCAL_FLAGS])
    _set(_before[0] & ~termios.ECHO)


def hide_and_take_each_key() -> None:
    """Hide what is typed, and hand over each key at once, for who shows it himself."""
    hide()
    _set(_before[0] & ~(termios.ECHO | termios.ICANON))


def show() -> None:
    """Show again what is typed, as before."""
    if _before:
        _set(_before[0])


def restore() -> None:
    """Leave the terminal as it was; one that is gone does not mind.

    What was typed and not read is thrown away: it may be a PIN, and the shell would show it.
    """
    with suppress(termios.error, OSError, ValueError):
        if _before:
            termios.tcflush(_INPUT, termios.TCIFLUSH)
        show()


def _is_ours() -> bool:
    """Return whether there is a terminal, and this is what runs in it: others would be stopped."""
    try:
        return os.isatty(_INPUT) and os.tcgetpgrp(_INPUT) == os.getpgrp()
    except OSError:
        return False


def _set(local_flags: int) -> None:
    attributes = termios.tcgetattr(_INPUT)
    attributes[_LOCAL_FLAGS] = local_flags
    # At once, and without a flush: what was typed early is the answer.
    termios.tcsetattr(_INPUT, termios.TCSANOW, attributes)


def _end(number: int, _frame: FrameType | None) -> None:
    """Restore the terminal, and end as the signal wants it."""
    restore()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    sys.exit(128 + number)  # if it was blocked
