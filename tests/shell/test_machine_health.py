"""The controller's own health: judged from readings alone, then read from files.

The files stand where a Pi has its own; what a machine does not tell is not judged.
"""

import asyncio
from pathlib import Path

import pytest

from firmware.settings.table_file import HealthSettings
from firmware.shell.machine_health import Judge, Readings, read_machine, watch_machine
from firmware.table.events import ClockJudged, Event, FaultNoticed, FaultPassed
from tests.devices.intake import FakeIntake


class Machine:
    """A machine whose readings a test sets."""

    def __init__(self) -> None:
        self.judge = Judge(HealthSettings())
        self.monotonic_ms = 0
        self.wall_ms = 1_700_000_000_000

    def after(  # noqa: PLR0913  # each reading by its name
        self,
        seconds: float = 5,
        *,
        jump_ms: int = 0,
        temperature_c: float | None = None,
        under_voltage: bool | None = None,
        synchronised: bool | None = None,
        free_mb: float | None = None,
    ) -> list[str]:
        """Let time pass, read_machine, and give in short what is new."""
        self.monotonic_ms += int(seconds * 1_000)
        self.wall_ms += int(seconds * 1_000) + jump_ms
        readings = Readings(
            wall_ms=self.wall_ms,
            monotonic_ms=self.monotonic_ms,
            temperature_c=temperature_c,
            under_voltage=under_voltage,
            synchronised=synchronised,
            free_mb=free_mb,
        )
        return [in_short(event) for event in self.judge.events(readings)]


def in_short(event: Event) -> str:
    """Say in short what an event tells."""
    match event:
        case FaultNoticed(code=code, detail=detail):
            return f"{code} {detail}".strip()
        case FaultPassed(code=code):
            return f"{code} passed"
        case ClockJudged(quality=quality):
            return f"clock {quality}"
    raise AssertionError(event)


@pytest.fixture
def machine() -> Machine:
    """Give a machine that tells nothing yet."""
    machine = Machine()
    assert machine.after() == []
    return machine


def test_heat_is_told_once_and_passes_only_when_it_is_clearly_cooler(machine: Machine) -> None:
    assert machine.after(temperature_c=79.9) == ["hot passed"]
    assert machine.after(temperature_c=80) == ["hot 80 °C"]
    assert machine.after(temperature_c=85) == []
    assert machine.after(temperature_c=76) == []
    assert machine.after(temperature_c=74) == ["hot passed"]
    assert machine.after(temperature_c=79) == []


def test_too_low_a_voltage_is_told_and_passes(machine: Machine) -> None:
    assert machine.after(under_voltage=True) == ["under_voltage"]
    assert machine.after(under_voltage=True) == []
    assert machine.after(under_voltage=False) == ["under_voltage passed"]


def test_a_clock_that_is_not_kept_is_judged_and_a_fault(machine: Machine) -> None:
    assert machine.after(synchronised=False) == ["clock free", "clock_free"]
    assert machine.after(synchronised=False) == []
    assert machine.after(synchronised=True) == ["clock synchronised", "clock_free passed"]


@pytest.mark.parametrize(
    ("jump_ms", "told"),
    [
        (3_600_000, ["clock_jumped set forward by 1 hour"]),
        (-1_000, ["clock_jumped set back by 1 second"]),
        (150_000, ["clock_jumped set forward by 2 minutes"]),
        (-1_505_900_000, ["clock_jumped set back by 17 days"]),
        (999, []),
        (-999, []),
    ],
)
def test_a_clock_that_is_set_is_told_by_how_much(
    machine: Machine, jump_ms: int, told: list[str]
) -> None:
    assert machine.after(jump_ms=jump_ms) == told
    assert machine.after() == []


def test_a_reading_that_comes_late_is_no_jump(machine: Machine) -> None:
    assert machine.after(seconds=3_600) == []


def test_a_disk_that_is_nearly_full_is_told_and_passes_when_there_is_room(machine: Machine) -> None:
    assert machine.after(free_mb=1_000) == ["disk_full passed"]
    assert machine.after(free_mb=63) == ["disk_full 63 MB free"]
    assert machine.after(free_mb=100) == []
    assert machine.after(free_mb=128) == ["disk_full passed"]


# Reading


@pytest.fixture
def pi(tmp_path: Path) -> HealthSettings:
    """Make the files of a Pi."""
    for name, millidegrees in (("thermal_zone0", "48200"), ("thermal_zone1", "51000")):
        (tmp_path / "thermal" / name).mkdir(parents=True)
        (tmp_path / "thermal" / name / "temp").write_text(f"{millidegrees}\n", encoding="ascii")
    (tmp_path / "hwmon" / "hwmon1").mkdir(parents=True)
    (tmp_path / "hwmon" / "hwmon1" / "in0_lcrit_alarm").write_text("1\n", encoding="ascii")
    return HealthSettings(
        thermal=str(tmp_path / "thermal"),
        voltage=str(tmp_path / "hwmon"),
        clock_file=str(tmp_path / "synchronized"),
        every_s=0.01,
    )


def test_everything_that_a_pi_tells_is_read(pi: HealthSettings, tmp_path: Path) -> None:
    readings = read_machine(pi, tmp_path)
    assert readings.temperature_c == 51
    assert readings.under_voltage is True
    assert readings.synchronised is False
    assert readings.free_mb is not None
    assert readings.free_mb > 0
    Path(pi.clock_file).touch()
    assert read_machine(pi, tmp_path).synchronised is True


def test_the_kernel_is_asked_about_its_clock_where_no_file_is_named(tmp_path: Path) -> None:
    readings = read_machine(HealthSettings(thermal="", voltage=""), tmp_path)
    assert readings.temperature_c is None
    assert readings.under_voltage is None
    assert readings.synchronised in {True, False, None}


def test_what_is_not_there_or_is_no_number_is_not_judged(
    pi: HealthSettings, tmp_path: Path
) -> None:
    for path in tmp_path.rglob("temp"):
        path.write_text("warm", encoding="ascii")
    (tmp_path / "hwmon" / "hwmon1" / "in0_lcrit_alarm").unlink()
    readings = read_machine(pi, tmp_path / "no such folder")
    assert readings.temperature_c is None
    assert readings.under_voltage is None
    assert readings.free_mb is None


def heat(folder: Path) -> None:
    """Make every zone hot."""
    for path in folder.rglob("temp"):
        path.write_text("90000", encoding="ascii")


def test_the_watch_tells_what_changes(pi: HealthSettings, tmp_path: Path) -> None:
    async def play() -> None:
        shell = FakeIntake()
        watching = asyncio.create_task(watch_machine(pi, tmp_path, shell))
        async with asyncio.timeout(30):
            first = {in_short(await shell.events.get()) for _ in range(5)}
            expected = {"hot passed", "under_voltage", "clock free", "clock_free"}
            assert expected <= first
            heat(tmp_path)
            assert in_short(await shell.events.get()) == "hot 90 °C"
        watching.cancel()

    asyncio.run(play())
