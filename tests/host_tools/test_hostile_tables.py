"""What answers as a table may want to do something to the laptop: it cannot.

It names no file, its text does not steer the terminal, and its answers end.
"""

import asyncio
import io
import socket
import sys
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import msgspec.inspect
import pytest
from rich.console import Console, Group

from firmware.journal.files import MOST_BYTES
from firmware.maintenance.protocol import PROTOCOL_VERSION, AnyReply, Refusal, Shown
from host_tools.connection import table_stream
from host_tools.guided_test.operators import HumanOperator
from host_tools.watch import following
from host_tools.watch.arrangement import list_lines
from host_tools.watch.following import follow
from host_tools.watch.view import TableView, body, heading
from tests.host_tools.hostile import (
    EVIL,
    Tool,
    answers,
    filled,
    hostile_table,
    is_harmless,
    tool,
)

__all__ = ["tool"]

YEAR_10000_MS = 253_402_300_800_000
NUMBERS = (1, 0, -1, YEAR_10000_MS, -YEAR_10000_MS, 2**62, -(2**62))


@pytest.fixture(params=[(number, flag) for number in NUMBERS for flag in (True, False)])
def hostile(request: pytest.FixtureRequest) -> dict[str, Any]:
    number, flag = request.param
    return answers(number, flag=flag)


@pytest.mark.parametrize("options", [(), ("--json",), ("--prometheus",)])
def test_no_text_of_a_table_steers_the_terminal_of_a_diagnosis(
    tmp_path: Path, hostile: dict[str, Any], options: tuple[str, ...], tool: Tool
) -> None:
    bundle = tmp_path / "bundle.zip"
    with hostile_table(tmp_path, hostile) as target:
        ran = tool("diagnose", target, *options, "--bundle", str(bundle))
    assert is_harmless(ran.out + ran.err)
    assert "owned" in ran.out
    with zipfile.ZipFile(bundle) as kept:
        for name in ("diagnosis.json", "public.json", "log.txt"):
            assert is_harmless(kept.read(name).decode())


def test_no_text_of_a_table_steers_the_terminal_of_a_log(
    tmp_path: Path, hostile: dict[str, Any], tool: Tool
) -> None:
    with hostile_table(tmp_path, hostile) as target:
        ran = tool("log", target)
    assert ran.status == 0
    assert "owned" in ran.out
    assert is_harmless(ran.out + ran.err)


def test_no_text_of_a_table_steers_the_terminal_of_a_pull(
    tmp_path: Path, hostile: dict[str, Any], tool: Tool
) -> None:
    with hostile_table(tmp_path, hostile) as target:
        ran = tool("journal", "pull", target, str(tmp_path / "copy"))
    assert is_harmless(ran.out + ran.err)
    assert ran.status == 1  # the journal is three zeros


@pytest.mark.parametrize("suffix", ["html", "json"])
def test_no_text_of_a_table_steers_the_terminal_of_a_guided_test(
    tmp_path: Path, tool: Tool, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HumanOperator, "patience_s", 0.0)
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n" * 100))
    report = tmp_path / f"report.{suffix}"
    hostile = answers()
    hostile["show"]["table"]["phase"] = "closed"
    hostile["show"]["switches"] = {"key": True, "cover": True, "power_good": True}
    hostile["vitals"]["vitals"]["switches"] = [
        {"name": switch, "pin": 5, "level": True} for switch in hostile["show"]["switches"]
    ]
    with hostile_table(tmp_path, hostile) as target:
        ran = tool("test", target, "--staff", "400", "--pin", "4321", "--report", str(report))
    assert is_harmless(ran.out + ran.err)
    assert "checks failed" in ran.out
    assert is_harmless(report.read_text(encoding="utf-8"))


def followed(target: str) -> TableView:
    """Follow a table until it shows something else than that it is being connected to."""

    async def followed() -> TableView:
        came: asyncio.Future[TableView] = asyncio.get_running_loop().create_future()

        def take(seen: TableView) -> None:
            if not came.done():
                came.set_result(seen)

        following = asyncio.create_task(follow(target, take))
        seen = await came
        following.cancel()
        return seen

    return asyncio.run(followed())


