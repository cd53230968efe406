"""Card images against the controller's books: only the unit that continues a journal is accepted.

Real journals in folders, copied as a card would be; the controller's desk without a broker.
"""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from firmware.journal.seals import KEY_FILE, OwnKey
from firmware.link.health import Health
from firmware.link.hearing import Hearing
from firmware.link.outbox import Outbox
from firmware.link.settings import LinkSettings
from firmware.link.stats import LinkStats
from firmware.protocol.fault_catalogue import FAULTS
from firmware.protocol.messages import (
    ControllerStatus,
    GoesOn,
    HeadAsked,
    Proof,
    SignedHead,
    TableStatus,
    Topics,
    UnitAccepted,
    UnitRefused,
    signed_text,
)
from firmware.protocol.obligations import sequence_of
from firmware.shell.inbox import Arrival
from firmware.shell.runtime import Runtime
from firmware.table.events import ClockJudged, Event, FaultNoticed, WentOn
from firmware.table.settings import TableSettings
from host_tools.journal.heads import kept_heads
from host_tools.journal.times import local_time
from host_tools.journal.verify import VerifyResult, verify_journal
from sim.jackpot_controller.commands import (
    Command,
    CommandKind,
    record_command,
    result,
    run_commands,
)
from sim.jackpot_controller.controller import HEARTBEAT_S
from sim.jackpot_controller.desk import LinkDesk
from sim.jackpot_controller.liveness import PATIENCE
from sim.jackpot_controller.schema import transaction
from sim.jackpot_controller.store import JackpotLinkSettings, Store
from sim.jackpot_controller.unit_orders import UnitOrder
from tests.link.ends import KeepingShell
from tests.sim.jackpot_messages import contribution

NOW = datetime(2026, 1, 1, 20, tzinfo=UTC)
LINK = JackpotLinkSettings("rws-casino-stud", 10_000_000, 2_500)
TOPICS = Topics("underfelt")
SETTINGS = TableSettings(
    name="T1",
    game="rws-casino-stud",
    seats=5,
    ante_min_cents=2_500,
    ante_max_cents=100_000,
    jackpot_bet_cents=500,
)


class Unit:
    """A unit: a card in a box that is switched on."""

    def __init__(self, card: Path, boot: str) -> None:
        card.mkdir(exist_ok=True)
        self.runtime = Runtime(SETTINGS, card)
        self.boot = boot
        self.connection = "1"
        self.proof: Proof | None = None

    @property
    def journal(self) -> str:
        """The id of its journal."""
        return self.runtime.table.state.journal

    def goes_on(self, records: int) -> None:
        """Write something down, so many times."""
        for _ in range(records):
            clock = self.runtime.table.state.clock
            event = ClockJudged(at_ms=1, quality="free" if clock != "free" else "synchronised")
            self.runtime.handle(Arrival(event))

    def status(self, *, online: bool = True) -> TableStatus:
        """Make what it says of itself, or the broker of it."""
        return TableStatus(
            table="T1",
            journal=self.journal,
            online=online,
            game=SETTINGS.game,
            boot=self.boot,
            connection=self.connection,
            head=self.runtime.heads.signed(self.boot, self.connection, online=online),
            proof=self.proof,
            waits=online,
        )


