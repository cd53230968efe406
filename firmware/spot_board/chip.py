"""What the chip keeps through a reset but not through a power cut, its watchdog, and its reset."""

import machine

TYPE_CHECKING = False  # MicroPython has no module `typing`
if TYPE_CHECKING:
    from typing import NoReturn

WATCHDOG_MS = 2_000
_WATCHDOG = 0x40058000
_SCRATCH = _WATCHDOG + 0x0C
"""The first of the words that outlive a reset; MicroPython and the boot ROM leave it alone."""
_CLEAR = 0x3000
"""Added to the address of a register: the bits that are written are cleared in it."""
_ENABLED = 1 << 30
_STARTS_MARK = 0x15B00
_RELEASED = 0x15C0000
_MOST_STARTS = 0xFF


def starts() -> int:
    """Return how many starts in a row have not got as far as `runs_well`."""
    word = machine.mem32[_SCRATCH]
    return word & _MOST_STARTS if word >> 8 == _STARTS_MARK else 0


def count_start() -> None:
    """Note a start that may not end well."""
    machine.mem32[_SCRATCH] = _STARTS_MARK << 8 | min(starts() + 1, _MOST_STARTS)


def runs_well() -> None:
    """Note that this start has ended well."""
    machine.mem32[_SCRATCH] = _STARTS_MARK << 8


def release() -> None:
    """Note that the line belongs to whoever puts a new program in, until the power is cut or `reset`."""
    machine.mem32[_SCRATCH] = _RELEASED


def is_released() -> bool:
    """Return whether no program is to be started."""
    return bool(machine.mem32[_SCRATCH] == _RELEASED)


def watch() -> "machine.WDT":
    """Arm the watchdog, which resets the chip unless it is fed."""
    return machine.WDT(timeout=WATCHDOG_MS)


def stop_watching() -> None:
    """Stop the watchdog, for which MicroPython has no word."""
    machine.mem32[_WATCHDOG + _CLEAR] = _ENABLED


def reset_in(ms: int) -> "machine.Timer":
    """Begin anew after a time, unless this is taken back: whatever the program does meanwhile."""
    return machine.Timer(mode=machine.Timer.ONE_SHOT, period=ms, callback=lambda _: reset())


def reset() -> "NoReturn":
    """Begin anew, with a program."""
    if is_released():
        runs_well()
    machine.reset()
    raise SystemExit
