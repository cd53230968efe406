"""Whatever a peer does on the maintenance stream is refused, logged and harmless.

After each of them another tool is served and the table takes events as before.
"""

import asyncio
import json
import logging
import select
import socket
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.maintenance import complaints, requests, server
from firmware.maintenance.protocol import LONGEST_REQUEST, decode_request
from firmware.shell.clock import now_ms
from firmware.shell.runtime import Runtime
from firmware.table.events import CoinSensed
from firmware.table.state import StaffTries
from tests.maintenance.tables import PIN, Bench, Peer, peer, served, until
from tests.sim.floors import SETTINGS

Attack = Callable[[Bench], Awaitable[None]]


def survives(folder: Path, attack: Attack) -> None:
    """Attack a table, then see that it serves others and plays on."""

    async def played() -> None:
        async with served(folder) as bench:
            await attack(bench)
            before = bench.runtime.table.state.sequence
            chip = not bench.runtime.table.state.spot(1, "jackpot").chip
            bench.put(CoinSensed(at_ms=now_ms(), seat=1, present=chip))
            assert bench.runtime.table.state.sequence == before + 1
            other = await peer(bench)
            assert (await other.ask("hello"))["table"] == "T1"

    asyncio.run(played())


GARBAGE = [
    b"",
    b"\x00\xff\xfe garbage",
    b"{",
    b"[]",
    b"null",
    b'{"request": "hello"}',
    b'{"request": "hello", "number": 1, "more": 1}',
    b'{"request": "hello", "number": -1}',
    b'{"request": "explode", "number": 1}',
    b'{"request": "journal_read", "number": 1, "name": "x", "offset": -1}',
    b'{"request": "hello", "number": 1, "more": ' + b"[" * 2_000,
    b"[" * 4_000,
    b'{"request": "test_text", "number": 1, "device": "\xff", "text": ""}',
]


