"""Verifies a whole journal: every record, every header, every snapshot against the fold.

That shows that it is whole in itself, and no more. That it is the journal that was written, up to a
record, only heads that somebody else has kept can show (`heads.py`).
"""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from firmware.errors import BadInput, JournalError
from firmware.journal.files import snapshot_files
from firmware.journal.reader import Segment, read_snapshot, segments
from firmware.shell.folding import restored, snapshot_of
from firmware.table.events import JournalOpened, Restarted
from firmware.table.table import Table
from host_tools.journal.copies import check_folder, in_its_place
from host_tools.journal.heads import Kept, KeptHeads, LetGoOn
from host_tools.journal.times import at_ms, local_time
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
    compared: int = 0
    """How many heads that were kept elsewhere it has."""
    compared_through: int = 0
    """The last record that a head kept elsewhere covers."""
    against: str = ""
    """Who kept them."""
    orders: tuple[str, ...] = ()
    """By whose orders the journal goes on without records that were kept, in sentences."""

    @property
    def sentence(self) -> str:
        """The verdict for people."""
        if not self.sound:
            return self.problem
        follow = "follows" if self.torn_bytes == 1 else "follow"
        torn = f"; {counted(self.torn_bytes, 'byte')} of a torn write {follow}"
        torn = torn if self.torn_bytes else ""
        return (
            f"{self.folder}: records {self.first_record} to {self.last_record} of journal "
            f"{self.journal} of table {self.table} are intact, in {counted(self.segments, 'segment')} "
            f"with {counted(self.snapshots, 'snapshot')}{torn}.{self._compared_words}"
        )

    @property
    def _compared_words(self) -> str:
        if not self.against:
            return (
                " Whoever had the card could have made the chain anew or removed its end: compare it "
                "(--against)."
            )
        newer = self.last_record - self.compared_through
        after = "" if newer else "."
        if newer:
            were = "was" if newer == 1 else "were"
            after = f"; the {counted(newer, 'record')} after that {were} compared with nothing."
        alike = (
            f"Up to record {self.compared_through} it agrees with {self.against} "
            f"({counted(self.compared, 'head')} compared){after}"
        )
        return " ".join(("", *self.orders, alike))


def verify_journal(
    folder: Path, *, table_name: str = "", kept: Callable[[str], KeptHeads] | None = None
) -> VerifyResult:
    """Verify a folder, up to the first thing that is wrong.

    `kept` reads the heads of its journal that were kept elsewhere, to compare it with them.
    """
    check_folder(folder)
    verdict = VerifyResult(str(folder))
    table: Table | None = None
    chains: dict[int, str] = {}
    starts: list[int] = []
    try:
        for segment in segments(folder):
            table = _begun(segment, table, verdict)
            chains.setdefault(segment.first - 1, segment.before)
            chains |= {record.sequence: record.chain for record in segment.records}
            starts += [r.sequence for r in segment.records if isinstance(r.event, Restarted)]
            _fold(table, segment, verdict)
        _check_no_stray(folder, verdict.last_record)
    except JournalError as error:
        verdict.sound, verdict.problem = False, in_its_place(folder, str(error))
    if table is None:
        if verdict.sound:
            raise JournalError(f"{folder}: holds no journal")
        return verdict
    verdict.journal, verdict.table = table.state.journal, table.settings.name
    if verdict.sound and table_name not in {"", verdict.table}:
        problem = f"{folder}: is the journal of table {verdict.table}, not {table_name}"
        verdict.sound, verdict.problem = False, problem
    if verdict.sound and kept is not None:
        _compare_all(verdict, chains, starts, kept(verdict.journal))
    return verdict


def _compare_all(
    verdict: VerifyResult, chains: dict[int, str], starts: list[int], kept: KeptHeads
) -> None:
    """Compare a journal with the heads before each order of the house, and after the last one."""
    own = Kept(verdict.journal, verdict.table)
    if kept.of is not None and kept.of.journal != own.journal:
        problem = (
            f"is journal {own.journal} of table {own.table}; {kept.keeper} is another one, journal "
            f"{kept.of.journal} of table {kept.of.table}, with which it cannot be compared: name a copy "
            f"of journal {own.journal}"
        )
        verdict.sound, verdict.problem = False, f"{verdict.folder}: {problem}"
        return
    for order in kept.let_go_on:
        problem = _compare_before(verdict, chains, starts, order, kept.keeper)
        if problem:
            verdict.sound, verdict.problem = False, f"{verdict.folder}: {problem}"
            return
    _compare(verdict, chains, kept)


