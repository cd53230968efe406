"""Devices that are not there, vanish, babble or fall silent: each a fault that ends by itself.

On real pseudo-terminals; the waiting times are made short. Neither the loop nor the
program ends, whatever a device does.
"""

import asyncio
import json
import termios
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import serial

from firmware.devices import card_source, line_channel, serial_port
from firmware.devices.angel_eye_port import AngelEyePort
from firmware.devices.faults import error_place
from firmware.devices.line import LONGEST_LINE, MOST_TRIES
from firmware.devices.line_port import LinePort, event_port
from firmware.protocol.fault_catalogue import FAULTS, FaultCode
from firmware.table.events import (
    BetsClosed,
    BetsOpened,
    Event,
    FaultNoticed,
    FaultPassed,
    FromPanel,
)
from tests.devices.intake import FakeIntake, panel_event
from tests.devices.wire import Wire, frame, in_a_loop, line


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("RETRY_S", 0.02), ("BEAT_S", 0.02), ("CALM_S", 0.05)):
        monkeypatch.setattr(serial_port, name, seconds)


async def fault(shell: FakeIntake, code: FaultCode) -> FaultNoticed:
    """Wait until a fault is noticed, and give it; what has passed before is no matter."""
    async with asyncio.timeout(30):
        while True:
            event = await shell.events.get()
            if isinstance(event, FaultNoticed):
                assert event.code == code
                return event


async def passed(shell: FakeIntake, code: FaultCode) -> None:
    """Wait until a fault has passed."""
    async with asyncio.timeout(30):
        while not _is_end_of(await shell.events.get(), code):
            pass


def _is_end_of(event: Event, code: FaultCode) -> bool:
    assert not isinstance(event, FaultNoticed), event
    return isinstance(event, FaultPassed) and event.code == code


Play = Callable[[FakeIntake, Wire, LinePort], Awaitable[None]]


def with_panel(play: Play, *, plugged_in: bool = True) -> None:
    """Play with a panel's port and its other end."""

    async def played() -> None:
        wire, shell = Wire(), FakeIntake()
        if plugged_in:
            wire.plug_in()
        port = event_port(wire.path, "panel", panel_event, shell)
        try:
            await play(shell, wire, port)
        finally:
            port.close()
            wire.close()

    in_a_loop(played)


def test_each_kind_of_device_is_spoken_to_at_the_speed_of_its_document() -> None:
    async def played() -> None:
        wire, shell = Wire(), FakeIntake()
        for opened, speed in (
            (lambda: event_port(wire.path, "panel", panel_event, shell), termios.B115200),
            (lambda: AngelEyePort(wire.path, shell), termios.B4800),
        ):
            wire.plug_in()
            port = opened()
            assert wire.speed() == speed
            port.close()
            wire.unplug()
        wire.close()

    in_a_loop(played)


def test_a_port_that_is_not_there_at_the_start_is_a_fault_until_it_is() -> None:
    async def play(shell: FakeIntake, wire: Wire, port: LinePort) -> None:
        port.send("SHOW idle")
        found = await fault(shell, "device_gone")
        assert found.where == "panel"
        assert found.detail == f"{wire.path}: no such file or directory"
        wire.plug_in()
        await passed(shell, "device_gone")
        assert await wire.line() == line("!501 SHOW idle")

    with_panel(play, plugged_in=False)


def test_a_panel_that_is_unplugged_is_a_fault_and_shows_its_prompt_again_when_it_is_back() -> None:
    async def play(shell: FakeIntake, wire: Wire, port: LinePort) -> None:
        port.send("SHOW dealing|Deal.")
        await wire.until(line("!501 SHOW dealing|Deal."))
        wire.say(line("+501") + line("!1 KEY OPEN"))
        await wire.until(line("+1"))
        wire.unplug()
        async with asyncio.timeout(30):
            while not isinstance(event := await shell.events.get(), FaultNoticed):
                assert isinstance(event, FaultPassed | BetsOpened)
        assert (event.code, event.where) == ("device_gone", "panel")
        port.send("REFUSED too late")
        port.send("SHOW deciding|Decide.")
        wire.plug_in()
        await passed(shell, "device_gone")
        assert await wire.until(line("!502 SHOW deciding|Decide.")) == []
        assert port.stats.reconnects == 1

    with_panel(play)


def test_a_message_that_is_repeated_over_an_unplugging_keeps_its_number() -> None:
    async def play(shell: FakeIntake, wire: Wire, _port: LinePort) -> None:
        wire.hello()
        wire.say(line("!5 KEY OPEN"))
        await wire.until(line("+5"))
        wire.unplug()
        await asyncio.sleep(0.05)
        wire.plug_in()
        keys: list[BetsOpened] = []
        async with asyncio.timeout(30):
            while len(keys) < 2:
                event = await shell.events.get()
                if isinstance(event, BetsOpened):
                    keys.append(event)
                elif isinstance(event, FaultPassed) and event.code == "device_gone" and keys:
                    wire.hello()
                    wire.say(line("!5 KEY OPEN"))
        assert {key.frame for key in keys} == {frame(5)}

    with_panel(play)