@pytest.mark.parametrize("line", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_refused_and_the_stream_goes_on(tmp_path: Path, line: bytes) -> None:
    async def attack(bench: Bench) -> None:
        stream = await peer(bench)
        assert (await stream.say(line))["reply"] == "refusal"
        assert (await stream.ask("hello"))["reply"] == "hello"

    survives(tmp_path, attack)


def test_a_stream_of_nothing_but_garbage_is_ended_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def attack(bench: Bench) -> None:
        stream = await peer(bench)
        stream.writer.write(b"garbage\n" * 1_000)
        assert await stream.is_ended()

    with caplog.at_level(logging.WARNING):
        survives(tmp_path, attack)
    assert "not understood" in caplog.text
    assert "too many requests were refused" in caplog.text


def test_a_refusal_of_garbage_has_no_quote_without_its_other_half(tmp_path: Path) -> None:
    async def attack(bench: Bench) -> None:
        stream = await peer(bench)
        assert (await stream.say(b"x"))["reason"].count("'") % 2 == 0

    survives(tmp_path, attack)


def test_a_tool_that_hangs_up_is_nothing_to_warn_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Every q in the live view left a warning in the log of the table."""

    async def attack(bench: Bench) -> None:
        # What the tool has not read when it hangs up makes a reset of it at the table's end.
        with socket.socket(socket.AF_UNIX) as tool:
            tool.connect(str(bench.path))
            tool.sendall(b'{"request": "watch", "number": 1}\n')
            await until(lambda: select.select([tool], [], [], 0)[0])
        await until(lambda: not bench.server._streams)  # noqa: SLF001  # nobody announces it

    with caplog.at_level(logging.WARNING):
        survives(tmp_path, attack)
    assert "stream" not in caplog.text


def test_a_huge_frame_is_refused_without_being_kept(tmp_path: Path) -> None:
    async def attack(bench: Bench) -> None:
        stream = await peer(bench)
        stream.writer.write(b"x" * (LONGEST_REQUEST * 100))
        assert f"more than {LONGEST_REQUEST} bytes" in (await stream.hear())["reason"]
        assert await stream.is_ended()

    survives(tmp_path, attack)


async def has_place(bench: Bench) -> bool:
    """Tell whether the table serves one more tool."""
    try:
        stream = await peer(bench)
        served = "table" in await stream.ask("hello")
        stream.writer.close()
        await stream.writer.wait_closed()
    except ConnectionError:
        return False
    return served


def test_many_streams_are_refused_and_the_places_come_free_again(tmp_path: Path) -> None:
    async def attack(bench: Bench) -> None:
        streams = [await peer(bench) for _ in range(server.MOST_STREAMS)]
        for stream in streams:
            await stream.ask("hello")
        refused = await peer(bench)
        assert "too many tools" in (await refused.hear())["reason"]
        for stream in streams:
            stream.writer.close()
            await stream.writer.wait_closed()
        # The table notices in its own time that they are gone.
        async with asyncio.timeout(60):
            while not await has_place(bench):
                pass

    survives(tmp_path, attack)


def test_a_half_open_stream_that_never_asks_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "FIRST_WORD_S", 0.05)

    async def attack(bench: Bench) -> None:
        stream = await peer(bench)
        assert await stream.is_ended()
        monkeypatch.undo()

    survives(tmp_path, attack)


def test_a_reader_that_does_not_read_waits_alone_and_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "STALLED_S", 0.2)

    async def attack(bench: Bench) -> None:
        reader, writer = await asyncio.open_unix_connection(bench.path, limit=1)
        reader._transport.pause_reading()  # type: ignore[attr-defined]  # noqa: SLF001  # a peer that does not read
        asking = json.dumps({"request": "show", "number": 1}).encode() + b"\n"
        for _ in range(2_000):
            writer.write(asking)
        await until(lambda: not bench.server._streams)  # noqa: SLF001  # it is given up
        writer.transport.abort()

    survives(tmp_path, attack)


WRITES = [
    ("test_lamp", {"seat": 1, "bet": "jackpot", "pattern": "steady"}),
    ("test_text", {"device": "panel", "text": "hello"}),
    ("journal_exported", {"sequence": 1}),
    ("end_service", {}),
]


@pytest.mark.parametrize(("request_", "fields"), WRITES, ids=[name for name, _ in WRITES])
def test_a_write_without_authority_is_refused(
    tmp_path: Path, request_: str, fields: dict[str, object]
) -> None:
    async def attack(bench: Bench) -> None:
        stream = await peer(bench)
        assert "needs service mode" in (await stream.ask(request_, **fields))["reason"]
        assert bench.done == []

    survives(tmp_path, attack)


@pytest.mark.parametrize(("request_", "fields"), WRITES, ids=[name for name, _ in WRITES])
def test_a_write_on_another_stream_than_the_technicians_is_refused(
    tmp_path: Path, request_: str, fields: dict[str, object]
) -> None:
    async def attack(bench: Bench) -> None:
        technician = await in_service(bench)
        intruder = await peer(bench)
        assert "needs service mode" in (await intruder.ask(request_, **fields))["reason"]
        assert bench.phase == "service"
        assert (await technician.ask("end_service"))["reply"] == "done"

    survives(tmp_path, attack)


def test_wrong_pins_are_locked_out_for_a_while_even_the_right_one(tmp_path: Path) -> None:
    async def attack(bench: Bench) -> None:
        bench.close_table()
        stream = await peer(bench)
        for pin in ("0000", "1111", "2222"):
            reply = await stream.ask("begin_service", staff="400", pin=pin)
            assert reply["reason"] == requests.NOT_ACCEPTED
        reply = await stream.ask("begin_service", staff="400", pin=PIN)
        assert reply["reason"] == requests.NOT_ACCEPTED
        assert bench.phase == "closed"
        assert bench.runtime.table.state.tries["400"].count == 3

    survives(tmp_path, attack)
    # A restart begins the wait anew.
    again = Runtime(SETTINGS, tmp_path)
    again.close()
    assert again.table.state.tries["400"] == StaffTries(count=3, at_ms=0)
    assert again.table.state.place_tries["maintenance"] == StaffTries(count=3, at_ms=0)


def test_one_pin_for_service_is_checked_at_a_time(tmp_path: Path) -> None:
    async def attack(bench: Bench) -> None:
        bench.close_table()
        checking, may_go_on = threading.Event(), threading.Event()

        def slow(_number: str, _pin: str) -> None:
            checking.set()
            may_go_on.wait()

        bench.access.identify = slow
        first = asyncio.create_task((await peer(bench)).ask("begin_service", staff="1", pin="1"))
        await until(checking.is_set)
        bench.access.identify = lambda _number, _pin: pytest.fail("a second PIN is checked")
        for _ in range(3):
            reply = await (await peer(bench)).ask("begin_service", staff="400", pin=PIN)
            assert reply["reason"] == requests.NOT_ACCEPTED
        may_go_on.set()
        assert (await first)["reason"] == requests.NOT_ACCEPTED

    survives(tmp_path, attack)


def test_a_dealers_pin_is_no_technicians(tmp_path: Path) -> None:
    async def attack(bench: Bench) -> None:
        bench.close_table()
        reply = await (await peer(bench)).ask("begin_service", staff="100", pin=PIN)
        assert reply["reason"] == requests.NOT_ACCEPTED

    survives(tmp_path, attack)


def test_a_journal_cannot_be_marked_as_exported_beyond_its_end(tmp_path: Path) -> None:
    async def attack(bench: Bench) -> None:
        technician = await in_service(bench)
        reply = await technician.ask("journal_exported", sequence=10**9)
        assert "the journal ends at record" in reply["reason"]

    survives(tmp_path, attack)


@pytest.mark.parametrize("name", ["../table.toml", "/etc/passwd", "table.toml", "journal.log/.."])
def test_only_files_of_the_journal_can_be_read(tmp_path: Path, name: str) -> None:
    async def attack(bench: Bench) -> None:
        reply = await (await peer(bench)).ask("journal_read", name=name, offset=0)
        assert "not a journal file" in reply["reason"]

    survives(tmp_path, attack)


def test_a_log_cannot_be_flooded(caplog: pytest.LogCaptureFixture) -> None:
    told = complaints.Complaints(logging.getLogger("test"))
    with caplog.at_level(logging.WARNING):
        for _ in range(1_000):
            told.say("refused")
    assert len(caplog.records) == complaints.MOST_A_MINUTE


@given(st.binary(max_size=300))
def test_no_bytes_do_anything_else_than_decode_or_be_refused(data: bytes) -> None:
    try:
        decode_request(data)
    except (ValueError, RecursionError):
        return


async def in_service(bench: Bench) -> Peer:
    """Begin service mode, as a technician does."""
    bench.close_table()
    technician = await peer(bench)
    assert (await technician.ask("begin_service", staff="400", pin=PIN))["reply"] == "done"
    assert bench.phase == "service"
    return technician