class House:
    """The controller's desk, and a clock that the test puts forward."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.now = NOW
        self.desk = LinkDesk(Store.open(path, LINK))
        self.said: list[msgspec.Struct] = []
        """What the last command had said."""

    def hears(self, status: TableStatus, *, retained: bool = False) -> list[msgspec.Struct]:
        """Take a status, and give what its unit is answered."""
        payload = msgspec.json.encode(status)
        out = self.desk.take(TOPICS.status("T1"), payload, self.now, retained=retained)
        return [each.document for each in out if each.topic == TOPICS.answer("T1")]

    def orders(self, kind: str, journal: str) -> str | None:
        """Give a command of the house, carry it out, and return what came of it."""
        database = self.desk.store.database
        given = Command("underfelt", msgspec.convert(kind, CommandKind), "T1", journal, "300")
        number = record_command(database, given, self.now)
        self.said = [each.document for each in run_commands(self.desk, self.now)]
        return result(database, number)

    def connects(self, unit: Unit, *others: Unit) -> msgspec.Struct | None:
        """Let a unit say its status; it, and others that are switched on, prove what is asked."""
        answers = self.hears(unit.status())
        for asked in answers:  # an answer may lead to another question
            for each in (unit, *others):
                if isinstance(asked, HeadAsked) and each.boot == asked.boot:
                    each.proof = each.runtime.heads.proved(asked)
                    answers.extend(self.hears(each.status()))
        mine = [a for a in answers if not isinstance(a, HeadAsked) and _boot(a) == unit.boot]
        return mine[0] if mine else None

    def waits(self, unit: Unit, *others: Unit) -> msgspec.Struct | None:
        """Let a unit say its status every 5 s until it is answered, as a table does."""
        for _ in range(4):
            answer = self.connects(unit, *others)
            if answer is not None:
                return answer
            self.now += timedelta(seconds=5)
        return None

    def restarts(self) -> None:
        """Start the controller again on its books."""
        self.desk.write()
        self.desk.store.close()
        self.desk = LinkDesk(Store.open(self.path, LINK))


def _boot(answer: msgspec.Struct) -> str:
    """Return which start is meant."""
    return str(getattr(answer, "boot", ""))


class Floor(NamedTuple):
    """A controller, and the folders of a card and of its copy."""

    house: House
    card: Path
    copy: Path


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Floor]:
    house = House(tmp_path / "books.db")
    yield Floor(house, tmp_path / "card", tmp_path / "copy")
    house.desk.store.close()


def switched_off(house: House, unit: Unit) -> None:
    """Switch a unit off; the broker says its last will."""
    house.hears(unit.status(online=False))
    unit.runtime.close()


def test_a_restarted_unit_proves_that_it_continues_its_journal_and_is_accepted(
    floor: Floor,
) -> None:
    unit = Unit(floor.card, "a")
    assert isinstance(floor.house.connects(unit), UnitAccepted)
    unit.goes_on(3)
    floor.house.hears(unit.status())
    unit.goes_on(2)  # the controller does not hear of these
    switched_off(floor.house, unit)
    floor.house.restarts()
    again = Unit(floor.card, "b")
    assert isinstance(floor.house.hears(again.status())[0], HeadAsked)
    assert floor.house.connects(again) == UnitAccepted(
        journal=again.journal, boot="b", books=floor.house.desk.store.ledger.books
    )
    again.runtime.close()


@pytest.mark.parametrize("played_on", [0, 30])
def test_an_older_image_of_the_card_is_refused_however_long_it_was_played_on(
    floor: Floor, played_on: int
) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    shutil.copytree(floor.card, floor.copy)
    unit.goes_on(9)
    floor.house.hears(unit.status())
    switched_off(floor.house, unit)
    image = Unit(floor.copy, "b")
    image.goes_on(played_on)
    refused = floor.house.connects(image)
    assert isinstance(refused, UnitRefused)
    assert refused.boot == "b"
    assert ("are missing" if not played_on else "not the one that the books know") in refused.reason
    image.runtime.close()


def test_of_two_units_with_one_image_the_second_is_refused_and_the_first_goes_on(
    floor: Floor,
) -> None:
    unit = Unit(floor.card, "a")
    unit.runtime.close()
    shutil.copytree(floor.card, floor.copy)
    first, second = Unit(floor.card, "a"), Unit(floor.copy, "b")
    second.goes_on(4)
    assert isinstance(floor.house.connects(first), UnitAccepted)
    assert isinstance(floor.house.connects(second), UnitRefused)
    # Its last will does not take the first one off the link.
    floor.house.hears(second.status(online=False))
    assert floor.house.desk.units.statuses["T1"] is not None
    assert floor.house.desk.units.statuses["T1"].online
    first.goes_on(1)
    assert isinstance(floor.house.connects(first), UnitAccepted)
    for each in (first, second):
        each.runtime.close()


def test_a_copy_of_a_running_unit_waits_for_its_end_and_is_refused_if_that_does_not_come(
    floor: Floor,
) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    shutil.copytree(floor.card, floor.copy)
    copied = Unit(floor.copy, "b")
    for _ in range(3):  # and however often it tries
        begun = floor.house.now
        refused = floor.house.waits(copied, unit)
        assert isinstance(refused, UnitRefused)
        assert refused.reason == f"another unit with journal {unit.journal} is on the link"
        assert floor.house.now - begun >= PATIENCE
        assert isinstance(floor.house.connects(unit), UnitAccepted)
        floor.house.now += timedelta(seconds=30)
    for each in (unit, copied):
        each.runtime.close()


@pytest.mark.parametrize("restarted", [False, True])
def test_a_unit_whose_last_will_was_lost_with_the_broker_s_power_is_accepted_when_it_is_back(
    floor: Floor, *, restarted: bool
) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    last = unit.status()
    unit.runtime.close()
    if restarted:
        floor.house.restarts()
    # The broker has kept that the unit is online, and says so whenever the controller connects.
    floor.house.hears(last, retained=True)
    again = Unit(floor.card, "b")
    begun = floor.house.now
    assert floor.house.connects(again) is None
    floor.house.now += timedelta(seconds=5)
    floor.house.hears(last, retained=True)
    assert isinstance(floor.house.waits(again), UnitAccepted)
    assert floor.house.now - begun >= PATIENCE
    again.runtime.close()


def test_a_copy_that_asks_seldom_is_not_accepted_beside_a_unit_that_answers(floor: Floor) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    shutil.copytree(floor.card, floor.copy)
    copied = Unit(floor.copy, "b")
    for _ in range(6):
        answer = floor.house.connects(copied, unit)
        assert answer is None or isinstance(answer, UnitRefused)
        floor.house.now += timedelta(seconds=10.6)
    for each in (unit, copied):
        each.runtime.close()


def beats(house: House, seconds: float, *units: Unit) -> None:
    """Let time pass; with each heartbeat the controller asks again, and units answer."""
    end = house.now + timedelta(seconds=seconds)
    while house.now + timedelta(seconds=HEARTBEAT_S) <= end:
        house.now += timedelta(seconds=HEARTBEAT_S)
        for each in house.desk.asked_again(house.now):
            asked = each.document
            assert isinstance(asked, HeadAsked)
            for unit in units:
                if unit.boot == asked.boot:
                    unit.proof = unit.runtime.heads.proved(asked)
                    house.hears(unit.status())
    house.now = end


@pytest.mark.parametrize("delay_s", [0.0, 0.5, 29.0])
@pytest.mark.parametrize("restarted", [False, True])
def test_7_9_a_start_that_was_refused_is_accepted_when_it_next_asks_after_the_known_one_is_gone(
    floor: Floor, delay_s: float, *, restarted: bool
) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    shutil.copytree(floor.card, floor.copy)
    copied = Unit(floor.copy, "b")
    assert isinstance(floor.house.waits(copied, unit), UnitRefused)
    unit.runtime.close()  # without a last will
    if restarted:
        floor.house.restarts()
    beats(floor.house, 30 + delay_s)  # so seldom a table asks that was refused
    assert floor.house.connects(copied) is None
    beats(floor.house, 30 + delay_s)
    assert isinstance(floor.house.connects(copied), UnitAccepted)
    copied.runtime.close()


def test_7_9_a_start_that_asks_seldom_and_asks_on_does_not_begin_to_wait_anew(
    floor: Floor,
) -> None:
    """Without a heartbeat: what is asked again is asked only when the start asks that waits."""
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    unit.runtime.close()
    again = Unit(floor.card, "b")
    for _ in range(2):
        assert floor.house.connects(again) is None
        floor.house.now += timedelta(seconds=30.5)
    assert isinstance(floor.house.connects(again), UnitAccepted)
    again.runtime.close()


def test_7_9_the_known_start_is_asked_a_second_time_before_it_is_gone(floor: Floor) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    shutil.copytree(floor.card, floor.copy)
    copied = Unit(floor.copy, "b")
    assert floor.house.connects(copied) is None  # the first question is lost
    beats(floor.house, 30, unit)
    assert isinstance(floor.house.connects(copied), UnitRefused)
    for each in (unit, copied):
        each.runtime.close()


def test_7_9_the_house_can_let_an_older_copy_go_on_that_asks_seldom(floor: Floor) -> None:
    unit = lost_records(floor, told=False)
    for _ in range(2):
        assert isinstance(floor.house.connects(unit), UnitRefused)
        beats(floor.house, 30.5)
    assert floor.house.orders("accept-unit", unit.journal) == "carried out"
    assert isinstance(floor.house.connects(unit), UnitAccepted)
    unit.runtime.close()


def test_a_stranger_with_another_key_takes_nobody_off_the_link_and_is_not_accepted_by_order(
    floor: Floor,
) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    shutil.copytree(floor.card, floor.copy)
    unit.goes_on(3)
    floor.house.hears(unit.status())
    (floor.copy / KEY_FILE).unlink()
    stranger = Unit(floor.copy, "s")
    for _ in range(4):
        assert isinstance(floor.house.connects(stranger), UnitRefused)
        floor.house.now += timedelta(seconds=10.6)
    status = floor.house.desk.units.statuses["T1"]
    assert status is not None
    assert status.online
    stranger.runtime.close()
    # A start with the journal's own key is the one that the house means.
    switched_off(floor.house, unit)
    shutil.copy(floor.card / KEY_FILE, floor.copy / KEY_FILE)
    older = Unit(floor.copy, "b")
    assert isinstance(floor.house.connects(older), UnitRefused)
    forged = replace(stranger.status(), boot="t")
    floor.house.hears(forged)
    assert floor.house.orders("accept-unit", unit.journal) == "carried out"
    assert isinstance(floor.house.connects(older), UnitAccepted)
    older.runtime.close()


def test_what_a_unit_said_just_before_its_end_is_no_answer(floor: Floor) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    last = unit.status()
    unit.runtime.close()
    again = Unit(floor.card, "b")
    assert floor.house.connects(again) is None
    floor.house.hears(last)  # a busy broker delivers it after what was said later
    assert isinstance(floor.house.waits(again), UnitAccepted)
    again.runtime.close()


def said_again(house: House, unit: Unit, captured: TableStatus) -> msgspec.Struct | None:
    """Let a unit ask while somebody says a status again every second that he has heard once."""
    for _ in range(4):
        answer = house.connects(unit)
        if answer is not None:
            return answer
        for _ in range(5):
            house.now += timedelta(seconds=1)
            house.hears(captured)
    return None


@pytest.mark.parametrize("asked", [False, True])
def test_7_9_a_status_that_somebody_says_again_does_not_keep_the_restarted_unit_out(
    floor: Floor, *, asked: bool
) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    if asked:  # what is captured is the answer to an earlier question
        shutil.copytree(floor.card, floor.copy)
        copied = Unit(floor.copy, "c")
        assert isinstance(floor.house.waits(copied, unit), UnitRefused)
        copied.runtime.close()
    captured = unit.status()
    unit.runtime.close()
    again = Unit(floor.card, "b")
    assert isinstance(said_again(floor.house, again, captured), UnitAccepted)
    # Nor does it come back later.
    floor.house.hears(captured)
    assert floor.house.desk.units.start_of("T1", again.journal) == "b"
    assert isinstance(floor.house.connects(again), UnitAccepted)
    again.runtime.close()


def test_7_9_a_status_that_somebody_says_again_does_not_keep_the_house_from_its_order(
    floor: Floor,
) -> None:
    unit = Unit(floor.card, "a")
    earlier = unit.status()
    switched_off(floor.house, unit)
    shutil.copytree(floor.card, floor.copy)
    unit = Unit(floor.card, "b")
    unit.goes_on(5)
    floor.house.connects(unit)
    captured = unit.status()
    unit.runtime.close()
    older = Unit(floor.copy, "c")
    for _ in range(4):
        assert isinstance(floor.house.connects(older), UnitRefused)
        floor.house.now += timedelta(seconds=5)
        for said in (captured, earlier):  # the known start, and one that nobody has refused
            floor.house.hears(said)
    assert floor.house.orders("accept-unit", older.journal) == "carried out"
    assert isinstance(floor.house.connects(older), UnitAccepted)
    older.runtime.close()


def test_7_9_a_known_start_that_did_not_answer_in_time_is_believed_when_it_answers(
    floor: Floor,
) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    shutil.copytree(floor.card, floor.copy)
    unit.goes_on(3)
    floor.house.hears(unit.status())
    older = Unit(floor.copy, "b")
    assert isinstance(floor.house.waits(older), UnitRefused)
    for _ in range(2):
        floor.house.now += timedelta(seconds=5)
        floor.house.connects(older)
    status = floor.house.desk.units.statuses["T1"]
    assert status is not None
    assert not status.online
    (asked,) = floor.house.hears(unit.status())
    assert isinstance(asked, HeadAsked)
    assert isinstance(floor.house.connects(unit), UnitAccepted)
    assert "is on the link" in (floor.house.orders("accept-unit", unit.journal) or "")
    for each in (unit, older):
        each.runtime.close()


def test_7_8_only_a_signed_answer_to_the_question_itself_is_an_answer(floor: Floor) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    switched_off(floor.house, unit)
    again = Unit(floor.card, "b")
    (asked,) = floor.house.hears(again.status())
    assert isinstance(asked, HeadAsked)
    proof = again.runtime.heads.proved(asked)
    other = again.runtime.heads.proved(replace(asked, nonce="x"))
    for wrong in (other, replace(other, nonce=asked.nonce), replace(proof, chain="x" * 64)):
        again.proof = wrong
        assert floor.house.hears(again.status()) == [asked]
    again.proof = proof
    assert floor.house.hears(again.status(), retained=True) == [asked]
    assert isinstance(floor.house.hears(again.status())[0], UnitAccepted)
    again.runtime.close()


def test_an_order_of_the_house_does_not_wait_for_a_last_will_that_was_lost(floor: Floor) -> None:
    unit = lost_records(floor, told=False)
    assert isinstance(floor.house.connects(unit), UnitRefused)
    assert "is on the link" in (floor.house.orders("accept-unit", unit.journal) or "")
    for _ in range(2):
        floor.house.now += PATIENCE / 2
        assert isinstance(floor.house.connects(unit), UnitRefused)
    assert floor.house.orders("accept-unit", unit.journal) == "carried out"
    assert isinstance(floor.house.connects(unit), UnitAccepted)
    unit.runtime.close()


def test_a_unit_that_comes_back_before_its_last_will_is_accepted_after_it(floor: Floor) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    gone = unit.status(online=False)
    unit.runtime.close()
    again = Unit(floor.card, "b")
    assert floor.house.connects(again) is None
    floor.house.hears(gone)
    assert isinstance(floor.house.connects(again), UnitAccepted)
    again.runtime.close()


def test_a_head_that_another_key_has_signed_is_refused(floor: Floor) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    forged = unit.status()
    assert forged.head is not None
    key = OwnKey(b"x" * 32)
    text = signed_text("T1", unit.journal, "a", forged.connection, forged.head)
    for head in (
        replace(forged.head, signature=key.sign(text)),
        replace(forged.head, key=key.public, signature=key.sign(text)),
        replace(forged.head, key="?", signature="?"),
    ):
        (refused,) = floor.house.hears(replace(forged, head=head))
        assert isinstance(refused, UnitRefused)
        assert "sign" in refused.reason
    (refused,) = floor.house.hears(replace(forged, head=None))
    assert isinstance(refused, UnitRefused)
    switched_off(floor.house, unit)
    (floor.card / KEY_FILE).unlink()
    other = Unit(floor.card, "b")
    assert isinstance(floor.house.connects(other), UnitRefused)
    other.runtime.close()


def test_books_from_before_heads_refuse_a_journal_that_ends_before_what_they_have(
    floor: Floor,
) -> None:
    unit = Unit(floor.card, "a")
    owed = contribution(1)
    owed = replace(owed, id=f"T1.{unit.journal}.20.1")
    floor.house.desk.take(TOPICS.owed("T1"), msgspec.json.encode(owed), NOW)
    refused = floor.house.connects(unit)
    assert isinstance(refused, UnitRefused)
    last = unit.runtime.table.state.sequence
    assert refused.reason == (
        f"its journal ends with record {last}, but the books know 20: "
        f"records {last + 1} to 20 are missing"
    )
    unit.goes_on(20 - last)
    assert isinstance(floor.house.connects(unit), UnitAccepted)
    unit.runtime.close()


def test_a_status_that_was_overtaken_on_its_way_changes_nothing(floor: Floor) -> None:
    unit = Unit(floor.card, "a")
    late = unit.status()
    unit.goes_on(5)
    assert isinstance(floor.house.connects(unit), UnitAccepted)
    assert isinstance(floor.house.hears(late)[0], UnitAccepted)
    switched_off(floor.house, unit)
    again = Unit(floor.card, "b")
    (asked,) = floor.house.hears(again.status())
    assert isinstance(asked, HeadAsked)
    assert asked.record == again.runtime.table.state.sequence - 1
    again.runtime.close()


# A table that goes on although records are missing


def events_of(unit: Unit, *answers: UnitRefused | UnitAccepted) -> list[Event]:
    """Let the table's link hear answers, and give the events that come of the last one."""
    shell, outbox = KeepingShell(), Outbox(8, 5.0)
    hearing = Hearing(
        TOPICS,
        shell,
        table="T1",
        journal=unit.journal,
        boot=unit.boot,
        ask=lambda _: None,
        game=SETTINGS.game,
        outbox=outbox,
        health=Health(LinkSettings(host="one"), outbox, lambda *_: None, 0.0),
        stats=LinkStats(),
    )
    books = [each.books for each in answers if isinstance(each, UnitAccepted)]
    online = ControllerStatus(online=True, books=books[-1] if books else "")
    hearing.take(TOPICS.controller, msgspec.json.encode(online), now_s=0.0)
    for answer in answers:
        before = len(shell.events)
        hearing.take(TOPICS.answer("T1"), msgspec.json.encode(answer), now_s=0.0)
    return shell.events[before:]


