"""Recordings of raw serial traffic: only while it may be made, without PINs, played back."""

import asyncio
import os
import tty
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.devices.line import Decoder, Frame, encode
from firmware.devices.line_port import LinePort
from firmware.devices.recording import Noted, Recorder, read_recording, sent_by
from firmware.errors import BadInput, Refused
from tests.devices.shell import FakeShell
from tests.devices.wire import Wire, in_a_loop, line


class Service:
    """Whether a recording may be made, as a test sets it."""

    def __init__(self) -> None:
        self.on = True
        self.at_ms = 1_000

    def may_record(self) -> bool:
        """Give the permission."""
        return self.on

    def now_ms(self) -> int:
        """Give a time that goes on."""
        self.at_ms += 10
        return self.at_ms


def test_both_directions_are_written_with_their_times(tmp_path: Path) -> None:
    service, path = Service(), tmp_path / "traffic.txt"
    recorder = Recorder(path, service.may_record, service.now_ms)
    recorder.tap("shoe")("<", b"\x05\x31")
    recorder.tap("sign")(">", b"SIGN")
    recorder.close()
    assert path.read_text(encoding="ascii") == "1010 shoe < 05 31\n1020 sign > 53 49 47 4e\n"
    assert path.stat().st_mode & 0o777 == 0o600


def test_no_recording_begins_without_permission(tmp_path: Path) -> None:
    service = Service()
    service.on = False
    with pytest.raises(Refused, match="service mode"):
        Recorder(tmp_path / "traffic.txt", service.may_record, service.now_ms)
    assert list(tmp_path.iterdir()) == []


def test_a_recording_ends_before_the_first_byte_for_which_it_has_no_permission(
    tmp_path: Path,
) -> None:
    service, path = Service(), tmp_path / "traffic.txt"
    recorder = Recorder(path, service.may_record, service.now_ms)
    tap = recorder.tap("shoe")
    tap("<", b"before")
    service.on = False
    tap("<", b"CARD As")
    service.on = True
    tap("<", b"after")
    assert recorder.ended
    assert [noted.data for noted in read_recording(path)] == [b"before"]


@pytest.mark.parametrize("piece", [1, 3, 100])
def test_a_pin_is_struck_out_however_its_line_is_split(tmp_path: Path, piece: int) -> None:
    service, path = Service(), tmp_path / "traffic.txt"
    recorder = Recorder(path, service.may_record, service.now_ms)
    data = encode(Frame("message", 4, "KEY AUTH 1234 987654")) + encode(
        Frame("message", 5, "KEY OPEN")
    )
    for at in range(0, len(data), piece):
        recorder.tap("panel")("<", data[at : at + piece])
    recorder.close()
    noted = b"".join(noted.data for noted in read_recording(path))
    assert b"987654" not in noted
    assert b"KEY AUTH ###########*" in noted
    assert encode(Frame("message", 5, "KEY OPEN")) in noted


@given(st.lists(st.tuples(st.sampled_from("<>"), st.binary(min_size=1, max_size=40)), max_size=20))
def test_what_is_recorded_is_read_back_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[tuple[str, bytes]]
) -> None:
    service, path = Service(), tmp_path_factory.mktemp("r") / "traffic.txt"
    recorder = Recorder(path, service.may_record, service.now_ms)
    tap = recorder.tap("shoe")
    for direction, data in pieces:
        tap("<" if direction == "<" else ">", data)
    recorder.close()
    assert [(noted.direction, noted.data) for noted in read_recording(path)] == pieces


@pytest.mark.parametrize("text", ["x\n", "5 shoe < zz\n", "5 shoe = 05\n", "shoe < 05\n"])
def test_a_line_of_another_form_is_named_by_its_number(tmp_path: Path, text: str) -> None:
    path = tmp_path / "traffic.txt"
    path.write_text("5 shoe < 05\n" + text, encoding="ascii")
    with pytest.raises(BadInput, match=r"traffic\.txt:2: is no line of a recording"):
        read_recording(path)


def test_a_recording_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        read_recording(tmp_path / "nothing.txt")


def test_a_recording_is_played_into_a_decoder_with_its_pauses() -> None:
    data = encode(Frame("message", 1, "KEY OPEN"))
    recording = [
        Noted(1_000, "panel", "<", data[:5]),
        Noted(1_100, "sign", "<", b"noise"),
        Noted(1_200, "panel", ">", b"noise"),
        Noted(1_500, "panel", "<", data[5:]),
    ]
    decoder, pauses, frames = Decoder(), [], []
    for pause_s, piece in sent_by("panel", recording):
        pauses.append(pause_s)
        frames += decoder.feed(piece)
    assert pauses == [0, 0.5]
    assert frames == [Frame("message", 1, "KEY OPEN")]


def test_a_port_is_recorded_and_the_recording_played_into_a_pseudo_terminal(
    tmp_path: Path,
) -> None:
    path, service = tmp_path / "traffic.txt", Service()

    async def record() -> None:
        wire = Wire("shoe")
        wire.plug_in()
        heard: asyncio.Queue[str] = asyncio.Queue()
        port = LinePort(wire.path, "shoe", lambda text, _n: heard.put_nowait(text), FakeShell())
        recorder = Recorder(path, service.may_record, service.now_ms)
        port.port.tap = recorder.tap("shoe")
        wire.hello()
        wire.say(line("!1 UNREAD dirty"))
        async with asyncio.timeout(30):
            assert await heard.get() == "UNREAD dirty"
        port.acknowledge(4711 * 1_000 + 1)
        recorder.close()
        port.close()
        wire.close()

    async def play_back() -> None:
        end, slave = os.openpty()
        tty.setraw(slave)
        heard: asyncio.Queue[str] = asyncio.Queue()
        name = os.ttyname(slave)
        port = LinePort(name, "shoe", lambda text, _n: heard.put_nowait(text), FakeShell())
        for _pause_s, data in sent_by("shoe", read_recording(path)):
            os.write(end, data)
        async with asyncio.timeout(30):
            assert await heard.get() == "UNREAD dirty"
        port.close()
        os.close(end)
        os.close(slave)

    in_a_loop(record)
    assert ">" in {noted.direction for noted in read_recording(path)}
    in_a_loop(play_back)
