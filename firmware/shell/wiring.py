"""Puts the firmware together: which adapter carries out which effect.

Everything that is replaced in a simulation comes in from outside: the pin factory as an
argument, ports, broker and journal folder from the table file.
"""

import asyncio
import logging
from collections.abc import Coroutine, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Literal

from gpiozero.pins import Factory
from msgspec import Struct

from firmware.devices.angel_eye_port import AngelEyePort
from firmware.devices.card_source import card_source_port
from firmware.devices.faults import DeviceFaults
from firmware.devices.lamp_enable import EVERY_S, LampEnable
from firmware.devices.line_port import LinePort, event_port
from firmware.devices.panel import Panel
from firmware.devices.sign import sign_text
from firmware.devices.spot_board import PLACE
from firmware.devices.spots import Spots
from firmware.devices.switches import Switch, Switches
from firmware.devices.watchdog import KICK_S, Watchdog
from firmware.link.mqtt import JackpotLink
from firmware.link.tasks import until_one_ends
from firmware.maintenance.log_tail import LogTail
from firmware.maintenance.server import MaintenanceServer
from firmware.rules.words import counted
from firmware.settings.staff import identify
from firmware.settings.table_file import TableFile
from firmware.shell import machine_health
from firmware.shell.alive import while_events_are_taken
from firmware.shell.inbox import Inbox
from firmware.shell.lots import draw_lots
from firmware.shell.maintenance_access import Device, Parts, maintenance_access
from firmware.shell.runtime import Runtime
from firmware.shell.spot_wiring import WiredSpots, open_spots
from firmware.shell.systemd import Notifier
from firmware.table.effects import (
    AnyEffect,
    DrawLots,
    PublishStatus,
    Send,
    SetLamp,
    ShowPrompt,
    ShowRefusal,
    ShowSign,
    StopSending,
)
from firmware.table.events import FaultPassed
from firmware.table.menus import menu
from firmware.table.questions import Entry

_log = logging.getLogger(__name__)


class Outputs(Struct, frozen=True):
    """Carries effects out."""

    spots: Spots
    panel: Panel
    sign: LinePort
    link: JackpotLink
    inbox: Inbox

    def carry_out(self, effect: AnyEffect) -> None:  # noqa: C901  # one case for each effect
        """Carry out one effect."""
        match effect:
            case SetLamp(seat, bet, pattern):
                self.spots.set((seat, bet), pattern)
            case ShowPrompt():
                self.panel.show(effect)
            case ShowRefusal():
                self.panel.refuse(effect)
            case ShowSign():
                self.sign.send(sign_text(effect))
            case Send(obligation):
                self.link.send(obligation)
            case StopSending(obligation_id):
                self.link.stop_sending(obligation_id)
            case PublishStatus():
                self.link.publish_status(effect)
            case DrawLots():
                self.inbox.put(draw_lots(effect, self.inbox.now_ms()))


class Devices(Struct, frozen=True):
    """The devices of the table, open."""

    lamp_enable: LampEnable
    spots: WiredSpots
    switches: Switches
    panel: Panel
    sign: LinePort
    cards: LinePort | AngelEyePort | None


async def run(
    path: Path, file: TableFile, factory: Factory | None, stop: asyncio.Event, notifier: Notifier
) -> None:
    """Run the firmware until it is told to stop."""
    with ExitStack() as stack:
        runtime = Runtime(file.table, Path(file.journal))
        stack.callback(runtime.close)
        inbox = Inbox()
        asyncio.get_running_loop().set_exception_handler(inbox.callback_failed)
        devices = _open_devices(file, factory, inbox, stack, runtime)
        runtime.read_again = devices.spots.all.read_again
        journal = runtime.table.state.journal
        link = JackpotLink(
            file.link,
            file.table.name,
            journal,
            inbox,
            end=runtime.heads,
            game=file.table.game,
            currency=file.table.currency,
            believed=runtime.table.state.meter_before,
            registered=runtime.table.state.registered_meter,
            silent_s=runtime.silent_s,
        )
        outputs = Outputs(devices.spots.all, devices.panel, devices.sign, link, inbox)
        log_tail = LogTail()
        logging.getLogger().addHandler(log_tail)
        stack.callback(logging.getLogger().removeHandler, log_tail)
        parts = Parts(
            path=path,
            file=file,
            runtime=runtime,
            inbox=inbox,
            spots=devices.spots,
            switches=devices.switches,
            lamp_enable=devices.lamp_enable,
            ports=_ports(file, devices),
            link=link,
        )
        access = maintenance_access(parts, outputs.carry_out, log_tail)
        maintenance = MaintenanceServer(access, file.maintenance)
        _log.info(
            "self-tests passed: table file, hand tables, %s, %s",
            counted(runtime.table.state.sequence, "journal record"),
            counted(len(file.spots), "spot"),
        )
        works: list[Coroutine[None, None, object]] = [
            stop.wait(),
            runtime.run(inbox, outputs.carry_out, maintenance.happened),
            link.run(),
            machine_health.watch_machine(file.health, Path(file.journal), inbox),
            maintenance.run(),
            *_signs_of_life(file, devices, inbox, stack),
            # Started last: by then the table is showing its state, and is ready.
            _tell_systemd(notifier, inbox, runtime),
        ]
        await until_one_ends(works)