def lost_records(floor: Floor, *, told: bool = True) -> Unit:
    """Lose records that the controller knows of, and start on what is left.

    Whether the broker has told the unit's last will depends on whether it still had power.
    """
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    shutil.copytree(floor.card, floor.copy)
    unit.goes_on(30)
    floor.house.hears(unit.status())
    owed = replace(contribution(1), id=f"T1.{unit.journal}.33.1", round=7)
    floor.house.desk.take(TOPICS.owed("T1"), msgspec.json.encode(owed), NOW)
    if told:
        switched_off(floor.house, unit)
    else:
        unit.runtime.close()
    return Unit(floor.copy, "b")


def test_the_house_lets_a_table_go_on_from_what_is_in_the_books(floor: Floor) -> None:
    unit = lost_records(floor)
    refused = floor.house.connects(unit)
    assert isinstance(refused, UnitRefused)
    for event in events_of(unit, refused):
        unit.runtime.handle(Arrival(event))
    assert floor.house.orders("accept-unit", unit.journal) == "carried out"
    for _ in range(2):  # said until the table has heard it
        accepted = floor.house.connects(unit)
        assert isinstance(accepted, UnitAccepted)
        assert accepted.goes_on == GoesOn(
            through=33, round=7, contributions=1, contributed_cents=500, by="300"
        )
    assert isinstance(accepted, UnitAccepted)
    heard = events_of(unit, refused, accepted)
    assert [type(event) for event in heard] == [WentOn, FaultNoticed]
    for event in heard:
        unit.runtime.handle(Arrival(event))
    state = unit.runtime.table.state
    assert (state.totals.contributions, state.totals.contributed_cents) == (1, 500)
    assert state.round.number == 7
    assert min(map(sequence_of, state.owed)) > 33
    assert FAULTS["journal_damaged"].lock == "table"
    assert "journal_damaged the books" in state.faults
    # From now on it is the journal that the books know.
    assert floor.house.hears(replace(unit.status(), waits=False)) == []
    switched_off(floor.house, unit)
    again = Unit(floor.copy, "c")
    accepted = floor.house.connects(again)
    assert isinstance(accepted, UnitAccepted)
    assert accepted.goes_on is None
    again.runtime.close()


