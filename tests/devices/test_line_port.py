"""A device on a real pseudo-terminal: what is said, heard, repeated and acknowledged.

What happens when it vanishes, babbles or falls silent is in `test_port_faults.py`.
"""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from firmware.devices import line_channel
from firmware.devices.line_port import LinePort
from tests.devices.intake import FakeIntake
from tests.devices.wire import Wire, frame, in_a_loop, line

Messages = asyncio.Queue[tuple[str, int]]
Play = Callable[[LinePort, Wire, Messages], Awaitable[None]]

NEVER_S = 3_600.0
SOON_S = 0.005


def on_a_wire(play: Play) -> None:
    """Open a port on a pseudo-terminal, greet, show a first prompt, and play with both ends."""

    async def played() -> None:
        wire = Wire()
        wire.plug_in()
        messages = Messages()
        shell = FakeIntake()
        take = messages.put_nowait
        port = LinePort(wire.path, "panel", lambda text, number: take((text, number)), shell)
        port.send("SHOW hello")
        try:
            await wire.until(line("!501 SHOW hello"))
            wire.say(line("+501"))
            await play(port, wire, messages)
        finally:
            port.close()
            wire.close()

    in_a_loop(played)


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


def test_a_message_is_handed_on_with_its_session_and_number() -> None:
    async def play(_port: LinePort, wire: Wire, messages: Messages) -> None:
        wire.say(line("!7 KEY OPEN"))
        assert await message(messages) == ("KEY OPEN", frame(7))

    on_a_wire(play)


def test_a_message_in_pieces_between_noise_is_handed_on_once() -> None:
    async def play(port: LinePort, wire: Wire, messages: Messages) -> None:
        data = b"\x00\xff!1 KEY*0000\n" + line("!8 KEY CLOSE") + b"\n+\n" + line("!9 KEY PAID")
        for byte in data:
            wire.say(bytes([byte]))
            await asyncio.sleep(0)
        heard = [await message(messages) for _ in range(2)]
        assert heard == [("KEY CLOSE", frame(8)), ("KEY PAID", frame(9))]
        assert messages.empty()
        assert port.stats.dropped == 2

    on_a_wire(play)


@pytest.mark.usefixtures("_never_again")
def test_a_message_is_not_acknowledged_before_the_table_says_so() -> None:
    async def play(port: LinePort, wire: Wire, messages: Messages) -> None:
        wire.say(line("!7 KEY OPEN"))
        await message(messages)
        port.send("SHOW idle")
        assert await wire.line() == line("!502 SHOW idle")
        port.acknowledge(frame(7))
        assert await wire.line() == line("+7")

    on_a_wire(play)


def test_a_message_that_is_repeated_is_handed_on_again_for_the_table_to_judge() -> None:
    async def play(port: LinePort, wire: Wire, messages: Messages) -> None:
        for _ in range(2):
            wire.say(line("!7 KEY OPEN"))
            assert await message(messages) == ("KEY OPEN", frame(7))
            port.acknowledge(frame(7))
            assert await wire.line() == line("+7")
        assert port.stats.repeated == 1

    on_a_wire(play)


# Greeting


def test_a_message_before_the_greeting_is_left_for_the_device_to_repeat() -> None:
    async def played() -> None:
        wire = Wire()
        wire.answering = False
        wire.plug_in()
        messages = Messages()
        take = messages.put_nowait
        port = LinePort(wire.path, "panel", lambda text, number: take((text, number)), FakeIntake())
        wire.say(line("!7 KEY OPEN"))
        async with asyncio.timeout(30):
            while wire.pings < 2:  # noqa: ASYNC110  # one on opening, one for the message
                await asyncio.sleep(0)
        assert messages.empty()
        wire.hello()
        wire.say(line("!7 KEY OPEN"))
        assert await message(messages) == ("KEY OPEN", frame(7))
        port.close()
        wire.close()

    in_a_loop(played)


