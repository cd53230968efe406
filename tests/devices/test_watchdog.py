"""The hardware watchdog, on a file that notes what is written to it."""

import asyncio
import fcntl
import struct
from contextlib import suppress
from pathlib import Path

import pytest

from firmware.devices.watchdog import Watchdog
from firmware.shell.alive import while_events_are_taken
from tests.devices.intake import all_well


@pytest.fixture
def device(tmp_path: Path) -> Path:
    """Make a file that stands where the watchdog stands."""
    path = tmp_path / "watchdog"
    path.touch()
    return path


def written(path: Path) -> bytes:
    """Read what has been written."""
    return path.read_bytes()


async def until_written(path: Path, count: int) -> None:
    """Wait until so many bytes have been written."""
    async with asyncio.timeout(30):
        while len(written(path)) < count:  # noqa: ASYNC110  # a file has no event
            await asyncio.sleep(0)


def test_a_watchdog_is_told_to_wait_no_longer_than_a_pi_can(
    device: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Pi's watchdog refuses more than 15 s and keeps what it had; the number is the kernel's."""
    asked: list[tuple[int, bytes]] = []
    monkeypatch.setattr(fcntl, "ioctl", lambda _file, number, value: asked.append((number, value)))
    Watchdog(str(device)).close()
    set_timeout = 3 << 30 | struct.calcsize("i") << 16 | ord("W") << 8 | 6
    assert asked == [(set_timeout, struct.pack("i", 15))]


def test_a_watchdog_is_kicked_while_the_table_makes_progress_and_not_when_it_hangs(
    device: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        taken = waiting = asked = 0

        def progress() -> tuple[int, int]:
            nonlocal asked, taken
            asked += 1
            taken += waiting == 1
            return taken, waiting

        watchdog = Watchdog(str(device))
        running = asyncio.create_task(
            while_events_are_taken(progress, 0.001, watchdog.kick, all_well)
        )
        await until_written(device, 3)
        waiting = 1  # and one is taken each time
        await until_written(device, 6)
        waiting = 2  # and none is taken any more
        async with asyncio.timeout(30):
            while "no sign of life" not in caplog.text:  # noqa: ASYNC110  # a log has no event
                await asyncio.sleep(0)
        kicks = len(written(device))
        seen = asked
        async with asyncio.timeout(30):
            while asked < seen + 5:  # noqa: ASYNC110  # nothing is to happen
                await asyncio.sleep(0)
        assert len(written(device)) == kicks
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

    asyncio.run(play())
    assert set(device.read_bytes()) == {0}


def test_a_clean_stop_disarms_it(device: Path) -> None:
    watchdog = Watchdog(str(device))
    watchdog.kick()
    watchdog.close()
    assert device.read_bytes() == b"\0V"


def test_a_watchdog_that_was_asked_for_and_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Watchdog(str(tmp_path / "nothing"))
