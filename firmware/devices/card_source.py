"""Card sources: a shoe says `CARD As`, a shuffler `HAND As Kd …`, and either `UNREAD why`.

Only the cards count; the table knows whose they are, and whether there are such cards.
A shoe of the Angel Eye family speaks its own protocol; the table file says which is used.
"""

from typing import Literal

from firmware.devices.angel_eye_port import AngelEyePort
from firmware.devices.line_port import LinePort, event_port
from firmware.errors import BadInput
from firmware.table.events import CardDrawn, CardUnread, Event, HandDispensed
from firmware.table.intake import Intake

CardProtocol = Literal["line", "angel-eye"]
_MOST_WORDS = 80
"""As much of a problem as fits on the panel."""


def event_of(text: str, frame: int, at_ms: int) -> Event | None:
    """Read a message from a card source; None if the table does not know it."""
    match text.split():
        case ["CARD", card]:
            return CardDrawn(at_ms=at_ms, frame=frame, card=card)
        case ["HAND", *cards] if cards:
            return HandDispensed(at_ms=at_ms, frame=frame, cards=tuple(cards))
        case ["UNREAD", *words]:
            return CardUnread(at_ms=at_ms, frame=frame, problem=" ".join(words)[:_MOST_WORDS])
    return None


def card_source_port(
    protocol: CardProtocol, path: str, kind: Literal["shoe", "shuffler"], intake: Intake
) -> LinePort | AngelEyePort:
    """Open the port of the card source, in the protocol that it speaks."""
    if protocol == "line":
        return event_port(path, kind, event_of, intake)
    if kind != "shoe":
        raise BadInput("protocol", "only a shoe speaks angel-eye; a shuffler speaks line")
    return AngelEyePort(path, intake)
