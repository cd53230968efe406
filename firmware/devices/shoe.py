"""The card shoe on the line protocol: `CARD As` for each card as it is drawn.

Only the card counts; whose it is, and whether there is such a card, the table knows.
"""

from firmware.table.events import CardDrawn, Event


def event_of(text: str, number: int, at_ms: int) -> Event | None:
    """Read a message of the shoe; None if it is none that the table knows."""
    match text.split():
        case ["CARD", card]:
            return CardDrawn(at_ms=at_ms, frame=number, card=card)
    return None
