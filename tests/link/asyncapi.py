"""Writes `firmware/protocol/asyncapi.yaml` from the message types: `python -m tests.link.asyncapi`.

What a message holds is in `firmware/protocol/messages.py` and `firmware/protocol/obligations.py`; here is
only which of them goes where. `test_asyncapi.py` fails when the file is not what this writes.
"""

from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec

from firmware.protocol import messages
from firmware.protocol.messages import AnyAnswer, Topics
from firmware.protocol.obligations import AnyObligation

FILE = Path(messages.__file__).with_name("asyncapi.yaml")
TOPICS = Topics("{root}")


class Channel(NamedTuple):
    """A topic, what is said on it, and by whom."""

    address: str
    summary: str
    types: tuple[type[msgspec.Struct], ...]
    action: str
    """What the table does on it: send or receive."""
    retain: bool


CHANNELS = {
    "tableStatus": Channel(
        TOPICS.status("{table}"),
        "Whether a table is on the link, and how far its round has got; also its last will.",
        (messages.TableStatus,),
        "send",
        retain=True,
    ),
    "owed": Channel(
        TOPICS.owed("{table}"),
        "What a table owes, oldest first, each sent until its id is acknowledged.",
        get_args(AnyObligation),
        "send",
        retain=False,
    ),
    "answer": Channel(
        TOPICS.answer("{table}"),
        "What the jackpot controller says to one table.",
        get_args(AnyAnswer),
        "receive",
        retain=False,
    ),
    "controllerStatus": Channel(
        TOPICS.controller,
        "The heartbeat of the jackpot controller; also its last will.",
        (messages.ControllerStatus,),
        "receive",
        retain=True,
    ),
    "meter": Channel(
        TOPICS.meter,
        "The meter as displayed.",
        (messages.MeterMessage,),
        "receive",
        retain=True,
    ),
    "pending": Channel(
        TOPICS.pending,
        "The pending majors.",
        (messages.PendingMessage,),
        "receive",
        retain=True,
    ),
}

_PARAMETERS = {
    "root": {"description": "What all topics start with.", "default": "underfelt"},
    "table": {"description": "The name of the table, which is also that of its certificate."},
}


def document() -> dict[str, Any]:
    """Describe the link as AsyncAPI 3, seen from the table."""
    types = [each for channel in CHANNELS.values() for each in channel.types]
    _, schemas = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Underfelt jackpot link",
            "version": "1.0.0",
            "description": (
                "What a table and the jackpot controller say to each other over MQTT, one JSON "
                "document per message. A field that a reader does not know is ignored. A broker's "
                "own receipt proves nothing: only an acknowledgement does."
            ),
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "channels": {name: _channel(channel) for name, channel in CHANNELS.items()},
        "operations": {
            f"{channel.action}{name[0].upper()}{name[1:]}": _operation(name, channel)
            for name, channel in CHANNELS.items()
        },
        "components": {
            "messages": {each.__name__: _message(each) for each in types},
            "schemas": schemas,
        },
    }


def _channel(channel: Channel) -> dict[str, Any]:
    return {
        "address": channel.address,
        "summary": channel.summary,
        "parameters": {
            name: about for name, about in _PARAMETERS.items() if f"{{{name}}}" in channel.address
        },
        "messages": {
            each.__name__: {"$ref": f"#/components/messages/{each.__name__}"}
            for each in channel.types
        },
    }


def _operation(name: str, channel: Channel) -> dict[str, Any]:
    mqtt = {"qos": 1, "bindingVersion": "0.2.0"}
    if channel.action == "send":
        mqtt["retain"] = channel.retain
    return {
        "action": channel.action,
        "channel": {"$ref": f"#/channels/{name}"},
        "bindings": {"mqtt": mqtt},
    }


def _message(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {
        "name": str(kind.__struct_config__.tag),
        "summary": (kind.__doc__ or "").partition("\n")[0],
        "payload": {"$ref": f"#/components/schemas/{kind.__name__}"},
    }


def encoded() -> bytes:
    """Write the document as YAML."""
    head = b"# Written from the message types by `python -m tests.link.asyncapi`.\n"
    return head + msgspec.yaml.encode(document())


if __name__ == "__main__":
    FILE.write_bytes(encoded())
