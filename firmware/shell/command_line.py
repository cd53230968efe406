"""What every command of ours does about its arguments, its streams, and whatever goes wrong.

A mistake of whoever typed it is one sentence on standard error that names the thing and the remedy,
and a status that is not 0; never a traceback. All four commands share this; what `underfelt` reads with
typer instead of a parser of ours is in `host_tools/application.py`. What the commands do is elsewhere, and so
are the bounds of their options. Little is imported: `--help` is quick.
"""

import argparse
import errno
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from io import TextIOWrapper
from typing import Any, NoReturn

from firmware.errors import UnderfeltError
from firmware.protocol.version import VERSION
from firmware.shell import ascii_signs

FAILED, TYPED_WRONG, INTERRUPTED, PIPE_CLOSED = 1, 2, 130, 141
"""The last two are those of a shell: 128 and the number of the signal."""
_INPUT, _OUTPUT, _ERRORS = 0, 1, 2
_SHOWN_CHARACTERS = 60
_MOST_WORDS = 200
_NEAR = 0.6
_BUG = "this is a mistake in the program"
_FILE_WORDS = {
    errno.EEXIST: "a file, but a folder is needed; choose another name",
    errno.ENOTDIR: "a part of it is a file, but a folder is needed; choose another name",
    errno.EISDIR: "a folder; name a file",
    errno.EACCES: "this user may not open it; choose another, or give this user the right",
    errno.EPERM: "this user may not open it; choose another, or give this user the right",
    errno.EROFS: "nothing can be written there; choose another place",
    errno.EBADF: "closed; let it be a terminal, a pipe or a file",
    errno.ENOSPC: "its disk is full; make room, or choose another place",
}


_MISSING = "the following arguments are required"
"""How the library begins to say what is missing."""
_OPTION = re.compile(r"--?[A-Za-z]")


class Parser(argparse.ArgumentParser):
    """Reads the words after a command, and complains in one sentence."""

    _typed: Sequence[str] = ()

    def __init__(
        self,
        *,
        prog: str,
        description: str = "",
        examples: Sequence[str] = (),
        **more: Any,  # noqa: ANN401  # the library's own options
    ) -> None:
        """Take what `--help` says; an example is what comes after the command."""
        shown_examples = "".join(f"  {prog} {each}".rstrip() + "\n" for each in examples)
        super().__init__(
            prog=prog,
            description=description,
            epilog=f"examples:\n{shown_examples}" if examples else None,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **more,
        )

    def add_version(self) -> None:
        """Add `--version`."""
        self.add_argument(
            "--version",
            action="version",
            version=f"{self.prog} {VERSION}",
            help="print the version and stop",
        )

    def error(self, message: str) -> NoReturn:
        """End the program with the complaint, and say where the right words are."""
        if message.startswith(_MISSING) and (unknown := self._unknown_options()):
            message = f"unrecognized arguments: {', '.join(map(_bare, unknown))}"
        words = " ".join(message.split()).rstrip(".")
        self.exit(TYPED_WRONG, f"{self.prog}: {words}; see '{self.prog} --help'\n")

    def parse_known_args(  # type: ignore[override]  # of the library's three forms we use one
        self,
        args: Sequence[str] | None = None,
        namespace: argparse.Namespace | None = None,
    ) -> tuple[argparse.Namespace, list[str]]:
        """Complain here of what is not known: a command's own parser names the command."""
        self._typed = list(sys.argv[1:] if args is None else args)
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {', '.join(map(_bare, unknown))}")
        return found, unknown

    def _unknown_options(self) -> list[str]:
        """List what was typed as an option and is none: likelier the mistake than what is missing."""
        known = self._option_string_actions
        typed = [each.partition("=")[0] for each in self._typed if _OPTION.match(each)]
        return [name for name in typed if not any(each.startswith(name) for each in known)]

    def _print_message(self, message: str, file: Any = None) -> None:  # noqa: ANN401  # as the library has it
        """Print what was asked for; the library would not say that it cannot."""
        if file is sys.stdout:
            sys.stdout.write(message)
        else:
            super()._print_message(message, file)

    def _check_value(self, action: argparse.Action, value: Any) -> None:  # noqa: ANN401  # as the library has it
        """Say what may be chosen; the library would repeat a value of any length."""
        if action.choices is not None and value not in action.choices:
            known = ", ".join(map(str, action.choices))
            raise argparse.ArgumentError(action, f"{shown(str(value))} is none of {known}")


def _bare(given: str) -> str:
    """Write an option as it was typed, if that is short and plain."""
    plain = given.isascii() and given.isprintable() and " " not in given
    return given if plain and len(given) <= _SHOWN_CHARACTERS else shown(given)


def shown(given: str) -> str:
    """Write what was typed so that it fits into one sentence, whatever it is."""
    return ascii(given if len(given) <= _SHOWN_CHARACTERS else f"{given[:_SHOWN_CHARACTERS]}…")


