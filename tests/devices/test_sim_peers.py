"""The simulated devices against the table's own ports, with everything wrong that they can.

Whatever a line does, each message arrives once and in its order; a card is never another.
"""

import asyncio
import os
import termios
from collections.abc import Callable

import pytest

from firmware.devices import line_channel, serial_port
from firmware.devices.angel_eye_port import AngelEyePort
from firmware.devices.card_source import Kind, card_source_port
from firmware.devices.line_port import LinePort, event_port
from firmware.errors import BadInput
from firmware.table.events import (
    CardDrawn,
    Event,
    FaultNoticed,
    FaultPassed,
    FromDevice,
    FromSource,
    HandDispensed,
    RoundPaid,
)
from sim.table.angel_eye_shoe import AngelEyeShoe
from sim.table.line_device import LineDevice
from tests.devices.intake import FakeIntake, panel_event
from tests.devices.wire import in_a_loop

HAND = ["As", "Kd", "7c", "7h", "2s"]


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_channel, "REPEAT_S", 0.005)
    for name, seconds in (("RETRY_S", 0.02), ("BEAT_S", 0.05), ("CALM_S", 0.05)):
        monkeypatch.setattr(serial_port, name, seconds)


class TableShell(FakeIntake):
    """A shell that takes each frame once, as the table does."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: list[FromDevice] = []
        self.faults: list[tuple[str, str]] = []

    async def follow(self) -> None:
        """Take events for ever."""
        while True:
            self._take(await self.events.get())

    def _take(self, event: Event) -> None:
        if isinstance(event, FromDevice) and event.frame not in {e.frame for e in self.taken[-1:]}:
            self.taken.append(event)
        elif isinstance(event, FaultNoticed | FaultPassed):
            kind = "noticed" if isinstance(event, FaultNoticed) else "passed"
            self.faults.append((event.code, kind))

    @property
    def cards(self) -> list[str]:
        """The cards that were taken."""
        return [event.card for event in self.taken if isinstance(event, CardDrawn)]

    async def until_fault(self, code: str, kind: str) -> None:
        """Wait until a fault is noticed or has passed."""
        async with asyncio.timeout(30):
            while (code, kind) not in self.faults:  # noqa: ASYNC110  # a list has no event
                await asyncio.sleep(0.001)
        self.faults.clear()


@pytest.mark.parametrize("seed", range(5))
def test_over_a_line_that_drops_damages_and_doubles_every_card_arrives_once_in_order(
    seed: int,
) -> None:
    async def play() -> None:
        shell = TableShell()
        following = asyncio.create_task(shell.follow())
        shoe = LineDevice(lambda _text: None, "shoe", seed=seed)
        faults = shoe.faults
        faults.drop = faults.corrupt = faults.duplicate = 0.3
        faults.split = seed % 2 == 0
        port = card_source_port("line", shoe.path, "shoe", shell)
        async with asyncio.timeout(50):
            for card in HAND * 4:
                await shoe.send(f"CARD {card}")
        assert shell.cards == HAND * 4
        following.cancel()
        port.close()
        shoe.close()

    in_a_loop(play)


def test_a_shoe_that_is_unplugged_in_mid_deal_goes_on_with_the_card_that_was_not_taken() -> None:
    async def play() -> None:
        shell = TableShell()
        following = asyncio.create_task(shell.follow())
        shoe = LineDevice(lambda _text: None, "shoe")
        port = card_source_port("line", shoe.path, "shoe", shell)
        await shoe.send("CARD As")
        shoe.unplug()
        drawing = asyncio.create_task(shoe.send("CARD Kd"))
        await shell.until_fault("device_gone", "noticed")
        assert shell.cards == ["As"]
        shoe.plug_in()
        await shell.until_fault("device_gone", "passed")
        async with asyncio.timeout(30):
            await drawing
        assert shell.cards == ["As", "Kd"]
        following.cancel()
        port.close()
        shoe.close()

    in_a_loop(play)


def test_a_device_that_is_switched_off_and_on_is_heard_and_shown_its_prompt_again() -> None:
    async def play() -> None:
        shell = TableShell()
        following = asyncio.create_task(shell.follow())
        shown: list[str] = []
        panel = LineDevice(shown.append, "panel")
        port = event_port(panel.path, "panel", panel_event, shell)
        port.send("SHOW idle")
        async with asyncio.timeout(30):
            await panel.send("KEY OPEN")
            panel.restart()
            await panel.send("KEY CLOSE")
            while shown != ["SHOW idle"] * 2:  # noqa: ASYNC110  # a list has no event
                await asyncio.sleep(0.001)
        assert len(shell.taken) == 2
        following.cancel()
        port.close()
        panel.close()

    in_a_loop(play)


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [("shoe", "CARD As", "CARD Kd"), ("shuffler", "HAND As Kd", "HAND 2c 3c")],
)
@pytest.mark.parametrize("answered", [True, False])
def test_a_card_source_that_restarts_sends_again_what_was_not_acknowledged_and_it_is_taken_once(
    kind: Kind, first: str, second: str, *, answered: bool
) -> None:
    """Both restart, twice; the table had taken the card, or the power was cut before that."""

    async def play() -> None:
        shell = SlowShell()
        source = LineDevice(lambda _text: None, kind)
        port = card_source_port("line", source.path, kind, shell)
        sending = asyncio.create_task(source.send(first))
        await asyncio.sleep(0)  # it is on its way
        async with asyncio.timeout(30):
            taken = [await shell.card()] if answered else []
            for _ in range(2):
                port.close()
                source.restart()
                shell.forget()
                port = card_source_port("line", source.path, kind, shell)
                taken.append(await shell.card())
            assert not sending.done()
            shell.answer()
            await sending
            next_one = asyncio.create_task(source.send(second))
            while (then := await shell.card()).frame == taken[0].frame:
                shell.answer()
            shell.answer()
            await next_one
        assert {event.frame for event in taken} == {taken[0].frame}
        assert not any(event.unmarked for event in taken[1:])
        assert _cards(taken[-1]) == tuple(first.split()[1:])
        assert _cards(then) == tuple(second.split()[1:])
        port.close()
        source.close()

    in_a_loop(play)


class SlowShell(FakeIntake):
    """A shell that acknowledges when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self._arrived: asyncio.Queue[tuple[Event, Callable[[], None] | None]] = asyncio.Queue()
        self._afterwards: Callable[[], None] | None = None

    def put(self, event: Event, afterwards: Callable[[], None] | None = None) -> None:
        """Keep an event, and what is to be done after it."""
        self._arrived.put_nowait((event, afterwards))

    async def card(self) -> FromSource:
        """Wait for a card."""
        while True:
            event, self._afterwards = await self._arrived.get()
            if isinstance(event, FromSource):
                return event

    def forget(self) -> None:
        """Lose everything that has come: the power is cut."""
        self._arrived = asyncio.Queue()

    def answer(self) -> None:
        """Acknowledge the card that was given last."""
        assert self._afterwards is not None
        self._afterwards()