def test_the_order_is_told_at_once_and_a_controller_that_restarts_still_knows_it(
    floor: Floor,
) -> None:
    unit = lost_records(floor)
    refused = floor.house.connects(unit)
    assert isinstance(refused, UnitRefused)
    assert floor.house.orders("accept-unit", unit.journal) == "carried out"
    (told,) = floor.house.said
    assert isinstance(told, UnitAccepted)
    assert (told.boot, told.goes_on and told.goes_on.through) == ("b", 33)
    floor.house.desk.store.close()
    again = House(floor.house.path)
    accepted = again.connects(unit)
    assert accepted == told
    record = unit.status().head.record  # type: ignore[union-attr]
    assert again.hears(replace(unit.status(), waits=False)) == [], "anybody can say that of it"
    for event in (*events_of(unit, refused), *events_of(unit, refused, told)):
        unit.runtime.handle(Arrival(event))  # it has written the order down
    assert again.hears(replace(unit.status(), waits=False)) == []
    (row,) = again.desk.store.database.execute(
        "SELECT boot, through, staff, record, heard_at FROM unit_order"
    )
    assert row == ("b", 33, "300", record, again.now.isoformat())
    # It was for that start: another older copy needs another order.
    switched_off(again, unit)
    shutil.rmtree(floor.copy)
    shutil.copytree(floor.card, floor.copy)
    other = Unit(floor.copy, "c")
    assert isinstance(again.connects(other), UnitRefused)
    other.runtime.close()
    again.desk.store.close()