def run(
    name: str,
    work: Callable[[], int | None],
    *,
    failed: int = FAILED,
    on_bug: Callable[[BaseException], str | None] | None = None,
) -> int:
    """Do the work of a command; return its exit status, after one sentence if it went wrong.

    `failed` is the status then. Who keeps a log takes a bug into it; else its traceback is kept in a
    file.
    """
    prepare_streams()
    try:
        status = _status_of(work)
        sys.stdout.flush()
    except BaseException as error:  # noqa: BLE001  # the last place that could say it in words
        return _ended(name, _first(error), failed, on_bug)
    return status


def prepare_streams() -> None:
    """Make every standard stream one that can be used, whatever the program was started with.

    A closed one would give its number to the first file that is opened, and what is printed
    would end in there.
    """
    for number in (_INPUT, _OUTPUT, _ERRORS):
        try:
            os.fstat(number)
        except OSError:
            # Writing to a closed output fails, and is said; complaints then go nowhere.
            os.open(os.devnull, os.O_WRONLY if number == _ERRORS else os.O_RDONLY)
    sys.stdin = sys.stdin or _opened(_INPUT, "r")
    sys.stdout = sys.stdout or _opened(_OUTPUT, "w")
    sys.stderr = sys.stderr or _opened(_ERRORS, "w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=ascii_signs.HANDLER)


def complain(name: str, sentence: str) -> None:
    """Write one sentence on standard error, if anybody can read it; none of it steers a terminal."""
    words = "".join(each if each.isprintable() else "?" for each in " ".join(sentence.split()))
    with suppress(OSError, ValueError):
        print(f"{name}: {words}", file=sys.stderr, flush=True)  # noqa: T201  # the one place


def file_words(error: OSError) -> str:
    """Say what is wrong with which file, and what to do."""
    told = str(error.strerror or error)
    words = _FILE_WORDS.get(error.errno or 0, f"{told[:1].lower()}{told[1:]}; choose another")
    if error.errno == errno.ENOENT:
        return _not_there(error)
    if error.filename is None:
        # Whatever opens a file names it (`firmware/journal/regular_files.py`).
        return f"standard output: {words}"
    return f"{os.fsdecode(error.filename)}: {words}"


def _not_there(error: OSError) -> str:
    """Say what is missing: the file, or the folder that it should be in."""
    if error.filename is None:
        # Only asking where we are fails so, and names nothing.
        return "the folder that you are in is gone; change to another ('cd')"
    path = os.fsdecode(error.filename)
    if os.path.isdir(os.path.dirname(path) or "."):  # noqa: PTH112, PTH120  # pathlib is slow to import
        return f"{path}: there is no such file; correct the name"
    return f"{path}: there is no such folder; make it, or correct the name"


def _opened(number: int, mode: str) -> TextIOWrapper:
    stream = os.fdopen(number, mode, encoding="utf-8", closefd=False)
    if not isinstance(stream, TextIOWrapper):
        raise TypeError("a text stream was opened")
    return stream


def _status_of(work: Callable[[], int | None]) -> int:
    try:
        return work() or 0
    except SystemExit as ended:
        # As of `--help`, whose words are still to be written.
        return ended.code if isinstance(ended.code, int) else FAILED if ended.code else 0


def _first(error: BaseException) -> BaseException:
    """Return the first error of a group, however deep."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _ended(
    name: str,
    error: BaseException,
    failed: int,
    on_bug: Callable[[BaseException], str | None] | None,
) -> int:
    """Say what went wrong; return the status."""
    give_up_on_output()
    match error:
        case BrokenPipeError():
            return PIPE_CLOSED  # the reader has enough, as `head` has
        case KeyboardInterrupt():
            return INTERRUPTED
        case UnderfeltError():
            sentence = str(error)
        case OSError():
            sentence = file_words(error)
        case _:
            keep = on_bug or partial(_kept_in_file, name)
            sentence = f"{_BUG}: {_words_of(error)}{keep(error) or ''}"
    complain(name, sentence)
    return failed


def give_up_on_output() -> None:
    """Keep Python from complaining once more when it flushes standard output at exit."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), _OUTPUT)


def _words_of(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error)[:_MOST_WORDS]}"


def _kept_in_file(name: str, error: BaseException) -> str:
    """Keep a traceback for whoever looks for the cause; say where."""
    import tempfile  # noqa: PLC0415  # slow to import, and seldom needed
    import traceback  # noqa: PLC0415  # the same

    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix=f"{name}-", suffix=".log", delete=False, encoding="utf-8"
        ) as file:
            traceback.print_exception(error, file=file)
    except OSError:
        return ""
    return f"; please report it with {file.name}"


# Names that are typed and listed


def in_order(names: Iterable[str]) -> list[str]:
    """Put names in the order in which people count: T2 comes before T10."""
    return sorted(names, key=_counted)


def _counted(name: str) -> tuple[tuple[tuple[int, str], ...], str]:
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts), name


def nearest_name(typed: str, names: Iterable[str]) -> str:
    """Return the name that was probably meant; nothing if it is as likely to be another one.

    A wrong number is no slip of the finger: T99 is not nearly T8.
    """
    from difflib import get_close_matches  # noqa: PLC0415  # only for a mistake

    plain = {name.casefold(): name for name in names}
    close = get_close_matches(typed.casefold(), list(plain), 1, _NEAR)
    return plain[close[0]] if close else ""
