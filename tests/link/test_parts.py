"""The parts of the link that have no clock and no connection: outbox, health, backoff.

The time is the test's own, so what takes seconds on a table is decided at once here.
"""

import errno
import socket
from itertools import pairwise

import aiomqtt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.link.backoff import Backoff
from firmware.link.health import BETWEEN_CHANGES_S, OFFLINE, SILENT, Health
from firmware.link.outbox import Outbox
from firmware.link.printable import LONGEST, printable
from firmware.link.problems import problem_of
from firmware.link.settings import BrokerAddress, LinkSettings
from firmware.protocol.link_problems import LinkProblem
from firmware.protocol.obligations import sequence_of
from tests.link.ends import contribution
from tests.sim import jackpot_messages as messages

SETTINGS = LinkSettings(host="one", fallback=(BrokerAddress(host="two"),))
ONE, TWO = SETTINGS.brokers
STALE_S, OVERDUE_S = SETTINGS.stale_s, SETTINGS.overdue_s


class Watched:
    """A health whose reports are kept."""

    def __init__(self) -> None:
        self.reports: list[tuple[bool, str]] = []
        self.outbox = Outbox(window=2, overdue_s=OVERDUE_S)
        self.health = Health(SETTINGS, self.outbox, self._keep, now_s=0.0)

    def _keep(self, problem: LinkProblem | None) -> None:
        self.reports.append((problem is None, problem.words if problem else ""))


# ── health ───────────────────────────────────────────────────────────────────


def test_a_start_is_not_a_fault_unless_it_takes_too_long() -> None:
    quick, slow = Watched(), Watched()
    for watched in (quick, slow):
        watched.health.lost(ONE, LinkProblem("lost", "no broker answers at one:1883"), 0.1)
        assert watched.reports == []
    quick.health.connected(0.5)
    quick.health.accepted = True
    quick.health.heard(0.6, online=True)
    assert quick.reports == [(True, "")]
    slow.health.look(STALE_S)
    assert slow.reports == [(False, "no broker answers at one:1883")]


def test_what_is_wrong_is_told_apart() -> None:
    watched = Watched()
    health, outbox = watched.health, watched.outbox
    health.connected(0.0)
    health.accepted = True
    health.heard(1.0, online=True)
    health.look(1.0 + STALE_S)
    health.heard(10.0, online=True)
    health.heard(12.0, online=False)
    health.heard(14.0, online=True)
    outbox.add(contribution(1))
    assert list(outbox.to_send(14.0)) == [contribution(1)]
    health.heard(18.0, online=True)
    health.look(14.0 + OVERDUE_S)
    outbox.answered(contribution(1).id, "acknowledged")
    health.look(21.0)
    health.lost(ONE, LinkProblem("lost", "it burns"), 23.0)
    health.lost(TWO, LinkProblem("lost", "it is stolen"), 25.0)
    assert watched.reports == [
        (True, ""),
        (False, SILENT.words),
        (True, ""),
        (False, OFFLINE.words),
        (True, ""),
        (False, "the jackpot controller has acknowledged nothing for 5 s"),
        (True, ""),
        (False, "it burns"),
        (False, "it burns; it is stolen"),
    ]


def test_a_win_that_is_acknowledged_and_not_awarded_is_no_problem() -> None:
    watched = Watched()
    watched.health.connected(0.0)
    watched.health.accepted = True
    watched.outbox.add(contribution(1))
    assert len(list(watched.outbox.to_send(0.0))) == 1
    watched.outbox.answered(contribution(1).id, "acknowledged")
    for second in range(100):
        watched.health.heard(float(second), online=True)
    assert watched.reports == [(True, "")]
    # It is asked about again all the same: its award may have been lost on the way.
    assert list(watched.outbox.to_repeat(100.0)) == [contribution(1)]


def test_a_controller_that_restarts_is_not_given_up_at_once() -> None:
    health = Watched().health
    health.connected(0.0)
    health.accepted = True
    health.heard(1_000.0, online=True)
    health.heard(1_001.0, online=False)
    assert health.silent_s(1_002.0) == 2.0
    health.connected(2_000.0)
    health.accepted = True
    assert health.silent_s(2_001.0) == 1.0


def test_an_outage_of_hours_with_many_faces_is_not_a_flood() -> None:
    watched = Watched()
    watched.health.connected(0.0)
    watched.health.accepted = True
    watched.health.heard(0.0, online=True)
    for second in range(1, 3_600):
        watched.health.lost(ONE, LinkProblem("lost", f"it is number {second}"), float(second))
    assert len(watched.reports) < 80
    # It is found out at once all the same when it is over, and when it begins again.
    watched.health.connected(3_700.0)
    watched.health.accepted = True
    watched.health.heard(3_700.0, online=True)
    watched.health.lost(ONE, LinkProblem("lost", "again"), 3_701.0)
    watched.health.lost(ONE, LinkProblem("lost", "and differently"), 3_702.0)
    assert watched.reports[-3:] == [(True, ""), (False, "again"), (False, "and differently")]