def _compare_before(
    verdict: VerifyResult,
    chains: dict[int, str],
    starts: list[int],
    order: LetGoOn,
    keeper: str,
) -> str:
    """Tell what the house has let a unit go on without; return what it cannot have meant.

    Records that are missing are missing from their end: the unit has started on what was left. A
    journal that is another one from any other record on was changed.
    """
    known = {record: order.heads[record] for record in order.heads if record >= min(chains)}
    alike = [record for record, chain in known.items() if chains.get(record) == chain]
    others = [record for record in known if record not in alike]
    verdict.compared += len(alike)
    last, first = max(alike, default=min(chains) - 1), min(others, default=order.through + 1)
    started = [start for start in starts if last < start <= min(first, order.record)]
    if others and not started:
        return (
            f"record {first} does not agree with {keeper}, and no start is there that the house "
            f"({order.by}) has let go on: it, or something before it, was changed"
        )
    since = started[0] if started else order.through + 1
    lost = f"the records from {since} to {order.through} that it had heard of"
    told = f"By order of {order.by} ({_local(order.at)}) {keeper} lets it go on without {lost}."
    verdict.orders += (told,)
    return ""


def _local(ordered_at: str) -> str:
    """Return when an order was given in local time; what is no time, as it stands in the books."""
    try:
        return local_time(at_ms(ordered_at, "ordered_at", 0))
    except BadInput:
        return ordered_at[:19]


def _compare(verdict: VerifyResult, chains: dict[int, str], kept: KeptHeads) -> None:
    """Compare a journal that is whole in itself with heads that were kept elsewhere."""
    verdict.against = kept.keeper
    for record, chain in sorted(kept.heads.items()):
        if record > verdict.last_record:
            problem = _ends_early(verdict, kept)
        elif record in chains and chains[record] != chain:
            problem = (
                f"record {record} does not agree with {kept.keeper}: it, or something before it, was "
                "changed and the chain made anew"
            )
        else:
            known = record in chains
            verdict.compared += known
            verdict.compared_through = record if known else verdict.compared_through
            continue
        verdict.sound, verdict.problem = False, f"{verdict.folder}: {problem}"
        return
    if not verdict.compared:
        problem = (
            f"begins with record {verdict.first_record}; what is before it, which alone could be compared "
            f"with {kept.keeper}, is not here"
        )
        verdict.sound, verdict.problem = False, f"{verdict.folder}: {problem}"


def _ends_early(verdict: VerifyResult, kept: KeptHeads) -> str:
    """Say what is proved of a journal that ends before the last head, and what may be missing.

    A copy of a table that plays ends so, and a journal whose end was removed as well: only another
    copy can tell them apart, so it is not called sound.
    """
    last = verdict.last_record
    proved = "no head of these records was kept, so nothing is proved of them"
    if verdict.compared:
        heads = counted(verdict.compared, "head")
        proved = f"up to record {verdict.compared_through} it agrees with {kept.keeper} ({heads} compared)"
    return (
        f"records {verdict.first_record} to {last} are intact, and {proved}; but according to {kept.keeper} "
        f"there are records up to {max(kept.heads)}: the records after {last} are missing here. They are newer "
        "than this copy if the table has played on since: then close the table, pull again and verify "
        "again. If they are missing still, the end of the journal was removed"
    )


def _check_no_stray(folder: Path, last: int) -> None:
    """Refuse a snapshot of records that are not there; one may be left by a cut-off rotation."""
    for first, path in snapshot_files(folder):
        if first > last + 1:
            raise JournalError(f"{path}: records {last + 1} to {first - 1} before it are missing")


def _fold(table: Table, segment: Segment, verdict: VerifyResult) -> None:
    verdict.segments += 1
    for record in segment.records:
        if not table.fold(record.event):
            raise JournalError(
                f"{segment.path}: record {record.sequence}: is intact, but does not follow "
                "from what is before it; it was written by another version"
            )
    verdict.last_record, verdict.torn_bytes = segment.last, segment.torn_bytes


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