def test_a_panel_that_sends_garbage_babbles_with_a_hint_at_the_baud_rate_until_it_stops() -> None:
    async def play(shell: FakeIntake, wire: Wire, port: LinePort) -> None:
        await passed(shell, "device_babbles")
        wire.answering = False
        for _ in range(8):
            wire.say(b"\xfe\x00\x81" * 30)
            await asyncio.sleep(0)
        found = await fault(shell, "device_babbles")
        assert found.where == "panel"
        assert "115200 baud" in found.detail
        assert port.stats.last_problem == found.detail
        wire.say(b"\n")
        wire.answering = True
        await passed(shell, "device_babbles")
        wire.say(line("!1 KEY OPEN"))
        await wire.until(line("+1"))

    with_panel(play)


def test_a_device_that_does_not_answer_pings_is_silent_until_it_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def play(shell: FakeIntake, wire: Wire, _port: LinePort) -> None:
        await passed(shell, "device_silent")
        # Not before: a machine that pauses for so long would be taken for the device.
        monkeypatch.setattr(serial_port, "SILENT_S", 0.2)
        wire.answering = False
        found = await fault(shell, "device_silent")
        assert (found.where, found.detail) == ("panel", "nothing heard for 0.2 s")
        wire.answering = True
        await passed(shell, "device_silent")

    with_panel(play)


def test_a_sign_on_the_port_of_the_panel_is_told_and_not_listened_to() -> None:
    async def play(shell: FakeIntake, wire: Wire, _port: LinePort) -> None:
        found = await fault(shell, "device_unfit")
        assert found.detail == "a sign is plugged in here: swap the plugs"
        wire.say(line("!1 KEY OPEN"))
        wire.unplug()
        await fault(shell, "device_gone")
        wire.kind = "panel"
        wire.plug_in()
        await passed(shell, "device_unfit")

    async def played() -> None:
        wire, shell = Wire("sign"), FakeIntake()
        wire.plug_in()
        port = event_port(wire.path, "panel", panel_event, shell)
        await play(shell, wire, port)
        port.close()
        wire.close()

    in_a_loop(played)


def test_a_display_that_is_too_small_has_its_own_fault_and_the_newest_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serial_port, "CALM_S", 0.0)

    async def played() -> None:
        wire, shell = Wire("panel"), FakeIntake()
        wire.answering = False
        wire.plug_in()
        port = LinePort(wire.path, "panel", lambda *_: None, shell, lambda words: words[0])
        wire.say(line("=HELLO panel 1 7 small"))
        found = await fault(shell, "device_unfit")
        assert found.detail == "small"
        wire.say(line("=HELLO panel 1 7 smaller"))
        assert (await fault(shell, "device_unfit")).detail == "smaller"
        words = FAULTS["device_unfit"].sentence(found.where, found.detail)
        assert "baud" not in words
        assert words == (
            "F205 Unusable device at panel (small): put that right, then switch it off and on."
        )
        port.close()
        wire.close()

    in_a_loop(played)


def test_a_panel_that_acknowledges_nothing_is_a_fault_until_it_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serial_port, "CALM_S", 0.0)
    monkeypatch.setattr(line_channel, "REPEAT_S", 0.01)

    async def played() -> None:
        wire, shell = Wire("panel"), FakeIntake()
        wire.answering = False
        wire.plug_in()
        port = LinePort(wire.path, "panel", lambda *_: None, shell)
        port.send("SHOW idle|Press OPEN.")
        wire.hello()
        heard = [await wire.line() for _ in range(MOST_TRIES + 1)]
        assert {*heard} == {line("!501 SHOW idle|Press OPEN.")}
        wire.hello()
        assert "acknowledges nothing" in (await fault(shell, "device_unfit")).detail
        wire.say(line("+501"))
        wire.hello()
        await passed(shell, "device_unfit")
        port.close()
        wire.close()

    in_a_loop(played)


def test_a_message_longer_than_a_line_is_refused_before_it_is_sent() -> None:
    async def play(_shell: FakeIntake, _wire: Wire, port: LinePort) -> None:
        with pytest.raises(ValueError, match="longer than a line"):
            port.send("SHOW idle|" + "x" * LONGEST_LINE)
        port.send("SHOW idle|" + "x" * (LONGEST_LINE - 100))

    with_panel(play)


def test_number_500_is_nobodys_and_dropped() -> None:
    async def play(shell: FakeIntake, wire: Wire, port: LinePort) -> None:
        wire.hello()
        wire.say(line("!500 KEY OPEN") + line("!1 KEY CLOSE"))
        async with asyncio.timeout(30):
            while not isinstance(event := await shell.events.get(), FromPanel):
                pass
        assert isinstance(event, BetsClosed)
        assert port.stats.dropped

    with_panel(play)


