"""Puts a program on a spot board: into the slot that is not chosen, tried once, and told apart from the old one.

The old program stays where it is until the board has chosen the new one, which it does itself once that has
greeted and was asked who it is (`firmware/spot_board/slots.py`). So whatever goes wrong here, and at whatever
moment, the old one runs at the next start; what is said afterwards is which of the two it is, and why.
"""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from firmware.spot_board.session import SESSIONS_PER_START
from host_tools.board import program as programs
from host_tools.board.asking import BoardLine, Heard
from host_tools.board.cable import PortError
from host_tools.board.judging import REPLUG, judge, judge_port
from host_tools.board.program import NAME_DIGITS, Program
from host_tools.board.raw_repl import RawRepl, ReplError

RETURN_S = 30.0
"""Longer than a new program has to prove itself, with what a host needs to find the port again."""
HANG_S = 1.9
"""A program that hangs is reset after about so long, by the watchdog; one that breaks off, at once."""
PROVE_S = 14.0
"""One that runs and does not prove itself, after about so long."""
CHOOSE_S = 0.3
"""What a board needs to write down which program is chosen."""
STATUS = {"done": 0, "went_back": 1, "refused": 2, "not_reached": 3}
End = Literal["done", "went_back", "refused", "not_reached"]
OnBytes = Callable[[int, int], None]
"""Is told how many bytes of how many are written."""


class Outcome(Struct, frozen=True, kw_only=True):
    """How it ended."""

    end: End
    sentence: str
    before: str = ""
    """The program that ran before, as the board's greeting had it; empty if none did."""
    after: str = ""
    """The one that runs now, as far as it is known."""
    session: int = 0
    compiled: bool = False
    bytes_written: int = 0
    formatted: bool = False

    @property
    def status(self) -> int:
        """The exit status."""
        return STATUS[self.end]


class _Ended(Exception):  # noqa: N818  # not an error: how it ended
    def __init__(self, end: End, sentence: str) -> None:
        super().__init__(sentence)
        self.end: End = end


