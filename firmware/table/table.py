"""`Table.step`: one event in, the effects out.

The state is the fold of the decisions that were accepted; the shell writes each to the
journal before it carries out the effects. The same call recovers a table after a power
cut (`Table.recovered`) and replays a round in dispute.
"""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from firmware.errors import JournalError, Refused
from firmware.table.effects import AnyEffect, DrawLots, Send, ShowRefusal, StopSending
from firmware.table.events import (
    BetsClosed,
    CardsRevealed,
    Decision,
    Event,
    FromDevice,
    JournalOpened,
    LinkChanged,
    Restarted,
    RoundPaid,
)
from firmware.table.phases import handler_for
from firmware.table.settings import TableSettings
from firmware.table.state import TableState
from firmware.table.turn import Turn
from firmware.table.view import View, view


class Outcome(Struct, frozen=True):
    """What an event led to; `decided` says that it must be journalled first."""

    decided: bool
    effects: tuple[AnyEffect, ...] = ()


class Table:
    """One poker table."""

    def __init__(self, settings: TableSettings) -> None:
        self.settings = settings
        self.state = TableState()
        self._shown: View | None = None
        """What is shown at present; it follows from the state, and is kept to be compared."""
        self._refused_frame: dict[str, int] = {}
        """The last frame of each device that was refused: repeated, it stays refused."""

    @classmethod
    def restored(cls, settings: TableSettings, state: TableState) -> "Table":
        """Take a table up from what it remembered."""
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
            if not opened or not table.step(event, quietly=True).decided:
                raise JournalError(
                    f"record {table.state.sequence + 1} of the journal does not fit; it was "
                    f"written by another table than {settings.name}, or by another version"
                )
        return table

    def completed(self, event: Event) -> Event:
        """Copy into a decision what it rests on, so that the journal alone can replay it."""
        rests_on_meter = isinstance(event, BetsClosed | CardsRevealed) or (
            isinstance(event, LinkChanged) and not event.healthy
        )
        if rests_on_meter:
            meter_cents, reset_cents = self.state.meter_cents, self.state.reset_cents
            return replace(event, meter_cents=meter_cents, reset_cents=reset_cents)
        if isinstance(event, RoundPaid):
            return replace(event, results=tuple(self.state.round.results))
        return event

    def step(self, event: Event, *, quietly: bool = False) -> Outcome:
        """Let an event happen; a refused one changes nothing and says why.

        A journal is folded `quietly`: what the table showed on the way nobody sees again.
        """
        state = self.state
        if isinstance(event, FromDevice):
            if self._is_repeated(event):
                return Outcome(decided=False)  # sent again, because our answer was lost
            self._refused_frame.pop(event.device, None)
        before = None if quietly else self._shown or view(self.settings, state)
        owed_before = tuple(state.owed)
        before_phase = state.phase
        turn = Turn(self.settings, state, event.at_ms, [])
        try:
            changed = handler_for(state.phase, event)(turn, event)
        except Refused as refusal:
            if isinstance(event, FromDevice):
                self._refused_frame[event.device] = event.frame
            return Outcome(decided=False, effects=(ShowRefusal(str(refusal)),))
        decided = changed and isinstance(event, Decision)
        if decided:
            if isinstance(event, JournalOpened | Restarted) and event.settings is not None:
                self.settings = event.settings
            state.sequence += 1
            if isinstance(event, FromDevice):
                state.last_frame[event.device] = event.frame
        self._shown = None if quietly else view(self.settings, state)
        shown = () if self._shown is None else self._shown.effects(before)
        settled = [StopSending(owed) for owed in owed_before if owed not in state.owed]
        lots = self._lots_to_draw() if decided and before_phase != state.phase else ()
        return Outcome(decided, (*shown, *map(Send, turn.owed), *settled, *lots))

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
        """Give everything that the table shows and owes: what a start has to carry out."""
        owed = map(Send, self.state.owed.values())
        return (*view(self.settings, self.state).effects(), *owed, *self._lots_to_draw())