def let_go_on(floor: Floor) -> Unit:
    """Let a unit that lacks records go on, by order, and be heard again after that."""
    unit = lost_records(floor)
    refused = floor.house.connects(unit)
    assert isinstance(refused, UnitRefused)
    floor.house.orders("accept-unit", unit.journal)
    accepted = floor.house.connects(unit)
    assert isinstance(accepted, UnitAccepted)
    for event in (*events_of(unit, refused), *events_of(unit, refused, accepted)):
        unit.runtime.handle(Arrival(event))
    unit.goes_on(10)
    floor.house.hears(replace(unit.status(), waits=False))
    floor.house.desk.write()
    return unit


def verified(floor: Floor, folder: Path) -> VerifyResult:
    """Verify a journal against the controller's books."""
    return verify_journal(folder, kept=partial(kept_heads, floor.house.path, ""))


def test_verify_tells_by_whose_order_a_journal_goes_on_without_records(floor: Floor) -> None:
    unit = let_go_on(floor)
    verdict = verified(floor, floor.copy)
    assert verdict.sound
    assert (
        f"By order of 300 ({local_time(1_767_297_600_000)}) {floor.house.path} lets it go on without "
        "the records from 2 to 33 that it had heard of."
    ) in verdict.sentence
    assert f"Up to record {unit.status().head.record} it agrees with " in verdict.sentence  # type: ignore[union-attr]
    # The card that was put aside is no longer the journal of the books.
    assert not verified(floor, floor.card).sound
    unit.runtime.close()


