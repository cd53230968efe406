"""Puts the firmware together: which adapter carries out which effect.

Everything that is replaced in a simulation comes in from outside: the pin factory as an
argument, ports, broker and journal folder from the table file.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from gpiozero.pins import Factory
from msgspec import Struct

from firmware.config import Config
from firmware.devices import card_source, panel
from firmware.devices.coin_spots import CoinSpots
from firmware.devices.lamp_enable import LampEnable
from firmware.devices.lamps import Lamps
from firmware.devices.serial_port import SerialPort
from firmware.devices.sign import sign_text
from firmware.inbox import Inbox
from firmware.link.mqtt import JackpotLink
from firmware.lots import draw_lots
from firmware.runtime import Runtime
from firmware.systemd import Notifier
from firmware.table.effects import (
    AnyEffect,
    DrawLots,
    Send,
    SetLamp,
    ShowPrompt,
    ShowRefusal,
    ShowSign,
    StopSending,
)
from firmware.table.events import Event
from firmware.tasks import until_one_ends

_log = logging.getLogger(__name__)

EventOf = Callable[[str, int, int], Event | None]


class Outputs(Struct, frozen=True):
    """Carries effects out."""

    lamps: Lamps
    panel: SerialPort
    sign: SerialPort
    link: JackpotLink
    inbox: Inbox

    def carry_out(self, effect: AnyEffect) -> None:
        """Carry out one effect."""
        match effect:
            case SetLamp(seat, bet, pattern):
                self.lamps.set((seat, bet), pattern)
            case ShowPrompt():
                self.panel.send(panel.prompt_text(effect))
            case ShowRefusal():
                self.panel.send(panel.refusal_text(effect))
            case ShowSign():
                self.sign.send(sign_text(effect))
            case Send(obligation):
                self.link.send(obligation)
            case StopSending(obligation_id):
                self.link.stop_sending(obligation_id)
            case DrawLots():
                self.inbox.put(draw_lots(effect, self.inbox.now_ms()))


async def run(
    config: Config, factory: Factory | None, stop: asyncio.Event, notifier: Notifier
) -> None:
    """Run the firmware until it is told to stop."""
    with ExitStack() as stack:
        runtime = Runtime(config.table, Path(config.journal))
        stack.callback(runtime.close)
        inbox = Inbox()
        lamps = Lamps({(spot.seat, spot.bet): spot.lamp for spot in config.spots}, factory, inbox)
        stack.callback(lamps.close)
        spots = CoinSpots(
            {(spot.seat, spot.bet): spot.sensor for spot in config.spots}, factory, inbox
        )
        stack.callback(spots.close)
        panel_port = _port(config.serial.panel, panel.event_of, inbox, stack)
        sign_port = _port(config.serial.sign, _nothing, inbox, stack)
        if config.serial.cards is not None:
            _port(config.serial.cards, card_source.event_of, inbox, stack)
        link = JackpotLink(config.link, config.table.name, runtime.table.state.journal, inbox)
        outputs = Outputs(lamps, panel_port, sign_port, link, inbox)
        enable = LampEnable(config.pins.lamp_enable, factory)
        stack.callback(enable.close)
        _log.info(
            "self-tests passed: table file, hand tables, %d journal records, %d spots",
            runtime.table.state.sequence,
            len(config.spots),
        )
        works = (
            stop.wait(),
            runtime.run(inbox, outputs.carry_out),
            lamps.run(),
            link.run(),
            enable.run(inbox.progress),
            # The last to start: by then the table shows what it shows, and is ready.
            notifier.run(inbox.progress, partial(_standing, runtime)),
        )
        await until_one_ends(works)


def _standing(runtime: Runtime) -> str:
    """Say in one line where the table stands; nothing that a player may not know yet."""
    state = runtime.table.state
    return f"{state.phase}, {state.sequence} journal records"


def _nothing(_text: str, _number: int, _at_ms: int) -> None:
    """Make nothing of a message: a sign has nothing to say."""


def _port(path: str, event_of: EventOf, inbox: Inbox, stack: ExitStack) -> SerialPort:
    """Open a port whose messages become events; each is acknowledged once it is handled."""

    def on_message(text: str, number: int) -> None:
        event = event_of(text, number, inbox.now_ms())
        if event is None:
            # Not the message itself: it could name a card.
            _log.warning("%s: a message of %d characters is not understood", path, len(text))
            port.acknowledge(number)
        else:
            inbox.put(event, partial(port.acknowledge, number))

    port = SerialPort(path, on_message)
    stack.callback(port.close)
    return port
