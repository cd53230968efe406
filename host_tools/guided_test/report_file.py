"""The report of a guided test as a file: a page to read and print, or data.

Times are the laptop's, with its zone. The file is written anew after every check, so that it is
there whatever ends the test.
"""

import html
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from firmware.errors import BadInput
from firmware.journal.regular_files import check_writable, write_text
from host_tools.guided_test.results import CheckResult, TestReport
from host_tools.terminal import json_text, say, sentence

SIMULATED = "SIMULATED HANDS did this test: nobody has looked at the table or touched it."
_FORMATS = (".html", ".json")
_STYLE = """
:root { color-scheme: light; --line: #d9dee3; --soft: #5b6670 }
* { box-sizing: border-box }
body { font: 15px/1.5 system-ui, sans-serif; color: #1c2329; max-width: 62rem; margin: 2.5rem auto;
  padding: 0 1.25rem }
h1 { font-size: 1.7rem; margin: 0 }
h1 + p { color: var(--soft); margin: .1rem 0 1.2rem }
.banner { border-radius: .5rem; padding: .7rem 1rem; margin: .6rem 0; font-weight: 600 }
.good { background: #e3f4e8; color: #12552a } .bad { background: #fde7e7; color: #8f1020 }
.open { background: #fff2d6; color: #6d4700 }
.simulated { background: #ece6fb; color: #43238f; border: 2px dashed #7a57d1 }
dl { display: grid; grid-template-columns: max-content 1fr max-content 1fr; gap: .25rem 1.2rem;
  margin: 1.4rem 0 }
dt { color: var(--soft) } dd { margin: 0; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th { text-align: left; color: var(--soft); font-weight: 500; border-bottom: 2px solid var(--line) }
th, td { padding: .34rem .7rem .34rem 0; vertical-align: top }
tbody td { border-bottom: 1px solid var(--line) }
tbody:last-child td { border-bottom: 0 }
.part { font-weight: 600; white-space: nowrap } .time { color: var(--soft); white-space: nowrap }
.mark { display: inline-block; min-width: 7.4rem; white-space: nowrap; text-align: center; border-radius: 1rem;
  padding: 0 .6rem; font-size: .86rem; font-weight: 600; background: #eceff2; color: #4a545c }
.passed .mark { background: #e3f4e8; color: #12552a }
.failed .mark { background: #c21f33; color: #fff }
.not-possible .mark { background: #fde7e7; color: #8f1020 }
.skipped .mark { background: #fff2d6; color: #6d4700 }
@media print { body { margin: 0; font-size: 12px } tr, .banner { break-inside: avoid }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact } }
"""


class ReportFile:
    """Where the report goes, if anywhere."""

    def __init__(self, path: Path | None) -> None:
        """Check the place, before anybody answers questions for a report that cannot be kept."""
        self.path = path
        self._trouble: OSError | None = None
        if path is None:
            return
        if path.suffix not in _FORMATS:
            raise BadInput("--report", f"{path} is neither .html nor .json")
        check_writable(path)

    def keep(self, report: TestReport) -> None:
        """Write the report; a place that fails in the middle does not end the test."""
        if self.path is None:
            return
        try:
            write_text(self.path, page(report) if self.path.suffix == ".html" else data(report))
        except OSError as error:
            if self._trouble is None:
                say(f"The report cannot be written now: {error.strerror}. The test goes on.")
            self._trouble = error
        else:
            self._trouble = None

    def tell(self) -> None:
        """Say where the report is; raises if it could not be written."""
        if self._trouble is not None:
            raise self._trouble
        if self.path is not None:
            say(f"Wrote the report to {self.path}.")


def data(report: TestReport) -> str:
    """Write a report as JSON, with its times in words too."""
    fields: dict[str, Any] = msgspec.to_builtins(report)
    checks = [
        {**msgspec.to_builtins(check), "passed": check.outcome == "passed", "at": _iso(check.at_ms)}
        for check in report.checks
    ]
    first = {
        "simulated_hands": report.simulated_hands,
        "passed": report.passed,
        "complete": not report.stopped,
        "verdict": report.verdict,
        "began": _iso(report.began_ms),
        "ended": _iso(report.ended_ms),
    }
    return json_text(first | fields | {"checks": checks}, pretty=True) + "\n"


