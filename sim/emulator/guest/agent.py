"""Inside the emulated machine: moves the sensor lines and reports the lamp lines.

Lines on the virtual port: `watch <number> …` names the lamps, `pin <number> <0|1>` drives
a line, `go` says that all have their initial level, `run <number> <command>` runs a shell
command. Outgoing: `ready` once, `lamp <number> <0|1> <ms>` whenever a lamp changes,
`now <ms>` twice a second, and `ran <number> <status> <output in hexadecimal>`. Times are
the machine's own. No project file is imported: this runs before the firmware.
"""

import os
import select
import socket
import subprocess
import time

LINE = "/sys/devices/platform/gpio-sim/gpiochip0/sim_gpio{}/{}"
POLL_S = 0.01
TELL_TIME_MS = 500

port = os.open(
    next(f"/dev/{name}" for name in os.listdir("/dev") if name.startswith("vport")),  # noqa: PTH208  # pathlib would be imported for this alone
    os.O_RDWR | os.O_NONBLOCK,
)
lamps: dict[str, int] = {}
levels: dict[str, bytes] = {}


def tell(text: str) -> None:
    """Send a line to the outside."""
    os.write(port, text.encode() + b"\n")


def act(words: list[str]) -> None:
    """Carry out a line from the outside."""
    match words:
        case ["watch", *pins]:
            for pin in pins:
                lamps[pin] = os.open(LINE.format(pin, "value"), os.O_RDONLY)
                levels[pin] = b"0"
        case ["pin", pin, level]:
            line = os.open(LINE.format(pin, "pull"), os.O_WRONLY)
            os.write(line, b"pull-up" if level == "1" else b"pull-down")
            os.close(line)
        case ["go"]:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
                systemd.sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
        case ["run", number, *command]:
            shell = ["/bin/sh", "-c", " ".join(command)]
            done = subprocess.run(shell, capture_output=True, check=False)  # noqa: S603  # only the tester is at the other end
            tell(f"ran {number} {done.returncode} {(done.stdout + done.stderr).hex()}")


def main() -> None:
    """Serve the port and watch the lamps until the machine is off."""
    tell("ready")
    rest, told_ms = b"", 0
    while True:
        if select.select([port], [], [], POLL_S)[0]:
            *lines, rest = (rest + os.read(port, 4096)).split(b"\n")
            for line in lines:
                act(line.decode().split())
        now_ms = time.monotonic_ns() // 1_000_000
        for pin, file in lamps.items():
            level = os.pread(file, 1, 0)
            if level != levels[pin]:
                levels[pin] = level
                tell(f"lamp {pin} {level.decode()} {now_ms}")
        if now_ms - told_ms > TELL_TIME_MS:
            told_ms = now_ms
            tell(f"now {now_ms}")


main()
