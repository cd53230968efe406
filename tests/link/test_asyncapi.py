"""The AsyncAPI file: it is what the types say, and what really passes over a link fits it."""

import asyncio
import re
from pathlib import Path

import aiomqtt
import msgspec
import pytest

from firmware.protocol.messages import Acknowledgement, MeterMessage, TableStatus, Topics
from firmware.protocol.obligations import Contribution
from sim.broker import HOST, Broker
from sim.floor.floor import ROOT, Floor, FloorSettings
from tests.link.asyncapi import CHANNELS, CONTRACT, FILE, document, encoded
from tests.link.traffic import Judge
from tests.sim.floors import on_both_brokers

TOPICS = Topics("casino")


def test_the_file_is_what_the_message_types_say() -> None:
    assert msgspec.yaml.decode(FILE.read_bytes()) == msgspec.yaml.decode(encoded()), (
        "write it anew: python -m tests.link.asyncapi"
    )


def test_every_topic_is_a_channel() -> None:
    names = {name for name in dir(Topics) if not name.startswith("_")} - {"root"}
    assert len(CHANNELS) == len(names)


def test_every_field_says_what_it_is() -> None:
    schemas = document()["components"]["schemas"]
    silent = [
        f"{kind}.{field}"
        for kind, schema in schemas.items()
        for field, about in schema["properties"].items()
        if not about.get("description")
    ]
    assert silent == []


def test_every_amount_names_its_unit() -> None:
    schemas = document()["components"]["schemas"]
    words = {
        f"{kind}.{field}": about["description"]
        for kind, schema in schemas.items()
        for field, about in schema["properties"].items()
        if field.endswith("_cents") or field == "amount"
    }
    assert [field for field, text in words.items() if "cents" not in text] == []


def test_every_operation_says_its_qos_and_whether_it_is_retained() -> None:
    for operation in document()["operations"].values():
        assert set(operation["bindings"]["mqtt"]) >= {"qos", "retain"}


def test_a_vendor_is_told_in_words_and_not_by_our_numbers() -> None:
    assert re.findall(r"\bI-[0-9]+", FILE.read_text(encoding="utf-8")) == []


def test_what_is_cited_is_a_paragraph_of_the_contract() -> None:
    text = CONTRACT.read_text(encoding="utf-8")
    there = set(re.findall(r"^([0-9]+\.[0-9]+) ", text, flags=re.MULTILINE))
    cited = re.findall(r"\(par\. ([0-9., ]+)\)", FILE.read_text(encoding="utf-8"))
    assert {each for group in cited for each in group.split(", ")} <= there


SAID_IN_A_ROUND = {
    "TableStatus",
    "Contribution",
    "Acknowledgement",
    "ControllerStatus",
    "MeterMessage",
}


@on_both_brokers
def test_what_passes_over_a_floor_fits_the_file(broker: type[Broker], tmp_path: Path) -> None:
    complaints = asyncio.run(_a_floor_plays(broker, tmp_path))
    assert complaints == {None}


async def _a_floor_plays(broker: type[Broker], folder: Path) -> set[str | None]:
    """Let a floor play until everything has been said that an uneventful round has to say."""
    judge, complaints = Judge(ROOT), set[str | None]()
    async with (
        Floor(folder, FloorSettings(tables=2, broker=broker)) as floor,
        asyncio.timeout(120),
        aiomqtt.Client(HOST, floor.broker.port) as client,
    ):
        await client.subscribe("#", qos=1)
        playing = asyncio.create_task(floor.play(rounds=3))
        async for message in client.messages:
            complaints.add(judge.complaint(message.topic.value, bytes(message.payload)))
            if playing.done() and judge.said >= SAID_IN_A_ROUND:
                break
        await playing
    return complaints


STATUS = TableStatus(table="T1", journal="j", online=True)
OWED = Contribution(
    id="T1.j.1.1", table="T1", round=1, seat=1, at_ms=0, bet="jackpot", stake_cents=500
)


@pytest.mark.parametrize(
    ("topic", "payload", "complaint"),
    [
        (TOPICS.status("T1"), msgspec.json.encode(STATUS), None),
        (TOPICS.owed("T1"), msgspec.json.encode(OWED), None),
        ("casino/table/T1/cards", b"{}", "no topic of the link"),
        ("underfelt/controller/meter", b"{}", "no topic of the link"),
        (TOPICS.owed("T1"), b"{", "truncated"),
        (TOPICS.owed("T1"), b"[]", "is not said there"),
        (TOPICS.owed("T1"), msgspec.json.encode(Acknowledgement(id="x")), "is not said there"),
        (TOPICS.meter, b'{"message":"meter","meter_cents":1}', "'sequence' is a required"),
        (
            TOPICS.meter,
            msgspec.json.encode(MeterMessage(meter_cents=-1, sequence=1)),
            "less than the minimum",
        ),
        (
            TOPICS.answer("T1"),
            b'{"message":"acknowledgement","id":"x","card":"As"}',
            "'card' was unexpected",
        ),
        (TOPICS.answer("T1"), b'{"message":"acknowledgement","id":7}', "not of type 'string'"),
    ],
)
def test_the_judge_says_what_does_not_fit(
    topic: str, payload: bytes, complaint: str | None
) -> None:
    found = Judge("casino").complaint(topic, payload)
    assert found is None if complaint is None else complaint in (found or "")