class Flashing:
    """One program for one board."""

    def __init__(
        self, line: BoardLine, source: Program, on_bytes: OnBytes, *, empty: bool = False
    ) -> None:
        """Take the program as it is written; which form is sent, the board decides."""
        self._line = line
        self._source = source
        self._compiled = programs.compiled(source)
        self._on_bytes = on_bytes
        self._empty = empty
        self._before = Heard(who="silent")
        self._sent: Program | None = None
        self._written = 0
        self._formatted = False
        self._after = ""
        self._session = 0

    def run(self) -> Outcome:
        """Do it all; whatever goes wrong is how it ended."""
        try:
            self._meet()
            try:
                sent = self._write()
            finally:
                self._line.close()
            sentence = self._see_who_returns(sent)
        except _Ended as ended:
            return self._outcome(ended.end, str(ended))
        return self._outcome("done", sentence)

    def _outcome(self, end: End, sentence: str) -> Outcome:
        return Outcome(
            end=end,
            sentence=f"{self._line.cable.path}: {sentence}",
            before=_name(self._before),
            after=self._after,
            session=self._session,
            compiled=self._sent is not None and self._sent is self._compiled,
            bytes_written=self._written,
            formatted=self._formatted,
        )

    # Before anything is changed

    def _meet(self) -> None:
        """Find out who is there, and bring him to MicroPython's prompt."""
        try:
            heard = self._line.ask_who()
        except PortError as error:
            raise _Ended(_end_of(error), judge_port(error).sentence) from None
        except OSError:
            raise _Ended("not_reached", f"the port vanished; {REPLUG}, and try again") from None
        self._before = heard
        self._after = _name(heard)
        if heard.who == "prompt":
            return
        if heard.who == "silent":
            raise _Ended("not_reached", judge(heard, self._line.cable.path).sentence)
        if heard.who != "board":
            raise _Ended("refused", judge(heard, self._line.cable.path).sentence)
        self._session = heard.session
        self._refuse_the_same(heard)
        try:
            released = self._line.release(heard.session)
        except OSError:
            released = False
        if not released:
            what = "it does not give its line up, and goes on with the program that it has"
            raise _Ended("refused", f"{what}; {REPLUG}, and try again")

    def _refuse_the_same(self, heard: Heard) -> None:
        _, _, running = _name(heard).partition(":")
        same = [each.name for each in (self._source, self._compiled) if each is not None]
        if running in same:
            raise _Ended(
                "refused", f"it runs this program already ({_name(heard)}); there is nothing to do"
            )

    # Writing

    def _write(self) -> Program:
        """Write the program and read it back; a board that hears us is never left without a program."""
        repl = RawRepl(self._line.open())
        done = False
        try:
            repl.enter()
            sent = self._write_by(repl)
            repl.reset()
            done = True
        except ReplError as error:
            back = repl.reset_if_possible()
            done = True
            self._went_back(str(error), reset=back)
        finally:
            if not done:  # Ctrl-C
                repl.reset_if_possible()
        return sent

    def _write_by(self, repl: RawRepl) -> Program:
        prepared = repl.prepare(empty=self._empty)
        self._formatted = prepared.formatted
        compiled = self._compiled
        fits = compiled is not None and programs.takes(prepared.interpreter, compiled)
        sent = compiled if fits and compiled is not None else self._source
        self._sent = sent
        repl.write(prepared.slot, sent, self._count)
        digests = repl.digests(prepared.slot, sent)
        wrong = [name for name, digest in sent.digests.items() if digests.get(name) != digest]
        if wrong:
            repl.empty(prepared.slot)
            raise ReplError(
                f"what it reads back of {wrong[0]} is not what was written: its memory may be worn"
            )
        repl.try_next(prepared.slot)
        return sent

    def _count(self, count: int) -> None:
        self._written += count
        if self._sent is not None:
            self._on_bytes(self._written, self._sent.size_bytes)

    def _went_back(self, why: str, *, reset: bool) -> None:
        """Say that nothing was chosen, and which program runs."""
        self._line.close()
        heard = self._line.wait_for_greeting(RETURN_S, _is_board) if reset else None
        if heard is None:
            self._after = ""
            raise _Ended(
                "went_back",
                f"the new program was not taken: {why}; {REPLUG}: it starts with the old one",
            )
        self._after, self._session = _name(heard), heard.session
        raise _Ended(
            "went_back", f"the new program was not taken: {why}; it runs {self._after} again"
        )

    # Afterwards

    def _see_who_returns(self, sent: Program) -> str:
        """Wait for a greeting; the question before it is what lets the board choose its program."""
        cable = self._line.cable
        since_s = cable.now_s()
        try:
            heard = self._line.wait_for_greeting(RETURN_S, _is_board)
        except PortError as error:
            raise _Ended("not_reached", judge_port(error).sentence) from None
        if heard is None:
            self._after = ""
            what = f"the new program is written, but no board has greeted for {RETURN_S:.0f} s"
            raise _Ended(
                "not_reached",
                f"{what}; {REPLUG}: it starts with the old program if the new one failed",
            )
        heard = self._once_it_has_chosen(heard)
        self._after, self._session = _name(heard), heard.session
        if self._after == f"file:{sent.name}":
            return f"it runs the new program ({self._after}), session {heard.session}"
        why = self._why_not(heard, cable.now_s() - since_s)
        raise _Ended(
            "went_back", f"the new program was not kept: {why}; it runs {self._after} again"
        )

    def _once_it_has_chosen(self, heard: Heard) -> Heard:
        """Ask again: a board greets before it chooses its program, and answers again only when it has."""
        try:
            again = self._line.ask_again(CHOOSE_S)
        except (OSError, PortError):
            again = heard
        if again.session == heard.session:
            return again
        self._line.close()
        return self._line.wait_for_greeting(RETURN_S, _is_board) or heard

    def _why_not(self, heard: Heard, took_s: float) -> str:
        """Say what became of the new program, from how often the board has started and how long that took."""
        starts = heard.session // SESSIONS_PER_START - self._before.session // SESSIONS_PER_START
        if self._before.who == "board" and starts == 1:
            return "the board did not find it whole"
        if took_s >= PROVE_S:
            return "it ran, but did not say who it is"
        if took_s >= HANG_S:
            return f"it hung or broke off, and the old one was back after {took_s:.1f} s"
        return "it broke off with an error as it started"


def _is_board(heard: Heard) -> bool:
    return heard.who == "board"


def _name(heard: Heard) -> str:
    program = heard.greeting.program if heard.greeting is not None else ""
    return program[: len("frozen:") + NAME_DIGITS]


def _end_of(error: PortError) -> End:
    return "refused" if error.trouble == "in_use" else "not_reached"
