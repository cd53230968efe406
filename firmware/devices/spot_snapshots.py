"""When it is known what lies on the spots of a spot board.

After a greeting the board may still repeat a snapshot of before, behind which older findings wait: a
chip that was lifted meanwhile would lie there for another moment. So the first snapshot only shows that
the board answers, and the second, asked for after it, counts. The board must have said besides that
the limits of the table file are in force. Pure.
"""

from firmware.table.events import SESSION_FRAMES


class Snapshots:
    """What has come since the greeting."""

    def __init__(self) -> None:
        self._first: int | None = None
        self._second = False
        self._confirmed = False

    def begin(self) -> None:
        """Forget what came: the line was out, or the board has restarted."""
        self._first, self._second, self._confirmed = None, False, False

    @property
    def begun(self) -> bool:
        """Whether a snapshot has come."""
        return self._first is not None

    @property
    def complete(self) -> bool:
        """Whether everything is known."""
        return self._second and self._confirmed

    def confirm(self, *, confirmed: bool) -> bool:
        """Note whether the limits are in force; return whether they were, and are no longer."""
        lost = self.complete and not confirmed
        if lost:
            self.begin()
        self._confirmed = confirmed
        return lost

    def taken(self, frame: int, session: int | None) -> bool:
        """Note a snapshot that is written down; return whether another one is to be asked for.

        One of a session that is over says nothing any more; a repeat says nothing new.
        """
        if session is None or frame // SESSION_FRAMES != session:
            return False
        if self._first is None:
            self._first = frame
            return True
        self._second |= frame != self._first
        return False
