"""The systemd unit: it is correct, and it holds the firmware as tightly as the firmware allows.

With `systemd-analyze` where there is one; the settings themselves are read in any case. What
the unit does on a running systemd is not tested here: no test machine runs one.
"""

import os
import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

HW = Path(__file__).parents[2] / "hw"
UNIT = HW / "systemd" / "underfelt-table.service"
ANALYZE = shutil.which("systemd-analyze")
EXPOSURE_LIMIT = 2.0
"""Of 10; a unit without any hardening has 9.6."""

needs_analyze = pytest.mark.skipif(
    ANALYZE is None, reason="systemd-analyze is not installed: the unit was only read"
)


def settings() -> dict[str, list[str]]:
    """Read the settings of the unit."""
    found: dict[str, list[str]] = defaultdict(list)
    for line in UNIT.read_text(encoding="utf-8").splitlines():
        if match := re.match(r"^([A-Za-z]+)=(.*)$", line):
            found[match[1]].append(match[2])
    return found


def analyze(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    """Run systemd-analyze."""
    assert ANALYZE is not None
    return subprocess.run(
        [ANALYZE, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "SYSTEMD_COLORS": "0", "SYSTEMD_EMOJI": "0"},
    )


@needs_analyze
def test_the_exposure_of_the_unit_is_low() -> None:
    done = analyze("security", "--offline=yes", f"--threshold={int(EXPOSURE_LIMIT * 10)}", UNIT)
    match = re.search(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)
    assert match is not None, done.stderr
    assert float(match[1]) <= EXPOSURE_LIMIT
    assert done.returncode == 0


@needs_analyze
def test_the_unit_is_written_correctly(tmp_path: Path) -> None:
    text = UNIT.read_text(encoding="utf-8")
    command = "/opt/underfelt/bin/underfelt-table"
    assert text.count(command) == 1
    copy = tmp_path / UNIT.name
    # The program is not installed on this machine; the rest is checked as it is.
    copy.write_text(text.replace(command, "/bin/true"), encoding="utf-8")
    done = analyze("verify", "--man=no", copy)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@needs_analyze
def test_a_misspelt_setting_would_be_found(tmp_path: Path) -> None:
    copy = tmp_path / UNIT.name
    copy.write_text("[Service]\nExecStart=/bin/true\nProtectSytem=strict\n", encoding="utf-8")
    assert "ProtectSytem" in analyze("verify", "--man=no", copy).stderr


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("Type", "notify"),
        ("Restart", "always"),
        ("RestartPreventExitStatus", "2"),
        ("User", "underfelt"),
        ("SupplementaryGroups", "gpio dialout"),
        ("ProtectSystem", "strict"),
        ("ProtectHome", "yes"),
        ("PrivateTmp", "yes"),
        ("NoNewPrivileges", "yes"),
        ("CapabilityBoundingSet", ""),
        ("DevicePolicy", "closed"),
        ("MemoryDenyWriteExecute", "yes"),
        ("RestrictAddressFamilies", "AF_INET AF_INET6 AF_UNIX"),
        ("SystemCallArchitectures", "native"),
        ("ReadWritePaths", "/var/lib/underfelt"),
        ("UMask", "0077"),
    ],
)
def test_the_unit_says(key: str, value: str) -> None:
    assert settings()[key] == [value]


def test_the_unit_gives_pins_and_adapters_and_no_other_device() -> None:
    assert settings()["DeviceAllow"] == [
        "char-gpiochip rw",
        "char-ttyUSB rw",
        "char-ttyACM rw",
    ]


def test_a_system_call_that_is_not_a_service_s_is_refused() -> None:
    assert settings()["SystemCallFilter"] == ["@system-service", "~@privileged @resources"]


def test_a_hanging_firmware_is_ended_before_the_machine_is_reset() -> None:
    manager = (HW / "systemd" / "underfelt-watchdog.conf").read_text(encoding="utf-8")
    hardware = re.search(r"^RuntimeWatchdogSec=(\d+)s$", manager, re.MULTILINE)
    assert hardware is not None
    assert int(settings()["WatchdogSec"][0]) < int(hardware[1]) < 15


# The names of the ports


def test_the_udev_rules_give_every_port_of_the_boards_a_socket_but_the_spot_board_any() -> None:
    rules = (HW / "udev" / "99-underfelt.rules").read_text(encoding="utf-8")
    named = re.findall(r'SYMLINK\+="underfelt/(\w+)"', rules)
    assert sorted(named) == sorted([*["cards", "panel", "sign"] * 2, "spots"])
    sockets = [
        path for each in re.findall(r'ENV\{ID_PATH\}=="(.*?)"', rules) for path in each.split("|")
    ]
    assert len(set(sockets)) == len(sockets)


@pytest.mark.skipif(
    shutil.which("udevadm") is None, reason="udevadm is not installed: the rules were only read"
)
def test_the_udev_rules_are_written_correctly() -> None:
    done = subprocess.run(
        ["udevadm", "verify", HW / "udev" / "99-underfelt.rules"],  # noqa: S607  # any udevadm
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    if "verify" in done.stderr and "Unknown" in done.stderr:
        pytest.skip("this udevadm cannot verify: the rules were only read")
    assert done.returncode == 0, done.stdout + done.stderr
