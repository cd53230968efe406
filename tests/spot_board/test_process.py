"""The real program on the real MicroPython, behind a port that can be unplugged: as a table has it."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from firmware.devices.line import Decoder, Frame, encode
from sim.spot_board.process import ENABLED_S, SpotBoardProcess
from tests.spot_board.exchange import Table
from tests.spot_board.interpreters import PROJECT, interpreter, needs_interpreter

pytestmark = needs_interpreter
PATIENCE_S = 20.0
"""Far longer than anything takes; a busy machine takes its time."""


class Host:
    """What has the port of a board open."""

    def __init__(self, board: SpotBoardProcess) -> None:
        self.board, self.table = board, Table()
        self.reads = True
        self.alive = True
        self._port: int | None = None
        self._tap = Decoder()
        self.heard: list[str] = []
        self._task = asyncio.create_task(self._run())

    async def until(self, wanted: Callable[[], bool]) -> float:
        """Wait until something is so; return how long that took."""
        started = time.monotonic()
        async with asyncio.timeout(PATIENCE_S):
            while not wanted():  # noqa: ASYNC110  # it is a process and wires that change
                await asyncio.sleep(0.005)
        return time.monotonic() - started

    def say(self, data: bytes) -> None:
        """Say bytes to the board."""
        assert self._port is not None
        os.write(self._port, data)

    def announce(self, text: str) -> None:
        """Say something to the board."""
        self.say(encode(Frame("announcement", 0, text)))

    def close(self) -> None:
        """Close the port."""
        if self._task.done():
            self._task.result()
        self._task.cancel()
        if self._port is not None:
            os.close(self._port)

    async def _run(self) -> None:
        alive_s = 0.0
        while True:
            with suppress(OSError):
                self._exchange()
                if self.alive and self._port is not None and time.monotonic() - alive_s >= 0.25:
                    alive_s = time.monotonic()
                    self.announce("ALIVE")
            await asyncio.sleep(0.005)

    def _exchange(self) -> None:
        now_ms = int(time.monotonic() * 1_000)
        if self._port is None:
            self._port = os.open(self.board.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            self.table.opened()
        try:
            if self.reads:
                with suppress(BlockingIOError):
                    data = os.read(self._port, 4_096)
                    self.heard += [frame.text for frame in self._tap.feed(data)]
                    self.table.hear(data, now_ms)
            self.say(self.table.say(now_ms))
        except OSError:
            os.close(self._port)
            self._port = None


def with_a_board(folder: Path, play: Callable[[SpotBoardProcess, Host], Awaitable[None]]) -> None:
    """Play with a board that the table knows; its program must not have failed in the end."""

    async def played() -> None:
        assert interpreter is not None
        board = SpotBoardProcess(folder, interpreter)
        host = Host(board)
        try:
            await host.until(lambda: host.table.levels is not None)
            await play(board, host)
        finally:
            host.close()
            board.close()

    asyncio.run(played())
    assert (folder / "spot-board.log").read_text(encoding="utf-8") == ""


def levels(host: Host) -> str:
    return "".join(host.table.levels or [])


def test_a_chip_is_told_and_a_lamp_lit_and_dark_when_the_table_gives_no_sign_of_life(
    tmp_path: Path,
) -> None:
    async def play(board: SpotBoardProcess, host: Host) -> None:
        board.set_level(14, level=True)
        await host.until(lambda: levels(host) == ".............o")
        host.table.ask("LAMPS 1------------1")
        await host.until(lambda: board.lamps() == (True, *[False] * 12, True))
        host.alive = False
        assert await host.until(lambda: not any(board.lamps())) <= 1.5 + ENABLED_S
        host.alive = True
        await host.until(lambda: any(board.lamps()))
        host.announce("READ")
        await host.until(lambda: any(text.startswith("READINGS 2000 ") for text in host.heard))

    with_a_board(tmp_path, play)


def test_a_program_that_hangs_is_reset_by_the_watchdog_and_greets_again_within_3_s(
    tmp_path: Path,
) -> None:
    async def play(board: SpotBoardProcess, host: Host) -> None:
        session = host.table.session
        host.table.ask("LAMPS 11111111111111")
        await host.until(lambda: all(board.lamps()))
        board.hang()
        board.set_level(2, level=True)
        await host.until(lambda: host.table.session not in {None, session})
        assert board.starts == 2
        assert not any(board.lamps())
        await host.until(lambda: levels(host) == ".o............")

    with_a_board(tmp_path, play)


def test_a_program_that_goes_on_before_the_watchdog_bites_keeps_its_session(tmp_path: Path) -> None:
    async def play(board: SpotBoardProcess, host: Host) -> None:
        session = host.table.session
        board.hang()
        board.set_level(2, level=True)
        await asyncio.sleep(0.2)
        board.unhang()
        await host.until(lambda: levels(host) == ".o............")
        assert (host.table.session, board.starts) == (session, 1)

    with_a_board(tmp_path, play)


def test_a_board_that_is_restarted_has_another_session_each_time(tmp_path: Path) -> None:
    async def play(board: SpotBoardProcess, host: Host) -> None:
        sessions = [host.table.session]
        for _ in range(4):
            board.restart()
            await host.until(lambda: host.table.session not in {None, sessions[-1]})
            sessions.append(host.table.session)
        assert len(set(sessions)) == 5
        counts = [session // 1_000 for session in sessions if session is not None]
        assert counts == [*range(counts[0], counts[0] + 5)]

    with_a_board(tmp_path, play)


def test_a_chip_placed_and_lifted_with_the_cable_out_is_told_when_it_is_back(
    tmp_path: Path,
) -> None:
    async def play(board: SpotBoardProcess, host: Host) -> None:
        session = host.table.session
        board.unplug()
        for level in (True, False, True):
            board.set_level(1, level=level)
            await asyncio.sleep(0.2)
        board.plug_in()
        await host.until(lambda: len(host.table.told) == 3 and levels(host)[0] == "o")
        assert [told.news for told in host.table.told] == ["present", "absent", "present"]
        between_ms = host.table.told[2].at_ms - host.table.told[0].at_ms
        assert 300 <= between_ms <= 3_000
        assert (host.table.session, board.starts) == (session, 1)

    with_a_board(tmp_path, play)


def test_a_host_that_stops_reading_holds_nothing_up(tmp_path: Path) -> None:
    async def play(board: SpotBoardProcess, host: Host) -> None:
        host.table.ask("LAMPS 1-------------")
        await host.until(lambda: board.lamps()[0])
        board.stop_reading()
        for _ in range(400):
            host.announce("READ")
            await asyncio.sleep(0.002)
        board.set_level(3, level=True)
        await asyncio.sleep(1.3)
        host.announce("ALIVE")
        await host.until(lambda: board.lamps()[0])
        board.read_on()
        await host.until(lambda: levels(host) == "..o...........")
        assert board.starts == 1

    with_a_board(tmp_path, play)


def test_noise_with_an_interrupt_in_it_and_an_over_long_line_end_nothing(tmp_path: Path) -> None:
    async def play(board: SpotBoardProcess, host: Host) -> None:
        session = host.table.session
        host.say(b"\x03\x04\x01\xff" * 64 + b"x" * 1_500)
        board.set_level(1, level=True)
        await host.until(lambda: levels(host)[0] == "o")
        assert (host.table.session, board.starts) == (session, 1)

    with_a_board(tmp_path, play)


def test_a_released_line_is_silent_but_for_a_prompt_and_the_lamps_are_dark(tmp_path: Path) -> None:
    async def play(board: SpotBoardProcess, host: Host) -> None:
        host.table.ask("LAMPS 11111111111111")
        await host.until(lambda: all(board.lamps()))
        host.announce(f"RELEASE {host.table.session}")
        await host.until(lambda: board.released)
        await host.until(lambda: not any(board.lamps()))
        host.heard.clear()
        await asyncio.sleep(0.8)
        assert host.heard == []
        board.restart()
        await host.until(lambda: any(text.startswith("HELLO") for text in host.heard))

    with_a_board(tmp_path, play)


_PARENT = """
import asyncio, sys
from pathlib import Path
from sim.spot_board.interpreter import here
from sim.spot_board.process import SpotBoardProcess
async def main():
    board = SpotBoardProcess(Path(sys.argv[1]), here())
    board.hang()
    while "T" not in Path(f"/proc/{board.pid}/stat").read_text().split()[2]:
        await asyncio.sleep(0.01)
    print(board.pid, flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""


def test_a_board_ends_with_whoever_started_it_even_if_that_was_killed_and_the_board_hangs(
    tmp_path: Path,
) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT, tmp_path], cwd=PROJECT, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    board = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    ends_s = time.monotonic() + PATIENCE_S
    while _runs(board) and time.monotonic() < ends_s:
        time.sleep(0.05)
    assert not _runs(board)


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").split()[2] != "Z"
    except OSError:
        return False
