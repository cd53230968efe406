"""A board without its chip runs for hours of virtual time, and prints how much memory is free after each.

memory.py ROOT HOURS
"""

import gc
import sys

sys.path.insert(0, sys.argv[1])

from firmware.devices.line import Frame, encode
from firmware.spot_board.board import Board

LOOK_MS = 5
HOUR_MS = 3_600_000
START_MS = 2**30 - HOUR_MS
LIMITS = "LIMITS 3fff 30 20 1000 600 1000 2000 600000"
PATTERNS = ("1sqfd---------", "------------11", "ffffffffffffff")


def message(number: int, text: str) -> bytes:
    """Write a message of the table."""
    return encode(Frame("message", number, text))


PING = encode(Frame("announcement", 0, "PING"))
ALIVE = encode(Frame("announcement", 0, "ALIVE"))
LAMPS = tuple(message(501 + place, f"LAMPS {text}") for place, text in enumerate(PATTERNS))


def second(board: Board, start_ms: int, count: int) -> None:
    """Run for a second: a chip comes or goes, one line chatters at times, and now and then nobody listens."""
    chip = (count % 14, count // 14 % 2)
    for at_ms in range(start_ms, start_ms + 1_000, LOOK_MS):
        chatter = count % 600 < 3 and at_ms // 10 % 2
        board.look(chip[1] << chip[0] | chatter << 13, at_ms)
        board.lit(at_ms)
        said = board.say(at_ms)
        if said and count % 120 > 9:
            for line in said.split(b"\n"):
                if line[:1] == b"!":
                    number = int(line[1:].split(b" ")[0])
                    board.hear(encode(Frame("acknowledgement", number)), at_ms)
    board.hear(ALIVE + ALIVE + ALIVE + ALIVE + b"noise", start_ms + 1_000)
    if count % 2:
        board.hear(b"\n" + PING, start_ms + 1_000)
    if count % 7 == 0:
        board.hear(LAMPS[count // 7 % 3], start_ms + 1_000)
    board.kick()


def main(hours: float) -> None:
    """Run for so many hours."""
    board = Board(4711, "frozen:0123456789ab")
    board.hear(message(501, LIMITS), START_MS)
    hour_ms = int(min(1, hours / 4) * HOUR_MS)
    at_ms = START_MS
    while at_ms < START_MS + int(hours * HOUR_MS):
        for _ in range(hour_ms // 1_000):
            second(board, at_ms, at_ms // 1_000)
            at_ms += 1_000
        gc.collect()
        print(gc.mem_free())  # type: ignore[attr-defined]  # noqa: T201  # its answer


main(float(sys.argv[2]))
