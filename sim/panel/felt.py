"""A table with its panel's driver and nothing else: keys and cards in, rows of a display out.

The real `Table`, the real prompts and pages, no port, no process, no time. Whatever the table owes to
the jackpot controller is acknowledged and awarded at once. Who plays here is in `player.py`.
"""

from collections.abc import Callable

from firmware.devices.panel_keys import event_of
from firmware.devices.panel_pages import Display
from firmware.devices.panel_screen import PanelScreen
from firmware.protocol.obligations import Win
from firmware.table.effects import AnyEffect, DrawLots, Send, ShowPrompt, ShowRefusal
from firmware.table.events import (
    Acknowledged,
    AwardGranted,
    CardDrawn,
    CoinSensed,
    Event,
    HandDispensed,
    JournalOpened,
    LinkChanged,
    LotsDrawn,
    MeterMoved,
)
from firmware.table.menus import menu
from firmware.table.settings import TableSettings
from firmware.table.table import Table

_METER_CENTS = 100_000
_MAGIC_CARD = "2c"


class KeyRefusedError(Exception):
    """A key that the table or the panel's driver did not take, with what the panel says."""


class Felt:
    """One table and the rows that its panel shows."""

    def __init__(self, settings: TableSettings, display: Display) -> None:
        self.table = Table(settings)
        self.screen = PanelScreen(display, lambda: menu(settings, self.table.state))
        self.code = ""
        self.rows: list[str] = []
        self.on_prompt: Callable[[ShowPrompt], None] = lambda _prompt: None
        """Who wants to hear of every prompt."""
        self._refusal = ""
        self._at_ms = 0
        self._frame = 0
        self.happens(
            JournalOpened(
                at_ms=self._now(), table=settings.name, journal="panel", settings=settings
            )
        )
        self.happens(LinkChanged(at_ms=self._now(), healthy=True))
        self.happens(MeterMoved(at_ms=self._now(), meter_cents=_METER_CENTS, sequence=1))

    def press(self, key: str) -> None:
        """Press a key of the panel; it must be taken."""
        text = f"KEY {key}"
        self._refusal = ""
        if self.screen.takes(text):
            message, text = self.screen.pressed(text)
            self._show(message)
        if text:
            event = event_of(
                text, self._next_frame(), self._now(), self.table.settings.rules.answers
            )
            if event is None:
                raise KeyRefusedError(f"{key}: no such key")
            self.happens(event)
        if self._refusal:
            raise KeyRefusedError(f"{key}: {self._refusal}")

    def chip(self, seat: int, bet: str, *, present: bool) -> None:
        """Put a chip on a coin spot, or lift it."""
        self.happens(CoinSensed(at_ms=self._now(), seat=seat, bet=bet, present=present))

    def deal(self, cards: tuple[str, ...]) -> None:
        """Let cards leave the shoe one by one, or the shuffler as a hand."""
        frame, at_ms = self._next_frame(), self._now()
        if self.table.settings.card_source == "shuffler":
            self.happens(HandDispensed(at_ms=at_ms, frame=frame, cards=cards))
        else:
            (card,) = cards
            self.happens(CardDrawn(at_ms=at_ms, frame=frame, card=card))

    def happens(self, event: Event) -> None:
        """Let the table take an event, and then everything that answers it."""
        coming = [event]
        while coming:
            effects = self.table.step(self.table.completed(coming.pop(0))).effects
            coming += [answer for effect in effects if (answer := self._carried_out(effect))]

    def _carried_out(self, effect: AnyEffect) -> Event | None:
        """Carry out an effect; give what the system or the jackpot controller answers."""
        match effect:
            case ShowPrompt():
                self.on_prompt(effect)
                self._show(self.screen.show(effect))
            case ShowRefusal(reason):
                self._refusal = reason
            case DrawLots():
                return LotsDrawn(
                    at_ms=self._now(), magic_card=_MAGIC_CARD, lucky_seat=None, lucky_dealer=False
                )
            case Send(Win() as win):
                return self._awarded(win)
            case Send(obligation):
                return Acknowledged(at_ms=self._now(), id=obligation.id)
        return None

    def _awarded(self, win: Win) -> AwardGranted:
        """Award what the pay table says, a share as if nobody else had one."""
        percent, fixed_cents = win.claim.percent, win.claim.amount or 0
        amount_cents = fixed_cents if percent is None else _METER_CENTS * percent // 100
        return AwardGranted(
            at_ms=self._now(), id=win.id, amount_cents=amount_cents, meter_cents=_METER_CENTS
        )

    def _show(self, message: str) -> None:
        word, _, rest = message.partition(" ")
        if word == "SHOW":
            self.code, *self.rows = rest.split("|")
        elif word == "REFUSED":
            self._refusal = rest.replace("|", " ")

    def _now(self) -> int:
        self._at_ms += 1_000
        return self._at_ms

    def _next_frame(self) -> int:
        self._frame += 1
        return self._frame