@given(st.lists(st.tuples(st.floats(0.001, 3.0), st.booleans()), max_size=50))
def test_reports_are_changes_and_never_closer_than_a_second(
    steps: list[tuple[float, bool]],
) -> None:
    now_s = 0.0
    times: list[float] = []
    reports: list[tuple[bool, str]] = []

    def keep(problem: LinkProblem | None) -> None:
        times.append(now_s)
        reports.append((problem is None, problem.words if problem else ""))

    health = Health(SETTINGS, Outbox(2, OVERDUE_S), keep, now_s)
    health.connected(now_s)
    health.accepted = True
    for passed_s, online in steps:
        now_s += passed_s
        health.heard(now_s, online=online)
    # Not the difference: that of two sums of floats may be a little less than what was added.
    assert all(after >= before + BETWEEN_CHANGES_S for before, after in pairwise(times))
    assert all(one != other for one, other in pairwise(reports))
    # Once it is quiet, what was last reported is the truth.
    if steps:
        now_s += BETWEEN_CHANGES_S
        health.look(max(now_s, STALE_S))
        assert reports[-1][0] == (steps[-1][1] and max(now_s, STALE_S) - now_s < STALE_S - 1)


# ── outbox ───────────────────────────────────────────────────────────────────

_ACTIONS = st.one_of(
    st.tuples(st.just("owe"), st.just(0)),
    st.tuples(st.sampled_from(["acknowledged", "rejected", "drop"]), st.integers(1, 12)),
    st.tuples(st.sampled_from(["wait", "reconnect"]), st.just(0)),
)


class Sending:
    """An outbox, and what was sent from it on the present connection."""

    def __init__(self, window: int) -> None:
        self.outbox = Outbox(window, OVERDUE_S)
        self.window = window
        self.now_s = 0.0
        self.owed = 0
        self.gone: set[int] = set()
        self.sent: list[int] = []

    def act(self, action: str, number: int) -> None:
        """Do one thing, then send what may be sent."""
        name = contribution(number).id
        if action == "owe":
            self.owed += 1
            self.outbox.add(contribution(self.owed))
        elif action == "drop":
            self.outbox.drop(name)
            self.gone |= {number} & set(range(1, self.owed + 1))
        elif action == "wait":
            self.now_s += OVERDUE_S
            assert len(list(self.outbox.to_repeat(self.now_s))) <= self.window
        elif action == "reconnect":
            self.outbox.begin_again()
            self.sent = []
        else:
            self.outbox.answered(name, "rejected" if action == "rejected" else "acknowledged")
        fresh = [sequence_of(each.id) for each in self.outbox.to_send(self.now_s)]
        assert self.gone.isdisjoint(fresh)
        self.sent += fresh


@given(st.lists(_ACTIONS, max_size=40), st.integers(1, 4))
def test_everything_owed_is_sent_once_oldest_first_whoever_does_not_answer(
    actions: list[tuple[str, int]], window: int
) -> None:
    sending = Sending(window)
    for action, number in actions:
        sending.act(action, number)
        assert sending.sent == sorted(set(sending.sent))
    # Nobody answers any more: in time the others are sent all the same.
    for _ in range(2 * sending.owed):
        sending.act("wait", 0)
    assert sending.sent == sorted(set(sending.sent))
    assert set(sending.sent) >= set(range(1, sending.owed + 1)) - sending.gone
    assert len(sending.outbox) == sending.owed - len(sending.gone)


def test_what_rests_on_something_of_its_seat_waits_for_the_answer_and_holds_nobody_up() -> None:
    outbox = Outbox(window=8, overdue_s=OVERDUE_S)
    added, won = messages.contribution(1), messages.win(2, messages.ROYAL)
    decided, taken_back = messages.verdict(3, won), messages.reversal(4, added)
    later = messages.contribution(5)
    elsewhere = messages.win(6, replace(messages.FLUSH, seat=2))
    for owed in (added, won, decided, taken_back, later, elsewhere):
        outbox.add(owed)
    assert list(outbox.to_send(0.0)) == [added, later, elsewhere]
    assert list(outbox.to_send(0.1)) == []
    outbox.answered(added.id, "acknowledged")
    assert list(outbox.to_send(0.2)) == [won]
    # What is rejected is answered, too; and the table drops what is settled.
    outbox.answered(won.id, "rejected")
    assert list(outbox.to_send(0.3)) == [decided]
    outbox.begin_again()
    outbox.drop(decided.id)
    assert list(outbox.to_send(0.4)) == [added, won, taken_back, later, elsewhere]


