"""The firmware as it is installed: lamps on the chip, the service, its watchdog, the disks.

One boot is looked at from all sides; each test asks one thing of what was seen.
"""

import asyncio
from pathlib import Path

import pytest
from msgspec import Struct

from sim.emulator.build import MachineParts
from sim.emulator.hardware import EmulatedHardware
from tests.emulator.machines import MEASURED, emulated_table, fsck, in_play
from tests.sim.floors import GAME, Books, books, stacked
from tests.sim.test_kill import floor_is_settled

WITHIN_S = 1_500.0
PLAN = stacked((2, 3), {2: "Kh Jh 9h 5h 2h", 3: "Tc Td 7c 6d 3s"}, "As Kd 8c 4s 2c")
_LISTENING = "0A"


class Seen(Struct):
    """What was seen of one boot."""

    patterns: list[str] = []
    award: str = ""
    failed_units: str = ""
    sockets: str = ""
    mounts: str = ""
    user: str = ""
    restarts: str = ""
    prompt_before: str = ""
    prompt_after: str = ""
    disk_status: int = -1
    left: Books | None = None


@pytest.fixture(scope="module")
def seen(parts: MachineParts, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """Boot the machine, play a round with a win, hang the firmware, and shut it down."""
    folder = tmp_path_factory.mktemp("installation")
    found = Seen()
    asyncio.run(_look(parts, folder, found))
    found.disk_status = fsck(folder / "T1" / "journal.img")
    found.left = books(folder)
    return found


async def _look(parts: MachineParts, folder: Path, found: Seen) -> None:
    async with asyncio.timeout(WITHIN_S), emulated_table(folder, parts, GAME) as (floor, table):
        await _a_win(table, found)
        await floor_is_settled(floor)
        await _inside(table, found)
        await _hang(table, found)
        await table.stop()


async def _a_win(table: EmulatedHardware, found: Seen) -> None:
    """Play the round by hand, and read the lamp of seat 2 at every turn."""

    async def shows(pattern: str) -> None:
        await table.until(lambda: table.lamp_pattern(2) == pattern)
        found.patterns.append(pattern)

    await table.press("OPEN")
    await shows("slow_blink")
    for seat, _ in PLAN.chips:
        table.place_chip(seat)
    await shows("quick_blink")
    await table.until(lambda: "Jackpot chips: seats 2, 3." in table.screen.lines)
    await table.press("CLOSE")
    for seat, _ in PLAN.chips:
        table.lift_chip(seat)
    await shows("steady")
    for card in PLAN.deck:
        await table.draw(card)
    await table.press("BET 2")
    await table.press("FOLD 3")
    await table.press("REVEAL")
    await table.until(lambda: any("pay $100.00" in line for line in table.screen.lines))
    found.award = next(line for line in table.screen.lines if "pay $100.00" in line)
    await shows("flutter")
    await table.press("PAID")
    await table.until(lambda: table.screen.code == "idle")


async def _inside(table: EmulatedHardware, found: Seen) -> None:
    found.failed_units = (await table.run("systemctl --failed --plain --no-legend"))[1]
    found.sockets = (await table.run("cat /proc/net/tcp /proc/net/tcp6 /proc/net/udp"))[1]
    found.mounts = (await table.run("cat /proc/mounts"))[1]
    pid = (await table.run("systemctl show -P MainPID underfelt-table"))[1].strip()
    found.user = (await table.run(f"stat -c %U /proc/{pid}"))[1].strip()
    started = (await table.run("systemd-analyze"))[1].splitlines()[0]
    MEASURED.append(started)
    memory = (await table.run("systemctl show -P MemoryCurrent underfelt-table"))[1]
    MEASURED.append(f"memory of the service: {int(memory) // 1024:,} KiB")
    total, _, available, *_ = (await table.run("cat /proc/meminfo"))[1].splitlines()
    MEASURED.append(f"memory of the machine: {' '.join(f'{total} {available}'.split())}")
    timing = "/opt/underfelt/bin/python3 -c 'import time; t = time.monotonic()"
    timing += "; import firmware.__main__; print(time.monotonic() - t)'"
    MEASURED.append(f"import of the firmware: {float((await table.run(timing))[1]):.1f} s")


async def _hang(table: EmulatedHardware, found: Seen) -> None:
    """Stop the firmware's process as a hang would, and wait until it is back."""
    found.prompt_before = table.screen.code
    pid = (await table.run("systemctl show -P MainPID underfelt-table"))[1].strip()
    await table.run(f"kill -STOP {pid}")
    MEASURED.append(f"from a hang to a table in play: {await in_play(table)}")
    found.prompt_after = table.screen.code
    found.restarts = (await table.run("systemctl show -P NRestarts underfelt-table"))[1].strip()


def test_the_lamp_language_is_read_back_from_the_chip(seen: Seen) -> None:
    assert seen.patterns == ["slow_blink", "quick_blink", "steady", "flutter"]


def test_a_win_is_awarded_and_booked_once(seen: Seen) -> None:
    assert seen.award == "Seat 2: JACKPOT, pay $100.00."
    assert seen.left is not None
    assert (seen.left.totals.contributions, seen.left.totals.awards) == (2, 1)


def test_every_unit_starts(seen: Seen) -> None:
    assert seen.failed_units == ""


def test_the_firmware_is_not_root(seen: Seen) -> None:
    assert seen.user == "underfelt"


def test_nothing_listens(seen: Seen) -> None:
    rows = [line.split() for line in seen.sockets.splitlines() if ":" in line.split()[0]]
    assert rows, "no socket at all: the link should be there"
    assert [row[1] for row in rows if row[3] == _LISTENING] == []


def test_only_the_journal_is_written(seen: Seen) -> None:
    disks = [line.split() for line in seen.mounts.splitlines() if line.startswith("/dev/vd")]
    written = {place for _, place, _, options, *_ in disks if "rw" in options.split(",")}
    assert written == {"/var/lib/underfelt"}
    assert {place for _, place, *_ in disks} == {"/", "/etc/underfelt", "/var/lib/underfelt"}


def test_a_hung_firmware_is_started_again_by_the_watchdog(seen: Seen) -> None:
    assert seen.restarts == "1"
    assert seen.prompt_after == seen.prompt_before == "idle"


def test_the_journal_s_disk_is_clean_after_a_shutdown(seen: Seen) -> None:
    assert seen.disk_status == 0
