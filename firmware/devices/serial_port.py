"""A serial port of the table, in the event loop: opened, reopened, watched, counted.

pyserial opens it, exclusively and 8N1; a `Talk` makes sense of the bytes. A device that is
missing, vanishes, babbles or falls silent is a fault that says which, and that clears when
the device is good again; none of them ends the program. What the bytes mean is in
`line_port.py` and `angel_eye.py`.
"""

import asyncio
import logging
import os
import termios
from contextlib import suppress
from typing import Protocol

import serial
from msgspec import Struct

from firmware.devices.faults import DeviceFaults, error_place
from firmware.protocol.fault_catalogue import FaultCode
from firmware.table.intake import Intake

_log = logging.getLogger(__name__)

RETRY_S = 1.0
"""How soon a missing port is tried again."""
BEAT_S = 2.0
SILENT_S = 6.0
"""A device that says nothing for three beats is silent."""
BABBLE_BYTES = 512
"""Twice as long as any device's line; this many bytes without a good frame are noise."""
CALM_S = 2.0
"""A babbling device is good again when frames come and no noise for this long."""
_READ_BYTES = 4_096
"""What has come is taken in pieces: other devices and the link have their turn between them."""
_GONE_READS = 3
"""A port whose other end is gone stays readable, with nothing to read; one empty read alone
proves nothing."""


class PortStats(Struct, kw_only=True):
    """What a port has seen since the start, for diagnosis."""

    frames: int = 0
    dropped: int = 0
    """Lines or reports that made no good frame."""
    repeated: int = 0
    """Good frames that the device has sent before."""
    resent: int = 0
    """Messages that the table had to send again."""
    reconnects: int = 0
    last_problem: str = ""


class Talk(Protocol):
    """What makes sense of the bytes of a port."""

    baud: int
    beats: bool
    """Whether the device can be expected to be heard every few seconds."""

    def opened(self) -> None:
        """Begin: the port is open."""

    def closed(self) -> None:
        """Forget half a frame: the port is gone."""

    def beat(self) -> None:
        """Ask the device for a sign of life."""

    def feed(self, data: bytes) -> int:
        """Take the bytes that have come; return how many good frames they completed."""

    @property
    def babble_bytes(self) -> int:
        """How many bytes have come since the last good frame."""

    @property
    def problem(self) -> str:
        """What is wrong with what the device sends, in words; empty if all is well."""


