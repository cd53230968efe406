"""`Table.step`: one event in, the effects out.

The state is the fold of the decisions that were accepted; the shell writes each to the
journal before it carries out the effects. The same call recovers a table after a power
cut (`Table.recovered`) and replays a round in dispute.

An event that is refused, or whose handler fails, changes nothing, whatever its handler did:
`step` keeps the old state and puts it back. Only a *fact* (a lost link, a restart, a fault)
is noted in any case; what should have followed from it is then left out.
"""

from collections.abc import Iterable
from functools import cache

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from firmware.errors import JournalError, Refused
from firmware.protocol.obligations import AnyObligation
from firmware.table.completion import completed
from firmware.table.effects import AnyEffect, DrawLots, Send, ShowRefusal, StopSending
from firmware.table.events import (
    Decision,
    Event,
    Fact,
    FromDevice,
    JournalOpened,
    StaffIdentified,
)
from firmware.table.payable import note_payable
from firmware.table.phases import handler_for
from firmware.table.settings import TableSettings
from firmware.table.state import Phase, TableState
from firmware.table.turn import Turn
from firmware.table.view import View, view

FAILED = "The table's software has failed and nothing has changed; call a technician."

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(TableState)


@cache
def _reader_of(kind: type[Event]) -> "msgspec.json.Decoder[Event]":
    return msgspec.json.Decoder(kind)


def _check_readable(event: Event) -> None:
    """Fail on an event that could be written down and not be read again.

    A record that cannot be read ends the journal: the table could never be started on it.
    """
    _reader_of(type(event)).decode(msgspec.json.encode(event))


class Outcome(Struct, frozen=True):
    """What an event led to; `decided` says that it must be journalled first."""

    decided: bool
    effects: tuple[AnyEffect, ...] = ()
    failure: Exception | None = None
    """The error with which a handler failed; the shell logs it and notes a fault."""
    left_out: bool = False
    """Whether what follows from a fact failed: its record must say so (`Fact.left_out`)."""


class _Before(Struct, frozen=True):
    """A table as it was: its state as bytes, except what is owed, which is large and frozen."""

    settings: TableSettings
    phase: Phase
    rest: bytes
    owed: dict[str, AnyObligation]

    @classmethod
    def of(cls, settings: TableSettings, state: TableState) -> "_Before":
        rest = _encoder.encode(replace(state, owed={}))
        return cls(settings, state.phase, rest, dict(state.owed))

    def state(self) -> TableState:
        state = _decoder.decode(self.rest)
        state.owed = dict(self.owed)
        return state


