"""Whether the jackpot link is healthy, and if not, what is wrong with it.

Healthy means: a broker is connected, the jackpot controller is online with a fresh heartbeat and
has accepted this unit, and nothing sent has waited too long for its acknowledgement. It has no
clock of its own: callers pass the time with what they report.
"""

from collections.abc import Callable

from firmware.link.outbox import Outbox
from firmware.link.printable import printable
from firmware.link.settings import BrokerAddress, LinkSettings
from firmware.protocol.link_problems import LinkProblem

BETWEEN_CHANGES_S = 1.0
"""A network that comes and goes is not journalled more often than this."""
MOST_BETWEEN_WORDS_S = 60.0
"""Nor, after a while, is anything new about a link that stays down."""
SILENT = LinkProblem("controller_silent", "the broker answers but the jackpot controller is silent")
OFFLINE = LinkProblem(
    "controller_offline",
    "the broker answers but the jackpot controller is off or cut off",
)
SEVERAL = LinkProblem(
    "several_controllers",
    "jackpot controllers with different books speak in turn on the broker",
)
NOT_ACCEPTED = LinkProblem("not_accepted", "the jackpot controller has not accepted this unit")

ReportHealth = Callable[[LinkProblem | None], None]
"""Hears what is wrong with the link; None when it is healthy."""


class Health:
    """Judges the link and reports what has changed."""

    def __init__(
        self, settings: LinkSettings, outbox: Outbox, report: ReportHealth, now_s: float
    ) -> None:
        """Start knowing nothing: the first report is that it is healthy, or took too long."""
        self._settings = settings
        self._outbox = outbox
        self._report = report
        self._connected_s: float | None = None
        self._heard_s: float | None = None
        self._alive_s = now_s
        """When a controller was last heard on this connection."""
        self._said_offline = False
        self._other_game = ""
        self.accepted = False
        """Whether the controller has accepted this unit as the table, on this connection."""
        self.several = False
        """Whether several controllers speak in turn."""
        self._problems: dict[BrokerAddress, LinkProblem] = {}
        self._reported: LinkProblem | None = None
        self._has_reported = False
        self._reported_s = now_s
        self._between_words_s = BETWEEN_CHANGES_S

    @property
    def problem(self) -> str:
        """What was last reported wrong; empty when healthy."""
        return self._reported.words if self._reported else ""

    def connected(self, now_s: float) -> None:
        """Note that a broker has answered."""
        self._connected_s = self._alive_s = now_s
        self._problems.clear()

    def lost(self, broker: BrokerAddress, problem: LinkProblem, now_s: float) -> None:
        """Note that a broker could not be connected, or was lost."""
        self._connected_s = self._heard_s = None
        self._said_offline = self.accepted = False
        self._problems[broker] = problem
        self.look(now_s)

    def heard(self, now_s: float, *, online: bool, plays: str = "") -> None:
        """Note that the controller says it is online, or the broker that it is not.

        `plays` is the controller's game, if it is not this table's.
        """
        self._heard_s = now_s if online else None
        self._alive_s = now_s if online else self._alive_s
        self._said_offline = not online
        self._other_game = printable(plays)
        self.look(now_s)

    def silent_s(self, now_s: float) -> float:
        """Return how long the controller has been silent on this connection."""
        return now_s - self._alive_s

    def look(self, now_s: float) -> None:
        """Judge, and report a change unless one was reported a moment ago."""
        problem = self._judge(now_s)
        news = not self._has_reported or problem != self._reported
        if not news or now_s < self._due_s(healthy=problem is None):
            return
        if self._has_reported and (self._reported is None) == (problem is None):
            self._between_words_s = min(2 * self._between_words_s, MOST_BETWEEN_WORDS_S)
        else:
            self._between_words_s = BETWEEN_CHANGES_S
        self._reported, self._has_reported = problem, True
        self._reported_s = now_s
        self._report(problem)

    def _due_s(self, *, healthy: bool) -> float:
        """Return the earliest time at which a change may be reported."""
        if not self._has_reported:
            return self._reported_s if healthy else self._reported_s + self._settings.stale_s
        same = (self._reported is None) == healthy
        return self._reported_s + (self._between_words_s if same else BETWEEN_CHANGES_S)

    def _judge(self, now_s: float) -> LinkProblem | None:
        settings = self._settings
        if self._connected_s is None:
            return self._not_connected()
        if self._said_offline:
            return OFFLINE
        if self._heard_s is None or now_s - self._heard_s >= settings.stale_s:
            return SILENT
        return self._of_controller(now_s)

    def _of_controller(self, now_s: float) -> LinkProblem | None:
        """Judge a controller that is there."""
        settings = self._settings
        if self._other_game:
            words = f"the jackpot controller is for {self._other_game}: check game and brokers"
            return LinkProblem("other_game", words)
        if self.several:
            return SEVERAL
        if not self.accepted:
            return NOT_ACCEPTED
        if self._outbox.longest_wait_s(now_s) >= settings.overdue_s:
            words = f"the jackpot controller has acknowledged nothing for {settings.overdue_s:g} s"
            return LinkProblem("not_acknowledged", words)
        return None

    def _not_connected(self) -> LinkProblem:
        """Speak of all brokers together, so that the sentence does not change with each attempt."""
        brokers = self._settings.brokers
        known = [self._problems[broker] for broker in brokers if broker in self._problems]
        if known:
            return LinkProblem(known[0].code, "; ".join(each.words for each in known))
        return LinkProblem("no_answer", f"no broker has answered yet at {brokers[0]}")
