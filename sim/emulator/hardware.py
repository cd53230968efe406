"""The hardware of a table on the emulated Pi, behind the interface of the simulated one.

Shoe, panel and sign are the same simulated devices, on the machine's USB serial adapters
instead of pseudo-terminals; sensors and lamps are lines of the machine's GPIO chip, which
an agent inside it moves and reads. The power switch is that of the whole machine.
"""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path

from msgspec import structs

from firmware.link.mqtt import LinkSettings
from firmware.table.settings import TableSettings
from sim.emulator.build import MachineParts, build_machine
from sim.emulator.machine import GUEST_LOOPBACK, PORT, machine_command, make_journal, make_settings
from sim.table.hardware import TableHardware

JOURNAL = "/var/lib/underfelt"
_STOPPED_WITHIN_S = 90.0


MakeHardware = Callable[[TableSettings, LinkSettings, Path], TableHardware]


def emulated() -> MakeHardware:
    """Build the machine, and return a maker of a table's hardware on it."""
    return partial(EmulatedHardware, parts=build_machine())


class EmulatedHardware(TableHardware):
    """A table's hardware, with a whole machine for its firmware."""

    def __init__(
        self, settings: TableSettings, link: LinkSettings, folder: Path, parts: MachineParts
    ) -> None:
        """Build the hardware; the machine's disks and log are in the folder."""
        super().__init__(settings, structs.replace(link, host=GUEST_LOOPBACK), folder)
        self.ready = asyncio.Event()
        """Set while the agent inside the machine is connected."""
        self._parts = parts
        self._ahead_ms = 0.0
        self._numbers = count(1)
        self._answers: dict[str, asyncio.Future[tuple[int, str]]] = {}

    async def start(self) -> None:
        """Switch the machine on."""
        make_settings(self.folder, self._settings_files())
        make_journal(self.folder)
        await super().start()

    async def kill(self) -> None:
        """Pull the plug of the whole machine."""
        if self.process is not None and self.process.returncode is None:
            await super().kill()
        self._machine_is_off()

    async def stop(self) -> int:
        """Shut the machine down cleanly."""
        if self.process is None:
            return 0
        if self.process.returncode is None and self.ready.is_set():
            self._tell("run 0 systemctl --no-block poweroff")
            with suppress(TimeoutError):
                async with asyncio.timeout(_STOPPED_WITHIN_S):
                    await self.process.wait()
        status = await super().stop()
        self._machine_is_off()
        return status

    async def close(self) -> None:
        """Pull the plug, which is faster than shutting down, and take the hardware apart."""
        await self.kill()
        await super().close()

    async def run(self, command: str) -> tuple[int, str]:
        """Run a shell command inside the machine as root; return its status and output.

        Lamps are not watched meanwhile.
        """
        await self.ready.wait()
        number = str(next(self._numbers))
        answer: asyncio.Future[tuple[int, str]] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        self._tell(f"run {number} {command}")
        return await answer

    def _machine_is_off(self) -> None:
        self.ready.clear()
        self._lamps_go_dark()
        for answer in self._answers.values():
            answer.cancel()
        self._answers.clear()

    def _command(self) -> list[str]:
        ports = {"cards": self.cards.path, "panel": self.panel.path, "sign": self.sign.path}
        return machine_command(self._parts, self.folder, self._socket_path, ports)

    def _settings_files(self) -> dict[str, str]:
        """Return the files of the simulated table, with the paths inside the machine."""
        texts = {file.name: file.read_text(encoding="utf-8") for file in self.folder.glob("*.toml")}
        inside = {
            self.cards.path: PORT.format("cards"),
            self.panel.path: PORT.format("panel"),
            self.sign.path: PORT.format("sign"),
            str(self.folder): JOURNAL,
            str(self.folder.resolve()): JOURNAL,
        }
        for outside, path in inside.items():
            table = texts["table.toml"]
            texts["table.toml"] = table.replace(f'"{outside}"', f'"{path}"')
        # The machine has nothing else of this folder, and watches its own clock.
        texts["table.toml"] = re.sub(r"(?m)^clock_file = .*$", "", texts["table.toml"])
        return texts

    def _pins_say(self, words: list[str]) -> None:
        match words:
            case ["ready"]:
                self._tell(f"watch {' '.join(str(pin) for pin in self._lamp_spots)}")
                self._tell_first_levels()
                self.ready.set()
            case ["lamp", number, level, at_ms]:
                self._hear_time(float(at_ms))
                self._lamp_changed(int(number), float(at_ms), lit=level == "1")
            case ["now", at_ms]:
                self._hear_time(float(at_ms))
            case ["ran", number, status, *output]:
                answer = self._answers.pop(number, None)
                if answer is not None and not answer.done():
                    answer.set_result((int(status), bytes.fromhex("".join(output)).decode()))

    def _hear_time(self, at_ms: float) -> None:
        self._ahead_ms = at_ms - super()._now_ms()

    def _now_ms(self) -> float:
        """Return the machine's own time, as far as it is known here."""
        return super()._now_ms() + self._ahead_ms

    def _tell(self, line: str) -> None:
        if self._pins is not None and not self._pins.is_closing():
            self._pins.write(f"{line}\n".encode())