def test_a_device_that_sends_back_what_it_hears_is_told_and_its_echo_is_no_key() -> None:
    async def play(shell: FakeIntake, wire: Wire, port: LinePort) -> None:
        wire.hello()
        port.send("SHOW idle")
        heard = line("!501 SHOW idle")
        await wire.until(heard)
        wire.say(heard + line("!501 KEY OPEN"))
        found = await fault(shell, "device_unfit")
        assert found.detail.startswith("it sends back what the table says")
        wire.say(line("+501") + line("!1 KEY CLOSE"))
        async with asyncio.timeout(30):
            while not isinstance(event := await shell.events.get(), FromPanel):
                pass
        assert isinstance(event, BetsClosed)
        await passed(shell, "device_unfit")

    with_panel(play)


def test_the_log_names_the_line_that_failed_and_not_what_it_was_about() -> None:
    def looked_up() -> str:
        return {"Kd": "king"}["As"]

    def passed_on() -> str:
        return looked_up()

    with pytest.raises(KeyError) as caught:
        passed_on()
    line_number = looked_up.__code__.co_firstlineno + 1
    assert error_place(caught.value) == f"KeyError at {Path(__file__).name}:{line_number}"
    assert error_place(KeyError("As")) == "KeyError"
    with pytest.raises(ValueError, match="Expecting value") as elsewhere:
        json.loads("As")
    assert error_place(elsewhere.value).startswith("JSONDecodeError at decoder.py:")


def test_a_driver_that_fails_is_a_fault_without_the_message_and_the_loop_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def played() -> None:
        wire, shell = Wire("shoe"), FakeIntake()
        wire.plug_in()

        def fail(text: str, _frame: int, _at_ms: int) -> Event | None:
            if "As" in text:
                raise KeyError(text)
            return BetsOpened(at_ms=1, frame=1)

        port = event_port(wire.path, "shoe", fail, shell)
        wire.hello()
        wire.say(line("!1 CARD As"))
        found = await fault(shell, "device_babbles")
        assert found.detail == "the driver failed with KeyError"
        wire.say(line("!2 CARD Kd"))
        await wire.until(line("+2"))
        port.close()
        wire.close()

    in_a_loop(played)
    assert "CARD" not in caplog.text
    assert "KeyError" in caplog.text


@pytest.mark.parametrize(
    ("kind", "says"),
    [("shoe", "HAND As Kd"), ("shuffler", "CARD As"), ("shoe", "CRAD As"), ("shoe", "KEY OPEN")],
)
def test_a_message_that_no_such_card_source_sends_is_a_fault_until_it_has_restarted(
    kind: card_source.Kind, says: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def played() -> None:
        wire, shell = Wire(kind), FakeIntake()
        wire.plug_in()
        port = card_source.card_source_port("line", wire.path, kind, shell)
        wire.hello()
        wire.say(line(f"!1 {says}"))
        found = await fault(shell, "device_unfit")
        assert (found.where, found.detail) == (
            kind,
            f"it sent a message that no {kind} sends; a card may be missing",
        )
        await wire.until(line("+1"))
        wire.hello()
        wire.say(line("!2 UNREAD smudged"))  # it is still the same device
        await wire.until(line("+2"))
        wire.session += 1
        wire.hello()
        await passed(shell, "device_unfit")
        port.close()
        wire.close()

    in_a_loop(played)
    assert "As" not in caplog.text


def test_a_port_that_another_program_has_is_not_shared() -> None:
    async def play(_shell: FakeIntake, wire: Wire, _port: LinePort) -> None:
        with pytest.raises(serial.SerialException):
            serial.Serial(wire.path, exclusive=True)
        other = FakeIntake()
        second = LinePort(wire.path, "panel", lambda _text, _number: None, other)
        assert (await fault(other, "device_gone")).detail.startswith(wire.path)
        second.close()

    with_panel(play)


def test_a_line_that_is_unplugged_does_not_spin() -> None:
    async def play(shell: FakeIntake, wire: Wire, port: LinePort) -> None:
        await passed(shell, "device_silent")
        wire.unplug()
        await fault(shell, "device_gone")
        await asyncio.sleep(0.1)
        port.send("SHOW idle")
        assert port.stats.reconnects == 1

    with_panel(play)


def test_a_shoe_that_only_talks_is_gone_and_back_and_never_silent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serial_port, "SILENT_S", 0.05)

    async def played() -> None:
        wire, shell = Wire("shoe"), FakeIntake()
        wire.plug_in()
        port = AngelEyePort(wire.path, shell)
        await passed(shell, "device_gone")
        await asyncio.sleep(0.2)
        assert shell.events.empty()
        assert wire.pings == 0
        wire.unplug()
        assert (await fault(shell, "device_gone")).where == "shoe"
        wire.plug_in()
        await passed(shell, "device_gone")
        port.close()
        wire.close()

    in_a_loop(played)
