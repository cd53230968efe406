"""Power-good, cover and key switch: real gpiozero inputs on mock pins."""

import asyncio
from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory

from firmware.devices.switches import Switch, Switches
from firmware.table.events import Event, FaultNoticed, FaultPassed, KeyTurned
from tests.devices.intake import FakeIntake

PINS: dict[Switch, int] = {"power_good": 20, "cover": 21, "key": 22}


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    """Make pins that can be driven."""
    pins = MockFactory()
    yield pins
    pins.close()


async def told(shell: FakeIntake, count: int) -> list[Event]:
    """Wait for so many events."""
    async with asyncio.timeout(30):
        return [await shell.events.get() for _ in range(count)]


def code(event: Event) -> str:
    """Say in short what an event tells."""
    match event:
        case FaultNoticed(code=code):
            return f"{code} noticed"
        case FaultPassed(code=code):
            return f"{code} passed"
        case KeyTurned(on=on):
            return f"key {'on' if on else 'off'}"
    raise AssertionError(event)


def test_at_a_start_every_switch_is_told_and_a_line_that_is_not_there_is_the_bad_case(
    factory: MockFactory,
) -> None:
    async def play() -> None:
        shell = FakeIntake()
        switches = Switches(PINS, factory, shell)
        assert {code(event) for event in await told(shell, 3)} == {
            "power_failing noticed",
            "cover_open noticed",
            "key off",
        }
        switches.close()

    asyncio.run(play())


@pytest.mark.parametrize(
    ("switch", "high", "low"),
    [
        ("power_good", "power_failing passed", "power_failing noticed"),
        ("cover", "cover_open passed", "cover_open noticed"),
        ("key", "key on", "key off"),
    ],
)
def test_a_switch_is_told_each_time_it_changes(
    factory: MockFactory, switch: Switch, high: str, low: str
) -> None:
    async def play() -> None:
        shell = FakeIntake()
        switches = Switches({switch: 20}, factory, shell)
        await told(shell, 1)
        for _ in range(2):
            factory.pin(20).drive_high()
            assert [code(event) for event in await told(shell, 1)] == [high]
            factory.pin(20).drive_low()
            assert [code(event) for event in await told(shell, 1)] == [low]
        switches.close()

    asyncio.run(play())


def test_a_switch_that_bounces_is_told_once(factory: MockFactory) -> None:
    async def play() -> None:
        shell = FakeIntake()
        switches = Switches({"cover": 20, "key": 21}, factory, shell)
        await told(shell, 2)
        for _ in range(20):
            factory.pin(20).drive_high()
            factory.pin(20).drive_low()
        factory.pin(20).drive_high()
        assert [code(event) for event in await told(shell, 1)] == ["cover_open passed"]
        factory.pin(21).drive_high()
        assert [code(event) for event in await told(shell, 1)] == ["key on"]
        assert shell.events.empty()
        switches.close()

    asyncio.run(play())


class Clock:
    """The time of the event loop, which stands still until the test puts it forward."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._loop = asyncio.get_running_loop()
        self._now_s = self._loop.time()
        monkeypatch.setattr(self._loop, "time", lambda: self._now_s)

    async def forward(self, milliseconds: float) -> None:
        """Let so much time pass, and what is due then happen."""
        await self._turns()
        self._now_s += milliseconds / 1_000
        await self._turns()

    async def _turns(self) -> None:
        """Let the loop take its turns: an edge takes one to arrive, and a timer one."""
        for _ in range(10):
            await asyncio.sleep(0)


@pytest.mark.parametrize(("switch", "too_soon_ms"), [("power_good", 9), ("cover", 49), ("key", 49)])
def test_a_switch_is_told_as_soon_as_it_has_settled_and_a_dip_is_not(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch, switch: Switch, too_soon_ms: int
) -> None:
    """Power-good within some 10 ms: what is left of the power is for ending well."""

    async def play() -> None:
        clock, shell = Clock(monkeypatch), FakeIntake()
        switches = Switches({switch: 20}, factory, shell)
        factory.pin(20).drive_high()
        await clock.forward(too_soon_ms + 3)
        assert shell.events.qsize() == 1
        shell.events.get_nowait()
        factory.pin(20).drive_low()
        await clock.forward(too_soon_ms)
        factory.pin(20).drive_high()
        await clock.forward(1_000)
        assert shell.events.empty(), "a dip"
        factory.pin(20).drive_low()
        await clock.forward(too_soon_ms)
        assert shell.events.empty(), "too soon"
        await clock.forward(3)
        assert shell.events.qsize() == 1
        switches.close()

    asyncio.run(play())


def test_a_board_without_switches_has_nothing_to_tell(factory: MockFactory) -> None:
    async def play() -> None:
        shell = FakeIntake()
        Switches({}, factory, shell).close()
        assert shell.events.empty()

    asyncio.run(play())