class Table:
    """One poker table."""

    def __init__(self, settings: TableSettings) -> None:
        self.settings = settings
        self.state = TableState()
        self._shown: View | None = None
        """What is shown now; it follows from the state, and is kept for comparison."""
        self._dark = False
        """Whether the state could not be shown, so that what is shown is out of date."""
        self._refused_frame: dict[str, int] = {}
        """The last refused frame of each device: repeated, it stays refused."""

    @classmethod
    def restored(cls, settings: TableSettings, state: TableState) -> "Table":
        """Resume a table from what it remembered."""
        table = cls(settings)
        table.state = state
        return table

    @classmethod
    def recovered(
        cls, settings: TableSettings, journal: Iterable[Decision], start: "Table | None" = None
    ) -> "Table":
        """Fold a journal, or what came after a start, into the table that wrote it."""
        table = start or cls(settings)
        for event in journal:
            opened = table.state.journal or isinstance(event, JournalOpened)
            if not opened or not table.fold(event):
                raise JournalError(
                    f"record {table.state.sequence + 1} of the journal cannot be replayed; it was "
                    f"written by a table other than {settings.name}, or by another version"
                )
        return table

    def completed(self, event: Event) -> Event:
        """Copy into a decision what it rests on, so that the journal alone can replay it."""
        return completed(self.settings, self.state, event)

    def fold(self, event: Decision) -> bool:
        """Replay a journal record; return whether it can have happened.

        Nobody sees what the table showed on the way, and nothing is taken back: a journal
        in which something was refused is not folded any further.
        """
        state = self.state
        try:
            turn = self._turn(event)
            changed = handler_for(state, event)(turn, event)
            if changed:
                self._follow(turn, event)
        except Exception:  # noqa: BLE001  # another version may have accepted it
            return False
        if changed:
            self._take_over(turn, event)
        return changed

    def step(self, event: Event) -> Outcome:
        """Handle an event; a refused one changes nothing and says why."""
        if isinstance(event, FromDevice):
            if self._is_repeated(event):
                return Outcome(decided=False)  # sent again, because our answer was lost
            self._refused_frame.pop(event.device, None)
        try:
            before = _Before.of(self.settings, self.state)
        except Exception as error:  # noqa: BLE001  # a bug of ours is a fault, never a dark table
            return Outcome(decided=False, effects=(ShowRefusal(FAILED),), failure=error)
        self._shown = self._shown or self._viewed()
        return self._stepped(event, before)

    def _stepped(self, event: Event, before: "_Before") -> Outcome:
        """Let an event happen, show what came of it, and take it back if that fails."""
        try:
            turn = self._turn(event)
            changed = handler_for(self.state, event)(turn, event)
            failure = self._follow(turn, event)
            decided = changed and isinstance(event, Decision)
            if decided:
                _check_readable(event)
        except Refused as refusal:
            return self._taken_back(before, event, str(refusal))
        except Exception as error:  # noqa: BLE001  # the same
            return self._taken_back(before, event, FAILED, error)
        if decided:
            self._take_over(turn, event)
        try:
            now = view(self.settings, self.state)
            seen = now.effects(self._shown)
        except Exception as error:  # noqa: BLE001  # the same
            # A fact stays; so does anything that happens while the table cannot be shown anyway.
            if not (self._dark or self._shown is None or isinstance(event, Fact)):
                return self._taken_back(before, event, FAILED, error)
            self._dark = True
            effects = self._effects(turn, before, event)
            return Outcome(decided, effects, error, left_out=failure is not None)
        self._shown, self._dark = now, False
        effects = (*seen, *self._effects(turn, before, event))
        return Outcome(decided, effects, failure, left_out=failure is not None)

    def _turn(self, event: Event) -> Turn:
        settings, state = self.settings, self.state
        return Turn(settings, settings.rules, state, state.round, event.at_ms, [], [])

    def _follow(self, turn: Turn, event: Event) -> Exception | None:
        """Do what follows from a fact; if that fails, only the fact is left, and the error."""
        if not turn.follow or (isinstance(event, Fact) and event.left_out):
            return None
        noted, owed = _Before.of(turn.settings, turn.state), len(turn.owed)
        try:
            for follow in turn.follow:
                follow(turn)
        except Exception as error:  # noqa: BLE001  # the same
            self.state, turn.settings = noted.state(), noted.settings
            del turn.owed[owed:]
            return error
        return None

    def _take_over(self, turn: Turn, event: Event) -> None:
        """Count the record that the event becomes."""
        self.settings = turn.settings
        self.state.sequence += 1
        note_payable(self.state, turn.at_ms)
        if isinstance(event, FromDevice):
            self.state.last_frame[event.device] = event.frame

    def _taken_back(
        self, before: "_Before", event: Event, reason: str, failure: Exception | None = None
    ) -> Outcome:
        """Restore the old state; the frame that brought the event is refused, and stays so."""
        self.settings, self.state = before.settings, before.state()
        if isinstance(event, FromDevice):
            self._refused_frame[event.device] = event.frame
        return Outcome(decided=False, effects=(ShowRefusal(reason),), failure=failure)

    def _effects(self, turn: Turn, before: "_Before", event: Event) -> tuple[AnyEffect, ...]:
        """List what has to be done outside besides showing it: what is owed, and the draws."""
        state = self.state
        settled = [StopSending(owed) for owed in before.owed if owed not in state.owed]
        # Again when somebody has cleared a fault: it may have been that lots were not taken in.
        due = state.phase != before.phase or isinstance(event, StaffIdentified)
        lots = self._lots_to_draw() if due else ()
        refusals = [ShowRefusal(turn.refusal)] if turn.refusal else []
        return (*map(Send, turn.owed), *settled, *lots, *refusals)

    def _viewed(self) -> View | None:
        """Return the view of the table; None if that fails, which is reported when it matters."""
        try:
            return view(self.settings, self.state)
        except Exception:  # noqa: BLE001  # the same
            return None

    def _lots_to_draw(self) -> tuple[DrawLots, ...]:
        """Ask for the draws of the round when they are due; they come back as an event."""
        if self.state.phase != "drawing":
            return ()
        settings = self.settings
        return (DrawLots(settings.seats, settings.lucky_seat_one_in, settings.lucky_dealer_one_in),)

    def _is_repeated(self, event: FromDevice) -> bool:
        taken = self.state.last_frame.get(event.device)
        return event.frame in {taken, self._refused_frame.get(event.device)}

    def resumed(self) -> tuple[AnyEffect, ...]:
        """List everything that the table shows and owes: what a start must carry out."""
        seen = self._viewed()
        shown = [ShowRefusal(FAILED)] if seen is None else seen.effects()
        return (*shown, *map(Send, self.state.owed.values()), *self._lots_to_draw())