def page(report: TestReport) -> str:
    """Write a report as a page."""
    title = html.escape(f"Test of table {report.table}")
    subtitle = html.escape(f"{report.game} · {_moment(report.began_ms)}")
    facts = "".join(
        f"<dt>{name}</dt><dd>{html.escape(value)}</dd>" for name, value in _facts(report)
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>
<h1>{title}</h1>
<p>{subtitle}</p>
{"".join(_banners(report))}
<dl>{facts}</dl>
<table><thead><tr><th>Part</th><th>Check</th><th>Result</th><th>Found</th><th>Time</th></tr></thead>
{"".join(_groups(report))}
</table>
{_left_out(report)}
</body></html>
"""


def _banners(report: TestReport) -> Iterator[str]:
    if report.simulated_hands:
        yield _banner("simulated", SIMULATED)
    if report.stopped:
        yield _banner("open", sentence(f"Incomplete: {report.stopped}"))
    verdict = f"{report.verdict[:1].upper()}{report.verdict[1:]}."
    yield _banner("good" if report.passed else "open" if _only_open(report) else "bad", verdict)


def _only_open(report: TestReport) -> bool:
    """Return whether nothing was found to be wrong, but not all was done."""
    return not report.number("failed") and not report.number("not possible")


def _banner(kind: str, text: str) -> str:
    return f'<p class="banner {kind}">{html.escape(text)}</p>\n'


def _facts(report: TestReport) -> Iterator[tuple[str, str]]:
    yield "Tested by", f"{report.technician_name} (number {report.technician})".strip()
    yield "Table", f"{report.table}{' (simulated)' if report.simulated_table else ''}"
    yield "Began", _moment(report.began_ms)
    yield "Board", report.board or "–"
    yield "Ended", _moment(report.ended_ms)
    yield "Reached by", report.target
    yield "Software", f"table {report.table_version}, tool {report.tool_version}"
    yield "Journal", report.journal


def _groups(report: TestReport) -> Iterator[str]:
    """Yield the checks of each part as a body of the table."""
    chosen = [check for check in report.checks if check.outcome != "left out"]
    for part, group in groupby(chosen, key=_part):
        checks = list(group)
        first = f'<td class="part" rowspan="{len(checks)}">{html.escape(part)}</td>'
        rows = (
            _row(check, first if place == 0 else "", report.began_ms)
            for place, check in enumerate(checks)
        )
        yield f"<tbody>{''.join(rows)}</tbody>\n"


def _left_out(report: TestReport) -> str:
    """Name the parts that were not chosen."""
    parts = dict.fromkeys(_part(check) for check in report.checks if check.outcome == "left out")
    return f"<p>Left out: {html.escape(', '.join(parts))}.</p>" if parts else ""


def _part(check: CheckResult) -> str:
    return check.what.partition(":")[0]


def _row(check: CheckResult, part: str, began_ms: int) -> str:
    what = check.what.partition(":")[2].strip()
    kind = check.outcome.replace(" ", "-")
    mark = check.outcome.upper() if check.outcome == "failed" else check.outcome
    return (
        f'<tr class="{kind}">{part}<td>{html.escape(what)}</td>'
        f'<td><span class="mark">{mark}</span></td><td>{html.escape(check.detail)}</td>'
        f'<td class="time">{_time(check.at_ms, began_ms)}</td></tr>\n'
    )


def _local(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, UTC).astimezone()


def _iso(at_ms: int | None) -> str | None:
    return None if at_ms is None else _local(at_ms).isoformat(timespec="seconds")


def _moment(at_ms: int) -> str:
    """Return a moment by the laptop's clock, with the zone's name and its distance from UTC."""
    moment = _local(at_ms)
    name, offset = moment.tzname() or "", f"{moment:%z}"
    zone = "UTC" if name == "UTC" else f"UTC{offset[:3]}:{offset[3:5]}"
    # Some zones have no name but their distance.
    named = f"{name} ({zone})" if name.isalpha() and name != "UTC" else zone
    return f"{moment:%Y-%m-%d %H:%M:%S} {named}"


def _time(at_ms: int | None, began_ms: int) -> str:
    if at_ms is None:
        return ""
    moment = _local(at_ms)
    same_day = moment.date() == _local(began_ms).date()
    return f"{moment:%H:%M:%S}" if same_day else f"{moment:%Y-%m-%d %H:%M:%S}"