class SerialPort:
    """One port, whatever its protocol."""

    def __init__(self, path: str, where: str, talk: Talk, stats: PortStats, intake: Intake) -> None:
        """Prepare the port; `open` opens it from the running event loop."""
        self.path = path
        self._where = where
        self._talk = talk
        self._stats = stats
        self._faults = DeviceFaults(where, intake)
        self._loop = asyncio.get_running_loop()
        self._port: serial.Serial | None = None
        self._descriptor = -1
        self._timer: asyncio.TimerHandle | None = None
        self._unfit = ("", 0.0)
        """Why the device cannot be used, as told last, and when."""
        self._empty_reads = 0
        self._heard_s = self._noise_s = 0.0

    @property
    def is_open(self) -> bool:
        """Whether the port is open now."""
        return self._port is not None

    def open(self) -> None:
        """Open the port, or report that it is missing and try again later."""
        try:
            self._port = serial.Serial(self.path, self._talk.baud, timeout=0, exclusive=True)
        except (OSError, ValueError, termios.error) as error:
            self._wrong("device_gone", f"{self.path}: {_words(error)}")
            self._timer = self._loop.call_later(RETRY_S, self.open)
            return
        self._descriptor = self._port.fileno()
        os.set_blocking(self._descriptor, False)  # the library's signature
        self._empty_reads = 0
        self._heard_s = self._loop.time()
        self._loop.add_reader(self._descriptor, self._readable)
        self._faults.judge("device_gone", wrong=False)
        self._talk.opened()
        self._timer = self._loop.call_later(BEAT_S, self._beat)

    def write(self, data: bytes) -> None:
        """Send bytes, if anybody is there."""
        if self._port is None:
            return
        # A line whose other end does not read fills up, and one that is unplugged fails;
        # what is lost is repeated later.
        with suppress(OSError):
            os.write(self._descriptor, data)

    def close(self) -> None:
        """Stop reading and close the port for good."""
        if self._timer is not None:
            self._timer.cancel()
        if self._port is not None:
            self._loop.remove_reader(self._descriptor)
            with suppress(OSError):
                self._port.close()
            self._port = None

    def _readable(self) -> None:
        try:
            data = os.read(self._descriptor, _READ_BYTES)
        except BlockingIOError:
            return
        except OSError as error:
            self._gone(_words(error))
            return
        if data:
            self._empty_reads = 0
            self._take(data)
            return
        self._empty_reads += 1
        if self._empty_reads >= _GONE_READS:
            self._gone("unplugged")

    def _take(self, data: bytes) -> None:
        """Hand bytes to the talk; anything that goes wrong in it is reported as the device's."""
        self._heard_s = self._loop.time()
        try:
            frames = self._talk.feed(data)
        except Exception as error:  # noqa: BLE001  # a device never takes the loop down
            _log.error(
                "%s: the driver failed with %s", self._where, error_place(error)
            )  # no trace, which could name a card
            self._noise_s = self._heard_s
            self._wrong("device_babbles", f"the driver failed with {type(error).__name__}")
            return
        self._stats.frames += frames
        if frames and self._talk.beats:
            self._faults.judge("device_silent", wrong=False)
        self._judge_babble(good=frames > 0)

    def _judge_babble(self, *, good: bool) -> None:
        now_s = self._loop.time()
        talk = self._talk
        if talk.problem:
            self._noise_s = now_s
            self._judge_unfit(talk.problem)
        elif talk.babble_bytes > BABBLE_BYTES:
            self._noise_s = now_s
            detail = f"no frame in {BABBLE_BYTES} bytes; it must use {talk.baud} baud, 8N1"
            self._wrong("device_babbles", detail)
        elif good and (not self._stands or now_s - self._noise_s >= CALM_S):
            self._faults.judge("device_babbles", wrong=False)
            self._faults.judge("device_unfit", wrong=False)

    @property
    def _stands(self) -> bool:
        return self._faults.stands("device_babbles") or self._faults.stands("device_unfit")

    def _judge_unfit(self, problem: str) -> None:
        """Tell what is wrong with the device; what is newest, but not at every frame."""
        now_s = self._loop.time()
        if problem == self._unfit[0] and self._faults.stands("device_unfit"):
            return
        if self._faults.stands("device_unfit"):
            if now_s - self._unfit[1] < CALM_S:
                return  # its next greeting tells it again
            self._faults.judge("device_unfit", wrong=False)
        self._unfit = problem, now_s
        self._wrong("device_unfit", problem)

    def _beat(self) -> None:
        """Ask for a sign of life, and check for silence."""
        self._timer = self._loop.call_later(BEAT_S, self._beat)
        if self._talk.beats:
            self._talk.beat()
            silent_s = self._loop.time() - self._heard_s
            if silent_s >= SILENT_S:
                self._wrong("device_silent", f"nothing heard for {SILENT_S:g} s")

    def _gone(self, why: str) -> None:
        """Close the port and try to open it again."""
        self.close()
        self._stats.reconnects += 1
        self._talk.closed()
        self._wrong("device_gone", f"{self.path}: {why}")
        self._timer = self._loop.call_later(RETRY_S, self.open)

    def _wrong(self, code: FaultCode, detail: str) -> None:
        self._stats.last_problem = detail
        self._faults.judge(code, wrong=True, detail=detail)


def _words(error: Exception) -> str:
    """Say in a few words why a port cannot be used."""
    number = error.args[0] if error.args else None
    return os.strerror(number).lower() if isinstance(number, int) else str(error)
