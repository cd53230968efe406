"""How running tables are named and listed, who has one of them, and what is told of its lamps.

Without a floor: what a floor does with them is in `test_hands.py` and `test_floor_again.py`.
"""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace

from firmware.shell.command_line import nearest_name
from host_tools.connection import targets
from sim.floor.naming import running_names
from sim.floor.running import announced, links_folder
from sim.floor.shift import Shift
from sim.hands import command
from sim.hands.client import Answer
from sim.scenario_language import people
from sim.scenario_language.player import perform
from sim.scenario_language.reader import Sentence
from sim.scenario_language.table_stage import TableStage
from sim.table.hardware import TableHardware
from sim.table.lamp_watch import UNCHANGED_MS, LampWatch
from tests.table.playing import SETTINGS

SEEN = Answer(
    lamps={}, panel=("",), code="idle", sign="", table="T1", game="rws-holdem", sentence="look"
)


@pytest.fixture(autouse=True)
def own_runtime_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


def test_tables_are_listed_in_the_order_in_which_people_count(tmp_path: Path) -> None:
    names = ["T1", "T2", "T9", "T10", "T16", "round-2", "round-10"]
    with ExitStack() as stack:
        for name in names:
            (tmp_path / name).mkdir()
            stack.enter_context(announced(name, tmp_path / name))
        assert running_names() == targets.running_tables() == names


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("T99", ""), ("T7", ""), ("t8", "T8"), ("T88", "T8"), ("roud-2", "round-2")],
)
def test_only_a_name_that_is_nearly_right_is_said_to_be_meant(typed: str, meant: str) -> None:
    assert nearest_name(typed, ["T1", "T8", "round-2"]) == meant


def test_a_floor_removes_what_killed_floors_have_left_whatever_its_tables_were(
    tmp_path: Path,
) -> None:
    for name in ("here", "there", "gone", "idle"):
        (tmp_path / name).mkdir()
    with announced("T2", tmp_path / "there"):
        for name, target in (("T2", "here"), ("T5", "here"), ("T6", "gone"), ("T7", "idle")):
            (links_folder() / name).mkdir(exist_ok=True)
            (links_folder() / name / "1-killed").symlink_to(tmp_path / target)
        (tmp_path / "gone").rmdir()
        with announced("T1", tmp_path / "here"):
            left = {place.name: len([*place.iterdir()]) for place in links_folder().iterdir()}
        assert left == {"T1": 1, "T2": 1, "T5": 0, "T6": 0, "T7": 0}
        assert running_names() == ["T2"]


class Hardware:
    """A table that somebody switches on."""

    def __init__(self) -> None:
        self.is_on = False

    @property
    def process(self) -> object | None:
        """The running firmware."""
        return type("Process", (), {"returncode": None}) if self.is_on else None

    def set_switch(self, _name: str, *, on: bool) -> None:
        """Turn the key."""

    async def until(self, wanted: Callable[[], bool]) -> None:
        """Wait."""
        while not wanted():  # noqa: ASYNC110  # nobody sets an event
            await asyncio.sleep(0)


def test_a_dealer_that_waits_for_the_power_does_not_play_once_hands_are_back() -> None:
    async def play() -> None:
        hardware, played = Hardware(), asyncio.Event()
        shift = Shift(cast(TableHardware, hardware))

        async def a_round() -> None:
            played.set()

        dealer = asyncio.ensure_future(shift.work(a_round))
        await asyncio.sleep(0)  # it waits for the power
        await shift.take()
        hardware.is_on = True
        for _ in range(10):
            await asyncio.sleep(0)
        assert shift.is_by_hand
        assert not played.is_set(), "it is said to rest"
        shift.give_back()
        await dealer
        assert played.is_set()

    asyncio.run(play())


def test_the_dealer_of_a_table_that_is_off_plays_once_it_is_on() -> None:
    told = [command._who_plays(replace(SEEN, is_on=on)) for on in (True, False)]  # noqa: SLF001
    assert told == ["the dealer plays", "the dealer plays once it is on"]
    resting = replace(SEEN, is_on=False, dealer="rests")
    assert command._who_plays(resting) == "the dealer rests"  # noqa: SLF001


def test_a_lamp_that_has_just_gone_dark_is_waited_for_before_it_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lamp = LampWatch()
    assert lamp.rests(0.0)
    lamp.changed(100.0, lit=True)
    lamp.changed(5_000.0, lit=False)
    assert not lamp.rests(5_000.0 + UNCHANGED_MS)
    assert lamp.rests(5_001.0 + UNCHANGED_MS)
    hardware = object.__new__(TableHardware)
    hardware.lamps = {(1, "jackpot"): lamp}
    for now_ms, rests in ((5_500.0, False), (6_500.0, True)):
        monkeypatch.setattr(hardware, "_now_ms", partial(float, now_ms))
        assert hardware.lamps_rest() == rests


@pytest.mark.parametrize(("text", "seconds"), [("wait 0.05 min", 3), ("wait 2 s", 2)])
def test_minutes_are_waited_for_too(
    text: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    assert not [*people.wait_errors(text)]
    stage = object.__new__(TableStage)
    stage.hardware = object.__new__(TableHardware)
    stage.hardware.settings = SETTINGS
    asyncio.run(perform(stage, Sentence(1, text)))
    assert waited == [seconds]


def test_nobody_waits_twenty_minutes() -> None:
    (error,) = people.wait_errors("wait 20 min")
    assert str(error) == "wait 20 min: too long; wait 600 s at most"