def _cards(event: FromSource) -> tuple[str, ...]:
    if isinstance(event, CardDrawn):
        return (event.card,)
    assert isinstance(event, HandDispensed)
    return event.cards


def test_a_device_takes_nothing_for_acknowledged_while_the_port_sends_back_what_it_hears() -> None:
    """A port that was never set up echoes, as a Pi's does from its first opening on."""

    async def play() -> None:
        shell = TableShell()
        following = asyncio.create_task(shell.follow())
        shown: list[str] = []
        panel = LineDevice(shown.append, "panel")
        echoed: list[bytes] = []
        panel.listen(echoed.append)
        never_set_up = os.open(panel.path, os.O_RDWR | os.O_NOCTTY)
        termios.tcsetattr(never_set_up, termios.TCSANOW, _first_settings(never_set_up))
        pressing = asyncio.create_task(panel.send("KEY PAID"))
        async with asyncio.timeout(30):
            # Sent and sent back three times: an answer to any of them would have come by then.
            while b"".join(echoed).count(b"KEY PAID") < 3:  # noqa: ASYNC110  # no event either
                await asyncio.sleep(0.001)
            assert b"+" not in b"".join(echoed)
            assert not pressing.done()
            port = event_port(panel.path, "panel", panel_event, shell)
            await pressing
        assert [type(event) for event in shell.taken] == [RoundPaid]
        assert shown == []
        following.cancel()
        os.close(never_set_up)
        port.close()
        panel.close()

    in_a_loop(play)