def test_i_37_a_second_claim_waits_until_the_first_is_withdrawn_and_so_does_the_rest() -> None:
    outbox = Outbox(window=8, overdue_s=OVERDUE_S)
    first, again = messages.win(1, messages.ROYAL), messages.win(3, messages.ROYAL)
    withdrawn = messages.verdict(2, first, confirmed=False)
    other = messages.win(4, replace(messages.STRAIGHT, seat=2))
    another_round = messages.win(5, messages.ROYAL, round_=2)
    for owed in (first, withdrawn, again, other, another_round):
        outbox.add(owed)
    assert list(outbox.to_send(0.0)) == [first, another_round]
    outbox.answered(first.id, "acknowledged")
    assert list(outbox.to_send(0.1)) == [withdrawn]
    outbox.answered(withdrawn.id, "acknowledged")
    assert list(outbox.to_send(0.2)) == [again, other]


def test_what_had_to_wait_is_sent_oldest_first_too() -> None:
    outbox = Outbox(window=8, overdue_s=OVERDUE_S)
    added = [replace(messages.contribution(number), seat=number) for number in (1, 2, 3)]
    taken_back = [messages.reversal(3 + number, each) for number, each in enumerate(added, 1)]
    for contributed in added:
        outbox.add(contributed)
    for reversal in taken_back:
        outbox.add(reversal)
    assert list(outbox.to_send(0.0)) == added
    # What comes meanwhile is younger, and has its turn after them.
    later = messages.contribution(7)
    for each in added:
        outbox.answered(each.id, "acknowledged")
    outbox.add(later)
    assert list(outbox.to_send(0.1)) == [*taken_back, later]


def test_an_answer_is_news_once_and_only_to_what_is_owed() -> None:
    outbox = Outbox(2, OVERDUE_S)
    outbox.add(contribution(1))
    name = contribution(1).id
    assert not outbox.answered(contribution(2).id, "acknowledged")
    assert [outbox.answered(name, "rejected") for _ in range(2)] == [True, False]
    # A controller may find out later that it can take it after all.
    assert [outbox.answered(name, "acknowledged") for _ in range(2)] == [True, False]
    outbox.drop(name)
    assert not outbox.answered(name, "acknowledged")


def test_something_rejected_is_not_sent_again_before_the_next_connection() -> None:
    outbox = Outbox(2, OVERDUE_S)
    outbox.add(contribution(1))
    assert list(outbox.to_send(0.0)) == [contribution(1)]
    assert outbox.answered(contribution(1).id, "rejected")
    assert list(outbox.to_repeat(100.0)) == []
    outbox.begin_again()
    assert list(outbox.to_send(101.0)) == [contribution(1)]


# ── backoff ──────────────────────────────────────────────────────────────────


def test_brokers_are_tried_less_and_less_often_until_one_has_served() -> None:
    backoff = Backoff(0.5, 4.0, lambda: 1.0)
    assert [backoff.next_s(0.0) for _ in range(6)] == [0.5, 1.0, 2.0, 4.0, 4.0, 4.0]
    # A broker that drops everybody after a moment is no better than one that refuses.
    assert backoff.next_s(1.0) == 4.0
    assert [backoff.next_s(60.0), backoff.next_s(0.0)] == [0.5, 1.0]


def test_tables_do_not_knock_in_step() -> None:
    factors = iter([0.5, 1.5])
    backoff = Backoff(1.0, 4.0, lambda: next(factors))
    assert [backoff.next_s(0.0), backoff.next_s(0.0)] == [0.5, 3.0]


# ── problems ─────────────────────────────────────────────────────────────────


def _from_aiomqtt(cause: OSError) -> aiomqtt.MqttError:
    """Make the error that aiomqtt makes of what a socket raises."""
    try:
        try:
            raise cause
        except OSError as error:
            raise aiomqtt.MqttError(str(error)) from None
    except aiomqtt.MqttError as error:
        return error


@pytest.mark.parametrize(
    ("cause", "sentence"),
    [
        (
            ConnectionRefusedError(111, "Connection refused"),
            "no broker answers at one:1883 (connec",
        ),
        (TimeoutError("timed out"), "no broker answers at one:1883 (timed out)"),
        (
            OSError(errno.EHOSTUNREACH, "No route to host"),
            "no broker answers at one:1883 (no route to it: check the cable and the network)",
        ),
        (OSError(errno.ENETDOWN, "Network is down"), "(no route to it: check the cable"),
        (socket.gaierror(-2, "Name or service not known"), "the name one is not known"),
        (ConnectionResetError(104, "reset"), "the broker at one:1883 broke off"),
        (OSError(errno.EACCES, "Permission denied"), "at one:1883 (permission denied)"),
    ],
)
def test_cable_power_and_name_are_told_apart(cause: OSError, sentence: str) -> None:
    assert sentence in problem_of(_from_aiomqtt(cause), ONE, "").words


def test_a_broker_that_refuses_the_version_names_the_setting() -> None:
    refusal = aiomqtt.exceptions.MqttConnectError(1)
    words = problem_of(refusal, ONE, "").words
    assert words.endswith("does not speak this version of MQTT: set protocol")


def test_a_texts_line_breaks_and_controls_do_not_reach_a_display() -> None:
    assert printable("Tisch\r\n5\x1b[2J über – 5 €") == "Tisch?5?[2J über – 5 ?"
    assert len(printable("x" * 1_000)) == LONGEST
