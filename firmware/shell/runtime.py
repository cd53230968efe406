"""The loop: take an event, step, write it down, carry out what follows.

The only place where the pure table meets the world. A decision is on the disk before
any of its effects leaves, and its frame is acknowledged after that; so whenever the power is
cut, the device repeats what was not written, and what was written is not taken twice.
"""

import logging
import secrets
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec.structs import replace

from firmware.devices.faults import error_place
from firmware.errors import JournalError
from firmware.journal.headers import JOURNAL_VERSION
from firmware.journal.retention import KEEP_SEGMENTS, exported_through, retain
from firmware.journal.seals import own_key, sealed
from firmware.journal.writer import SEGMENT_BYTES, Journal
from firmware.protocol.fault_catalogue import FaultCode
from firmware.rules.words import spaced
from firmware.shell.clock import monotonic_ms, now_ms
from firmware.shell.folding import folded, snapshot_of
from firmware.shell.heads import JournalHeads
from firmware.shell.inbox import Arrival, Inbox
from firmware.table.effects import AnyEffect, SetLamp, ShowRefusal
from firmware.table.events import (
    Decision,
    Event,
    Fact,
    FaultNoticed,
    FromDevice,
    FromPanel,
    JournalOpened,
    Restarted,
    Tried,
)
from firmware.table.settings import TableSettings
from firmware.table.state import AT_REST
from firmware.table.table import FAILED, Outcome, Table

_log = logging.getLogger(__name__)

CarryOut = Callable[[AnyEffect], None]


