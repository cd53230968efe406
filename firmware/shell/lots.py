"""Draws lots with the operating system's cryptographic random source.

The table asks for them between closing the bets and the first card (I-16); what comes
out is an event like any other, journalled before it is shown and never drawn again.
"""

import secrets

from firmware.rules.cards import CODES
from firmware.table.effects import DrawLots
from firmware.table.events import LotsDrawn

_DECK = tuple(CODES)


def draw_lots(wanted: DrawLots, at_ms: int) -> LotsDrawn:
    """Draw a magic card and, as often as the settings say, a lucky seat and dealer."""
    lucky_seat = secrets.randbelow(wanted.seats) + 1 if _hits(wanted.lucky_seat_one_in) else None
    return LotsDrawn(
        at_ms=at_ms,
        magic_card=secrets.choice(_DECK),
        lucky_seat=lucky_seat,
        lucky_dealer=_hits(wanted.lucky_dealer_one_in),
    )


def _hits(one_in: int) -> bool:
    return one_in > 0 and secrets.randbelow(one_in) == 0
