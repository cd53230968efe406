"""Verifies a whole journal: every record, every header, every snapshot against the fold."""

from pathlib import Path

from msgspec import Struct

from firmware.errors import JournalError
from firmware.journal.reader import Segment, read_snapshot, segments
from firmware.shell.folding import restored, snapshot_of
from firmware.table.events import JournalOpened
from firmware.table.table import Table
from host_tools.terminal import counted


class VerifyResult(Struct):
    """What was verified, and the first thing that is wrong."""

    folder: str
    sound: bool = True
    problem: str = ""
    journal: str = ""
    table: str = ""
    segments: int = 0
    snapshots: int = 0
    first_record: int = 0
    last_record: int = 0
    torn_bytes: int = 0
    """An unfinished write at the very end; not damage, since the next start cuts it off."""

    @property
    def sentence(self) -> str:
        """The verdict for people."""
        if not self.sound:
            return self.problem
        torn = f"; {self.torn_bytes} bytes of a torn write follow" if self.torn_bytes else ""
        return (
            f"{self.folder}: records {self.first_record} to {self.last_record} of journal "
            f"{self.journal} of table {self.table} are intact, in {counted(self.segments, 'segment')} "
            f"with {counted(self.snapshots, 'snapshot')}{torn}."
        )


def verify_journal(folder: Path) -> VerifyResult:
    """Verify a folder, up to the first thing that is wrong."""
    if not folder.is_dir():
        raise JournalError(f"{folder}: no such folder")
    verdict = VerifyResult(str(folder))
    table: Table | None = None
    try:
        for segment in segments(folder):
            table = _begun(segment, table, verdict)
            verdict.segments += 1
            for record in segment.records:
                if not table.fold(record.event):
                    raise JournalError(  # noqa: TRY301  # the same end as any other damage
                        f"{segment.path}: record {record.sequence}: is intact, but does not follow "
                        "from what is before it; it was written by another version"
                    )
            verdict.last_record, verdict.torn_bytes = segment.last, segment.torn_bytes
    except JournalError as error:
        verdict.sound, verdict.problem = False, str(error)
    if table is None:
        if verdict.sound:
            raise JournalError(f"{folder}: holds no journal")
        return verdict
    verdict.journal, verdict.table = table.state.journal, table.settings.name
    return verdict


def _begun(segment: Segment, table: Table | None, verdict: VerifyResult) -> Table:
    """Return the table that a segment begins from; compare its snapshot with the fold so far."""
    if segment.first == 1:
        verdict.first_record = 1
        opened = segment.records[0].event if segment.records else None
        if not isinstance(opened, JournalOpened) or opened.settings is None:
            raise JournalError(
                f"{segment.path}: record 1: does not say which settings the table had"
            )
        return Table(opened.settings)
    snapshot = read_snapshot(segment)
    verdict.snapshots += 1
    if table is None:
        verdict.first_record = segment.first
        return restored(snapshot)
    if restored(snapshot).state != restored(snapshot_of(table)).state:
        raise JournalError(
            f"{segment.path}: the snapshot before record {segment.first}: is intact, but is not "
            "the table that the records before it give"
        )
    return table