def test_an_order_excuses_no_change_after_it_and_none_before_the_missing_records(
    floor: Floor,
) -> None:
    unit = let_go_on(floor)
    unit.runtime.close()
    database = floor.house.desk.store.database
    (number,) = database.execute("SELECT max(number) FROM head").fetchone()
    for changed in (number, 1):  # the newest head, and the first one
        with transaction(database):
            (chain,) = database.execute(
                "SELECT chain FROM head WHERE number = ?", (changed,)
            ).fetchone()
            set_chain = "UPDATE head SET chain = ? WHERE number = ?"
            database.execute(set_chain, ("0" * 64, changed))
        verdict = verified(floor, floor.copy)
        assert not verdict.sound
        assert "was changed" in verdict.problem
        with transaction(database):
            database.execute(set_chain, (chain, changed))
    assert verified(floor, floor.copy).sound


def test_only_a_unit_that_was_refused_is_let_go_on_and_not_beside_another(floor: Floor) -> None:
    unit = lost_records(floor)
    assert "was refused of late" in (floor.house.orders("accept-unit", unit.journal) or "")
    assert "has no unit" in (floor.house.orders("accept-unit", "x") or "")
    assert isinstance(floor.house.connects(unit), UnitRefused)
    other = Unit(floor.card, "d")
    assert isinstance(floor.house.connects(other), UnitAccepted)
    assert "is on the link" in (floor.house.orders("accept-unit", unit.journal) or "")
    for each in (unit, other):
        each.runtime.close()


