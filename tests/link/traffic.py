"""Judges what really passes over the link by `firmware/protocol/asyncapi.yaml`.

    judge = Judge(root)
    assert judge.complaint(topic, payload) is None

Stricter than a reader has to be: a field that the file does not describe is a complaint.
"""

import re
from typing import Any

import jsonschema
import msgspec

from tests.link.asyncapi import FILE


class Judge:
    """Knows the channels of one root."""

    def __init__(self, root: str) -> None:
        document: dict[str, Any] = msgspec.yaml.decode(FILE.read_bytes())
        self.said: set[str] = set()
        """The names of the messages that were judged good so far."""
        self._document = _closed(document)
        self._channels = [
            (_pattern(channel["address"], root), channel)
            for channel in self._document["channels"].values()
        ]

    def complaint(self, topic: str, payload: bytes) -> str | None:
        """Say what is wrong with a message, or that nothing is."""
        channel = next((c for pattern, c in self._channels if pattern.fullmatch(topic)), None)
        if channel is None:
            return f"{topic} is no topic of the link"
        try:
            document = msgspec.json.decode(payload)
        except msgspec.DecodeError as error:
            return f"{topic}: {error}"
        kind = document.get("message") if isinstance(document, dict) else None
        for name in channel["messages"]:
            message = self._document["components"]["messages"][name]
            if message["name"] == kind:
                self.said.add(name)
                return self._compared(document, message["payload"]["$ref"])
        return f"{topic}: {kind!r} is not said there"

    def _compared(self, document: object, ref: str) -> str | None:
        schema = {"$ref": ref, "components": self._document["components"]}
        error = jsonschema.exceptions.best_match(
            jsonschema.Draft202012Validator(schema).iter_errors(document)
        )
        return None if error is None else str(error.message)


def _pattern(address: str, root: str) -> re.Pattern[str]:
    return re.compile(
        re.escape(address).replace(r"\{root\}", re.escape(root)).replace(r"\{table\}", "[^/]+")
    )


def _closed(node: Any) -> Any:  # noqa: ANN401  # any document
    """Let no object hold what is not described."""
    if isinstance(node, dict):
        closed = {key: _closed(value) for key, value in node.items()}
        if closed.get("type") == "object" and "properties" in closed:
            closed.setdefault("additionalProperties", False)
        return closed
    return [_closed(each) for each in node] if isinstance(node, list) else node
