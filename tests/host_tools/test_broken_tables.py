"""Ten broken tables: the first line of `underfelt diagnose` names the cause and the remedy.

Real table processes on simulated hardware. Not real are two conditions that no test may
make on its machine: a full disk (the table is told to want more room than there is) and a
wrong clock (that of the table's process alone is set wrong).
"""

import asyncio
import shutil
from pathlib import Path

import pytest

from sim.broker import SecureMosquitto, free_port, mosquitto_path
from sim.floor.floor import Floor
from sim.table.hardware import TableHardware
from tests.host_tools.tables import (
    a_table,
    diagnosed,
    own_runtime_folder,
    restarted,
    tool,
    with_a_table,
)
from tests.link import certificates

__all__ = ["own_runtime_folder"]


def test_a_stuck_sensor(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        await restarted(table, "sensors", stuck_ms=500)
        table.stick_sensor(3, level=True)
        line = await diagnosed("F101")
        assert line.startswith("FAULT: F101 The coin sensor is stuck at seat 3")
        assert "clean the sensor" in line

    with_a_table(tmp_path, play)


def test_a_chattering_sensor(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        chattering = asyncio.create_task(table.chatter(2, times=3_000, hz=50))
        line = await diagnosed("F102")
        chattering.cancel()
        assert "keeps switching on and off at seat 2" in line
        assert "check the sensor's cable" in line

    with_a_table(tmp_path, play)


def test_a_shoe_at_the_wrong_baud_rate(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        table.cards.faults.wrong_baud = True
        sending = [asyncio.create_task(table.draw("As")) for _ in range(8)]
        line = await diagnosed("F202")
        for task in sending:
            task.cancel()
        assert "Unreadable data at shoe" in line
        assert "115200 baud" in line
        assert "check its baud rate and cable" in line.lower()

    with_a_table(tmp_path, play)


def test_a_panel_that_is_unplugged(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        table.panel.unplug()
        line = await diagnosed("F201")
        assert "No answer at panel" in line
        assert "Check its power and the plug at both ends" in line

    with_a_table(tmp_path, play)


@pytest.mark.skipif(mosquitto_path() is None, reason="mosquitto not installed")
def test_an_expired_certificate(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        folder = certificates.floor(tmp_path / "tls")
        certificates.expired(folder, "T1")
        with SecureMosquitto(folder) as broker:
            shown = certificates.shown(folder, "T1")
            await restarted(table, "link", port=broker.port, stale_s=1.0, **shown)
            line = await diagnosed("expired")
        assert "refused this table's certificate: it has expired" in line
        assert "Issue a new one" in line

    with_a_table(tmp_path, play)


def test_a_broker_that_cannot_be_reached(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        port = free_port()
        await restarted(table, "link", port=port, stale_s=1.0)
        line = await diagnosed("no broker answers")
        assert line.startswith("FAULT: The jackpot link is down: no broker answers at 127.0.0.1")
        assert "Check the network cable, then the broker's host and port" in line

    with_a_table(tmp_path, play)


def test_a_jackpot_controller_that_is_silent(tmp_path: Path) -> None:
    async def play(floor: Floor, _table: TableHardware) -> None:
        await floor.jackpot.kill()
        line = await diagnosed("jackpot controller")
        assert "The jackpot link is down: the broker answers but the jackpot controller" in line
        assert "Start the jackpot controller" in line

    with_a_table(tmp_path, play)


def test_a_full_disk(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        free_mb = shutil.disk_usage(table.folder).free // 1_000_000
        await restarted(table, "health", least_free_mb=free_mb * 2, every_s=0.2)
        line = await diagnosed("F402")
        assert "The journal disk is nearly full" in line
        assert "have a technician run 'underfelt journal pull --mark'" in line

    with_a_table(tmp_path, play)


def test_a_clock_that_is_off_by_an_hour(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        table.clock_ahead_s = -3600
        await restarted(table, "health")
        line = await diagnosed("clock")
        assert line.startswith("FAULT: The table's clock is ")
        assert "behind this laptop's" in line
        assert "time server" in line

    with_a_table(tmp_path, play)


def test_a_damaged_journal(tmp_path: Path) -> None:
    async def played() -> None:
        async with a_table(tmp_path) as floor:
            (table,) = floor.tables
            await table.stop()
            path = table.folder / "000000000001.journal"
            data = bytearray(path.read_bytes())
            data[len(data) // 2] ^= 1
            path.write_bytes(data)
            await table.start()
            assert table.process is not None
            assert await table.process.wait() == 3
            ran = await tool("diagnose", "sim:T1")
        line = ran.out.partition("\n")[0]
        assert ran.status == 2
        assert line.startswith(f"FAULT: The journal is damaged: {path}: record ")
        assert "keep this folder for the auditor, and start with an empty one" in line

    asyncio.run(played())


def test_a_table_file_that_is_wrong(tmp_path: Path) -> None:
    async def played() -> None:
        async with a_table(tmp_path) as floor:
            (table,) = floor.tables
            await table.stop()
            path = table.folder / "table.toml"
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("rws-multilink-stud", "rws-multilink-stut"))
            socket = table.folder / "maintenance.sock"
            ran = await tool("diagnose", f"unix:{socket}", "--config", str(path))
        line = ran.out.partition("\n")[0]
        assert ran.status == 2
        assert line.startswith(f"FAULT: The firmware does not start: {path}: table.game: ")
        assert "Did you mean rws-multilink-stud?" in line

    asyncio.run(played())


def test_hashes_of_pins_that_others_can_read(tmp_path: Path) -> None:
    async def play(_floor: Floor, table: TableHardware) -> None:
        path = table.folder / "table.toml"
        assert path.stat().st_mode & 0o077 == 0
        path.chmod(0o644)
        line = await diagnosed("hashes of the PINs")
        assert line.startswith("FAULT: Others than the firmware can read the hashes")
        assert f"'chmod 600 {path}'" in line
        await restarted(table, "sensors")
        log = (table.folder / "firmware.log").read_text(encoding="utf-8")
        assert "others than the firmware can read the PINs' hashes in it" in log

    with_a_table(tmp_path, play)
