"""Inside the emulated machine: moves the sensor lines and reports the lamp lines.

Lines on the virtual port: `pin <number> <0|1>` drives a line, `go` says that all have
their first level, `run <number> <command>` runs a shell command. Going out: `ready` once,
`lamp <number> <0|1> <ms>` whenever a line changes, `now <ms>` twice a second, and
`ran <number> <status> <output in hexadecimal>`. Times are those of the machine itself.
"""

import os
import select
import socket
import subprocess
import time

LINES = "/sys/devices/platform/gpio-sim/gpiochip0/sim_gpio{}/{}"
PINS = range(2, 28)
POLL_MS = 10

name = next(name for name in os.listdir("/dev") if name.startswith("vport"))
port = os.open(f"/dev/{name}", os.O_RDWR | os.O_NONBLOCK)
values = {pin: os.open(LINES.format(pin, "value"), os.O_RDONLY) for pin in PINS}
seen = dict.fromkeys(PINS, b"0")


def tell(text):
    os.write(port, text.encode() + b"\n")


def act(words):
    match words:
        case ["pin", pin, level]:
            values.pop(int(pin), None)  # it is no lamp
            with open(LINES.format(pin, "pull"), "w") as pull:
                pull.write("pull-up" if level == "1" else "pull-down")
        case ["go"]:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
                systemd.sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
        case ["run", number, *command]:
            done = subprocess.run(" ".join(command), shell=True, capture_output=True)
            tell(f"ran {number} {done.returncode} {(done.stdout + done.stderr).hex()}")


tell("ready")
rest, told_ms = b"", 0
while True:
    if select.select([port], [], [], POLL_MS / 1000)[0]:
        *lines, rest = (rest + os.read(port, 4096)).split(b"\n")
        for line in lines:
            act(line.decode().split())
    now_ms = time.monotonic_ns() // 1_000_000
    for pin, file in values.items():
        level = os.pread(file, 1, 0)
        if level != seen[pin]:
            seen[pin] = level
            tell(f"lamp {pin} {level.decode()} {now_ms}")
    if now_ms - told_ms > 500:
        told_ms = now_ms
        tell(f"now {now_ms}")
