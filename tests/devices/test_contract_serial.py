"""The contract of every serial device, over the simulated one and, where it is, the real one.

One suite for shoe, shuffler, panel and sign: what `hw/line-protocol.md` asks of a device,
seen from the other end of its line in bytes. A real device is made to say something by
whoever sits at the bench: a minute to press a key or to draw a card.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import NamedTuple

import pytest
import serial

from firmware.devices import card_source
from firmware.devices.line import LONGEST_LINE, Decoder, Frame, encode
from firmware.devices.line_port import BAUD
from sim.table.line_device import LineDevice
from tests.devices.hardware import BOTH, KINDS, Kind, Where, real, variable
from tests.devices.intake import panel_event

PATIENCE_S = 60.0
SAYS: dict[Kind, str] = {
    "shoe": "CARD As",
    "shuffler": "HAND As Kd 7c 7h 2s",
    "panel": "KEY OPEN",
}
SHOWN: dict[Kind, str] = {"panel": "SHOW idle|Test.", "sign": "SIGN 1234500|Test"}


class Bench(NamedTuple):
    """A device at the bench: its line, and how it is made to say something."""

    kind: Kind
    line: int
    frames: asyncio.Queue[Frame]
    act: Callable[[], None]
    showing: list[str]

    def write(self, data: bytes) -> None:
        """Send bytes; what does not fit on the line is lost, as a table's would be."""
        with suppress(BlockingIOError):
            os.write(self.line, data)

    async def acknowledged(self, frame: Frame) -> None:
        """Repeat a message until it is acknowledged."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                self.write(b"\n" + encode(frame))
                with suppress(TimeoutError):
                    async with asyncio.timeout(1):
                        answer = await self.heard(lambda each: each.kind == "acknowledgement")
                        assert answer.number == frame.number
                        return

    async def heard(self, wanted: Callable[[Frame], bool]) -> Frame:
        """Wait for a frame, whatever else comes before it."""
        async with asyncio.timeout(PATIENCE_S):
            while not wanted(frame := await self.frames.get()):
                pass
            return frame

    async def greeting(self) -> list[str]:
        """Ask who is there, and give the words of the answer."""
        self.write(encode(Frame("announcement", 0, "PING")))
        hello = await self.heard(lambda frame: frame.kind == "announcement")
        return hello.text.split()


@asynccontextmanager
async def at_the_bench(kind: Kind, where: Where) -> AsyncIterator[Bench]:
    """Put a device on the bench and open its line."""
    showing: list[str] = []
    device = LineDevice(showing.append, kind) if where == "simulated" else None
    tasks: list[asyncio.Task[None]] = []

    def act() -> None:
        if device is not None:
            tasks.append(asyncio.create_task(device.send(SAYS[kind])))

    path = device.path if device is not None else real(variable(kind))
    loop = asyncio.get_running_loop()
    decoder, frames = Decoder(), asyncio.Queue[Frame]()
    with serial.Serial(path, BAUD, timeout=0, exclusive=True) as port:
        os.set_blocking(port.fileno(), False)

        def readable() -> None:
            for frame in decoder.feed(os.read(port.fileno(), 65_536)):
                frames.put_nowait(frame)

        loop.add_reader(port.fileno(), readable)
        try:
            yield Bench(kind, port.fileno(), frames, act, showing)
        finally:
            loop.remove_reader(port.fileno())
            for task in tasks:
                task.cancel()
            if device is not None:
                device.close()


Play = Callable[[Bench], Awaitable[None]]


def play(kind: Kind, where: Where, scene: Play) -> None:
    """Play a scene with a device."""

    async def played() -> None:
        async with at_the_bench(kind, where) as bench:
            await scene(bench)

    if where == "real":
        real(variable(kind))
    asyncio.run(played())


every_device = pytest.mark.parametrize("kind", KINDS)
wherever_it_is = pytest.mark.parametrize("where", BOTH)


@every_device
@wherever_it_is
def test_a_device_answers_a_ping_with_its_kind_version_and_session(
    kind: Kind, where: Where
) -> None:
    async def scene(bench: Bench) -> None:
        hello, named, _version, session, *_more = await bench.greeting()
        assert (hello, named) == ("HELLO", kind)
        assert 1 <= int(session) <= 999_999_999
        assert (await bench.greeting())[3] == session

    play(kind, where, scene)


@every_device
@wherever_it_is
def test_a_device_acknowledges_every_message_also_again_and_one_that_it_does_not_know(
    kind: Kind, where: Where
) -> None:
    async def scene(bench: Bench) -> None:
        await bench.greeting()
        known = SHOWN.get(kind, "NOTHING known")
        for number, text in ((501, known), (501, known), (502, "WHATEVER this is"), (999, known)):
            bench.write(encode(Frame("message", number, text)))
            answer = await bench.heard(lambda frame: frame.kind == "acknowledgement")
            assert answer.number == number

    play(kind, where, scene)


@every_device
@wherever_it_is
def test_a_device_does_not_answer_its_own_echo(kind: Kind, where: Where) -> None:
    async def scene(bench: Bench) -> None:
        await bench.greeting()
        bench.write(encode(Frame("message", 1, "KEY OPEN")))
        bench.write(encode(Frame("message", 501, SHOWN.get(kind, "NOTHING known"))))
        answer = await bench.heard(lambda frame: frame.kind == "acknowledgement")
        assert answer.number == 501

    play(kind, where, scene)


@every_device
@wherever_it_is
def test_a_device_hears_a_good_frame_after_noise_and_a_bad_one_and_a_long_one(
    kind: Kind, where: Where
) -> None:
    async def scene(bench: Bench) -> None:
        await bench.greeting()
        longest = "SHOW long|" + "x" * (LONGEST_LINE - 30)
        bench.write(b"\x00\xff!5 SHOW*0000\n")
        bench.write(encode(Frame("message", 504, "SHOW bad")).replace(b"bad", b"BAD"))
        await bench.acknowledged(Frame("message", 505, longest))

    play(kind, where, scene)


@pytest.mark.parametrize("kind", SAYS)
@wherever_it_is
def test_a_device_repeats_what_it_says_with_the_same_number_until_it_is_acknowledged(
    kind: Kind, where: Where
) -> None:
    async def scene(bench: Bench) -> None:
        await bench.greeting()
        bench.act()
        first = await bench.heard(lambda frame: frame.kind == "message")
        again = [await bench.heard(lambda frame: frame.kind == "message") for _ in range(2)]
        assert again == [first] * 2
        source: card_source.Kind = "shuffler" if kind == "shuffler" else "shoe"
        from_source = partial(card_source.event_of, source)
        reader = panel_event if kind == "panel" else from_source
        assert reader(first.text, first.number, 1) is not None
        bench.write(encode(Frame("acknowledgement", first.number)))
        # The answer to the ping comes after a repetition that was under way.
        await bench.greeting()
        bench.act()
        after = await bench.heard(lambda frame: frame.kind == "message" and frame != first)
        assert after.number == first.number % 499 + 1

    play(kind, where, scene)


@pytest.mark.parametrize("kind", SHOWN)
def test_what_a_simulated_device_is_told_to_show_it_shows(kind: Kind) -> None:
    async def scene(bench: Bench) -> None:
        await bench.greeting()
        bench.write(encode(Frame("message", 501, SHOWN[kind])))
        await bench.heard(lambda frame: frame.kind == "acknowledgement")
        assert bench.showing == [SHOWN[kind]]

    play(kind, "simulated", scene)