def test_a_device_that_starts_again_counts_from_1_and_is_not_taken_for_repeating_itself() -> None:
    async def play(port: LinePort, wire: Wire, messages: Messages) -> None:
        wire.say(line("!1 KEY OPEN"))
        first = await message(messages)
        wire.session += 1
        wire.hello()
        wire.say(line("!1 KEY CLOSE"))
        second = await message(messages)
        assert (first, second) == (("KEY OPEN", frame(1)), ("KEY CLOSE", frame(1, wire.session)))
        assert port.stats.repeated == 0

    on_a_wire(play)


def test_a_device_that_starts_again_is_shown_what_it_showed_but_no_old_refusal() -> None:
    async def play(port: LinePort, wire: Wire, _messages: Messages) -> None:
        port.send("SHOW dealing|Deal.")
        await wire.until(line("!502 SHOW dealing|Deal."))
        wire.say(line("+502"))
        port.send("REFUSED not now")
        await wire.until(line("!503 REFUSED not now"))
        wire.session += 1
        wire.hello()
        assert set(await wire.until(line("!504 SHOW dealing|Deal."))) <= {
            line("!503 REFUSED not now")
        }

    on_a_wire(play)


@pytest.mark.usefixtures("_never_again")
def test_an_acknowledgement_for_the_session_before_is_not_sent() -> None:
    async def play(port: LinePort, wire: Wire, messages: Messages) -> None:
        wire.say(line("!1 KEY OPEN"))
        _, old = await message(messages)
        wire.session += 1
        wire.hello()
        wire.say(line("!1 KEY CLOSE"))
        _, new = await message(messages)
        port.acknowledge(old)
        port.acknowledge(new)
        assert await wire.until(line("+1")) == [line("!502 SHOW hello")]
        port.send("SHOW idle")
        wire.say(line("+502"))
        assert await wire.line() == line("!503 SHOW idle")

    on_a_wire(play)


def test_a_device_that_is_swapped_for_another_kind_is_no_longer_listened_to() -> None:
    async def play(_port: LinePort, wire: Wire, messages: Messages) -> None:
        wire.say(line(f"=HELLO sign 1.0 {wire.session}") + line("!7 KEY OPEN"))
        wire.say(line(f"=HELLO panel 1.0 {wire.session}") + line("!8 KEY CLOSE"))
        assert await message(messages) == ("KEY CLOSE", frame(8))
        assert messages.empty()

    on_a_wire(play)


@pytest.mark.usefixtures("_never_again")
def test_what_is_for_a_panel_is_not_said_to_a_sign_that_was_plugged_in_instead() -> None:
    async def play(port: LinePort, wire: Wire, _messages: Messages) -> None:
        wire.kind = "sign"
        wire.hello()
        async with asyncio.timeout(30):
            while not port.problem:  # noqa: ASYNC110  # the port has no event for it
                await asyncio.sleep(0)
        port.send("REFUSED for the dealer")
        port.acknowledge(frame(7))
        port.send("SHOW idle")
        wire.kind = "panel"
        wire.hello()
        assert await wire.line() == line("!502 SHOW idle")

    on_a_wire(play)


@pytest.mark.parametrize(
    "greeting",
    ["HELLO", "HELLO panel", "HELLO panel 1.0", "HELLO panel 1.0 0", "HELLO panel 1.0 x",
     "HELLO panel 1.0 -5", "HELLO panel 1.0 1234567890", "HELLO panel 1.0 5 6", "hello panel 1 5"],
)  # fmt: skip
def test_a_greeting_of_another_form_is_none(greeting: str) -> None:
    async def play(_port: LinePort, wire: Wire, messages: Messages) -> None:
        wire.say(line(f"={greeting}") + line("!7 KEY OPEN"))
        assert await message(messages) == ("KEY OPEN", frame(7))

    on_a_wire(play)


# Saying


