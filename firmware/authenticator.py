"""The panel's keys on their way to the table; number and PIN are checked on the way.

A PIN goes no further than this file: what the table hears is who it was, or that it did
not fit. Checking one takes long on purpose, so it is done beside the event loop. A key
that means nothing is refused in words, on the panel itself.
"""

import asyncio
from collections.abc import Sequence
from functools import partial

from firmware.devices import panel
from firmware.devices.line_port import LinePort
from firmware.staff import Staff, verify
from firmware.table.effects import ShowRefusal
from firmware.table.events import Event, StaffIdentified, StaffRefused
from firmware.table.shell import Shell

_LONGEST_SHOWN = 60


class PanelKeys:
    """The panel's port, with the people who may confirm something at it."""

    def __init__(self, path: str, staff: Sequence[Staff], shell: Shell) -> None:
        """Open the port of the panel."""
        self._staff = staff
        self._shell = shell
        self._checking: dict[int, asyncio.Task[None]] = {}
        """The frames whose PIN is being checked; the panel repeats them meanwhile."""
        self.port = LinePort(path, "panel", self._message, shell)

    def close(self) -> None:
        """Stop checking and close the port."""
        for task in self._checking.values():
            task.cancel()
        self.port.close()

    def _message(self, text: str, frame: int) -> None:
        credentials = panel.credentials_of(text)
        if credentials is not None:
            if frame not in self._checking:
                task = asyncio.get_running_loop().create_task(self._identify(frame, *credentials))
                self._checking[frame] = task
                task.add_done_callback(lambda _: self._checking.pop(frame))
            return
        event = panel.event_of(text, frame, self._shell.now_ms())
        if event is None:
            refusal = ShowRefusal(f"this key is not understood: {text[:_LONGEST_SHOWN]}")
            self.port.send(panel.refusal_text(refusal))
            self.port.acknowledge(frame)
        else:
            self._put(event, frame)

    async def _identify(self, frame: int, number: str, pin: str) -> None:
        found = await asyncio.to_thread(verify, self._staff, number, pin)
        at_ms = self._shell.now_ms()
        if found is None:
            self._put(StaffRefused(at_ms=at_ms, frame=frame, staff=number[:8]), frame)
            self.port.send(panel.refusal_text(ShowRefusal("number and PIN do not fit")))
        else:
            event = StaffIdentified(
                at_ms=at_ms, frame=frame, staff=found.number, name=found.name, role=found.role
            )
            self._put(event, frame)

    def _put(self, event: Event, frame: int) -> None:
        self._shell.put(event, partial(self.port.acknowledge, frame))
