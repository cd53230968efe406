"""The board's clock goes on where the chip's ticks begin again, and nothing of the board depends on how late it is."""

import pytest

from firmware.devices.line import Decoder, Frame, encode
from firmware.spot_board.board import Board
from firmware.spot_board.clock import Clock

PERIOD_MS = 2**30
"""Of `ticks_ms` on the chip."""
LIMITS = encode(Frame("message", 501, "LIMITS 3fff 30 20 1000 600 1000 2000 5000"))
LAMPS = encode(Frame("message", 502, "LAMPS 1sqfd---------"))


class Ticks:
    """The chip's milliseconds."""

    def __init__(self, start_ms: int) -> None:
        self.passed_ms = start_ms

    def ticks_ms(self) -> int:
        """Give the milliseconds, which begin again."""
        return self.passed_ms % PERIOD_MS

    @staticmethod
    def ticks_diff(end_ms: int, start_ms: int) -> int:
        """Give a difference, as MicroPython does."""
        return (end_ms - start_ms + PERIOD_MS // 2) % PERIOD_MS - PERIOD_MS // 2


@pytest.mark.parametrize("start_ms", [0, 2**30 - 10, 2**31 - 10, 2**29 - 10])
def test_the_clock_goes_on_where_the_ticks_begin_again(start_ms: int) -> None:
    ticks = Ticks(start_ms)
    clock = Clock(ticks.ticks_ms, ticks.ticks_diff)
    assert clock.now_ms() == 0
    for passed_ms in range(5, 100, 5):
        ticks.passed_ms = start_ms + passed_ms
        assert clock.now_ms() == passed_ms
    for days in range(1, 60):
        ticks.passed_ms = start_ms + days * 86_400_000
        assert clock.now_ms() == days * 86_400_000


def story(start_ms: int) -> list[tuple[int, str, int]]:
    """Play chips, chatter, a stuck sensor and lamps; tell what is said and lit, and when since the start."""
    board, decoder, told = Board(4711, "frozen:0123456789ab"), Decoder(), []
    for passed_ms in range(0, 12_000, 5):
        at_ms = start_ms + passed_ms
        if passed_ms == 50:
            board.hear(LIMITS + LAMPS, at_ms)
        chip = 1_000 <= passed_ms < 8_000
        chatter = 2_000 <= passed_ms < 3_000 and passed_ms // 10 % 2
        board.look(chip | chatter << 1 | (passed_ms > 9_000) << 2, at_ms)
        for frame in decoder.feed(board.say(at_ms)):
            told.append((passed_ms, frame.text, board.lit(at_ms)))
            if frame.kind == "message":
                board.hear(encode(Frame("acknowledgement", frame.number)), at_ms)
    return told


@pytest.mark.parametrize("power", [30, 31])
@pytest.mark.parametrize("before_ms", [5, 1_500, 8_020])
def test_a_board_that_has_run_for_weeks_does_what_a_new_one_does(
    power: int, before_ms: int
) -> None:
    told = story(0)
    findings = {text.split()[2] for _, text, _ in told if text.startswith("SPOT")}
    assert findings == {"present", "absent", "chatters", "quiet", "stuck", "free"}
    assert story(2**power - before_ms) == told
