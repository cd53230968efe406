"""TLS on a real Mosquitto that is set up by the files of `hw/broker/`, with real certificates.

Whoever has the right certificate is served and kept to his own topics; everybody else is
refused, and the table says in one sentence by whom and why.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiomqtt
import msgspec
import pytest

from firmware.errors import BadInput
from firmware.link.settings import LinkSettings
from firmware.link.tls import client_context, client_id
from firmware.protocol.messages import AwardMessage, MeterMessage
from firmware.table.events import AwardGranted, LinkChanged, MeterMoved
from sim.broker import HOST, Mosquitto, SecureMosquitto
from tests.link import certificates
from tests.link.ends import (
    BOOKS,
    JOURNAL,
    TOPICS,
    both_protocols,
    contribution,
    controller_on,
    linked,
    needs_mosquitto_here,
    run,
    settings,
    until,
)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certificates.floor(tmp_path_factory.mktemp("floor"))


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certificates.floor(tmp_path_factory.mktemp("foreign"))


@pytest.fixture(scope="module")
def broker(floor: Path) -> Iterator[SecureMosquitto]:
    needs_mosquitto_here()
    with SecureMosquitto(floor) as started:
        yield started


def refused(broker: Mosquitto, sentence: str, **chosen: Any) -> None:  # noqa: ANN401  # any setting
    """Check that a link comes to nothing, and what it says about it, everywhere it says it."""

    async def scenario() -> None:
        # Less patience than it takes to be healthy: it never is.
        async with linked(settings(broker, **chosen)) as table:
            problem = await table.until_problem(sentence)
            assert problem == table.link.stats.last_problem
            assert table.link.stats.connections == 0
            assert not any(event.healthy for event in table.shell.of(LinkChanged))

    run(scenario)


@both_protocols
def test_a_table_with_its_certificate_is_served(
    broker: SecureMosquitto, floor: Path, protocol: str
) -> None:
    async def scenario() -> None:
        tls = certificates.context(floor, "controller")
        chosen = settings(broker, protocol=protocol, **certificates.shown(floor, "T1"))
        async with controller_on(broker, tls_context=tls) as controller, linked(chosen) as table:
            table.link.send(contribution(1))
            await table.until_acknowledged(1)
            await table.until_healthy()
            await controller.say(TOPICS.meter, MeterMessage(meter_cents=3, sequence=1, books=BOOKS))
            await until(lambda: bool(table.shell.of(MeterMoved)))
            assert (table.link.stats.certificate_expires or "").endswith("+00:00")

    run(scenario)


def test_an_expired_certificate_is_refused(broker: SecureMosquitto, floor: Path) -> None:
    certificates.expired(floor, "late")
    sentence = (
        f"the broker at {HOST}:{broker.port} refused this table's certificate: it has expired"
    )
    refused(broker, sentence, **certificates.shown(floor, "late"))


def test_a_certificate_of_another_authority_is_refused(
    broker: SecureMosquitto, floor: Path, foreign: Path
) -> None:
    shown = certificates.shown(foreign, "T1") | {"ca": str(floor / "ca.crt")}
    refused(broker, "refused this table's certificate: it does not know who signed it", **shown)


def test_a_table_without_a_certificate_is_refused(broker: SecureMosquitto, floor: Path) -> None:
    sentence = "wants a certificate from this table: set certificate and key"
    refused(broker, sentence, ca=str(floor / "ca.crt"))


@both_protocols
def test_clear_text_is_refused(broker: SecureMosquitto, protocol: str) -> None:
    sentence = "closed the connection at once: if it wants TLS, set ca, certificate and key"
    refused(broker, sentence, protocol=protocol)


def test_a_broker_without_tls_is_named_as_one(floor: Path, tmp_path: Path) -> None:
    needs_mosquitto_here()
    with Mosquitto(tmp_path) as clear:
        shown = certificates.shown(floor, "T1")
        sentence = f"the broker at {HOST}:{clear.port} broke off: check whether it expects TLS"
        refused(clear, sentence, **shown)


def test_a_broker_of_another_authority_is_not_believed(
    broker: SecureMosquitto, foreign: Path
) -> None:
    sentence = "shows a certificate that `ca` has not signed"
    refused(broker, sentence, **certificates.shown(foreign, "T1"))


def test_no_authority_of_the_system_is_believed_beside_the_links_own(
    floor: Path, foreign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs_mosquitto_here()
    monkeypatch.setenv("SSL_CERT_FILE", str(foreign / "ca.crt"))
    with SecureMosquitto(foreign) as known_to_the_system:
        sentence = "shows a certificate that `ca` has not signed"
        refused(known_to_the_system, sentence, **certificates.shown(floor, "T1"))


def test_a_revoked_certificate_is_refused_and_the_others_are_not(tmp_path: Path) -> None:
    certificates.floor(tmp_path)
    certificates.make(tmp_path, "revoke", "T1")
    needs_mosquitto_here()
    with SecureMosquitto(tmp_path) as strict:
        sentence = "refused this table's certificate: it was revoked"
        refused(strict, sentence, **certificates.shown(tmp_path, "T1"))
        certificates.make(tmp_path, "client", "T1")

        async def scenario() -> None:
            async with linked(settings(strict, **certificates.shown(tmp_path, "T1"))) as table:
                await until(lambda: table.link.stats.connections == 1)

        run(scenario)


def test_a_broker_under_another_name_is_not_believed(broker: SecureMosquitto, floor: Path) -> None:
    sentence = f"the broker at localhost:{broker.port} shows a certificate for another name"
    refused(broker, sentence, host="localhost", **certificates.shown(floor, "T1"))


def test_a_broker_whose_certificate_has_expired_is_not_believed(tmp_path: Path) -> None:
    needs_mosquitto_here()
    certificates.floor(tmp_path)
    certificates.expired(tmp_path, "broker")
    with SecureMosquitto(tmp_path) as late:
        sentence = f"the certificate of the broker at {HOST}:{late.port} has expired"
        refused(late, sentence, **certificates.shown(tmp_path, "T1"))


def test_the_certificate_of_another_table_is_not_shown(
    broker: SecureMosquitto, floor: Path
) -> None:
    sentence = "T2.crt is made out to 'T2', but this table is 'T1'"
    refused(broker, sentence, **certificates.shown(floor, "T2"))


def test_a_key_that_others_can_read_is_refused_until_it_is_closed(
    broker: SecureMosquitto, tmp_path: Path, floor: Path
) -> None:
    shown = certificates.shown(floor, "T1")
    key = tmp_path / "open.key"
    key.write_bytes(Path(shown["key"]).read_bytes())
    key.chmod(0o640)
    shown["key"] = str(key)

    async def scenario() -> None:
        tls = certificates.context(floor, "controller")
        async with (
            controller_on(broker, tls_context=tls),
            linked(settings(broker, **shown)) as table,
        ):
            await table.until_problem(f"is readable by others than its owner: run chmod 600 {key}")
            key.chmod(0o600)
            await table.until_healthy()

    run(scenario)


# ── the topics ───────────────────────────────────────────────────────────────


@both_protocols
def test_a_table_is_kept_to_its_own_topics(
    broker: SecureMosquitto, floor: Path, protocol: str
) -> None:
    version = aiomqtt.ProtocolVersion.V5 if protocol == "5" else aiomqtt.ProtocolVersion.V311

    async def scenario() -> None:
        async with (
            controller_on(
                broker, tls_context=certificates.context(floor, "controller")
            ) as controller,
            aiomqtt.Client(
                HOST,
                broker.port,
                tls_context=certificates.context(floor, "T2"),
                protocol=version,
            ) as intruder,
            linked(settings(broker, **certificates.shown(floor, "T1"))) as table,
        ):
            await table.until_healthy()
            await intruder.subscribe("underfelt/#", qos=1)
            stolen = MeterMessage(meter_cents=1, sequence=10**9, books=BOOKS)
            award = AwardMessage(id=contribution(1).id, amount_cents=10**6)
            for topic, message in (
                (TOPICS.owed("T1"), contribution(1)),
                (TOPICS.answer("T1"), award),
                (TOPICS.meter, stolen),
                (TOPICS.status("T1"), stolen),
                (TOPICS.answer("T2"), award),
            ):
                await intruder.publish(topic, msgspec.json.encode(message), qos=1)
            own = msgspec.structs.replace(contribution(9), table="T2", id="T2.x.9.1")
            await intruder.publish(TOPICS.owed("T2"), msgspec.json.encode(own), qos=1)
            await until(lambda: bool(controller.heard))
            await controller.say(TOPICS.answer("T1"), b"not the intruder's")
            await controller.say(TOPICS.answer("T2"), b"yours")
            heard: list[str] = []
            async for message_heard in intruder.messages:
                heard.append(message_heard.topic.value)
                if message_heard.payload == b"yours":
                    break
            assert controller.ids() == ["T2.x.9.1"]
            await until(lambda: table.link.stats.ignored == 1)
            assert not table.shell.of(MeterMoved)
            assert not table.shell.of(AwardGranted)
            allowed = {TOPICS.answer("T2"), TOPICS.controller, TOPICS.meter, TOPICS.pending}
            assert set(heard) <= allowed

    run(scenario)


def test_no_other_certificate_can_cut_a_table_off(broker: SecureMosquitto, floor: Path) -> None:
    """An intruder knows the table's name and journal, and makes the client id as the table does."""
    tls = certificates.context(floor, "T2")
    guesses = {"T1", f"T1-{JOURNAL}", "underfelt-T1"}

    async def scenario() -> None:
        on_floor = controller_on(broker, tls_context=certificates.context(floor, "controller"))
        shown = certificates.shown(floor, "T1")
        async with on_floor as controller, linked(settings(broker, **shown)) as table:
            await table.until_healthy()
            unit = f"{JOURNAL}-{controller.statuses[-1].boot}"
            theirs = certificates.shown(floor, "T2")["key"]
            guesses.update(client_id("T1", unit, key) for key in (None, theirs))
            for guess in guesses:
                async with aiomqtt.Client(
                    HOST, broker.port, identifier=guess, tls_context=tls
                ) as intruder:
                    await intruder.subscribe(TOPICS.answer("T2"))
            # What is said after the intrusion is still answered, on the first connection.
            table.link.send(contribution(1))
            await table.until_acknowledged(1)
            assert table.link.stats.connections == 1

    run(scenario)