@pytest.mark.usefixtures("_soon_again")
def test_a_message_is_repeated_until_it_is_acknowledged_and_then_no_more() -> None:
    async def play(port: LinePort, wire: Wire, _messages: Messages) -> None:
        port.send("REFUSED first")
        await wire.until(line("!502 REFUSED first"))
        assert [await wire.line() for _ in range(3)] == [line("!502 REFUSED first")] * 3
        port.send("REFUSED second")
        wire.say(line("+502"))
        assert set(await wire.until(line("!503 REFUSED second"))) <= {line("!502 REFUSED first")}
        assert [await wire.line() for _ in range(3)] == [line("!503 REFUSED second")] * 3
        assert port.stats.resent >= 3

    on_a_wire(play)


@pytest.mark.usefixtures("_never_again")
def test_messages_go_one_at_a_time_in_their_order() -> None:
    async def play(port: LinePort, wire: Wire, _messages: Messages) -> None:
        for number in range(2, 7):
            port.send(f"OTHER {number}")
        for number in range(2, 7):
            assert await wire.line() == line(f"!{500 + number} OTHER {number}")
            wire.say(line(f"+{500 + number}"))
        port.send("OTHER after a pause")
        assert await wire.line() == line("!507 OTHER after a pause")

    on_a_wire(play)


@pytest.mark.usefixtures("_never_again")
def test_a_prompt_that_is_superseded_before_it_was_sent_is_skipped() -> None:
    async def play(port: LinePort, wire: Wire, _messages: Messages) -> None:
        port.send("OTHER w")
        assert await wire.line() == line("!502 OTHER w")
        for text in ("SHOW a", "SHOW b", "OTHER x", "SHOW c"):
            port.send(text)
        wire.say(line("+502"))
        assert await wire.line() == line("!503 OTHER x")
        wire.say(line("+503"))
        assert await wire.line() == line("!504 SHOW c")

    on_a_wire(play)


@pytest.mark.usefixtures("_never_again")
def test_an_old_acknowledgement_does_not_send_anything_again() -> None:
    async def play(port: LinePort, wire: Wire, _messages: Messages) -> None:
        port.send("OTHER first")
        port.send("OTHER second")
        assert await wire.line() == line("!502 OTHER first")
        wire.say(line("+999") + line("+502"))
        assert await wire.line() == line("!503 OTHER second")

    on_a_wire(play)


def test_both_directions_do_not_mind_each_other() -> None:
    async def play(port: LinePort, wire: Wire, messages: Messages) -> None:
        acknowledged = 0
        for number in range(1, 51):
            port.send(f"OTHER {number}")
            wire.say(line(f"!{number} in {number}"))
        for number in range(1, 51):
            assert await message(messages) == (f"in {number}", frame(number))
            port.acknowledge(frame(number))
        said: list[bytes] = []
        while len(said) < 50 or acknowledged < 50:
            heard = await wire.line()
            if heard.startswith(b"+"):
                acknowledged += 1
                assert heard == line(f"+{acknowledged}")
            elif heard not in said:
                said.append(heard)
                wire.say(line(f"+{len(said) + 501}"))
        assert said == [line(f"!{number + 501} OTHER {number}") for number in range(1, 51)]

    on_a_wire(play)


@pytest.mark.usefixtures("_soon_again")
def test_an_end_that_does_not_read_never_blocks_the_loop_and_loses_nothing_that_is_repeated() -> (
    None
):
    async def play(port: LinePort, wire: Wire, _messages: Messages) -> None:
        wire.do_not_listen()
        for _ in range(20_000):
            port.acknowledge(frame(7))
        port.send("SHOW idle")
        wire.listen()
        await wire.until(line("!502 SHOW idle"))

    on_a_wire(play)


@pytest.mark.usefixtures("_soon_again")
def test_a_closed_port_says_nothing_more() -> None:
    async def play(port: LinePort, wire: Wire, _messages: Messages) -> None:
        port.send("SHOW idle")
        await wire.until(line("!502 SHOW idle"))
        loop = asyncio.get_running_loop()
        complaints: list[dict[str, object]] = []
        loop.set_exception_handler(lambda _loop, context: complaints.append(context))
        port.close()
        await asyncio.sleep(4 * SOON_S)
        assert complaints == []

    on_a_wire(play)
