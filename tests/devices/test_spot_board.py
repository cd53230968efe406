"""The table's side of a spot board: when the spots are known, and that no chip is lost or invented.

Played against `spot_peer.py` on a pseudo-terminal. That spots on a board are the same to the table as
those on pins is in `test_contract_spots.py`.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from firmware.devices import serial_port, spot_board
from firmware.devices.bootsel import WAITS, pico_waits
from firmware.devices.sensor_limits import SensorLimits
from firmware.devices.spot_board import SpotBoard
from firmware.table.events import CoinSensed, Event, FaultNoticed, FaultPassed
from tests.devices.intake import FakeIntake
from tests.devices.spot_peer import SpotPeer
from tests.devices.wire import in_a_loop

SPOTS = {(1, "jackpot"): (1, 1), (1, "jackpot_dealer"): (2, 2), (2, "jackpot"): (14, 9)}
LIMITS = SensorLimits(debounce_ms=30, quiet_ms=300, stuck_ms=1_500)


class Bench:
    """A spot board at its port, and what the table was told."""

    def __init__(self) -> None:
        self.peer = SpotPeer()
        self.intake = FakeIntake()
        self.judged = False
        self.told: list[Event] = []

    def open(self) -> None:
        """Open the table's side."""
        self.board = SpotBoard(self.peer.path, SPOTS, self.intake, LIMITS)
        self.board.when_judged(self._judged)

    def _judged(self) -> None:
        self.judged = True

    async def until(self, wanted: Callable[[], bool]) -> None:
        """Wait until something is so; take what the table is told meanwhile."""
        async with asyncio.timeout(20):
            while not wanted():  # a peer in the same loop has no event for this
                await asyncio.sleep(0.002)
                self._take()
        self._take()

    def _take(self) -> None:
        while not self.intake.events.empty():
            self.told.append(self.intake.events.get_nowait())

    async def known(self) -> None:
        """Wait until the spots are known."""
        await self.until(lambda: self.board.known)

    def faults(self) -> list[str]:
        """List the faults that stand, by what the table was told."""
        standing: list[str] = []
        for event in self.told:
            if isinstance(event, FaultNoticed):
                standing.append(event.code)
            elif isinstance(event, FaultPassed) and event.code in standing:
                standing.remove(event.code)
        return standing

    def chips(self) -> dict[tuple[int, str], bool]:
        """Return which spots have a chip, by what the table was told."""
        sensed = [event for event in self.told if isinstance(event, CoinSensed)]
        return {(event.seat, event.bet): event.present for event in sensed}

    def close(self) -> None:
        """Take everything apart."""
        self.board.close()
        self.peer.close()


@asynccontextmanager
async def at_the_bench() -> AsyncIterator[Bench]:
    """Put a board on the bench, plugged in, and open the table's side."""
    bench = Bench()
    bench.peer.plug_in()
    bench.open()
    try:
        yield bench
    finally:
        bench.close()


Play = Callable[[Bench], Awaitable[None]]