def test_a_second_unit_cuts_nobody_off_with_its_own_certificate_or_a_copy(
    broker: SecureMosquitto, floor: Path, tmp_path: Path
) -> None:
    """It is heard beside the first one, so that the controller can refuse it."""
    for file in ("ca.crt", "ca.key", "crl.pem"):
        shutil.copy(floor / file, tmp_path)
    certificates.make(tmp_path, "client", "T1")
    first, second = certificates.shown(floor, "T1"), certificates.shown(tmp_path, "T1")

    async def scenario() -> None:
        tls = certificates.context(floor, "controller")
        async with (
            controller_on(broker, tls_context=tls) as controller,
            linked(settings(broker, **first)) as table,
            linked(settings(broker, **second), journal="replacement") as replacement,
            linked(settings(broker, **first), journal="restored") as copy,
        ):
            for unit in (table, replacement, copy):
                await unit.until_healthy()
            heard = {status.journal for status in controller.statuses}
            assert heard == {JOURNAL, "replacement", "restored"}
            table.link.send(contribution(1))
            await table.until_acknowledged(1)
            assert [each.link.stats.connections for each in (table, replacement, copy)] == [1] * 3

    run(scenario)


def test_the_controllers_certificate_does_not_speak_for_a_table_of_that_name(
    broker: SecureMosquitto, floor: Path
) -> None:
    async def scenario() -> None:
        tls = certificates.context(floor, "controller")
        async with controller_on(broker, tls_context=tls) as controller:
            own = msgspec.structs.replace(contribution(1), table="controller")
            await controller.say(TOPICS.owed("controller"), msgspec.json.encode(own))
            async with linked(settings(broker, **certificates.shown(floor, "T1"))) as table:
                table.link.send(contribution(2))
                await table.until_acknowledged(1)
            assert controller.ids() == [contribution(2).id]

    run(scenario)


