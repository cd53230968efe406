"""Flashes a board and shows it: a progress bar in bytes, plain lines without a terminal, or JSON at the end."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from host_tools.board import imaging, program
from host_tools.board.asking import BoardLine
from host_tools.board.cable import SerialCable
from host_tools.board.flashing import Flashing, Outcome
from host_tools.terminal import Terminal, say, say_json, sentence

OnBytes = Callable[[int, int], None]
_QUARTERS = 4


def write_program(port: str, *, empty: bool, json: bool) -> int:
    """Put the program of this installation on a board; return the exit status."""
    with _progress("writing the program", json=json) as on_bytes:
        line = BoardLine(SerialCable(port))
        outcome = Flashing(line, program.sources(), on_bytes, empty=empty).run()
    return tell(outcome, json=json)


def write_image(file: Path, drive: Path | None, port: str | None, *, json: bool) -> int:
    """Put an image on a Pico that waits for one; return the exit status."""
    image = imaging.read_image(file)
    folder = imaging.find_drive(drive)
    before = imaging.ports()
    with _progress("writing the image", json=json) as on_bytes:
        imaging.copy(image, folder, on_bytes)
    found = imaging.wait_for_board(before, port)
    return tell(imaging.outcome(found, len(image)), json=json)


def tell(outcome: Outcome, *, json: bool) -> int:
    """Say how it ended; return the exit status."""
    if json:
        say_json(outcome, pretty=True)
    else:
        if outcome.formatted:
            say("The board had no file system, or a full one: it has an empty one now.")
        say(sentence(outcome.sentence), err=outcome.status != 0)
    return outcome.status


@contextmanager
def _progress(what: str, *, json: bool) -> Iterator[OnBytes]:
    """Show how many bytes are written: as a bar, as a few lines, or, with JSON, not at all."""
    errors = Terminal(stderr=True)
    if json:
        yield lambda _done, _total: None
    elif not errors.is_terminal:
        yield _Lines(what).tell
    else:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=errors, transient=True) as bar:
            task = bar.add_task(what, total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)


class _Lines:
    """A line for each quarter."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._told = 0

    def tell(self, done: int, total: int) -> None:
        quarter = done * _QUARTERS // max(total, 1)
        if quarter > self._told:
            self._told = quarter
            say(f"{self._what}: {done:,} of {total:,} bytes", err=True)
