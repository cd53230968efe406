"""Writes `firmware/protocol/asyncapi.yaml` from the message types: `python -m tests.link.asyncapi`.

What a message holds is in `firmware/protocol/messages.py` and `firmware/protocol/obligations.py`, what both
sides do in `firmware/protocol/contract.md`, more about fields in `asyncapi_fields.py`; here is only
which message goes where. `test_asyncapi.py` fails when the file is not what this writes.
"""

from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec
import yaml

from firmware.protocol import messages
from firmware.protocol.messages import AnyAnswer, Topics
from firmware.protocol.obligations import AnyObligation
from tests.link.asyncapi_fields import described

FILE = Path(messages.__file__).with_name("asyncapi.yaml")
CONTRACT = FILE.with_name("contract.md")
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

_CERTIFICATE = "The name in a client's certificate is its user name (par. 1.7)."
_SERVER = {
    "host": "{host}:{port}",
    "protocol": "mqtts",
    "description": "The floor's broker; hw/broker/ sets one up.",
    "variables": {"host": {"description": "Its host"}, "port": {"default": "8883"}},
    "security": [{"$ref": "#/components/securitySchemes/certificate"}],
    "bindings": {
        "mqtt": {
            "clientId": "underfelt-{table}-{secret}",
            "cleanSession": True,
            "lastWill": {
                "topic": TOPICS.status("{table}"),
                "qos": 1,
                "retain": True,
                "message": "The table's status with `online` false (par. 1.4).",
            },
            "keepAlive": 5,
            "bindingVersion": "0.2.0",
        }
    },
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
            "description": CONTRACT.read_text(encoding="utf-8"),
            "license": {"name": "MIT"},
        },
        "servers": {"floor": _SERVER},
        "defaultContentType": "application/json",
        "channels": {name: _channel(channel) for name, channel in CHANNELS.items()},
        "operations": {
            f"{channel.action}{name[0].upper()}{name[1:]}": _operation(name, channel)
            for name, channel in CHANNELS.items()
        },
        "components": {
            "messages": {each.__name__: _message(each) for each in types},
            "schemas": described(schemas),
            "securitySchemes": {"certificate": {"type": "X509", "description": _CERTIFICATE}},
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
    mqtt = {"qos": 1, "retain": channel.retain, "bindingVersion": "0.2.0"}
    return {
        "action": channel.action,
        "summary": f"The table {channel.action}s it; QoS and retain are the sender's.",
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
    head = "# Written from the message types by `python -m tests.link.asyncapi`.\n"
    text: str = yaml.dump(
        document(), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100, indent=2
    )
    return (head + text).encode()


class _Dumper(yaml.SafeDumper):  # type: ignore[misc]  # PyYAML has no types
    """Writes text of several lines as it is, and nothing as a reference to something before."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002  # PyYAML's
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


if __name__ == "__main__":
    FILE.write_bytes(encoded())
