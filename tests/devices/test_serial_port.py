"""A serial port on a real pseudo-terminal: what is said, heard, repeated and acknowledged.

The other end is written in bytes here, by hand, so that both sides are not wrong alike.
Unplugging is not proved here: a port does not survive it yet.
"""

import asyncio
import os
import threading
import tty
from binascii import crc_hqx
from collections.abc import Awaitable, Callable

import pytest

from firmware.devices import line_channel
from firmware.devices.serial_port import SerialPort

Messages = asyncio.Queue[tuple[str, int]]

NEVER_S = 3_600.0
SOON_S = 0.005


def line(body: str) -> bytes:
    """Write a line as the protocol's description has it."""
    data = body.encode("ascii")
    return b"%s*%04X\n" % (data, crc_hqx(data, 0))


class Wire:
    """The other end of a port's pseudo-terminal."""

    def __init__(self) -> None:
        self._end, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._end, False)
        self.path = os.ttyname(self._slave)
        self._heard = asyncio.Queue[bytes]()
        self._rest = b""
        self._loop = asyncio.get_running_loop()

    def say(self, data: bytes) -> None:
        """Send bytes to the port."""
        assert os.write(self._end, data) == len(data)

    def listen(self) -> None:
        """Begin to read what the port sends."""
        self._loop.add_reader(self._end, self._readable)

    async def line(self) -> bytes:
        """Wait for the next line."""
        async with asyncio.timeout(30):
            return await self._heard.get()

    async def until(self, wanted: bytes) -> list[bytes]:
        """Wait for a line, and give those that came before it."""
        before: list[bytes] = []
        while (heard := await self.line()) != wanted:
            before.append(heard)
        return before

    def close(self) -> None:
        """Unplug the other end."""
        self._loop.remove_reader(self._end)
        os.close(self._end)
        os.close(self._slave)

    def _readable(self) -> None:
        *lines, self._rest = (self._rest + os.read(self._end, 65_536)).split(b"\n")
        for heard in lines:
            self._heard.put_nowait(heard + b"\n")


Play = Callable[[SerialPort, Wire, Messages], Awaitable[None]]


def on_a_wire(play: Play, *, listening: bool = True) -> None:
    """Open a port on a pseudo-terminal and play with both ends, in a loop that must not block."""

    async def played() -> None:
        wire = Wire()
        if listening:
            wire.listen()
        messages = Messages()
        port = SerialPort(wire.path, lambda text, number: messages.put_nowait((text, number)))
        try:
            await play(port, wire, messages)
        finally:
            port.close()
            wire.close()

    failed: list[BaseException] = []

    def run() -> None:
        try:
            asyncio.run(played())
        except BaseException as error:  # noqa: BLE001  # handed on to the test's own thread
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(timeout=60)
    assert not thread.is_alive(), "the event loop is blocked"
    if failed:
        raise failed[0]


async def message(messages: Messages) -> tuple[str, int]:
    """Wait for the next message that the port hands on."""
    async with asyncio.timeout(30):
        return await messages.get()


@pytest.fixture
def _never_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_channel, "REPEAT_S", NEVER_S)


@pytest.fixture
def _soon_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_channel, "REPEAT_S", SOON_S)


# Hearing


def test_a_message_is_handed_on_with_its_number() -> None:
    async def play(_port: SerialPort, wire: Wire, messages: Messages) -> None:
        wire.say(line("!7 KEY OPEN"))
        assert await message(messages) == ("KEY OPEN", 7)

    on_a_wire(play)


def test_a_message_in_pieces_between_noise_is_handed_on_once() -> None:
    async def play(_port: SerialPort, wire: Wire, messages: Messages) -> None:
        data = b"\x00\xff!1 KEY*0000\n" + line("!8 KEY CLOSE") + b"\n+\n" + line("!9 KEY PAID")
        for byte in data:
            wire.say(bytes([byte]))
            await asyncio.sleep(0)
        assert [await message(messages) for _ in range(2)] == [("KEY CLOSE", 8), ("KEY PAID", 9)]
        assert messages.empty()

    on_a_wire(play)


@pytest.mark.usefixtures("_never_again")
def test_a_message_is_not_acknowledged_before_the_table_says_so() -> None:
    async def play(port: SerialPort, wire: Wire, messages: Messages) -> None:
        wire.say(line("!7 KEY OPEN"))
        await message(messages)
        port.send("SHOW idle")
        assert await wire.line() == line("!1 SHOW idle")
        port.acknowledge(7)
        assert await wire.line() == line("+7")

    on_a_wire(play)