def play(scene: Play) -> None:
    """Play a scene with a board that is known already."""

    async def played() -> None:
        async with at_the_bench() as bench:
            await bench.known()
            await scene(bench)

    in_a_loop(played)


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait long."""
    monkeypatch.setattr(serial_port, "RETRY_S", 0.02)
    monkeypatch.setattr(spot_board, "ASK_S", 0.05)


# The start


def test_a_healthy_start_tells_of_no_fault_and_says_when_the_spots_are_known() -> None:
    async def scene(bench: Bench) -> None:
        assert bench.judged
        assert bench.chips() == dict.fromkeys(SPOTS, False)
        assert not [event for event in bench.told if isinstance(event, FaultNoticed)]

    play(scene)


def test_limits_are_the_first_thing_that_a_session_hears() -> None:
    async def scene(bench: Bench) -> None:
        bench.board.set((1, "jackpot"), "steady")
        await bench.until(lambda: any("LAMPS" in each for each in bench.peer.said))
        bench.peer.said.clear()
        bench.peer.restart()
        await bench.until(lambda: len(bench.peer.said) >= 2)
        assert [each.split()[0] for each in bench.peer.said[:2]] == ["LIMITS", "LAMPS"]

    play(scene)


def test_a_board_that_is_not_there_is_told_once_the_grace_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spot_board, "GRACE_S", 0.1)

    async def played() -> None:
        bench = Bench()
        bench.open()
        await bench.until(lambda: bool(bench.told))
        assert bench.faults() == ["device_gone"]
        assert not bench.judged
        await bench.until(lambda: bench.judged)
        assert bench.faults() == ["device_gone", "spots_unknown"]
        bench.peer.levels[0] = True
        bench.peer.plug_in()
        await bench.known()
        assert bench.faults() == []
        assert bench.chips()[1, "jackpot"] is True
        bench.close()

    in_a_loop(played)


def test_a_board_that_takes_no_limits_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spot_board, "GRACE_S", 0.2)

    async def played() -> None:
        bench = Bench()
        bench.peer.ignores_limits = True
        bench.peer.plug_in()
        bench.open()
        await bench.until(lambda: bench.judged)
        assert bench.faults() == ["spots_unknown"]
        bench.peer.ignores_limits = False
        await bench.known()
        assert bench.faults() == []
        bench.close()

    in_a_loop(played)


# Chips


def test_a_chip_is_told_with_the_time_at_which_it_was_found() -> None:
    async def scene(bench: Bench) -> None:
        bench.intake.clock_ms = 1_000_000
        bench.peer.loses.add("message")
        bench.peer.levels[13] = True
        await asyncio.sleep(0.3)
        bench.peer.loses.clear()
        await bench.until(lambda: bench.chips()[2, "jackpot"])
        (event,) = [e for e in bench.told if isinstance(e, CoinSensed) and e.present]
        assert 150 <= 1_000_000 - event.at_ms <= 400

    play(scene)


def test_what_came_and_went_while_the_cable_was_out_is_told_in_order_and_ends_right() -> None:
    async def scene(bench: Bench) -> None:
        bench.peer.unplug()
        await bench.until(lambda: "spots_unknown" in bench.faults())
        for level in (True, False, True):
            bench.peer.levels[0] = level
            await asyncio.sleep(0.06)
        assert bench.chips()[1, "jackpot"] is False, "state is held"
        bench.told.clear()
        bench.peer.plug_in()
        await bench.known()
        levels = [e.present for e in bench.told if isinstance(e, CoinSensed) and e.seat == 1]
        assert bench.chips()[1, "jackpot"] is True
        assert True in levels

    play(scene)


def test_a_snapshot_of_before_the_cable_was_out_does_not_make_the_spots_known() -> None:
    async def scene(bench: Bench) -> None:
        # The board still says what it said before, with what it found since behind it.
        bench.peer.loses.add("message")
        bench.board.read_again()
        await bench.until(lambda: "LEVELS" in bench.peer.said)
        await asyncio.sleep(0.05)
        bench.peer.unplug()
        await bench.until(lambda: "spots_unknown" in bench.faults())
        bench.peer.levels[0] = True
        await asyncio.sleep(0.1)
        bench.peer.loses.clear()
        bench.peer.plug_in()
        await bench.until(lambda: bench.board.known)
        assert bench.chips()[1, "jackpot"] is True

    play(scene)


def test_a_finding_is_acknowledged_only_after_the_table_has_handled_its_level() -> None:
    async def scene(bench: Bench) -> None:
        taken: list[Callable[[], None]] = []

        def put(event: Event, afterwards: Callable[[], None] | None = None) -> None:
            bench.intake.events.put_nowait(event)
            if afterwards is not None:
                taken.append(afterwards)

        bench.intake.put = put  # type: ignore[method-assign]  # a table that takes its time
        bench.peer.levels[0] = True
        await bench.until(lambda: len(taken) >= 3)
        assert bench.peer.waits_for_acknowledgement
        taken[-1]()
        await bench.until(lambda: not bench.peer.waits_for_acknowledgement)

    play(scene)


# A board that goes


def test_a_board_that_starts_again_is_not_known_until_it_has_said_what_lies_there() -> None:
    async def scene(bench: Bench) -> None:
        bench.peer.levels[0] = True
        await bench.until(lambda: bench.chips()[1, "jackpot"])
        bench.peer.levels[0] = False
        bench.peer.restart()
        await bench.until(lambda: "spots_unknown" in bench.faults())
        await bench.known()
        assert bench.faults() == []
        assert bench.chips()[1, "jackpot"] is False

    play(scene)


def test_a_board_that_does_not_answer_is_not_known_and_no_spot_is_empty_by_that() -> None:
    async def scene(bench: Bench) -> None:
        bench.peer.levels[0] = True
        await bench.until(lambda: bench.chips()[1, "jackpot"])
        bench.peer.hangs = True
        await bench.until(lambda: "spots_unknown" in bench.faults())
        assert bench.board.why_unknown == "it does not answer"
        assert bench.chips()[1, "jackpot"] is True
        bench.peer.hangs = False
        await bench.known()
        assert bench.faults() == []

    play(scene)


@pytest.mark.parametrize("lost", ["acknowledgement", "message"])
def test_lost_frames_neither_lose_nor_invent_a_chip(lost: str) -> None:
    async def scene(bench: Bench) -> None:
        bench.peer.loses.add(lost)
        bench.board.set((1, "jackpot"), "steady")
        bench.peer.levels[1] = True
        await asyncio.sleep(0.2)
        bench.peer.loses.clear()
        await bench.until(lambda: bench.chips()[1, "jackpot_dealer"])
        assert [e.present for e in bench.told if isinstance(e, CoinSensed) and e.present] == [True]

    play(scene)


# What else may be plugged in there


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (b"=HELLO panel 1.0 4711*C6AC\n", "a panel is plugged in here: swap the plugs"),
        (b">>> ", "it shows MicroPython's prompt and runs no program: run 'underfelt board flash'"),
        (b"Traceback:\r\nSyntaxError: invalid syntax\r\n>>> ", "it shows MicroPython's prompt"),
    ],
)
def test_what_is_no_spot_board_is_told_with_the_remedy(said: bytes, told: str) -> None:
    async def played() -> None:
        bench = Bench()
        bench.peer.hangs = True
        bench.peer.plug_in()
        bench.open()
        bench.peer.wire.say(said)
        await bench.until(lambda: "device_unfit" in bench.faults())
        (fault,) = [e for e in bench.told if isinstance(e, FaultNoticed)]
        assert fault.where == "spot board"
        assert fault.detail.startswith(told)
        bench.close()

    in_a_loop(played)


@pytest.mark.parametrize("version", ["2.0", "0.9", "12"])
def test_a_board_of_another_version_is_told_with_the_remedy(version: str) -> None:
    async def played() -> None:
        bench = Bench()
        bench.peer.version = version
        bench.peer.plug_in()
        bench.open()
        await bench.until(lambda: "device_unfit" in bench.faults())
        (fault,) = [e for e in bench.told if isinstance(e, FaultNoticed)]
        assert fault.detail == (
            f"its program is version {version}, not 1.x: run 'underfelt board flash'"
        )
        bench.close()

    in_a_loop(played)


@pytest.mark.parametrize(
    "text",
    [
        "SPOT 0 present 4",
        "SPOT 15 present 4",
        "SPOT 1 here 4",
        "SPOT 1 present -4",
        "SPOT 1",
        "LEVELS .",
        "LEVELS " + "x" * 14,
    ],
)
def test_what_no_spot_board_says_makes_it_unfit_until_it_has_restarted(text: str) -> None:
    async def scene(bench: Bench) -> None:
        bench.peer.says(text)
        await bench.until(lambda: {"device_unfit", "spots_unknown"} <= set(bench.faults()))
        assert not bench.peer.waits_for_acknowledgement
        bench.peer.restart()
        await bench.known()
        assert "spots_unknown" not in bench.faults()

    play(scene)


@pytest.mark.parametrize("text", ["SPOT 5 present 4", "WARMTH 40"])
def test_what_a_later_version_or_other_limits_brought_up_is_acknowledged_and_means_nothing(
    text: str,
) -> None:
    async def scene(bench: Bench) -> None:
        bench.told.clear()
        bench.peer.says(text)
        await bench.until(lambda: not bench.peer.waits_for_acknowledgement)
        assert bench.told == []
        assert bench.board.known

    play(scene)


@pytest.mark.parametrize(("product", "waits"), [("0003", True), ("0005", False)])
def test_a_pico_in_bootsel_is_found_on_the_bus(
    tmp_path: Path,
    product: str,
    waits: bool,  # noqa: FBT001  # whether it does
) -> None:
    (tmp_path / "usb1").mkdir()
    device = tmp_path / "1-1.4"
    device.mkdir()
    (device / "idVendor").write_text("2e8a\n", encoding="ascii")
    (device / "idProduct").write_text(f"{product}\n", encoding="ascii")
    assert pico_waits(tmp_path) is waits
    assert not pico_waits(tmp_path / "nowhere")


def test_a_board_that_waits_in_bootsel_is_told_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene(bench: Bench) -> None:
        monkeypatch.setattr(spot_board, "pico_waits", lambda: True)
        bench.peer.unplug()
        await bench.until(lambda: bench.board.why_unknown == WAITS)
        await bench.until(lambda: "spots_unknown" in bench.faults())
        assert [e.detail for e in bench.told if isinstance(e, FaultNoticed)][-1] == WAITS

    play(scene)


# Sensors that fail


def test_a_sensor_that_chatters_is_told_as_on_pins_and_senses_no_chip() -> None:
    async def scene(bench: Bench) -> None:
        for _ in range(30):
            bench.peer.levels[0] = not bench.peer.levels[0]
            await asyncio.sleep(0.01)
        bench.peer.levels[0] = True
        await bench.until(lambda: "sensor_chatters" in bench.faults())
        (fault,) = [e for e in bench.told if isinstance(e, FaultNoticed)]
        assert (fault.where, fault.detail) == ("seat 1", "more than 20 changes a second")
        assert bench.chips()[1, "jackpot"] is False
        bench.board.read_again()
        await bench.until(lambda: "sensor_chatters" not in bench.faults())
        await bench.until(lambda: bench.chips()[1, "jackpot"])

    play(scene)


def test_a_chip_that_lies_too_long_is_told_as_on_pins() -> None:
    async def scene(bench: Bench) -> None:
        bench.peer.levels[1] = True
        await bench.until(lambda: "sensor_stuck" in bench.faults())
        (fault,) = [e for e in bench.told if isinstance(e, FaultNoticed)]
        assert (fault.where, fault.detail) == ("seat 1 jackpot_dealer", "a chip for 1 s")
        assert bench.chips()[1, "jackpot_dealer"] is True
        bench.peer.levels[1] = False
        await bench.until(lambda: not bench.faults())
        assert bench.chips()[1, "jackpot_dealer"] is False

    play(scene)


def _full(event: Event, afterwards: Callable[[], None] | None = None) -> None:
    """Take nothing."""


def test_a_table_that_cannot_take_everything_is_told_again_and_knows_nothing_before() -> None:
    async def played() -> None:
        bench = Bench()
        take = bench.intake.put
        bench.intake.put = _full  # type: ignore[method-assign]  # an inbox without room
        bench.peer.levels[0] = True
        bench.peer.plug_in()
        bench.open()
        await bench.until(lambda: bench.peer.waits_for_acknowledgement)
        await asyncio.sleep(0.2)
        assert not bench.board.known
        bench.intake.put = take  # type: ignore[method-assign]  # room again
        await bench.known()
        assert bench.chips()[1, "jackpot"] is True
        bench.close()

    in_a_loop(played)


# Lamps and signs of life


def test_lamps_that_are_set_in_one_go_are_one_message_and_last_over_a_restart() -> None:
    async def scene(bench: Bench) -> None:
        for spot in SPOTS:
            bench.board.set(spot, "slow_blink")
        await bench.until(lambda: bench.peer.letters == "ss------s-----")
        assert sum(each.startswith("LAMPS") for each in bench.peer.said) == 1
        bench.peer.restart()
        await bench.until(lambda: bench.peer.letters == "ss------s-----")

    play(scene)


def test_signs_of_life_reach_the_board_and_nobody_else() -> None:
    async def scene(bench: Bench) -> None:
        bench.board.alive()
        await bench.until(lambda: bench.peer.alive == 1)

    play(scene)


def test_the_bare_levels_and_edges_are_there_for_diagnosis() -> None:
    async def scene(bench: Bench) -> None:
        bench.peer.levels[13] = True
        await bench.until(lambda: bench.board.readings()[2, "jackpot"].level)
        reading = bench.board.readings()[2, "jackpot"]
        assert (reading.chatters, reading.stuck, reading.edges) == (False, False, 1)

    play(scene)
