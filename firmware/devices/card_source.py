"""Card sources: a shoe says `CARD As`, a shuffler `HAND As Kd …`, and either `UNREAD why`.

Only the cards count; the table knows whose they are, and whether there are such cards. What a
source had no answer to when it lost its power it sends again with `AGAIN`, and the session and
number that the message had: it has the same frame then, and is taken once. A shoe of the Angel Eye
family speaks its own protocol; the table file says which is used.
"""

from functools import partial
from typing import Literal

from firmware.devices.angel_eye_port import AngelEyePort
from firmware.devices.line import DEVICE_NUMBERS
from firmware.devices.line_port import LinePort, event_port, is_session
from firmware.errors import BadInput
from firmware.table.events import SESSION_FRAMES, CardDrawn, CardUnread, Event, HandDispensed
from firmware.table.intake import Intake

CardProtocol = Literal["line", "angel-eye"]
Kind = Literal["shoe", "shuffler"]
MOST_WORDS = 80
"""As much of a problem as fits on the panel."""
_NUMBERS = frozenset(map(str, DEVICE_NUMBERS))


def event_of(kind: Kind, text: str, frame: int, at_ms: int) -> Event | None:
    """Read a message from a card source; None if it is none that this kind sends."""
    match text.split():
        case ["AGAIN", session, number, *words] if is_session(session) and number in _NUMBERS:
            kept = int(session) * SESSION_FRAMES + int(number)
            return _meaning(kind, words, kept, at_ms, unmarked=False)
        case words:
            first = frame % SESSION_FRAMES == DEVICE_NUMBERS[0]
            return _meaning(kind, words, frame, at_ms, unmarked=first)


def _meaning(
    kind: Kind, words: list[str], frame: int, at_ms: int, *, unmarked: bool
) -> Event | None:
    match kind, words:
        case "shoe", ["CARD", card]:
            return CardDrawn(at_ms=at_ms, frame=frame, card=card, unmarked=unmarked)
        case "shuffler", ["HAND", *cards] if cards:
            return HandDispensed(at_ms=at_ms, frame=frame, cards=tuple(cards), unmarked=unmarked)
        case _, ["UNREAD", *why]:
            return CardUnread(at_ms=at_ms, frame=frame, problem=" ".join(why)[:MOST_WORDS])
    return None


def card_source_port(
    protocol: CardProtocol, path: str, kind: Kind, intake: Intake
) -> LinePort | AngelEyePort:
    """Open the port of the card source, in the protocol that it speaks.

    What it sends and the table does not understand may have been a card: it is told, and the
    table no longer follows the cards.
    """
    if protocol == "line":
        nonsense = f"it sent a message that no {kind} sends; a card may be missing"
        return event_port(path, kind, partial(event_of, kind), intake, nonsense)
    if kind != "shoe":
        raise BadInput("protocol", "only a shoe speaks angel-eye; a shuffler speaks line")
    return AngelEyePort(path, intake)