class Runtime:
    """A table with its journal."""

    def __init__(
        self,
        settings: TableSettings,
        folder: Path,
        *,
        write_version: int = JOURNAL_VERSION,
        segment_bytes: int = SEGMENT_BYTES,
        keep_segments: int = KEEP_SEGMENTS,
    ) -> None:
        """Recover the table from its journal, or begin a new one."""
        self._keep_segments = keep_segments
        self._started_ms = monotonic_ms()
        self.read_again: Callable[[], None] | None = None
        """Reads what lies on the spots again; the wiring sets it."""
        self._journal = Journal(folder, write_version=write_version, segment_bytes=segment_bytes)
        try:
            self._key = own_key(folder)
            self.table = self._recovered(settings)
        except BaseException:
            self._journal.close()
            raise

    def _recovered(self, settings: TableSettings) -> Table:
        journal = self._journal
        found_records = journal.found.records if journal.found is not None else ()
        self.silent_since_ms = found_records[-1].event.at_ms if found_records else None
        """When the last record before this start was written, if known."""
        recovered = folded(settings, journal.folder, journal.found, self._key)
        self.table = recovered.table
        self.torn_bytes, self.damage = journal.torn_bytes, journal.damage
        self.problems = recovered.problems
        """What the start found wrong and could live with, each a sentence."""
        found = self.table.state.sequence > 0
        if found and self.table.state.phase not in AT_REST and settings != self.table.settings:
            reason = "the table file was changed during a round; restore it until the round is over"
            raise JournalError(f"{journal.folder}: {reason}")
        for effect in self.handle(Arrival(_first_event(settings, found=found))).effects:
            if isinstance(effect, ShowRefusal):
                raise JournalError(f"{journal.folder}: {effect.reason}")
        self._tell_what_was_found()
        return self.table

    @property
    def silent_s(self) -> float:
        """How long nothing was written before this start, by a clock that may not be set yet."""
        since_ms = self.silent_since_ms
        return 0.0 if since_ms is None else max(0, now_ms() - since_ms) / 1000

    @property
    def heads(self) -> JournalHeads:
        """The end of the journal, as the jackpot controller is told of it."""
        state = self.table.state
        return JournalHeads(
            self.table.settings.name,
            state.journal,
            self._journal,
            self._key,
            lambda: self.table.state.went_on,
        )

    def _tell_what_was_found(self) -> None:
        """Tell the table what the start found wrong and could live with."""
        codes: list[tuple[FaultCode, str]] = [("snapshot_damaged", text) for text in self.problems]
        if self.damage:
            codes.append(("journal_damaged", self.damage))
        elif self.torn_bytes:
            codes.append(("journal_torn", f"{self.torn_bytes} bytes were cut off"))
        for code, detail in codes:
            _log.warning("%s: %s", code, detail)
            self.handle(Arrival(FaultNoticed(at_ms=now_ms(), code=code, detail=detail[:200])))

    async def run(
        self, inbox: Inbox, carry_out: CarryOut, happened: Callable[[Event], None] | None = None
    ) -> None:
        """Show and send what the table shows and owes, then live; `happened` hears of it last."""
        self._carry_out(self.table.resumed(), carry_out)
        while True:
            arrival = await inbox.get()
            self.handle(arrival, carry_out)
            if happened is not None:
                happened(arrival.event)

    def handle(self, arrival: Arrival, carry_out: CarryOut | None = None) -> Outcome:
        """Handle one event, and return what it led to."""
        failed_before = self._has_failed()
        event, outcome = self._stepped(arrival.event)
        if outcome.decided and isinstance(event, Decision):
            if outcome.left_out:
                event = replace(event, left_out=True)
            self._journal.append(event, self.table.state.sequence)
        if carry_out is not None:
            self._carry_out(outcome.effects, carry_out)
        if arrival.afterwards is not None:
            arrival.afterwards()
        if outcome.failure is not None:
            self._failed("program_failed", self._place(event), event, outcome.failure, carry_out)
        if failed_before and not self._has_failed() and self.read_again is not None:
            # What the table failed on may have been a chip.
            self.read_again()
        # Last, so that nothing waits for it.
        if self._journal.rotation_is_due():
            self._rotate()
        return outcome

    def _has_failed(self) -> bool:
        return any(fault.code == "program_failed" for fault in self.table.state.faults.values())

    def _place(self, event: Event) -> str:
        """Name the device that brought an event on which the program has failed."""
        if isinstance(event, FromDevice) and not isinstance(event, FromPanel):
            # A card that was not taken in is one that the table no longer follows.
            return self.table.state.round.source
        return event.device if isinstance(event, FromDevice) else ""

    def _stepped(self, event: Event) -> tuple[Event, Outcome]:
        """Complete an event and step; a fact happens even if it cannot be completed."""
        if isinstance(event, Tried):
            event = replace(event, up_ms=monotonic_ms() - self._started_ms)
        try:
            completed = self.table.completed(event)
        except Exception as error:  # noqa: BLE001  # as in `Table.step`: a bug is a fault
            if not isinstance(event, Fact):
                return event, Outcome(decided=False, effects=(ShowRefusal(FAILED),), failure=error)
            return event, replace(self.table.step(event), failure=error)
        return completed, self.table.step(completed)

    def _carry_out(self, effects: Iterable[AnyEffect], carry_out: CarryOut) -> None:
        """Carry out effects; one that fails is a fault, and the others are still carried out."""
        for effect in effects:
            try:
                carry_out(effect)
            except Exception as error:  # noqa: BLE001  # neither a pin nor a bug ends the table
                if isinstance(effect, SetLamp):
                    self._failed("device_gone", "pins", effect, error, carry_out)
                else:
                    self._failed("program_failed", "", effect, error, carry_out)

    def _failed(
        self,
        code: FaultCode,
        where: str,
        at_work: Event | AnyEffect,
        error: Exception,
        carry_out: CarryOut | None,
    ) -> None:
        """Log where something failed and note it as a fault; a known one is only logged."""
        # The lines of the program alone: the error's own words could name a card.
        trace = "".join(traceback.format_tb(error.__traceback__))
        detail = f"{spaced(str(at_work.__struct_config__.tag))}: {error_place(error)}"
        _log.error("%s: %s\n%s", code, detail, trace)
        if isinstance(at_work, FaultNoticed) and at_work.code == code:
            return  # noting this very fault has failed: then the log is all there is
        fault = FaultNoticed(at_ms=now_ms(), code=code, where=where, detail=detail)
        self.handle(Arrival(fault), carry_out)

    def _rotate(self) -> None:
        """End the segment with a snapshot, and remove segments that are no longer needed."""
        journal = self.table.state.journal
        problem = self._journal.rotate(self._sealed_snapshot, journal)
        if problem:
            _log.warning("%s", problem)
            return
        self.remove_exported()

    def _sealed_snapshot(self) -> bytes:
        state = self.table.state
        return sealed(self._key, snapshot_of(self.table), state.journal, state.sequence + 1)

    def remove_exported(self) -> None:
        """Remove the segments that an auditor has and that nothing needs any more."""
        state, folder = self.table.state, self._journal.folder
        try:
            retain(
                folder,
                keep_segments=self._keep_segments,
                exported_through=exported_through(folder, state.journal),
                owed_since=min(map(state.record_of, state.owed), default=None),
            )
        except JournalError as error:
            _log.warning("%s", error)

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()


def _first_event(settings: TableSettings, *, found: bool) -> Decision:
    """Begin a journal, or note the restart on one; either says which settings apply."""
    if found:
        return Restarted(at_ms=now_ms(), settings=settings)
    journal = secrets.token_hex(8)
    return JournalOpened(at_ms=now_ms(), table=settings.name, journal=journal, settings=settings)