def test_no_text_of_a_table_steers_the_terminal_of_the_live_view(
    tmp_path: Path, hostile: dict[str, Any]
) -> None:
    with hostile_table(tmp_path, hostile) as target:
        seen = followed(target)
    drawn = io.StringIO()
    listed = list_lines([seen], 0, 60, 2)
    Console(file=drawn, width=200).print(Group(heading(seen), body(seen, 200, 50), *listed))
    assert "owned" in drawn.getvalue()
    assert is_harmless(drawn.getvalue())


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"hello": b"x" * (2 << 20)}, "what answers there is not a table"),
        ({"watch": b"x" * (2 << 20)}, "what answers there is not a table"),
        ({"hello": b"[" * 100_000}, "another version of the protocol"),
        ({"hello": answers()["hello"] | {"protocol": 99}}, "another version of the protocol (99)"),
        ({"hello": answers()["show"]}, "another version of the protocol"),
        ({"watch": filled(Refusal)}, "owned"),
        ({"hello": b""}, "another version of the protocol"),
    ],
)
def test_an_answer_that_is_none_is_one_sentence_in_the_live_view(
    tmp_path: Path, answer: dict[str, Any], said: str
) -> None:
    with hostile_table(tmp_path, answers() | answer) as target:
        seen = followed(target)
    assert seen.table is None
    assert said in seen.problem
    assert is_harmless(seen.problem)


def test_a_table_that_says_nothing_is_given_up_by_the_live_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "REPLY_TIMEOUT_S", 0.1)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "silent.sock"))
        listener.listen()
        seen = followed(f"unix:{tmp_path / 'silent.sock'}")
    assert seen.problem.endswith("the table has not answered for 0.1 s")