def _first_settings(port: int) -> list[int | list[bytes | int]]:
    """Give the settings that a serial port has in the kernel before anybody sets it up."""
    settings = termios.tcgetattr(port)
    settings[0] |= termios.ICRNL | termios.IXON
    settings[1] |= termios.OPOST | termios.ONLCR
    settings[3] |= termios.ISIG | termios.ICANON | termios.ECHO | termios.ECHOE | termios.ECHOK
    return settings


@pytest.mark.parametrize("fault", ["wrong_baud", "babble", "silent"])
def test_a_device_with_a_fault_is_told_and_good_again_without_it(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serial_port, "SILENT_S", 0.3)
    code = "device_silent" if fault == "silent" else "device_babbles"

    async def play() -> None:
        shell = TableShell()
        following = asyncio.create_task(shell.follow())
        panel = LineDevice(lambda _text: None, "panel")
        port = event_port(panel.path, "panel", panel_event, shell)
        await shell.until_fault(code, "passed")
        if fault == "babble":
            panel.babble(600)
        elif fault == "silent":
            panel.faults.silent = True
        else:
            panel.faults.wrong_baud = True
        pressing = asyncio.create_task(panel.send("KEY OPEN"))
        await shell.until_fault(code, "noticed")
        panel.faults.silent = panel.faults.wrong_baud = False
        await shell.until_fault(code, "passed")
        async with asyncio.timeout(30):
            await pressing
        assert len(shell.taken) == 1
        following.cancel()
        port.close()
        panel.close()

    in_a_loop(play)


def test_a_device_that_answers_late_is_heard() -> None:
    async def play() -> None:
        shell = TableShell()
        following = asyncio.create_task(shell.follow())
        panel = LineDevice(lambda _text: None, "panel")
        panel.faults.delay_s = 0.05
        port = event_port(panel.path, "panel", panel_event, shell)
        async with asyncio.timeout(30):
            await panel.send("KEY OPEN")
        assert len(shell.taken) == 1
        following.cancel()
        port.close()
        panel.close()

    in_a_loop(play)


# The shoe of the Angel Eye family


def test_a_deal_from_an_angel_eye_shoe_that_repeats_itself_between_noise_is_each_card_once() -> (
    None
):
    async def play() -> None:
        shell = TableShell()
        following = asyncio.create_task(shell.follow())
        shoe = AngelEyeShoe()
        port = card_source_port("angel-eye", shoe.path, "shoe", shell)
        assert isinstance(port, AngelEyePort)
        shoe.faults.split = True
        for card in HAND:
            shoe.babble(3)
            shoe.draw(card, times=3)
        shoe.draw_outside("Qh")
        async with asyncio.timeout(30):
            while len(shell.cards) < 6:  # noqa: ASYNC110  # a list has no event
                await asyncio.sleep(0.001)
        assert shell.cards == [*HAND, "Qh"]
        assert port.stats.repeated == 10
        following.cancel()
        port.close()
        shoe.close()

    in_a_loop(play)


def test_an_angel_eye_shoe_is_unplugged_and_back_and_its_errors_are_told() -> None:
    async def play() -> None:
        shell = TableShell()
        following = asyncio.create_task(shell.follow())
        shoe = AngelEyeShoe()
        port = card_source_port("angel-eye", shoe.path, "shoe", shell)
        shoe.deal(HAND[:2])
        shoe.fail(7)
        await shell.until_fault("cards_unread", "noticed")
        shoe.unplug()
        await shell.until_fault("device_gone", "noticed")
        shoe.plug_in()
        await shell.until_fault("device_gone", "passed")
        shoe.deal(HAND[2:])
        async with asyncio.timeout(30):
            while len(shell.cards) < 5:  # noqa: ASYNC110  # a list has no event
                await asyncio.sleep(0.001)
        assert shell.cards == HAND
        shoe.babble(2_000)
        await shell.until_fault("device_babbles", "noticed")
        following.cancel()
        port.close()
        shoe.close()

    in_a_loop(play)


def test_which_protocol_a_card_source_speaks_is_a_setting() -> None:
    async def play() -> None:
        shell, shoe = FakeIntake(), AngelEyeShoe()
        with pytest.raises(BadInput, match="a shuffler speaks line"):
            card_source_port("angel-eye", shoe.path, "shuffler", shell)
        port = card_source_port("line", shoe.path, "shuffler", shell)
        assert isinstance(port, LinePort)
        port.close()
        shoe.close()

    in_a_loop(play)