# What somebody says without the key


def test_7_10_a_farewell_that_the_unit_has_not_signed_takes_nobody_off_the_link(
    floor: Floor,
) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    shutil.copytree(floor.card, floor.copy)
    status, other = unit.status(), OwnKey(b"x" * 32)
    head = status.head
    assert head is not None
    text = signed_text("T1", unit.journal, "a", status.connection, head, online=False)
    for forged in (
        None,
        head,  # of a status, which anybody has heard
        replace(head, signature="0" * 128),
        replace(head, key=other.public, signature=other.sign(text)),
    ):
        said = replace(status, online=False, waits=False, head=forged)
        assert floor.house.hears(said) == [], "the unit must not be told that it is refused"
        assert is_online(floor.house)
    copied = Unit(floor.copy, "b")
    assert floor.house.connects(copied, unit) is None, "it waits for the end of the first"
    floor.house.desk.write()
    rows = floor.house.desk.store.database.execute("SELECT kind, count, last_text FROM notice")
    told = f"{unit.journal}: its farewell is not signed with the key of its journal"
    assert ("not believed", 4, told) in rows.fetchall()
    switched_off(floor.house, unit)
    assert not is_online(floor.house)
    copied.runtime.close()


def test_7_10_a_farewell_counts_once_since_its_start_may_come_back(floor: Floor) -> None:
    unit = Unit(floor.card, "a")
    floor.house.connects(unit)
    gone = unit.status(online=False)
    floor.house.hears(gone)
    assert not is_online(floor.house)
    unit.connection = "2"
    floor.house.connects(unit)
    floor.house.hears(gone)
    assert is_online(floor.house)
    switched_off(floor.house, unit)
    assert not is_online(floor.house)


