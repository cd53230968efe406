"""No process of the simulator outlives whoever started it, even if that was killed."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sim import lifeline
from sim.broker import HOST, Broker, Mosquitto, mosquitto_path
from tests.sim.floors import on_both_brokers
from tests.sim.processes import command_line, descendants, wait_until, wait_until_gone

UNDERFELT_SIM = str(Path(sys.executable).with_name("underfelt-sim"))
BROKERS = {"EmbeddedBroker": "embedded", "Mosquitto": "mosquitto"}
PROGRAMS = {"embedded": "sim.broker", "mosquitto": "mosquitto -c"}
SCENARIO = """# rws-multilink-stud: nothing happens for long
table rws-multilink-stud, 5 seats, shoe
open
wait 600 s
"""


@contextmanager
def started(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command, which is killed at the latest when the test ends."""
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=pipe, stdout=nowhere) as process:
        try:
            yield process
        finally:
            process.kill()


def killed_with_all(process: subprocess.Popen[bytes], *parts: str) -> None:
    """Wait until all parts run below a process, kill it alone, and wait until they are gone."""

    def all_run() -> bool:
        running = descendants(process.pid).values()
        return all(any(part in command for command in running) for part in parts)

    wait_until(all_run, lambda: descendants(process.pid))
    below = descendants(process.pid)
    process.kill()
    process.wait()
    wait_until_gone(below)


@on_both_brokers
def test_a_floor_that_is_killed_takes_everything_along(broker: type[Broker]) -> None:
    kind = BROKERS[broker.__name__]
    with started(UNDERFELT_SIM, "floor", "--tables", "2", "--broker", kind) as floor:
        tables = ("/T1/pins.sock", "/T2/pins.sock")
        killed_with_all(floor, PROGRAMS[kind], "sim.jackpot_controller", *tables)


@on_both_brokers
def test_a_scenario_that_is_killed_takes_everything_along(
    broker: type[Broker], tmp_path: Path
) -> None:
    kind = BROKERS[broker.__name__]
    file = tmp_path / "long.table"
    file.write_text(SCENARIO, encoding="utf-8")
    with started(UNDERFELT_SIM, "play", str(file), "--broker", kind) as playing:
        parts = (PROGRAMS[kind], "sim.jackpot_controller", "sim.table.process")
        killed_with_all(playing, *parts)


def test_a_child_of_a_child_goes_too_although_only_the_first_parent_was_killed() -> None:
    inner = repr(lifeline.program("sleep", "600"))
    middle = f"import subprocess; subprocess.Popen({inner}, stdin=subprocess.PIPE).wait()"
    middle_command = repr(lifeline.program(sys.executable, "-c", middle))
    outer = f"import subprocess; subprocess.Popen({middle_command}, stdin=subprocess.PIPE).wait()"
    with started(sys.executable, "-c", outer) as process:
        killed_with_all(process, "sleep 600")


def test_a_program_that_is_stopped_goes_too() -> None:
    inner = repr(lifeline.program("sleep", "600"))
    outer = f"import subprocess; subprocess.Popen({inner}, stdin=subprocess.PIPE).wait()"
    with started(sys.executable, "-c", outer) as process:
        wait_until(lambda: bool(sleeping(process.pid)), lambda: descendants(process.pid))
        os.kill(sleeping(process.pid)[0], signal.SIGSTOP)
        killed_with_all(process, "sleep 600")


def sleeping(pid: int) -> list[int]:
    """List the processes below one that have become `sleep`."""
    return [each for each, command in descendants(pid).items() if command == "sleep 600 "]


def test_a_program_is_the_process_that_was_started_and_leaves_no_watchdog() -> None:
    with started(*lifeline.program("sleep", "600")) as process:
        wait_until(lambda: command_line(process.pid) == "sleep 600 ", lambda: "no sleep")
        watchdogs = descendants(process.pid)
        assert len(watchdogs) == 1
        process.terminate()
        assert process.wait() == -signal.SIGTERM
        wait_until_gone(watchdogs)


@pytest.mark.skipif(mosquitto_path() is None, reason="mosquitto is not installed")
def test_a_broker_stays_when_the_thread_that_started_it_ends(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path)
    try:
        # The end of the event loop is the end of its threads.
        asyncio.run(asyncio.to_thread(broker.start))
        with socket.create_connection((HOST, broker.port)) as connection:
            connection.sendall(b"\x10\x0d\x00\x04MQTT\x04\x02\x00\x05\x00\x01x")
            assert connection.recv(4) == b"\x20\x02\x00\x00"
    finally:
        broker.stop()
