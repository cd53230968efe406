"""Judges who is at the end of a cable: what is wrong with it, and what to do, in one sentence each.

Pure. Who it is was asked by `asking.py`.
"""

from typing import Literal

from msgspec import Struct

from firmware.devices.spot_texts import MAJOR
from host_tools.board.asking import Heard
from host_tools.board.cable import PortError, Trouble

State = Literal[
    "in_order",
    "wrong_version",
    "bare_prompt",
    "other_device",
    "not_understood",
    "silent",
    "unknown_spots",
    Trouble,
]
IMAGE = "'underfelt board flash --image FILE.uf2'"
REPLUG = "pull the board's cable and put it back"
"""What always brings back the program that a board had: without power it forgets that its line was given up."""


class Judgement(Struct, frozen=True):
    """What is the matter, and what to do about it; nothing of either if all is well."""

    state: State
    what: str = ""
    remedy: str = ""

    @property
    def sentence(self) -> str:
        """Both, in one line."""
        return f"{self.what}; {self.remedy}" if self.what else ""


def judge(heard: Heard, path: str) -> Judgement:
    """Say what is wrong with whoever has answered on a port."""
    flash = f"run 'underfelt board flash {path}'"
    match heard.who:
        case "prompt":
            return Judgement(
                "bare_prompt",
                "it shows MicroPython's prompt and runs no program",
                f"{REPLUG}, which starts the program it has; without one, {flash}",
            )
        case "other":
            what = f"it is a device of the kind {heard.kind}, not a spot board"
            return Judgement(
                "other_device", what, "name the spot board's port (see /dev/underfelt)"
            )
        case "silent":
            remedy = f"{REPLUG}; if it stays silent, give it its image by BOOTSEL: {IMAGE}"
            return Judgement("silent", "nothing answers", remedy)
        case "noise":
            return _not_understood("what it says is not the line protocol")
        case "board":
            return _judged_board(heard, flash)


def judge_port(error: PortError) -> Judgement:
    """Say the same of a port that cannot be opened."""
    _, _, words = str(error).partition(": ")
    what, _, remedy = words.partition("; ")
    return Judgement(error.trouble, what, remedy)


def _judged_board(heard: Heard, flash: str) -> Judgement:
    greeting = heard.greeting
    if greeting is None:
        return _not_understood("its greeting is not that of a spot board")
    if greeting.major != MAJOR:
        what = f"its program is version {greeting.version}, and a table of this version needs {MAJOR}.x"
        return Judgement("wrong_version", what, flash)
    return Judgement("in_order")


def _not_understood(what: str) -> Judgement:
    remedy = (
        f"see whether it is a spot board at all; if it is, give it its image by BOOTSEL: {IMAGE}"
    )
    return Judgement("not_understood", what, remedy)
