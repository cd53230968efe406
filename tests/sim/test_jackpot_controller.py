"""The jackpot controller as tables meet it: its own process, on both brokers.

Each test has its own database and topics' root; the broker is shared where it lives
through the test. Time limits only guard against hanging.
"""

import signal
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from firmware.link.messages import Acknowledgement, AwardMessage
from sim.broker import Broker, EmbeddedBroker, Mosquitto, mosquitto_path
from sim.jackpot.controller import main
from sim.jackpot.store import Totals
from tests.sim.links import ROYAL, Link, Table, arguments, client, contribution, win

BROKERS = pytest.mark.parametrize("kind", [EmbeddedBroker, Mosquitto], scope="module")


def skip_without(kind: type[Broker]) -> None:
    """Say loudly what is not tested on this machine."""
    if kind is Mosquitto and mosquitto_path() is None:
        pytest.skip("NOT TESTED ON MOSQUITTO: it is not installed (apt-get install mosquitto)")


@pytest.fixture(scope="module")
def broker(kind: type[Broker], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """Run a broker for the tests that leave it alone."""
    skip_without(kind)
    with kind(tmp_path_factory.mktemp("broker")) as running:
        yield running


@pytest.fixture
def link(broker: Broker, tmp_path: Path) -> Iterator[Link]:
    """Make a link of its own, with a controller that is not started yet."""
    with Link(broker, tmp_path) as made:
        yield made


@BROKERS
def test_a_contribution_is_acknowledged_as_often_as_it_is_sent_and_counts_once(link: Link) -> None:
    async def scenario(table: Table) -> None:
        assert await table.meter(1) == 10_000_000
        for _ in range(3):
            await table.send(contribution(1))
            assert await table.answer() == Acknowledgement(id="T1.j.1.1")
        assert await table.meter(2) == 10_000_125

    link.play(scenario)
    assert link.totals().contributions == 1


@BROKERS
def test_a_win_has_its_award_before_its_acknowledgement(link: Link) -> None:
    async def scenario(table: Table) -> None:
        await table.send(contribution(1))
        await table.answer()
        for _ in range(2):
            await table.send(win(2, ROYAL))
            assert await table.answer() == AwardMessage(id="T1.j.2.1", amount_cents=10_000_125)
            assert await table.answer() == Acknowledgement(id="T1.j.2.1")
        assert await table.meter(3) == 10_000_000

    link.play(scenario)
    assert link.totals().awarded_cents == 10_000_125


@BROKERS
def test_a_killed_controller_loses_and_doubles_nothing(link: Link) -> None:
    owed = [contribution(number) for number in range(1, 41)]

    async def scenario(table: Table) -> None:
        await table.send(*owed[:10])
        await table.answer()
        link.end(signal.SIGKILL)
        await table.until_status(online=False)
        await table.send(*owed[10:20])
        link.start()
        await table.until_status(online=True)
        await table.send(*owed)
        missing = {each.id for each in owed}
        while missing:
            missing.discard((await table.answer()).id)
        # Answers of the first life may stand in for those of the second; one more cannot.
        await table.send(contribution(41))
        while (await table.answer()).id != "T1.j.41.1":
            pass
        assert await table.meter(42) == 10_005_125

    link.play(scenario)
    totals = link.totals()
    assert (totals.contributions, totals.stakes_cents) == (41, 41 * 500)


BAD = {
    "empty": b"",
    "not JSON": b"\xff\x00{",
    "another message": b'{"message":"meter","meter_cents":1,"sequence":1}',
    "half a contribution": b'{"message":"contribution","id":"T1.j.9.1"}',
    "a number beyond reading": b'{"message":"contribution","id":' + b"9" * 5_000 + b"}",
    "nested": b"[" * 100_000,
    "another table's": msgspec.json.encode(msgspec.structs.replace(contribution(9), table="T2")),
    "negative": msgspec.json.encode(msgspec.structs.replace(contribution(9), stake_cents=-500)),
    "no such tier": msgspec.json.encode(win(9, msgspec.structs.replace(ROYAL, tier="joker"))),
}


@BROKERS
def test_a_bad_document_is_dropped_and_the_next_one_served(link: Link) -> None:
    async def scenario(table: Table) -> None:
        for payload in BAD.values():
            await table.say(payload)
        await table.send(contribution(1))
        assert await table.answer() == Acknowledgement(id="T1.j.1.1")

    link.play(scenario)
    assert link.totals() == Totals(1, 500, 1_250_000, 0, 0, 0)
    assert link.log.read_text(encoding="utf-8").count("is dropped") == len(BAD)


@BROKERS
def test_a_controller_that_is_told_to_stop_says_so(link: Link) -> None:
    async def scenario(table: Table) -> None:
        assert link.end(signal.SIGTERM) == 0
        await table.until_status(online=False)
        async with client(link) as late:
            await late.subscribe(table.topics.controller, qos=1)
            at_the_late = Table(table.topics, late)
            await at_the_late.until_status(online=False)

    link.play(scenario)


@pytest.mark.parametrize("kind", [EmbeddedBroker, Mosquitto])
def test_a_controller_outlives_its_broker(kind: type[Broker], tmp_path: Path) -> None:
    skip_without(kind)

    async def before(table: Table) -> None:
        await table.send(contribution(1))
        await table.answer()

    async def after(table: Table) -> None:
        await table.send(contribution(1), contribution(2))
        assert await table.answer() == Acknowledgement(id="T1.j.1.1")
        assert await table.answer() == Acknowledgement(id="T1.j.2.1")
        assert await table.meter(3) == 10_000_250

    with kind(tmp_path) as broker, Link(broker, tmp_path) as link:
        link.play(before)
        broker.kill()
        broker.start()
        link.join(after)
        assert link.end(signal.SIGINT) == 0
        assert link.totals().contributions == 2


def test_a_controller_without_a_broker_can_be_stopped(tmp_path: Path) -> None:
    with Link(EmbeddedBroker(tmp_path), tmp_path) as link:
        link.start()
        while not link.log.exists() or "the broker is away" not in link.log.read_text():
            assert link.controller is not None
            assert link.controller.poll() is None
        assert link.end(signal.SIGTERM) == 0


@pytest.mark.parametrize(
    ("changed", "names"),
    [
        (["--broker=nowhere"], "'nowhere' is not HOST:PORT"),
        (["--broker=host:99999"], "'host:99999' is not HOST:PORT"),
        (["--root=a/#"], "'a/#' cannot begin a topic"),
        (["--game=snap"], "unknown game 'snap'"),
        (["--reset-cents=-1"], "reset_cents: -1"),
        (["--reset-cents=much"], "--reset-cents"),
        (["--rate-basis-points=10001"], "rate_basis_points: 10001"),
        (["--database=/no/such/folder/jackpot.db"], "/no/such/folder/jackpot.db"),
        (["--colour=red"], "--colour=red"),
    ],
)
def test_bad_arguments_are_one_sentence_and_exit_2(
    changed: list[str], names: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = [*arguments(tmp_path / "jackpot.db"), "--broker=127.0.0.1:1883"]
    with pytest.raises(SystemExit) as ended:
        main([*good, *changed])
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert names in said
    assert said.count("\n") == 1