def is_online(house: House) -> bool:
    """Say whether the table's unit is on the link."""
    status = house.desk.units.statuses["T1"]
    return status is not None and status.online


def test_7_11_the_order_is_for_the_key_and_the_head_that_were_refused(floor: Floor) -> None:
    unit = lost_records(floor)
    assert isinstance(floor.house.connects(unit), UnitRefused)
    assert floor.house.orders("accept-unit", unit.journal) == "carried out"
    status, other = unit.status(), OwnKey(b"x" * 32)
    head = status.head
    assert head is not None
    evil = SignedHead(record=99, chain="f" * 64, key=other.public, signature="")
    text = signed_text("T1", unit.journal, "b", status.connection, evil)
    evil = replace(evil, signature=other.sign(text))
    (refused,) = floor.house.hears(replace(status, head=evil, waits=False))
    assert isinstance(refused, UnitRefused)
    (asked,) = floor.house.hears(status)
    assert isinstance(asked, HeadAsked), "anybody can say that again, too"
    accepted = floor.house.connects(unit)
    assert isinstance(accepted, UnitAccepted)
    assert accepted.goes_on is not None
    unit.runtime.close()


def test_7_11_an_order_is_not_for_another_journal_with_the_same_key_and_start() -> None:
    order = UnitOrder(1, "b", 33, "300", SignedHead(record=5, chain="c", key="k", signature=""))
    for record, chain, key, meant in (
        (5, "c", "k", True),
        (6, "d", "k", True),
        (5, "d", "k", False),
        (4, "c", "k", False),
        (5, "c", "x", False),
    ):
        head = SignedHead(record=record, chain=chain, key=key, signature="")
        assert order.is_for("b", head) == meant
        assert not order.is_for("a", head)
