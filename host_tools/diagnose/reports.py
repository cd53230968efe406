"""The result of a diagnosis, as it is printed, packed and turned into metrics."""

from msgspec import Struct

from firmware.maintenance.vitals import Vitals
from host_tools.diagnose.diagnosis import Finding

NOT_REACHABLE = 3
"""The exit status if a table does not answer and its files, if they are here, are good."""


class DiagnosisReport(Struct, frozen=True):
    """The result of a diagnosis."""

    target: str
    status: int
    findings: list[Finding]
    facts: Vitals | None = None
    clock_ahead_ms: int = 0
    """How far the table's clock is ahead of this machine's."""
    bundled: bool = False
    """Whether the file for support was written."""
