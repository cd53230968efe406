"""A simulated shoe of the Angel Eye family, byte for byte.

Sends each report as often as asked, with the same number, as the real one does up to three
times; what can go wrong with its bytes and its plug is in `pty_port.py`. Not
simulated: baccarat itself (start, standby and result come only when asked for), the lock
and the buttons, and the pause between a report and its repetition.
"""

from collections.abc import Sequence
from pathlib import Path

from firmware.devices.angel_eye import card_byte, encode
from firmware.errors import BadInput
from firmware.rules.cards import CODES
from sim.table.pty_port import PluggedDevice

NO_FOREIGN_CARD = "an Angel Eye shoe cannot report such a card; say 'a card is not read'"
_TARGETS = (1, 2)
"""Player and banker, in turn; a poker table does not care."""


class AngelEyeShoe(PluggedDevice):
    """One shoe; `path` is what the table opens."""

    def __init__(self, link: Path | None = None, seed: int = 0) -> None:
        super().__init__(lambda _data: None, link, seed)
        self._reports = 0
        self._drawn = 0

    def draw(self, card: str, times: int = 1) -> None:
        """Draw a card in a game, reported `times` times."""
        self.report(b"D" + self._card(card), times)

    def draw_outside(self, card: str) -> None:
        """Draw a card outside a game."""
        self.report(b"d" + self._card(card))

    def fail(self, error: int) -> None:
        """Report an error by its number."""
        self.report(b"E%d" % error)

    def report(self, data: bytes, times: int = 1) -> None:
        """Send a report `times` times, with the same number."""
        seq = ord("0") + self._reports % 10
        self._reports += 1
        for _ in range(times):
            self._port.write(encode(seq, data))

    def deal(self, cards: Sequence[str]) -> None:
        """Draw several cards."""
        for card in cards:
            self.draw(card)

    def _card(self, card: str) -> bytes:
        if card not in CODES:
            raise BadInput(card, NO_FOREIGN_CARD)
        target, index = _TARGETS[self._drawn % 2], self._drawn // 2 % 3 + 1
        self._drawn += 1
        return bytes([target << 4 | index, card_byte(card)])