@pytest.mark.parametrize(
    "command",
    [("diagnose",), ("diagnose", "--json"), ("log",), ("log", "-f"), ("journal", "pull", "copy")],
)
def test_a_refusal_in_hostile_words_is_one_harmless_sentence(
    tmp_path: Path, command: tuple[str, ...], tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = dict.fromkeys(answers(), filled(Refusal))
    with hostile_table(tmp_path, refused | {"hello": answers()["hello"]}) as target:
        later = tool(*command[:2], target, *command[2:])
    with hostile_table(tmp_path, refused) as target:
        at_once = tool(*command[:2], target, *command[2:])
    for ran in (later, at_once):
        assert ran.status in {2, 3}
        assert is_harmless(ran.out + ran.err)
        assert "owned" in ran.out + ran.err


@pytest.mark.parametrize(
    "answer",
    [
        b"[" * 100_000,
        b"\xff\xfe",
        b'{"reply": "vitals", "number": 1, "vitals": {"round": ' + b"9" * 400 + b"}}",
        b'{"reply": "vitals", "number": 1, "vitals": {"uptime_s": 1e999}}',
        b'{"reply": "vitals", "number": 1, "vitals": {"uptime_s": "inf"}}',
        b'{"reply": "vitals", "number": 1, "vitals": {"link": {"claim_waits_s": "nan"}}}',
        b'{"reply": "vitals", "number": 1, "vitals": {"clock": {"now_ms": "9223372036854775808"}}}',
        b'{"reply": "vitals", "number": 1, "vitals": {"machine": {"temperature_c": 1e308}}}',
        b'{"reply": "vitals", "number": 1, "vitals": {"link": ["no"]}}',
    ],
)
def test_an_answer_that_is_none_is_one_sentence(tmp_path: Path, answer: bytes, tool: Tool) -> None:
    with hostile_table(tmp_path, answers() | {"vitals": answer}) as target:
        ran = tool("diagnose", target)
    assert ran.status == 3
    assert "the table speaks another version of the protocol" in ran.out


NAMES = (
    "../authorized_keys",
    "/etc/passwd",
    "..",
    "",
    "exported",
    "x/000000000001.journal",
    "000000000001.journal/../../x",
    "000000000001.journal\n",
    "١٢٣٤٥٦٧٨٩٠١٢.journal",
    EVIL,
)


@pytest.mark.parametrize("name", NAMES)
def test_a_table_names_no_file_on_the_laptop(tmp_path: Path, name: str, tool: Tool) -> None:
    home = tmp_path / "home"
    copy = home / "work" / "copy"
    (home / "work").mkdir(parents=True)
    keys = home / "work" / "authorized_keys"
    keys.write_text("mine\n")
    listing = answers()["journal_files"] | {
        "files": [{"name": "000000000001.journal", "bytes": 3}, {"name": name, "bytes": 3}]
    }
    with hostile_table(tmp_path, answers() | {"journal_files": listing}) as target:
        pulled = tool("journal", "pull", target, str(copy))
        bundled = tool("diagnose", target, "--bundle", str(home / "bundle.zip"))
    assert pulled.status == 2
    assert "lists files that are not those of a journal; nothing was fetched" in pulled.err
    assert "lists files that are not those of a journal" in bundled.out
    assert keys.read_text() == "mine\n"
    assert sorted(home.rglob("*")) == [home / "work", keys]


@pytest.mark.parametrize(
    "files",
    [
        [("000000000001.journal", 3), ("000000000001.journal", 6)],
        [("000000000001.journal", -1)],
    ],
)
def test_a_listing_that_no_journal_has_is_refused(
    tmp_path: Path, files: list[tuple[str, int]], tool: Tool
) -> None:
    listed = [{"name": name, "bytes": size} for name, size in files]
    listing = answers()["journal_files"] | {"files": listed}
    with hostile_table(tmp_path, answers() | {"journal_files": listing}) as target:
        ran = tool("journal", "pull", target, str(tmp_path / "copy"))
    assert ran.status == 2
    assert not (tmp_path / "copy").exists()


def test_a_table_cannot_fill_the_disk(tmp_path: Path, tool: Tool) -> None:
    listing = answers()["journal_files"] | {
        "files": [{"name": f"{n:012}.journal", "bytes": MOST_BYTES} for n in range(1, 20_000)]
    }
    with hostile_table(tmp_path, answers() | {"journal_files": listing}) as target:
        pulled = tool("journal", "pull", target, str(tmp_path / "copy"))
        bundled = tool("diagnose", target, "--bundle", str(tmp_path / "bundle.zip"))
    assert "do not fit into" in pulled.err
    assert "do not fit into" in bundled.out
    assert not (tmp_path / "copy").exists()
    assert not (tmp_path / "bundle.zip").exists()


def test_a_table_that_sends_more_than_it_listed_is_stopped(tmp_path: Path, tool: Tool) -> None:
    listing = answers()["journal_files"] | {"files": [{"name": "000000000001.journal", "bytes": 2}]}
    with hostile_table(tmp_path, answers() | {"journal_files": listing}) as target:
        ran = tool("journal", "pull", target, str(tmp_path / "copy"))
    assert "sends more of 000000000001.journal than it has" in ran.err
    assert (tmp_path / "copy" / "000000000001.journal").stat().st_size == 0


def test_an_answer_without_an_end_is_given_up(
    tmp_path: Path, tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = b'{"reply": "vitals", "vitals": "' + b"x" * (2 << 20)
    with hostile_table(tmp_path, answers() | {"vitals": endless}) as target:
        assert "what answers there is not a table" in tool("diagnose", target).out

    class Clock:
        """Goes on by a second whenever it is looked at."""

        now_s = 0.0

        @classmethod
        def monotonic(cls) -> float:
            cls.now_s += 1
            return cls.now_s

    # One byte at a time, and never the last one.
    monkeypatch.setattr(table_stream, "_CHUNK", 1)
    monkeypatch.setattr(table_stream, "time", Clock)
    with hostile_table(tmp_path, answers() | {"vitals": b"x" * 200}) as target:
        assert "what answers there is not a table" in tool("diagnose", target).out


def test_every_kind_of_answer_is_among_the_hostile_ones() -> None:
    described = msgspec.inspect.type_info(AnyReply)
    assert isinstance(described, msgspec.inspect.UnionType)
    kinds = {each.tag for each in described.types if isinstance(each, msgspec.inspect.StructType)}
    tried = {each["reply"] for each in answers().values()} | {filled(Refusal)["reply"]}
    assert tried == kinds
    assert answers()["hello"]["protocol"] == PROTOCOL_VERSION
    assert msgspec.convert(answers()["show"], Shown).table.name == EVIL
