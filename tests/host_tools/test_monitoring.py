"""What monitoring gets: several tables at once, one exit status, JSON, and metrics that Prometheus reads.

The text is judged by the parser of Prometheus' own client.
"""

import asyncio
import json
import stat
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from firmware.maintenance.vitals import DeviceVitals, FaultVitals, Vitals, WaitVitals
from host_tools.diagnose import prometheus
from host_tools.diagnose.diagnosis import Finding
from host_tools.diagnose.reports import DiagnosisReport
from tests.host_tools.command import run
from tests.host_tools.tables import a_table, own_runtime_folder, tool

__all__ = ["own_runtime_folder"]

README = Path("host_tools/README.md")
Samples = dict[tuple[str, str], float]


def read(text: str) -> Samples:
    """Read metrics as Prometheus does, by name and target."""
    return {
        (sample.name, sample.labels.get("target", "")): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_several_tables_are_a_line_each_and_then_the_details_and_the_worst_decides(
    tmp_path: Path,
) -> None:
    async def played() -> None:
        async with a_table(tmp_path):
            words = await tool("diagnose", "sim:T1", "unix:/nope", "sim:T1")
            data = await tool("diagnose", "sim:T1", "unix:/nope", "--json")
            alone = await tool("diagnose", "sim:T1", "--json")
            metrics = await tool("diagnose", "sim:T1", "unix:/nope", "--prometheus")
        assert [each.status for each in (words, data, alone, metrics)] == [3, 3, 0, 3]
        first, second, blank, heading, *_ = words.out.splitlines()
        assert first.split()[:3] == ["unix:/nope", "not", "reached"]
        assert second.split() == ["sim:T1", "good", "nothing", "is", "wrong"]
        assert (blank, heading) == ("", "unix:/nope")
        assert "Coin spots" in words.out
        assert [each["target"] for each in json.loads(data.out)] == ["sim:T1", "unix:/nope"]
        assert json.loads(alone.out)["target"] == "sim:T1"
        found = read(metrics.out)
        assert found["underfelt_table_status", "sim:T1"] == 0
        assert found["underfelt_table_reachable", "unix:/nope"] == 0
        assert found["underfelt_table_link_healthy", "sim:T1"] == 1
        assert found["underfelt_diagnosis_timestamp_seconds", ""] > 1e9

    asyncio.run(played())


def test_metrics_replace_their_file_as_a_whole_and_everybody_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "underfelt.prom"
    path.write_text("old", encoding="utf-8")
    before = path.stat().st_ino
    ran = run("diagnose", "unix:/nope", "--prometheus", "--output", str(path))
    assert (ran.status, ran.out) == (3, "")
    assert read(path.read_text())["underfelt_table_status", "unix:/nope"] == 3
    # Another file took its place: whoever had the old one open reads that to its end.
    assert path.stat().st_ino != before
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert [each.name for each in tmp_path.glob("*.prom*")] == [path.name]


EVIL = 'a"b\\c\nd{e="f"} 1\n# TYPE x counter'


def report(**facts: object) -> DiagnosisReport:
    """Make the report of a table that says such things of itself."""
    findings = [Finding("fault", "x", "y")]
    return DiagnosisReport("sim:T1", 2, findings, Vitals(table=EVIL, **facts))  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["plain", EVIL])
def test_whatever_a_table_says_the_metrics_can_be_read(text: str) -> None:
    fault = FaultVitals(code="device_gone", number="F201", where=text)
    wait = WaitVitals(who=text, what="secret", since_ms=0)
    device = DeviceVitals(name=text, port="/dev/x")
    said = prometheus.text([report(faults=(fault,), waits=wait, devices=(device,))])
    families = {family.name: family for family in text_string_to_metric_families(said)}
    named = {metric.name.removesuffix("_total") for metric in prometheus.METRICS}
    assert {*families} <= {*named, "underfelt_diagnosis_timestamp_seconds"}
    (sample,) = families["underfelt_table_fault"].samples
    assert sample.labels["where"] == text.replace("\n", " ")
    assert "secret" not in said


def test_the_metrics_are_those_that_the_readme_promises() -> None:
    readme = README.read_text(encoding="utf-8")
    assert [metric.name for metric in prometheus.METRICS if f"`{metric.name}`" not in readme] == []
