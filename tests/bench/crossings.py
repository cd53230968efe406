"""How many files the pure part crosses for one event: what a reader has to open to follow it.

Counted with a profiler around `Table.step`: the files of the firmware that run, and how
often the next call or return is in another file than the one before it. Everything that is
built once and kept is built before: one round is played first.
"""

import sys
from collections.abc import Callable
from types import FrameType

from rich.table import Table as Shown

from tests.table.playing import FLUSH, Effects, Playing, at_reveal, bets_placed

FIRMWARE = "/firmware/"


class Crossings:
    """Counts while a table steps."""

    def __init__(self, playing: Playing) -> None:
        self._files: list[str] = []
        self._playing = playing

    def of(self, act: Callable[[], Effects]) -> tuple[int, int]:
        """Return how many files one event runs through, and how often it changes file."""
        step = self._playing.table.step

        def profiled(*arguments: object) -> object:
            sys.setprofile(self._note)
            try:
                return step(*arguments)  # type: ignore[arg-type]  # what `step` takes
            finally:
                sys.setprofile(None)

        self._playing.table.step = profiled  # type: ignore[method-assign,assignment]  # to count
        act()
        del self._playing.table.step  # the class's own again
        changes = sum(a != b for a, b in zip(self._files, self._files[1:], strict=False))
        return len(set(self._files)), changes

    def _note(self, frame: FrameType, event: str, _argument: object) -> None:
        inside = FIRMWARE in frame.f_code.co_filename
        if inside and event == "call":
            self._files.append(frame.f_code.co_filename)
        elif inside and event == "return" and frame.f_back is not None:
            caller = frame.f_back.f_code.co_filename
            if FIRMWARE in caller:
                self._files.append(caller)


def measured() -> dict[str, tuple[int, int]]:
    """Count for a chip, a close, a reveal, an award, a misdeal and its confirmation."""
    _warm_up()
    open_bets = bets_placed()
    open_bets.lift(3)
    closing, revealing, dealing = bets_placed(), at_reveal(FLUSH), bets_placed()
    counts = {
        "a chip": Crossings(open_bets).of(lambda: open_bets.chip(3)),
        "the close": Crossings(closing).of(closing.close),
        "the reveal": Crossings(revealing).of(revealing.reveal),
    }
    (win,) = revealing.state.round.claims
    counts["an award"] = Crossings(revealing).of(lambda: revealing.award(win, 10_000))
    dealing.close()
    dealing.draw("2c")
    facts = {"any_player_seen": False, "movable": True}
    counts["a misdeal"] = Crossings(dealing).of(lambda: dealing.report("misdeal", **facts))
    counts["its confirmation"] = Crossings(dealing).of(dealing.confirm)
    return counts


def _warm_up() -> None:
    played = at_reveal(FLUSH)
    played.reveal()
    (win,) = played.state.round.claims
    played.award(win, 10_000)
    played.paid()


def crossings_table() -> Shown:
    """Show the counts."""
    table = Shown("", "files", "changes of file", title="What one event crosses in the pure part")
    for what, (files, changes) in measured().items():
        table.add_row(what, str(files), str(changes))
    return table
