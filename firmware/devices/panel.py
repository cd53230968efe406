"""The dealer panel on the line protocol: keys in, text out, number and PIN checked between.

A PIN goes no further than this file: the table hears who it was, or that the PIN was wrong.
Checking one is slow on purpose, so it runs outside the event loop. An unknown key is refused
on the panel itself.

The typed keys are in `panel_keys.py`; pages and menus in `panel_screen.py`.

TYPING [<key> <digits> [<digits>]]  how many digits of number and PIN are typed; never which
SHOW <code>|<line>|<line>…        a page of what to do now
REFUSED <line>|<line>…            why the last key was not accepted
"""

import asyncio
from collections.abc import Callable, Collection
from functools import partial
from typing import Protocol

from firmware.devices.line_port import LinePort
from firmware.devices.panel_keys import (
    PERSON_KEYS,
    checked_row,
    credentials_of,
    event_of,
    is_staff_number,
    typed_row,
)
from firmware.devices.panel_pages import display_of
from firmware.devices.panel_refusals import not_understood
from firmware.devices.panel_screen import Offered, PanelScreen
from firmware.protocol.fault_catalogue import Role
from firmware.table.effects import NOT_ACCEPTED, ShowPrompt, ShowRefusal
from firmware.table.events import DealerSignedOn, Event, StaffRefused
from firmware.table.intake import Intake


class Person(Protocol):
    """Somebody whose number and PIN were right."""

    @property
    def number(self) -> str:
        """The staff number."""

    @property
    def name(self) -> str:
        """The name, for the record."""

    @property
    def role(self) -> Role:
        """What the person may do."""


Identify = Callable[[str, str], Person | None]
"""Finds the person with this number and PIN; it may take a second."""


class Panel:
    """The panel's port, and who may confirm something at it."""

    def __init__(
        self,
        path: str,
        answers: Collection[str],
        identify: Identify,
        intake: Intake,
        offered: Offered = tuple,
    ) -> None:
        """Open the port of the panel.

        `answers` are those of the game's players, `offered` is what its menu has now.
        """
        self._answers = answers
        self._identify = identify
        self._intake = intake
        self._checking: dict[int, asyncio.Task[None]] = {}
        """The frames whose PIN is being checked; the panel repeats them meanwhile."""
        self._newest_frame = 0
        self._ended_here = 0
        """The newest frame, if the screen took its key."""
        self._picked: Event | None = None
        """What that key made, if it ended a menu: a repetition makes the same."""
        self._screen = PanelScreen(offered=offered)
        self.port = LinePort(path, "panel", self._message, intake, self._hello)
        self.port.hears["TYPING"] = self._typing

    def show(self, effect: ShowPrompt) -> None:
        """Show what to do now."""
        self.port.send(self._screen.show(effect))

    def refuse(self, effect: ShowRefusal) -> None:
        """Show why the last key was not accepted."""
        self.port.send(self._screen.refuse(effect))

    def wait_for(self, when: Callable[[Callable[[], None]], None]) -> None:
        """Take no key before something has happened; the panel repeats it meanwhile."""
        self.port.held = True
        when(self._go_on)

    def _go_on(self) -> None:
        self.port.held = False

    def close(self) -> None:
        """Stop checking and close the port."""
        for task in self._checking.values():
            task.cancel()
        self.port.close()

    def _hello(self, words: tuple[str, ...]) -> str:
        """Note the size of the display; a panel says it again with every sign of life."""
        display = display_of(words)
        if isinstance(display, str):
            return display
        if display != self._screen.display:
            self.port.send(self._screen.resized(display))
        return ""

    def _typing(self, counts: tuple[str, ...]) -> None:
        """Show how much of a number or PIN was typed, whenever that is; an empty one is shown no more."""
        row = typed_row(counts)
        if row or self._screen.is_typed_shown:
            self.port.send(self._screen.typed(row))

    def _message(self, text: str, frame: int) -> None:
        if frame != self._newest_frame:
            self._ended_here = 0  # numbers come round again: only the newest can be a repetition
        self._newest_frame = frame
        if frame == self._ended_here or self._screen.takes(text):
            self._take(text, frame)
            return
        left = self._screen.without_menu()
        if left:
            self.port.send(left)
        if not self._checking:
            self._typing(())  # what was typed has come
        credentials = credentials_of(text)
        if credentials is not None:
            if self._checking and frame not in self._checking:
                # One PIN at a time: a flood of them is answered, and keeps nobody else waiting.
                self.refuse(ShowRefusal(NOT_ACCEPTED))
                self.port.acknowledge(frame)
            elif frame not in self._checking:
                # Checking takes a second: what was entered is seen meanwhile, as dots.
                self.port.send(self._screen.typed(checked_row(credentials[-1])))
                task = asyncio.get_running_loop().create_task(self._check(frame, *credentials))
                self._checking[frame] = task
                task.add_done_callback(lambda _: self._checking.pop(frame))
            return
        self._event(text, frame)

    def _take(self, text: str, frame: int) -> None:
        """Let the screen take a key, once; what ends a menu is a key for the table."""
        if frame == self._ended_here:
            if self._picked is None:
                self.port.acknowledge(frame)
            else:
                self._put(self._picked, frame)
            return
        self._ended_here, self._picked = frame, None
        shown, key = self._screen.pressed(text)
        self.port.send(shown)
        if key:
            self._picked = self._event(key, frame)
        else:
            self.port.acknowledge(frame)

    def _event(self, text: str, frame: int) -> Event | None:
        event = event_of(text, frame, self._intake.now_ms(), self._answers)
        if event is None:
            self.refuse(ShowRefusal(not_understood(text, self._answers)))
            self.port.acknowledge(frame)
        else:
            self._put(event, frame)
        return event

    async def _check(self, frame: int, key: str, number: str, pin: str) -> None:
        try:
            found = await asyncio.to_thread(self._identify, number, pin)
        finally:
            self._typing(())
        if frame != self._newest_frame:
            # A repetition: the panel has had its answer, or it would not have gone on. The table
            # has gone on too, and would take it for somebody who confirms what is asked now.
            return
        at_ms = self._intake.now_ms()
        if found is None:
            staff = number if is_staff_number(number) else "?"
            signing_on = PERSON_KEYS[key] is DealerSignedOn
            refused = StaffRefused(at_ms=at_ms, frame=frame, staff=staff, signing_on=signing_on)
            self._put(refused, frame)
        else:
            event = PERSON_KEYS[key](
                at_ms=at_ms, frame=frame, staff=found.number, name=found.name, role=found.role
            )
            self._put(event, frame)

    def _put(self, event: Event, frame: int) -> None:
        self._intake.put(event, partial(self.port.acknowledge, frame))
