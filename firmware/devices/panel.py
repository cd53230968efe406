"""The dealer panel on the line protocol: keys in, text out.

KEY OPEN | KEY CLOSE | KEY ANTE <seat> <cents> | KEY BET <seat> | KEY FOLD <seat>
KEY REVEAL | KEY PAID
SHOW <code>|<line>|<line>…        what to do now
REFUSED <reason>                  why the last key was not accepted
"""

from firmware.table.effects import ShowPrompt, ShowRefusal
from firmware.table.events import (
    AnteKeyed,
    BetsClosed,
    BetsOpened,
    Event,
    FromPanel,
    HandsRevealed,
    PlayerDecided,
    RoundPaid,
)

_MOST_DIGITS = 15
"""More than any key pad has room for."""
_PLAIN_KEYS: dict[str, type[FromPanel]] = {
    "OPEN": BetsOpened,
    "CLOSE": BetsClosed,
    "REVEAL": HandsRevealed,
    "PAID": RoundPaid,
}


def event_of(text: str, number: int, at_ms: int) -> Event | None:
    """Read a message of the panel; None if it is none that the table knows."""
    match text.split():
        case ["KEY", key] if key in _PLAIN_KEYS:
            return _PLAIN_KEYS[key](at_ms=at_ms, frame=number)
        case ["KEY", "ANTE", seat, cents] if _positive(seat) and _number(cents):
            return AnteKeyed(at_ms=at_ms, frame=number, seat=int(seat), ante_cents=int(cents))
        case ["KEY", "BET", seat] if _positive(seat):
            return PlayerDecided(at_ms=at_ms, frame=number, seat=int(seat), decision="bet")
        case ["KEY", "FOLD", seat] if _positive(seat):
            return PlayerDecided(at_ms=at_ms, frame=number, seat=int(seat), decision="fold")
    return None


def _number(text: str) -> bool:
    return text.isdecimal() and len(text) <= _MOST_DIGITS


def _positive(text: str) -> bool:
    return _number(text) and int(text) > 0


def prompt_text(effect: ShowPrompt) -> str:
    """Write a prompt as a message; a bar separates its lines."""
    return "SHOW " + "|".join([effect.code, *(line.replace("|", "/") for line in effect.lines)])


def refusal_text(effect: ShowRefusal) -> str:
    """Write a refusal as a message."""
    return f"REFUSED {effect.reason}"
