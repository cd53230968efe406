"""Card sources on the line protocol: a shoe says `CARD As`, a shuffler `HAND As Kd …`.

Only the cards count; whose they are, and whether there are such cards, the table knows.
"""

from firmware.table.events import CardDrawn, Event, HandDispensed


def event_of(text: str, number: int, at_ms: int) -> Event | None:
    """Read a message of a card source; None if it is none that the table knows."""
    match text.split():
        case ["CARD", card]:
            return CardDrawn(at_ms=at_ms, frame=number, card=card)
        case ["HAND", *cards] if cards:
            return HandDispensed(at_ms=at_ms, frame=number, cards=tuple(cards))
    return None
