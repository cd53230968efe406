"""What systemd hears of the firmware, on a real socket, from the real process too.

A `Listener` is systemd's end: a datagram socket in a folder or in the abstract name space.
"""

import asyncio
import contextlib
import os
import re
import secrets
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.link.mqtt import LinkSettings
from firmware.protocol.version import VERSION
from firmware.shell.alive import while_events_are_taken
from firmware.shell.systemd import Notifier
from firmware.table.settings import TableSettings
from sim.table.hardware import TableHardware
from tests.devices.intake import all_well

PATIENCE_S = 60
SETTINGS = TableSettings(
    name="T1",
    game="rws-multilink-stud",
    seats=4,
    ante_min_cents=2_500,
    ante_max_cents=100_000,
    jackpot_bet_cents=500,
)
NOBODY = LinkSettings(host="127.0.0.1", port=1)


class Listener:
    """systemd's end of the socket."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("\0" + address[1:] if address.startswith("@") else address)
        self._socket.settimeout(PATIENCE_S)

    def heard(self) -> dict[str, str]:
        """Wait for the next message."""
        lines = self._socket.recv(4096).decode().splitlines()
        return dict(line.split("=", 1) for line in lines)

    def silent(self) -> bool:
        """Tell whether nothing waits to be heard."""
        self._socket.setblocking(False)  # noqa: FBT003  # the library's own signature
        try:
            self._socket.recv(4096)
        except BlockingIOError:
            return True
        finally:
            self._socket.settimeout(PATIENCE_S)
        return False

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


@pytest.fixture(params=["a path", "an abstract name"])
def listener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Listener]:
    """Give systemd's end, of both kinds."""
    abstract = f"@underfelt-test-{secrets.token_hex(8)}"
    heard = Listener(abstract if request.param == "an abstract name" else str(tmp_path / "notify"))
    yield heard
    heard.close()


def test_ready_and_stopping_are_heard_with_a_status(listener: Listener) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": listener.address})
    notifier.ready("idle")
    assert listener.heard() == {"READY": "1", "STATUS": "idle"}
    notifier.stopping()
    assert listener.heard() == {"STOPPING": "1", "STATUS": "stopping"}


def test_a_status_is_one_line(listener: Listener) -> None:
    Notifier({"NOTIFY_SOCKET": listener.address}).status("two\nlines\nREADY=1")
    assert listener.heard() == {"STATUS": "two lines READY=1"}


def test_outside_systemd_nothing_is_sent() -> None:
    notifier = Notifier({})
    notifier.ready("idle")
    assert notifier.beat_s is None


def test_a_socket_that_is_gone_does_not_end_the_table(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    Notifier({"NOTIFY_SOCKET": str(tmp_path / "gone")}).ready("idle")
    assert "cannot tell systemd READY=1" in caplog.text


@pytest.mark.parametrize(
    ("environment", "beat_s"),
    [
        ({"WATCHDOG_USEC": "8000000"}, 2.0),
        ({"WATCHDOG_USEC": "8000000", "WATCHDOG_PID": str(os.getpid())}, 2.0),
        ({"WATCHDOG_USEC": "8000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_life_is_signalled_four_times_in_the_time_that_systemd_waits(
    environment: dict[str, str], beat_s: float | None
) -> None:
    assert Notifier({"NOTIFY_SOCKET": "/nowhere", **environment}).beat_s == beat_s


def test_life_is_signalled_only_while_events_are_taken(
    listener: Listener, caplog: pytest.LogCaptureFixture
) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": listener.address, "WATCHDOG_USEC": "4000"})
    #         idle    idle    busy    taken   hangs   hangs   again
    seen = [(0, 0), (0, 0), (0, 3), (1, 2), (1, 2), (1, 2), (2, 1)]
    left = iter(seen)

    async def run() -> None:
        with contextlib.suppress(RuntimeError):  # the progress is over
            notifier.ready("idle")
            assert notifier.beat_s is not None
            await while_events_are_taken(
                lambda: next(left), notifier.beat_s, lambda: notifier.alive("idle"), all_well
            )

    asyncio.run(run())
    assert listener.heard() == {"READY": "1", "STATUS": "idle"}
    for _ in range(4):
        assert listener.heard() == {"WATCHDOG": "1", "STATUS": "idle"}
    assert listener.silent()
    # One that is left out is a busy moment; only the second in a row is told.
    assert caplog.text.count("no sign of life given") == 1


# The process


async def _lived(folder: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch) -> int:
    """Start a table, hear that it is ready and alive, stop it; give its exit status."""
    monkeypatch.setenv("NOTIFY_SOCKET", listener.address)
    monkeypatch.setenv("WATCHDOG_USEC", "1000000")
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    table = TableHardware(SETTINGS, NOBODY, folder)
    try:
        await table.start()
        first = await asyncio.to_thread(listener.heard)
        assert first == {"READY": "1", "STATUS": "idle, 1 journal record"}
        for _ in range(3):
            assert (await asyncio.to_thread(listener.heard))["WATCHDOG"] == "1"
        status = await table.stop()
        last = {}
        while "STOPPING" not in last:
            last = await asyncio.to_thread(listener.heard)
        return status
    finally:
        await table.close()


def test_the_process_says_ready_then_lives_then_stops(
    tmp_path: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asyncio.run(_lived(tmp_path / "table", listener, monkeypatch)) == 0
    lines = (tmp_path / "table" / "firmware.log").read_text(encoding="utf-8").splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z ", line) for line in lines)
    log = [line.partition(" ")[2] for line in lines]
    assert log[0].startswith(f"INFO underfelt-table: version {VERSION}, table T1: ")
    assert (
        "INFO firmware.shell.wiring: self-tests passed: table file, hand tables, 1 journal record, 4 spots"
    ) in log
    assert log[-1] == "INFO underfelt-table: stopped"


async def _refused(folder: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch) -> int:
    """Start a table whose journal is damaged; give its exit status."""
    monkeypatch.setenv("NOTIFY_SOCKET", listener.address)
    table = TableHardware(SETTINGS, NOBODY, folder)
    (folder / "journal.log").write_bytes(b"this is no journal\nnor is this\n")
    try:
        await table.start()
        assert table.process is not None
        return await table.process.wait()
    finally:
        await table.close()


def test_a_process_that_fails_its_self_tests_is_never_ready_and_says_why(
    tmp_path: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "table"
    assert asyncio.run(_refused(folder, listener, monkeypatch)) == 3
    (status,) = listener.heard().items()
    assert status[0] == "STATUS"
    assert "journal.log" in status[1]
    assert listener.silent()
    last = (folder / "firmware.log").read_text(encoding="utf-8").splitlines()[-1]
    assert last.startswith("underfelt-table: ")
    assert "journal.log" in last
