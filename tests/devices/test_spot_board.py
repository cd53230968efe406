"""The table's side of a spot board: when the spots are known, and that no chip is lost or invented.

That spots on a board are the same to the table as those on pins is in `test_contract_spots.py`; what
is plugged in there and cannot be used, in `test_spot_board_unfit.py`.
"""

import asyncio
from collections.abc import Callable
from itertools import groupby

import pytest

from firmware.devices import serial_port, spot_board
from firmware.devices.sensor_limits import SensorLimits
from firmware.table.events import CoinSensed, Event, FaultNoticed
from tests.devices.spot_bench import SPOTS, Bench, play
from tests.devices.wire import in_a_loop


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait long."""
    monkeypatch.setattr(serial_port, "RETRY_S", 0.02)
    monkeypatch.setattr(spot_board, "ASK_S", 0.25)


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
        event = next(e for e in bench.told if isinstance(e, CoinSensed) and e.present)
        assert 150 <= 1_000_000 - event.at_ms <= 5_000, "and not when it was heard"

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


def test_what_waited_in_a_buffer_is_not_taken_before_the_board_answers_and_has_its_true_age() -> (
    None
):
    async def scene(bench: Bench) -> None:
        bench.intake.clock_ms = 1_000_000
        bench.peer.unplug()
        await bench.until(lambda: "spots_unknown" in bench.faults())
        bench.told.clear()
        bench.peer.loses.add("acknowledgement")
        bench.peer.levels[0] = True
        bench.peer.plug_in()
        await bench.until(lambda: bench.board.line.session is not None)
        await asyncio.sleep(0.6)
        assert not [e for e in bench.told if isinstance(e, CoinSensed)]
        bench.peer.loses.clear()
        await bench.known()
        event = next(e for e in bench.told if isinstance(e, CoinSensed) and e.present)
        assert event.at_ms <= 1_000_000 - 500

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
        spot = [e for e in bench.told if isinstance(e, CoinSensed) and e.bet == "jackpot_dealer"]
        assert [level for level, _ in groupby(each.present for each in spot)] == [False, True]

    play(scene)


# Sensors that fail


def test_a_sensor_that_chatters_is_told_as_on_pins_and_senses_no_chip() -> None:
    async def scene(bench: Bench) -> None:
        for _ in range(30):
            bench.peer.levels[0] = not bench.peer.levels[0]
            await asyncio.sleep(0.01)
        bench.peer.levels[0] = True
        await bench.until(lambda: "sensor_chatters" in bench.faults())
        fault = next(e for e in bench.told if isinstance(e, FaultNoticed))
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
        fault = next(e for e in bench.told if isinstance(e, FaultNoticed))
        assert (fault.where, fault.detail) == ("seat 1 jackpot_dealer", "a chip for 1 s")
        assert bench.chips()[1, "jackpot_dealer"] is True
        bench.peer.levels[1] = False
        await bench.until(lambda: not bench.faults())
        assert bench.chips()[1, "jackpot_dealer"] is False

    play(scene, SensorLimits(stuck_ms=1_000))


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
