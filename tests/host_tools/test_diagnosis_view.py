"""How the facts of a diagnosis look in a terminal: whole ports, local times, the table's currency."""

import time
from collections.abc import Iterator

import msgspec
import pytest

from firmware.maintenance.vitals import DeviceVitals, LinkVitals, WaitVitals
from host_tools.diagnose.view import show_report
from tests.host_tools.test_diagnosis import GOOD, NOW_MS, fault, judged

_BY_PATH = "/dev/serial/by-path/platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.{}:1.0-port0"


@pytest.fixture(autouse=True)
def in_singapore(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stand in a casino's time zone, at a small terminal."""
    monkeypatch.setenv("TZ", "Asia/Singapore")
    monkeypatch.setenv("COLUMNS", "80")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_ports_are_shown_to_their_end_which_tells_them_apart(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = ("panel", "sign", "shoe")
    devices = tuple(
        DeviceVitals(name=name, port=_BY_PATH.format(number), last_problem="x" * 90)
        for number, name in enumerate(names)
    )
    show_report([], msgspec.structs.replace(GOOD, devices=devices))
    out = "".join(capsys.readouterr().out.split())
    assert all(_BY_PATH.format(number) in out for number in range(len(names)))
    assert "…" not in out


def test_times_are_local_and_amounts_in_the_currency_of_the_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    expires = "2027-02-01T00:00:00+00:00"
    link = LinkVitals(
        healthy=True, meter_cents=123_456, certificate="/c", certificate_expires=expires
    )
    waits = WaitVitals(who="pit supervisor", since_ms=NOW_MS)
    facts = msgspec.structs.replace(GOOD, currency="S$", link=link, waits=waits, started_ms=NOW_MS)
    show_report(judged(faults=(fault("sensor_stuck"),)), facts)
    out = " ".join(capsys.readouterr().out.split())
    assert "S$1,234.56" in out
    assert "expires 2027-02-01 08:00:00 +08:00" in out
    assert "the pit supervisor, since 2027-01-15 16:00:00 +08:00" in out
    assert "F101 The coin sensor is stuck, since 2027-01-15 16:00:00 +08:00" in out
    assert "UTC" not in out
