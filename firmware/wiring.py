"""Puts the firmware together: which adapter carries out which effect.

Everything that is replaced in a simulation comes in from outside: the pin factory as an
argument, ports, broker and journal folder from the table file.
"""

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from gpiozero.pins import Factory
from msgspec import Struct

from firmware import health as machine
from firmware.authenticator import PanelKeys
from firmware.config import Config
from firmware.devices import panel
from firmware.devices.card_source import card_source_port
from firmware.devices.coin_spots import CoinSpots
from firmware.devices.lamp_enable import LampEnable
from firmware.devices.lamps import Lamps
from firmware.devices.line_port import LinePort, event_port
from firmware.devices.settings import DeviceSettings
from firmware.devices.sign import sign_text
from firmware.devices.switches import Switches
from firmware.devices.watchdog import Watchdog
from firmware.examination import Parts
from firmware.inbox import Inbox
from firmware.link.mqtt import JackpotLink
from firmware.lots import draw_lots
from firmware.maintenance.log_tail import LogTail
from firmware.maintenance.server import MaintenanceServer
from firmware.premises import premises
from firmware.runtime import Runtime
from firmware.systemd import Notifier
from firmware.table.effects import (
    AnyEffect,
    DrawLots,
    ReportStanding,
    Send,
    SetLamp,
    ShowPrompt,
    ShowRefusal,
    ShowSign,
    StopSending,
)
from firmware.table.events import FaultPassed
from firmware.tasks import until_one_ends

_log = logging.getLogger(__name__)


class Outputs(Struct, frozen=True):
    """Carries effects out."""

    lamps: Lamps
    panel: LinePort
    sign: LinePort
    link: JackpotLink
    inbox: Inbox

    def carry_out(self, effect: AnyEffect) -> None:  # noqa: C901  # one case an effect
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
            case ReportStanding():
                self.link.report(effect)
            case DrawLots():
                self.inbox.put(draw_lots(effect, self.inbox.now_ms()))


async def run(
    config: Config, factory: Factory | None, stop: asyncio.Event, notifier: Notifier
) -> None:
    """Run the firmware until it is told to stop."""
    devices = _device_settings(config)
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
        panel_keys = PanelKeys(config.serial.panel, config.staff, inbox)
        stack.callback(panel_keys.close)
        sign_port = event_port(config.serial.sign, "sign", _nothing, inbox)
        stack.callback(sign_port.close)
        cards = None
        if config.serial.cards is not None:
            cards = card_source_port(
                devices.card_protocol,
                config.serial.cards,
                "shuffler" if config.table.card_source == "shuffler" else "shoe",
                inbox,
            )
            stack.callback(cards.close)
        table = config.table
        link = JackpotLink(
            config.link, table.name, runtime.table.state.journal, inbox, game=table.game
        )
        outputs = Outputs(lamps, panel_keys.port, sign_port, link, inbox)
        parts = Parts(
            config=config,
            runtime=runtime,
            inbox=inbox,
            spots=spots,
            ports={"panel": panel_keys.port, "sign": sign_port}
            | ({} if cards is None else {table.card_source: cards}),
            link=link,
        )
        log_tail = LogTail()
        logging.getLogger().addHandler(log_tail)
        stack.callback(logging.getLogger().removeHandler, log_tail)
        maintenance = MaintenanceServer(
            premises(parts, outputs.carry_out, log_tail), config.maintenance
        )
        enable = LampEnable(config.pins.lamp_enable, factory)
        stack.callback(enable.close)
        _log.info(
            "self-tests passed: table file, hand tables, %d journal records, %d spots",
            runtime.table.state.sequence,
            len(config.spots),
        )
        works: list[Coroutine[None, None, object]] = [
            stop.wait(),
            runtime.run(inbox, outputs.carry_out, maintenance.happened),
            link.run(),
            machine.watch(config.health, journal, inbox),
            enable.run(inbox.progress),
            maintenance.run(),
        ]
        if devices.watchdog:
            watchdog = Watchdog(devices.watchdog)
            stack.callback(watchdog.close)
            works.append(watchdog.run(inbox.progress))
        # The last to start: by then the table shows what it shows, and is ready.
        works.append(notifier.run(inbox.progress, partial(_standing, runtime)))
        await until_one_ends(works)


def _device_settings(config: Config) -> DeviceSettings:
    return DeviceSettings(
        card_protocol=config.serial.card_protocol,
        power_good=config.pins.power_good,
        cover=config.pins.cover,
        key=config.pins.key,
        watchdog=config.watchdog,
        sensors=config.sensors,
    )


def _standing(runtime: Runtime) -> str:
    """Say in one line where the table stands; nothing that a player may not know yet."""
    state = runtime.table.state
    return f"{state.phase}, {state.sequence} journal records"


def _nothing(_text: str, _frame: int, _at_ms: int) -> None:
    """Make nothing of a message: a sign has nothing to say."""
