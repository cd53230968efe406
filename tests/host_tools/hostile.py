"""Tables and journals that want to do something to the laptop that reads them.

`filled` makes a message of any kind with a hostile text in every field that holds one, from the
kind's own description, so that no field can be forgotten.
"""

import json
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import msgspec.inspect as description
import pytest

from firmware.maintenance.protocol import (
    PROTOCOL_VERSION,
    Done,
    Identity,
    JournalListed,
    JournalPiece,
    Logged,
    Shown,
    VitalsRead,
)
from firmware.maintenance.vitals import Vitals
from host_tools.main import main
from tests.host_tools.command import Ran

EVIL = (
    "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\x7f\r\nFAULT: forged\u2028[/red][link=x]here[/link]"
    "\ud7ff\u200b\x00"
)
"""Moves the cursor, clears, colours, reverses, forges a line, and speaks to rich as well."""
Answers = Mapping[str, Any]


def filled(kind: object, number: int = 1, *, flag: bool = True) -> Any:  # noqa: ANN401  # any JSON
    """Make a message of a kind with `EVIL` in every text and this number in every number."""
    return _filled(description.type_info(kind), number, flag)


def _filled(info: description.Type, number: int, flag: bool) -> Any:  # noqa: ANN401, FBT001  # any JSON
    def again(inner: description.Type) -> Any:  # noqa: ANN401  # any JSON
        return _filled(inner, number, flag)

    match info:
        case description.StructType():
            named = {field.encode_name: again(field.type) for field in info.fields}
            return {info.tag_field: info.tag, **named} if info.tag_field else named
        case description.UnionType():
            return again(info.types[0])
        case description.VarTupleType() | description.ListType():
            return [again(info.item_type)]
        case description.DictType():
            return {EVIL: again(info.value_type)}
        case description.LiteralType():
            return info.values[0]
    scalars: dict[type[description.Type], object] = {
        description.IntType: number,
        description.FloatType: float(number),
        description.BoolType: flag,
        description.BytesType: "AAAA",
    }
    return scalars.get(type(info), EVIL)


def answers(number: int = 1, *, flag: bool = True) -> dict[str, Any]:
    """Make what a hostile table answers to each request."""
    shown = filled(Shown, number, flag=flag)
    return {
        "hello": filled(Identity, number) | {"protocol": PROTOCOL_VERSION},
        "show": shown,
        "watch": shown,
        "vitals": filled(VitalsRead) | {"vitals": filled(Vitals, number, flag=flag)},
        "log_lines": filled(Logged),
        "journal_files": filled(JournalListed)
        | {"files": [{"name": "000000000001.journal", "bytes": 3}]},
        "journal_read": filled(JournalPiece),
        **dict.fromkeys(
            (
                *("begin_service", "end_service", "journal_exported"),
                *("test_lamp", "test_text", "test_switch", "test_lamp_enable"),
            ),
            filled(Done),
        ),
    }


@contextmanager
def hostile_table(folder: Path, answered: Answers) -> Iterator[str]:
    """Answer every request of any number of tools; give the target."""
    path = folder / "maintenance.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        serving = threading.Thread(target=_serve, args=(listener, answered), daemon=True)
        serving.start()
        try:
            yield f"unix:{path}"
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            serving.join()
            path.unlink()


def _serve(listener: socket.socket, answered: Answers) -> None:
    with suppress(OSError):
        while True:
            stream, _ = listener.accept()
            with stream, stream.makefile("rwb") as lines, suppress(OSError):
                for line in lines:
                    reply = answered[json.loads(line)["request"]]
                    lines.write(reply if isinstance(reply, bytes) else msgspec.json.encode(reply))
                    lines.write(b"\n")
                    lines.flush()


Tool = Callable[..., Ran]


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Tool:
    """Run a command in this process, as quick as it goes."""

    def ran(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["underfelt", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capfd.readouterr()
        return Ran(ended.value.code if isinstance(ended.value.code, int) else 0, out, err)

    return ran


def is_harmless(text: str) -> bool:
    """Return whether a text has nothing in it that a terminal or a reader would obey."""
    lines = text.split("\n")
    return all(line.isprintable() and not line.startswith("FAULT: forged") for line in lines)
