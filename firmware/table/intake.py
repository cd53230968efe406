"""What devices and the link need from the shell: a clock, an inbox, a way in from threads.

`firmware.shell.inbox.Inbox` is the real one; a test brings its own. They import nothing
from the shell itself.
"""

from collections.abc import Callable
from typing import Protocol

from firmware.table.events import Event


class Intake(Protocol):
    """The shell, as far as devices and the link know it."""

    def now_ms(self) -> int:
        """Return the time by the table's clock."""

    def put(self, event: Event, afterwards: Callable[[], None] | None = None) -> None:
        """Hand an event in, from the event loop; `afterwards` is called once it is handled."""

    def from_thread(self, callback: Callable[[], None]) -> None:
        """Run a callback in the event loop, from any thread."""
