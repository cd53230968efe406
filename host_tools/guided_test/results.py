"""What came of a guided test: the result of each check, and the report of all of them.

Nothing is asked or written here: `checks.py` does the checks, `report_file.py` writes the report.
"""

from typing import Literal

from msgspec import Struct

Outcome = Literal[
    "passed", "failed", "not possible", "skipped", "not done", "left out", "not fitted"
]
"""`not possible`: what it needs had failed, or is not there. `skipped`: the technician said so. `not done`: the test
was stopped before. `left out`: not chosen. `not fitted`: this table has no such part."""
BAD: frozenset[Outcome] = frozenset({"failed", "not possible"})
_TOLD: tuple[Outcome, ...] = ("failed", "not possible", "skipped", "not done", "passed")


class Technician(Struct, frozen=True):
    """The technician's number and PIN."""

    staff: str
    pin: str


class CheckResult(Struct, frozen=True):
    """The result of one check; without a time it was not done."""

    what: str
    outcome: Outcome
    detail: str
    at_ms: int | None = None


class TestReport(Struct, frozen=True, kw_only=True):
    """The report of a test."""

    __test__ = False  # pytest would take the name for a test

    target: str
    table: str
    game: str
    board: str
    table_version: str
    tool_version: str
    journal: str
    technician: str
    technician_name: str
    simulated_hands: bool
    """Whether the simulator's hands and eyes did it, and nobody looked."""
    simulated_table: bool
    began_ms: int
    ended_ms: int
    stopped: str
    """Why the test did not come to its end; empty if it did."""
    checks: tuple[CheckResult, ...]

    @property
    def passed(self) -> bool:
        """Whether the test came to its end with nothing wrong; what was skipped is not wrong."""
        outcomes = {check.outcome for check in self.checks}
        return not self.stopped and "passed" in outcomes and not outcomes & BAD

    def number(self, outcome: Outcome) -> int:
        """Count the checks with this outcome."""
        return sum(check.outcome == outcome for check in self.checks)

    @property
    def verdict(self) -> str:
        """What came of the chosen checks of the parts that there are, the worst first."""
        left_out = self.number("left out")
        total = len(self.checks) - self.number("not fitted") - left_out
        found = [(self.number(outcome), outcome) for outcome in _TOLD if self.number(outcome)]
        if not found:
            return "there was nothing to check"
        (first, worst), *others = found
        more = "".join(f", {number} {outcome}" for number, outcome in others)
        left = f", {left_out} left out" if left_out else ""
        return f"{_counted(first, total, worst)}{more}{left}"


def _counted(number: int, total: int, outcome: Outcome) -> str:
    """Say how many checks came to this, as people say it of none, one, two and all."""
    if number < total:
        return f"{number} of {total} checks {outcome}"
    if outcome == "not done":
        return {1: "the check was not done", 2: "neither check was done"}.get(
            total, f"none of the {total} checks was done"
        )
    was = "" if outcome in {"passed", "failed"} else "was " if total == 1 else "were "
    return {1: "the check", 2: "both checks"}.get(total, f"all {total} checks") + f" {was}{outcome}"
