"""The board's own tests, on the board's own interpreter: one session of it, without its chip."""

import sys
import unittest

sys.path.insert(0, sys.argv[1])

from firmware.devices.line import Decoder, Frame, encode
from firmware.spot_board.board import Board
from firmware.spot_board.crc import crc_hqx
from firmware.spot_board.limits import MOST_CHATTER_EDGES, crc_of

LIMITS = "LIMITS 3fff 30 20 1000 600 1000 2000 600000"
LOOK_MS = 5


class Table:
    """The other end of the line."""

    def __init__(self, board: Board) -> None:
        self.board, self.now_ms, self.levels = board, 0, 0
        self._decoder = Decoder()
        self._number = 501

    def tell(self, text: str) -> None:
        """Send the board a message."""
        self.board.hear(encode(Frame("message", self._number, text)), self.now_ms)
        self._number += 1

    def announce(self, text: str) -> None:
        """Say something to the board."""
        self.board.hear(encode(Frame("announcement", 0, text)), self.now_ms)

    def run(self, milliseconds: int) -> "list[str]":
        """Let time pass and acknowledge everything; return what the board has said."""
        heard = []
        for _ in range(milliseconds // LOOK_MS):
            self.now_ms += LOOK_MS
            self.board.look(self.levels, self.now_ms)
            for frame in self._decoder.feed(self.board.say(self.now_ms)):
                if frame.kind == "message":
                    acknowledgement = encode(Frame("acknowledgement", frame.number))
                    self.board.hear(acknowledgement, self.now_ms)
                if frame.kind != "acknowledgement":
                    heard.append(frame.text)
        return heard


class BoardTest(unittest.TestCase):
    """One board and its table."""

    def setUp(self) -> None:
        """Switch both on."""
        self.board = Board(4711, "frozen:0123456789ab")
        self.table = Table(self.board)

    def test_it_greets_and_senses_nothing_before_it_knows_its_limits(self) -> None:
        """The first words are the greeting."""
        self.table.levels = 0x3FFF
        self.assertEqual(self.table.run(100), ["HELLO spots 1.0 4711 14 - frozen:0123456789ab"])

    def test_a_chip_put_down_and_lifted_is_told_with_its_age(self) -> None:
        """Each is found after the wait."""
        self.table.run(10)
        self.table.tell(LIMITS)
        self.assertEqual(self.table.run(100), ["LEVELS .............."])
        self.table.levels = 1
        self.assertEqual(self.table.run(100), ["SPOT 1 present 0"])
        self.table.levels = 0
        self.assertEqual(self.table.run(100), ["SPOT 1 absent 0"])

    def test_the_limits_in_force_are_in_the_greeting(self) -> None:
        """By their CRC."""
        self.table.tell(LIMITS)
        self.table.announce("PING")
        self.assertIn(
            f"HELLO spots 1.0 4711 14 {crc_of(LIMITS)} frozen:0123456789ab", self.table.run(10)
        )
        self.assertEqual(crc_of("!7 KEY OPEN"), "6FD7")
        self.assertEqual(crc_hqx(b"", 0x1234), 0x1234)

    def test_a_line_that_is_no_text_harms_nothing(self) -> None:
        """Although its CRC is right."""
        body = b"=\xff\xfe"
        line = body + b"*" + ("%04X" % crc_hqx(body, 0)).encode() + b"\n"  # noqa: UP031  # in both
        self.table.run(10)
        self.board.hear(line, 0)
        self.table.announce("PING")
        self.assertEqual(len(self.table.run(10)), 1)

    def test_limits_that_fill_the_memory_as_far_as_they_may_fit(self) -> None:
        """All 14 watches at the most."""
        limits = f"LIMITS 3fff 30 {MOST_CHATTER_EDGES} 1000 600 1000 2000 600000"
        for _ in range(3):
            self.table.tell(limits)
            self.table.tell(LIMITS)
            self.table.run(100)
        self.table.tell(limits)
        self.assertEqual(self.table.run(100), ["LEVELS .............."])


if __name__ == "__main__":
    unittest.main()