def _open_devices(
    file: TableFile, factory: Factory | None, inbox: Inbox, stack: ExitStack, runtime: Runtime
) -> Devices:
    """Open every pin and port that the table file names; the stack closes them again."""
    spots = open_spots(file, factory, inbox)
    stack.callback(spots.all.close)
    inbox.when_roomy(spots.all.read_again)
    switches = Switches(_switches(file), factory, inbox)
    stack.callback(switches.close)
    _pass_old_faults(file, inbox)
    who = partial(identify, file.staff)

    def offered() -> tuple[Entry, ...]:
        return menu(file.table, runtime.table.state)

    panel = Panel(file.serial.panel or "", file.table.rules.answers, who, inbox, offered)
    stack.callback(panel.close)
    panel.wait_for(spots.all.when_judged)
    sign = event_port(file.serial.sign or "", "sign", _nothing, inbox)
    stack.callback(sign.close)
    cards = None
    if file.serial.cards is not None:
        kind: Literal["shoe", "shuffler"] = (
            "shuffler" if file.table.card_source == "shuffler" else "shoe"
        )
        cards = card_source_port(file.serial.card_protocol, file.serial.cards, kind, inbox)
        stack.callback(cards.close)
    tell = None if spots.board is None else spots.board.alive
    enable = LampEnable(file.pins.lamp_enable, factory, tell)
    stack.callback(enable.close)
    return Devices(enable, spots, switches, panel, sign, cards)


def _pass_old_faults(file: TableFile, inbox: Inbox) -> None:
    """End the faults of before the start that nothing else would end."""
    at_ms = inbox.now_ms()
    # A pin that failed is open again.
    inbox.put(FaultPassed(at_ms=at_ms, code="device_gone", where="pins"))
    # Nothing reports the switch of a board that has none.
    if file.pins.power_good is None:
        inbox.put(FaultPassed(at_ms=at_ms, code="power_failing"))
    if file.pins.cover is None:
        inbox.put(FaultPassed(at_ms=at_ms, code="cover_open"))


def _ports(file: TableFile, devices: Devices) -> dict[str, Device]:
    """Name the devices on serial lines."""
    ports: dict[str, Device] = {"panel": devices.panel.port, "sign": devices.sign}
    if devices.cards is not None:
        ports[file.table.card_source] = devices.cards
    if devices.spots.board is not None:
        ports[PLACE] = devices.spots.board.line
    return ports


def _signs_of_life(
    file: TableFile, devices: Devices, inbox: Inbox, stack: ExitStack
) -> Iterator[Coroutine[None, None, object]]:
    """Keep the lamp drivers on, and the hardware watchdog quiet, while the table lives."""
    judge = DeviceFaults("lamp enable", inbox).judge_driver
    yield while_events_are_taken(inbox.progress, EVERY_S, devices.lamp_enable.toggle, judge)
    if file.watchdog:
        watchdog = Watchdog(file.watchdog)
        stack.callback(watchdog.close)
        judge = DeviceFaults("watchdog", inbox).judge_driver
        yield while_events_are_taken(inbox.progress, KICK_S, watchdog.kick, judge)


async def _tell_systemd(notifier: Notifier, inbox: Inbox, runtime: Runtime) -> None:
    """Say that the table is ready, then that it lives for as long as it does."""
    notifier.ready(_status_line(runtime))
    if notifier.beat_s is None:
        await asyncio.Event().wait()
        return
    await while_events_are_taken(
        inbox.progress,
        notifier.beat_s,
        lambda: notifier.alive(_status_line(runtime)),
        DeviceFaults("systemd", inbox).judge_driver,
    )


def _switches(file: TableFile) -> dict[Switch, int]:
    """Name the pins of the switches that the board has."""
    pins: dict[Switch, int | None] = {
        "power_good": file.pins.power_good,
        "cover": file.pins.cover,
        "key": file.pins.key,
    }
    return {switch: pin for switch, pin in pins.items() if pin is not None}


def _status_line(runtime: Runtime) -> str:
    """Say in one line how far the table has got; nothing that a player may not know yet."""
    state = runtime.table.state
    return f"{state.phase}, {counted(state.sequence, 'journal record')}"


def _nothing(_text: str, _frame: int, _at_ms: int) -> None:
    """Ignore a message: a sign has nothing to say."""