def test_a_foreign_topic_is_named_where_the_broker_says_so(
    broker: SecureMosquitto, floor: Path
) -> None:
    async def scenario() -> None:
        chosen = settings(broker, protocol="5", root="elsewhere", **certificates.shown(floor, "T1"))
        async with linked(chosen) as table:
            await table.until_problem(
                f"the broker at {HOST}:{broker.port} does not let this table publish on "
                "elsewhere/table/T1/status"
            )

    run(scenario)


def test_a_foreign_topic_in_mqtt_3_1_1_leaves_the_controller_silent(
    broker: SecureMosquitto, floor: Path
) -> None:
    async def scenario() -> None:
        chosen = settings(broker, root="elsewhere", **certificates.shown(floor, "T1"))
        async with linked(chosen) as table:
            await table.until_problem("the broker answers but the jackpot controller is silent")

    run(scenario)


# ── the files ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"ca": "absent.crt"}, "link.ca: .*absent.crt cannot be read: No such file"),
        ({"ca": "empty"}, "link.ca: .*empty contains no certificate"),
        ({"key": "absent.key"}, "link.key: .*absent.key cannot be read: No such file"),
        ({"key": "T2.key"}, "link.key: .*T2.key does not belong to .*T1.crt"),
        (
            {"certificate": "empty"},
            "link.certificate: .* are not a certificate and its unencrypted key",
        ),
        ({"certificate": "T2.crt", "key": "T2.key"}, "made out to 'T2'"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_sentence(
    floor: Path, changed: dict[str, str], complaint: str
) -> None:
    (floor / "empty").write_text("", encoding="utf-8")
    values = certificates.shown(floor, "T1")
    values |= {field: str(floor / name) for field, name in changed.items()}
    with pytest.raises(BadInput, match=complaint) as caught:
        client_context(LinkSettings(host="h", **values), "T1")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ('certificate = "a"', "`certificate` and `key` go together"),
        ('key = "a"', "`certificate` and `key` go together"),
        ('certificate = "a"\nkey = "b"', "`certificate` needs `ca`"),
        ('protocol = "4"', r"Invalid enum value '4' - at `\$.protocol`"),
        ("fallback = [{host = ''}]", r"length >= 1 - at `\$.fallback\[0\].host`"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(fields: str, complaint: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=complaint):
        msgspec.toml.decode(f'host = "h"\n{fields}', type=LinkSettings)
