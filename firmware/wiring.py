"""Puts the firmware together: which adapter carries out which effect.

Everything that is replaced in a simulation comes in from outside: the pin factory as an
argument, ports, broker and journal folder from the table file.
"""

import asyncio
from collections.abc import Coroutine
from contextlib import ExitStack
from pathlib import Path

from gpiozero.pins import Factory
from msgspec import Struct

from firmware import health as machine
from firmware.config import Config
from firmware.devices import panel
from firmware.devices.card_source import card_source_port
from firmware.devices.coin_spots import CoinSpots
from firmware.devices.lamps import Lamps
from firmware.devices.line_port import LinePort, event_port
from firmware.devices.settings import DeviceSettings
from firmware.devices.sign import sign_text
from firmware.devices.switches import Switches
from firmware.devices.watchdog import Watchdog
from firmware.health import HealthSettings
from firmware.inbox import Inbox
from firmware.link.mqtt import JackpotLink
from firmware.lots import draw_lots
from firmware.runtime import Runtime
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
from firmware.table.events import FaultPassed
from firmware.tasks import until_one_ends

_DEVICES = DeviceSettings()
"""What a board without switches and watchdog has."""


class Outputs(Struct, frozen=True):
    """Carries effects out."""

    lamps: Lamps
    panel: LinePort
    sign: LinePort
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
    config: Config,
    factory: Factory | None,
    stop: asyncio.Event,
    *,
    devices: DeviceSettings = _DEVICES,
    health: HealthSettings | None = None,
) -> None:
    """Run the firmware until it is told to stop; without `health` the machine is not watched."""
    with ExitStack() as stack:
        journal = Path(config.journal)
        runtime = Runtime(config.table, journal)
        stack.callback(runtime.close)
        inbox = Inbox()
        asyncio.get_running_loop().set_exception_handler(inbox.callback_failed)
        lamps = Lamps({(spot.seat, spot.bet): spot.lamp for spot in config.spots}, factory)
        stack.callback(lamps.close)
        sensors = {(spot.seat, spot.bet): spot.sensor for spot in config.spots}
        spots = CoinSpots(sensors, factory, inbox, devices.sensors)
        stack.callback(spots.close)
        inbox.when_roomy(spots.read_again)
        switches = Switches(devices.switches, factory, inbox)
        stack.callback(switches.close)
        # A pin that failed before the start is open again.
        inbox.put(FaultPassed(at_ms=inbox.now_ms(), code="device_gone", where="pins"))
        panel_port = event_port(config.serial.panel, "panel", panel.event_of, inbox)
        stack.callback(panel_port.close)
        sign_port = event_port(config.serial.sign, "sign", _nothing, inbox)
        stack.callback(sign_port.close)
        cards_port = card_source_port(
            devices.card_protocol, config.serial.cards, config.table.card_source, inbox
        )
        stack.callback(cards_port.close)
        link = JackpotLink(config.link, config.table.name, runtime.table.state.journal, inbox)
        outputs = Outputs(lamps, panel_port, sign_port, link, inbox)
        works: list[Coroutine[None, None, object]] = [
            stop.wait(),
            runtime.run(inbox, outputs.carry_out),
            link.run(),
        ]
        if health is not None:
            works.append(machine.watch(health, journal, inbox))
        if devices.watchdog:
            watchdog = Watchdog(devices.watchdog)
            stack.callback(watchdog.close)
            works.append(watchdog.run(inbox.progress))
        await until_one_ends(works)


def _nothing(_text: str, _frame: int, _at_ms: int) -> None:
    """Make nothing of a message: a sign has nothing to say."""
