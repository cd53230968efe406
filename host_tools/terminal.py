"""Everything that the tools print goes through here, so that nobody else's text can steer a terminal.

Names, prompts, faults and records come from tables, devices and journals, and any of them may
be hostile. `say`, `say_json` and `Terminal` print them without a character that moves a cursor,
hides or reorders what is read. `plain` is also applied where a table's answers come in
(`connection/table_stream.py`), which covers the live view and the files that are written.
What prints a line is in `plain_text.py`, without what takes long to import; all of it is here too.
"""

import os
import select
import sys
from collections.abc import Callable, Iterable

import msgspec
import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from firmware.errors import BadInput
from host_tools import typing_shown
from host_tools.plain_text import counted, plain, print_help_alone, say, sentence

__all__ = [
    "Terminal",
    "ask_before_pin",
    "ask_line",
    "ask_pin",
    "counted",
    "escaped_json",
    "json_text",
    "plain",
    "print_help_alone",
    "read_line",
    "say",
    "say_json",
    "sentence",
]


def say_json(document: object, *, pretty: bool = False) -> None:
    """Print a document as JSON."""
    typer.echo(json_text(document, pretty=pretty))  # the one place


def json_text(document: object, *, pretty: bool = False) -> str:
    """Write a document as JSON, with an escape for every character that does not print."""
    data = msgspec.json.encode(document)
    return escaped_json((msgspec.json.format(data) if pretty else data).decode())


def escaped_json(text: str) -> str:
    """Return JSON with an escape for every character in it that does not print."""
    return text if text.isprintable() else "".join(map(_json_character, text))


def _json_character(each: str) -> str:
    if each.isprintable() or each == "\n":
        return each
    return "".join(f"\\u{unit:04x}" for unit in memoryview(each.encode("utf-16-le")).cast("H"))


class Terminal(Console):  # the one place
    """A console for what rich draws: styles are ours, and nothing in a text is."""

    def __init__(
        self, *, stderr: bool = False, width: int | None = None, soft_wrap: bool = False
    ) -> None:
        super().__init__(
            stderr=stderr,
            width=width,
            soft_wrap=soft_wrap,
            markup=False,
            emoji=False,
            highlight=False,
        )

    def on_broken_pipe(self) -> None:
        """Leave it to the command that nobody reads on: the library would end it with 1."""
        raise BrokenPipeError

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Render as rich does, with every text made plain."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text == "\n":
                yield segment
            else:
                yield Segment(_drawn(segment.text), segment.style)


def _drawn(text: str) -> str:
    """Make a text plain; where rich puts lines together, they stay apart."""
    return "\n".join(map(plain, text.split("\n")))


def ask_pin(question: str = "PIN") -> str:
    """Ask for a PIN without showing it; where nobody can be asked, say how else to give it.

    What was typed before the question is its answer. What is typed after it is not shown either,
    until somebody is asked for something else.
    """
    if not sys.stdin.isatty():
        raise BadInput("PIN", "there is no terminal to ask for it; set UNDERFELT_PIN")
    typing_shown.hide()
    _prompt(f"{question}: ")
    try:
        return read_line().rstrip("\r\n")
    finally:
        _prompt("\n")  # Enter was not shown either


def ask_before_pin(question: str) -> str:
    """Ask for something after which a PIN is asked for; show the answer, and nothing typed after it.

    Who pastes both at once sends the PIN before its question. The terminal would show all that it
    is sent, so it shows nothing, and the keys of the answer alone are shown from here.
    """
    if not sys.stdin.isatty():
        return ask_line(question, lambda: None)
    typing_shown.hide_and_take_each_key()
    _prompt(f"{plain(question)} ")
    try:
        return _shown_keys().strip().casefold()
    finally:
        typing_shown.hide()
        _prompt("\n")


def _shown_keys() -> str:
    """Read a line key by key, and show it as it is typed and erased."""
    typed = ""
    while (key := _read_byte()) not in {b"\n", b"\r"}:
        if not key or (key == _CTRL_D and not typed):
            raise typer.Abort from EOFError()
        erased = {_BACKSPACE: 1, _DELETE: 1, _CTRL_U: len(typed)}.get(key, 0)
        if erased and typed:
            typed = typed[:-erased]
            _prompt("\b \b" * erased)
        elif (letter := key.decode("ascii", "ignore")).isprintable():
            typed += letter
            _prompt(letter)
    return typed


_CTRL_D, _CTRL_U, _BACKSPACE, _DELETE = b"\x04", b"\x15", b"\x08", b"\x7f"


def _read_byte() -> bytes:
    """Read one byte, and leave the rest where it is: what is typed early may be forgotten there."""
    return os.read(sys.stdin.fileno(), 1)


def ask_line(question: str, meanwhile: Callable[[], object], every_s: float = 60.0) -> str:
    """Ask a question and return the answer in small letters; do something while nobody answers."""
    typer.echo(f"{plain(question)} ", nl=False, file=sys.stdout)  # the one place
    if sys.stdin.isatty() and not select.select([sys.stdin], [], [], 0)[0]:
        # After an answer that was typed early a PIN may follow, which was too.
        typing_shown.show()
    while sys.stdin.isatty() and not select.select([sys.stdin], [], [], every_s)[0]:
        meanwhile()
    return read_line().strip().casefold()


def _prompt(text: str) -> None:
    """Write to the terminal itself: the output may be a file."""
    try:
        with open("/dev/tty", "w", encoding="utf-8") as terminal:  # noqa: PTH123  # no file
            terminal.write(text)
    except OSError:
        sys.stderr.write(text)
        sys.stderr.flush()


def read_line() -> str:
    """Read a line that is typed; Ctrl-D ends the command."""
    line = _typed_line() if sys.stdin.isatty() else sys.stdin.readline()
    if not line:
        raise typer.Abort from EOFError()
    return line


def _typed_line() -> str:
    """Read one line of a terminal and not a byte more, however much was typed ahead."""
    typed = b""
    while not typed.endswith(b"\n") and (byte := _read_byte()):
        typed += byte
    return typed.decode(errors="replace")
