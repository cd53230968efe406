"""Finds a running table and says sentences to it, over the socket in its folder.

One document goes out, one comes back (`sim/floor/hands.py`). Nothing is printed here.
"""

import signal
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import msgspec

from firmware.errors import BadInput, UnderfeltError
from firmware.shell.command_line import nearest_name
from sim.floor.naming import folder_of, running_names
from sim.table.visible import VisibleTable

_HANDS_FILE = "hands.sock"
_AT_ONCE_S = 5.0
"""A floor that does not even say what is visible for so long is hung."""


class HandsError(UnderfeltError):
    """A table cannot be reached, or is gone."""


class Answer(VisibleTable, frozen=True, kw_only=True):
    """What a table answers to a sentence: `Said` in `sim/floor/saying.py`."""

    table: str
    game: str
    sentence: str
    source: str = ""
    problem: str = ""
    nearest: tuple[str, ...] = ()
    dealer: str = "plays"
    dealer_after: str = "plays"
    stopped: bool = False
    busy: str = ""

    @property
    def is_done(self) -> bool:
        """Whether it was done, and the table took it."""
        return not self.problem and not self.refusal


def find_table(text: str) -> Path:
    """Return the folder of a table by its name, `T1` or `sim:T1`."""
    name = text.removeprefix("sim:")
    names = running_names()
    if name in names:
        return folder_of(name)
    if not names:
        raise BadInput(text, "no simulated table is running; start some: underfelt-sim floor")
    near = nearest_name(name, names)
    meant = f"did you mean {near}? " if near else ""
    raise BadInput(text, f"no such table; {meant}running: {', '.join(names)}")


class TableHands:
    """Hands at one table: `with TableHands(name) as hands`."""

    def __init__(self, name: str) -> None:
        """Go to the table."""
        self.waits = False
        """Whether an answer is still to come."""
        folder = find_table(name)
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.connect(str(folder / _HANDS_FILE))
        except FileNotFoundError:
            self._socket.close()
            raise HandsError(
                f"{name}: a scenario plays this table; only a floor's tables take hands"
            ) from None
        except OSError as error:
            self._socket.close()
            raise HandsError(
                f"{name}: the floor of this table is gone ({error.strerror}); start another one"
            ) from None
        self._lines = self._socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()
        self._socket.close()

    def say(
        self, sentence: str, block: Sequence[str] = (), *, stay: bool = False, glance: bool = False
    ) -> Answer:
        """Say a sentence, and return what came of it."""
        told = self._ask(
            {"do": "say", "sentence": sentence, "block": block, "stay": stay, "glance": glance}
        )
        return msgspec.convert(told, Answer)

    @contextmanager
    def stopped_by_interrupt(self) -> Iterator[None]:
        """Let the first Ctrl-C end the sentence that is being carried out, and the next all of it."""

        def stop(*_: object) -> None:
            signal.signal(signal.SIGINT, before)
            self._socket.sendall(b'{"do": "stop"}\n')

        before = signal.signal(signal.SIGINT, stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def state(self) -> Answer:
        """Return at once what is visible, whoever does what at the table."""
        self._socket.settimeout(_AT_ONCE_S)
        try:
            return msgspec.convert(self._ask({"do": "state"}), Answer)
        finally:
            self._socket.settimeout(None)

    def completions(self, text: str) -> list[str]:
        """List the sentences, or beginnings of sentences, that begin like this."""
        found: list[str] = self._ask({"do": "complete", "sentence": text})["completions"]
        return found

    def language(self, words: str = "") -> list[tuple[str, list[str]]]:
        """List what sentences mean, with the forms that have these words."""
        told = self._ask({"do": "language", "sentence": words})["language"]
        return [(meaning, forms) for meaning, forms in told]

    def _ask(self, document: dict[str, Any]) -> dict[str, Any]:
        self.waits = True
        try:
            self._socket.sendall(msgspec.json.encode(document) + b"\n")
            line = self._lines.readline()
            self.waits = False
        except TimeoutError:
            raise HandsError("the floor does not answer; is it stopped?") from None
        except OSError:
            line = b""
        if not line:
            raise HandsError("the floor has ended, and this table with it")
        answer: dict[str, Any] = msgspec.json.decode(line)
        if "error" in answer:
            raise HandsError(f"the table does not take this: {answer['error']}")
        return answer
