"""A spot board that is not there: it greets, gives its line up, and has a raw REPL that knows our commands.

Time is its own, so nothing waits. What can go wrong with a board is set before it is flashed; what a
command does on the real MicroPython is tested on the emulated chip (`tests/board/test_flashing.py`).
"""

import hashlib
import re
from ast import literal_eval
from collections.abc import Callable

import serial

from firmware.devices.line import Decoder, Frame, encode
from host_tools.board.cable import READ_S, PortError

MPY = 0x1306
PATH = "/dev/fake"
_RAW = b"raw REPL; CTRL-B to exit\r\n>"
_PUT = re.compile(r"_put\('([^']*)', (b.*)\)$", re.DOTALL)
_DIGEST = re.compile(r"_digest_of_file\('([^']*)'\)")
_FULL = b'Traceback (most recent call last):\r\n  File "<stdin>", line 1\r\nOSError: [Errno 28] ENOSPC\r\n'
_NO_MODULE = b"Traceback (most recent call last):\r\nImportError: no module named 'firmware'\r\n"


class FakeBoard:
    """The board, its cable and its port."""

    path = PATH

    def __init__(self, program: str = "frozen:000000000000") -> None:
        self.program = program
        self.version, self.kind, self.session = "1.0", "spots", 5_000_123
        self.files: dict[str, bytes] = {}
        self.interpreter = MPY
        self.mode = "program"
        """What answers: program, prompt, raw, silent or noise."""
        self.releases = self.has_image = self.returns = True
        self.full = self.worn = False
        self.vanishes_at = 1 << 30
        """The command at which the cable is pulled."""
        self.returns_as: Callable[[], str] = self._as_the_trial_is
        """The program that runs after a reset."""
        self.returns_after_s, self.starts = 0.5, 1
        self.commands: list[str] = []
        self.trouble: PortError | None = None
        self.timeout: float | None = READ_S
        self._now_s = self._back_s = 0.0
        self._decoder = Decoder()
        self._said = b""
        self._code = b""

    # The cable

    def open(self) -> "FakeBoard":
        """Open the port."""
        if self.trouble is not None:
            raise self.trouble
        if self.mode == "resetting":
            if self._now_s < self._back_s or not self.returns:
                raise PortError("missing", f"{PATH}: there is no such port; plug it in")
            self.mode, self.program = "program", self.returns_as()
            self.session += 1000 * self.starts
        self._said = b""
        return self

    def now_s(self) -> float:
        """Return its time."""
        return self._now_s

    def wait(self, seconds: float) -> None:
        """Let time go by."""
        self._now_s += seconds

    # The port

    @property
    def in_waiting(self) -> int:
        """How much can be read."""
        self._check()
        return len(self._said)

    def inWaiting(self) -> int:  # noqa: N802  # pyserial's older name, which mpremote uses
        """Return how much can be read."""
        return self.in_waiting

    def read(self, size: int = 1) -> bytes:
        """Read, or let time go by."""
        self._check()
        if not self._said:
            self._now_s += self.timeout or 0
        data, self._said = self._said[:size], self._said[size:]
        return data

    def write(self, data: bytes) -> int:
        """Take bytes."""
        self._check()
        if self.mode == "program":
            self._heard(data)
        elif self.mode == "noise":
            self._said += b"\x80\x81 nothing of ours\r\n"
        elif self.mode == "prompt":
            self._at_prompt(data)
        elif self.mode == "raw":
            self._in_raw(data)
        return len(data)

    def close(self) -> None:
        """Let the port go."""

    def _check(self) -> None:
        if self.mode == "resetting":
            raise serial.SerialException("the port is gone")

    # Its program

    def _heard(self, data: bytes) -> None:
        for frame in self._decoder.feed(data):
            word, _, rest = frame.text.partition(" ")
            if word == "PING":
                tail = f" 14 - {self.program}" if self.kind == "spots" else ""
                self._say(f"HELLO {self.kind} {self.version} {self.session}{tail}")
            elif word == "READ":
                self._say(f"READINGS 0003 {','.join(map(str, range(14)))}")
            elif word == "RELEASE" and rest == str(self.session) and self.releases:
                self.mode = "prompt"
                self._said += b"MicroPython v1.25.0\r\n>>> "

    def _say(self, text: str) -> None:
        self._said += encode(Frame("announcement", 0, text))

    # Its MicroPython

    def _at_prompt(self, data: bytes) -> None:
        if b"\x01" in data:
            self.mode, self._code = "raw", b""
            self._said += _RAW
        elif b"\r" in data:
            self._said += b"\r\n>>> "

    def _in_raw(self, data: bytes) -> None:
        if data == b"\x05A\x01":
            self._said += b"R\x00"  # no raw paste
            return
        for byte in data:
            each = bytes((byte,))
            if each == b"\x01":
                self._said += _RAW
            elif each in (b"\x03", b"\r") and not self._code:
                continue
            elif each != b"\x04":
                self._code += each
            elif not self._code:
                self._said += b"OK\r\nMPY: soft reboot\r\n" + _RAW
            else:
                code, self._code = self._code, b""
                self._run(code.decode())

    def _run(self, code: str) -> None:
        self.commands.append(code)
        if len(self.commands) > self.vanishes_at:
            self._go(back=False)
            return
        if "chip.reset()" in code:
            self._go(back=True)
            return
        said, wrong = self._done(code.strip())
        self._said += b"OK" + said + b"\x04" + wrong + b"\x04>"

    def _done(self, code: str) -> tuple[bytes, bytes]:
        """Do a command; return what it prints, and how it fails."""
        if "import hashlib" in code and not self.has_image:
            return b"", _NO_MODULE
        if found := _PUT.search(code):
            if self.full:
                return b"", _FULL
            self.files[found[1]] = self.files.get(found[1], b"") + literal_eval(found[2])
        if found := _DIGEST.search(code):
            data = self.files.get(found[1], b"") + (b"?" if self.worn else b"")
            return repr(hashlib.sha256(data).hexdigest()).encode(), b""
        answers = {
            "_mpy)": str(self.interpreter),
            "_letter(": "'b'",
            "_mount(T": "True",
            "_mount(F": "False",
        }
        asked = (answer for word, answer in answers.items() if word in code and "def " not in code)
        return next(asked, "").encode(), b""

    def _go(self, *, back: bool) -> None:
        self.mode, self._said = "resetting", b""
        self._back_s = self._now_s + (self.returns_after_s if back else 1e9)

    def _as_the_trial_is(self) -> str:
        """Return the program that was to be tried, if there is one."""
        slot = self.files.get("/trial", b"").decode()
        manifest = self.files.get(f"/{slot}/manifest", b"").decode().splitlines()
        return f"file:{manifest[-1][:12]}" if manifest else self.program