def test_a_message_that_is_repeated_is_handed_on_again_for_the_table_to_judge() -> None:
    async def play(port: SerialPort, wire: Wire, messages: Messages) -> None:
        for _ in range(2):
            wire.say(line("!7 KEY OPEN"))
            assert await message(messages) == ("KEY OPEN", 7)
            port.acknowledge(7)
            assert await wire.line() == line("+7")

    on_a_wire(play)


# Saying


@pytest.mark.usefixtures("_soon_again")
def test_a_message_is_repeated_until_it_is_acknowledged_and_then_no_more() -> None:
    async def play(port: SerialPort, wire: Wire, _messages: Messages) -> None:
        port.send("first")
        assert [await wire.line() for _ in range(3)] == [line("!1 first")] * 3
        port.send("second")
        wire.say(line("+1"))
        assert set(await wire.until(line("!2 second"))) <= {line("!1 first")}
        assert [await wire.line() for _ in range(3)] == [line("!2 second")] * 3

    on_a_wire(play)


@pytest.mark.usefixtures("_never_again")
def test_messages_go_one_at_a_time_in_their_order() -> None:
    async def play(port: SerialPort, wire: Wire, _messages: Messages) -> None:
        for number in range(1, 6):
            port.send(f"message {number}")
        for number in range(1, 6):
            assert await wire.line() == line(f"!{number} message {number}")
            wire.say(line(f"+{number}"))
        port.send("after a pause")
        assert await wire.line() == line("!6 after a pause")

    on_a_wire(play)


@pytest.mark.usefixtures("_never_again")
def test_an_old_acknowledgement_does_not_send_anything_again() -> None:
    async def play(port: SerialPort, wire: Wire, _messages: Messages) -> None:
        port.send("first")
        port.send("second")
        assert await wire.line() == line("!1 first")
        wire.say(line("+999") + line("+1"))
        assert await wire.line() == line("!2 second")

    on_a_wire(play)


def test_both_directions_do_not_mind_each_other() -> None:
    async def play(port: SerialPort, wire: Wire, messages: Messages) -> None:
        acknowledged = 0
        for number in range(1, 51):
            port.send(f"out {number}")
            wire.say(line(f"!{number} in {number}"))
        for number in range(1, 51):
            assert await message(messages) == (f"in {number}", number)
            port.acknowledge(number)
        said: list[bytes] = []
        while len(said) < 50 or acknowledged < 50:
            heard = await wire.line()
            if heard.startswith(b"+"):
                acknowledged += 1
                assert heard == line(f"+{acknowledged}")
            elif heard not in said:
                said.append(heard)
                wire.say(line(f"+{len(said)}"))
        assert said == [line(f"!{number} out {number}") for number in range(1, 51)]

    on_a_wire(play)


@pytest.mark.usefixtures("_soon_again")
def test_an_end_that_does_not_read_never_blocks_the_loop_and_loses_nothing_that_is_repeated() -> (
    None
):
    async def play(port: SerialPort, wire: Wire, _messages: Messages) -> None:
        for _ in range(20_000):
            port.acknowledge(7)
        port.send("SHOW idle")
        wire.listen()
        await wire.until(line("!1 SHOW idle"))

    on_a_wire(play, listening=False)


@pytest.mark.usefixtures("_soon_again")
def test_a_closed_port_says_nothing_more() -> None:
    async def play(port: SerialPort, wire: Wire, _messages: Messages) -> None:
        port.send("first")
        await wire.line()
        loop = asyncio.get_running_loop()
        complaints: list[dict[str, object]] = []
        loop.set_exception_handler(lambda _loop, context: complaints.append(context))
        port.close()
        await asyncio.sleep(4 * SOON_S)
        assert complaints == []

    on_a_wire(play)


def test_a_port_that_is_not_there_is_an_os_error_that_names_it() -> None:
    async def play() -> None:
        SerialPort("/dev/underfelt-nowhere", lambda _text, _number: None)

    with pytest.raises(OSError, match="/dev/underfelt-nowhere"):
        asyncio.run(play())


def test_a_line_that_is_unplugged_neither_spins_nor_takes_the_table_down(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def play() -> None:
        far_end, near_end = os.openpty()
        tty.setraw(near_end)
        port = SerialPort(os.ttyname(near_end), lambda _text, _number: None)
        complaints: list[dict[str, object]] = []
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, context: complaints.append(context))
        os.close(near_end)
        os.close(far_end)
        await asyncio.sleep(0.1)
        port.send("SHOW idle")
        port.close()
        assert complaints == []

    asyncio.run(play())
    assert len([record for record in caplog.records if "has gone" in record.message]) == 1
