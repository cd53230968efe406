"""A diagnosis in the text format of Prometheus, for the textfile collector of node_exporter.

The names are listed in `host_tools/README.md` and stay as they are. A label has what a person
has typed or the table file says, never a card or a secret.
"""

import time
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from firmware.maintenance.vitals import Vitals
from host_tools.diagnose.diagnosis import Severity, expiry
from host_tools.diagnose.reports import DiagnosisReport
from host_tools.terminal import plain

Labels = dict[str, str]
Samples = Iterable[tuple[Labels, float | None]]


class Metric(Struct, frozen=True):
    """One name: what it means, and what its samples are for a table."""

    name: str
    help: str
    samples: Callable[[DiagnosisReport], Samples]
    kind: str = "gauge"


def text(reports: list[DiagnosisReport]) -> str:
    """Write reports as metrics, each name once, with a sample for each table."""
    lines: list[str] = []
    for metric in METRICS:
        samples = [
            _sample(metric.name, {"target": report.target, **labels}, value)
            for report in reports
            for labels, value in metric.samples(report)
            if value is not None
        ]
        if samples:
            lines += [f"# HELP {metric.name} {metric.help}", f"# TYPE {metric.name} {metric.kind}"]
            lines += dict.fromkeys(samples)
    made = "underfelt_diagnosis_timestamp_seconds"
    lines += [f"# HELP {made} When this was found out.", f"# TYPE {made} gauge"]
    return "\n".join([*lines, _sample(made, {}, int(time.time()))]) + "\n"


def _sample(name: str, labels: Labels, value: float) -> str:
    told = ",".join(f'{label}="{_escaped(each)}"' for label, each in labels.items())
    number = int(value) if float(value).is_integer() else value
    return f"{name}{{{told}}} {number}" if told else f"{name} {number}"


def _escaped(label: str) -> str:
    r"""Return a label as the format wants it: `\`, `"` and a line's end are escaped."""
    return plain(label).replace("\\", r"\\").replace('"', r"\"")


def _found(report: DiagnosisReport) -> Samples:
    severities: tuple[Severity, ...] = ("fault", "warning")
    for severity in severities:
        count = sum(finding.severity == severity for finding in report.findings)
        yield {"severity": severity}, count


def _fact(value: Callable[[Vitals], float | None]) -> Callable[[DiagnosisReport], Samples]:
    """Return the one sample of a fact; a table that does not answer has none."""

    def samples(report: DiagnosisReport) -> Iterator[tuple[Labels, float | None]]:
        if report.facts is not None:
            yield {}, value(report.facts)

    return samples


def _each(value: Callable[[Vitals], Samples]) -> Callable[[DiagnosisReport], Samples]:
    """Return the samples of each of several things of a table."""
    return lambda report: value(report.facts) if report.facts is not None else ()


def _info(facts: Vitals) -> Samples:
    named = {"table": facts.table, "game": facts.game}
    yield {**named, "version": facts.version, "journal": facts.journal.id}, 1


def _faults(facts: Vitals) -> Samples:
    for fault in facts.faults:
        labels = {"code": fault.code, "number": fault.number, "where": fault.where}
        yield labels, 0 if fault.passed else 1


def _waits(facts: Vitals) -> Samples:
    if facts.waits is not None:
        waited_ms = max(facts.clock.now_ms - facts.waits.since_ms, 0)
        yield {"who": facts.waits.who}, waited_ms / 1000


def _expires(facts: Vitals) -> float | None:
    moment = expiry(facts.link.certificate_expires)
    return None if moment is None else int(moment.timestamp())


def _devices(name: str) -> Callable[[DiagnosisReport], Samples]:
    return _each(
        lambda facts: [({"device": each.name}, getattr(each, name)) for each in facts.devices]
    )


_TABLE = "underfelt_table_"
METRICS = (
    Metric(
        f"{_TABLE}status",
        "The exit status of the diagnosis: 0 good, 1 warnings, 2 faults, 3 cannot be reached.",
        lambda report: [({}, report.status)],
    ),
    Metric(
        f"{_TABLE}reachable",
        "Whether the table answers.",
        lambda report: [({}, report.facts is not None)],
    ),
    Metric(f"{_TABLE}findings", "How many faults and warnings there are.", _found),
    Metric(f"{_TABLE}info", "What the table is: 1.", _each(_info)),
    Metric(f"{_TABLE}fault", "1 a fault that lasts, 0 one to be cleared.", _each(_faults)),
    Metric(f"{_TABLE}wait_seconds", "How long the table has waited for whom.", _each(_waits)),
    Metric(f"{_TABLE}uptime_seconds", "How long it runs.", _fact(lambda f: f.uptime_s)),
    Metric(
        f"{_TABLE}clock_ahead_seconds",
        "How far the table's clock is ahead of the one that asked.",
        lambda report: [({}, report.clock_ahead_ms / 1000)] if report.facts is not None else (),
    ),
    Metric(
        f"{_TABLE}link_healthy",
        "Whether the jackpot link is up.",
        _fact(lambda f: f.link.healthy),
    ),
    Metric(
        f"{_TABLE}link_owed_messages",
        "What the jackpot controller has not acknowledged.",
        _fact(lambda f: f.link.owed),
    ),
    Metric(
        f"{_TABLE}link_connections_total",
        "How often the link was made since the start.",
        _fact(lambda f: f.link.connections),
        "counter",
    ),
    Metric(
        f"{_TABLE}claim_wait_seconds",
        "How long the oldest claim has waited for its award.",
        _fact(lambda f: f.link.claim_waits_s),
    ),
    Metric(
        f"{_TABLE}certificate_expires_timestamp_seconds",
        "When the table's certificate expires.",
        _fact(_expires),
    ),
    Metric(
        f"{_TABLE}disk_free_bytes",
        "What is left on the journal's disk.",
        _fact(lambda f: f.disk.free_bytes),
    ),
    Metric(f"{_TABLE}journal_records", "The last record.", _fact(lambda f: f.journal.records)),
    Metric(
        f"{_TABLE}journal_exported_records",
        "The last record that an auditor has.",
        _fact(lambda f: f.journal.exported_through),
    ),
    Metric(
        f"{_TABLE}temperature_celsius",
        "The controller's temperature.",
        _fact(lambda f: f.machine.temperature_c),
    ),
    Metric(
        f"{_TABLE}under_voltage",
        "Whether the supply voltage is too low.",
        _fact(lambda f: f.machine.under_voltage),
    ),
    Metric(f"{_TABLE}device_open", "Whether the device's port is open.", _devices("open")),
    Metric(
        f"{_TABLE}device_dropped_frames_total",
        "What could not be read of a device since the start.",
        _devices("dropped"),
        "counter",
    ),
    Metric(
        f"{_TABLE}device_reconnects_total",
        "How often the device was gone since the start.",
        _devices("reconnects"),
        "counter",
    ),
)
"""Every metric; each sample has the label `target`."""
