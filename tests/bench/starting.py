"""Measures what importing the rules core costs a fresh process in time and memory.

The time is that of the whole process, the memory what is resident at its end;
the interpreter alone, and msgspec alone, are the floor under both. `-S` leaves
out what a developer's editable install adds to every start of the interpreter.
"""

import os
import subprocess
import sys
from math import inf
from resource import getpagesize
from time import perf_counter

ROUNDS = 15
STATEMENTS = {
    "python alone": "pass",
    "msgspec": "import msgspec",
    "Underfelt's rules": "import firmware.rules.documents",
}
# Linux hands ru_maxrss on from parent to child, so the child asks for its own pages.
_RESIDENT = "print(open('/proc/self/statm').read().split()[1])"


def costs() -> dict[str, tuple[float, float]]:
    """Give the least seconds and bytes of each statement in a process of its own."""
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    best = dict.fromkeys(STATEMENTS, (inf, inf))
    for _ in range(ROUNDS):
        for name, statement in STATEMENTS.items():
            started = perf_counter()
            command = [sys.executable, "-S", "-c", f"{statement}\n{_RESIDENT}"]
            pages = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=path).stdout
            seconds, size = perf_counter() - started, int(pages) * getpagesize()
            best[name] = (min(best[name][0], seconds), min(best[name][1], size))
    return best
