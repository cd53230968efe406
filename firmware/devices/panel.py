"""The dealer panel on the line protocol: keys in, text out.

KEY OPEN | KEY CLOSE | KEY REVEAL | KEY PAID
KEY AMOUNT <seat> <bet> <cents>
KEY BET|FLOP|TURN|RIVER|CHECK|FOLD|ABSENT|HIDDEN <seat>
SHOW <code>|<line>|<line>…        what to do now
REFUSED <reason>                  why the last key was not accepted
"""

from typing import get_args

from firmware.table.effects import ShowPrompt, ShowRefusal
from firmware.table.events import (
    Answer,
    BetKeyed,
    BetsClosed,
    BetsOpened,
    CardsRevealed,
    Event,
    FromPanel,
    HandNotShown,
    PlayerDecided,
    RoundPaid,
)

_MOST_DIGITS = 15
"""More than any key pad has room for."""
_PLAIN_KEYS: dict[str, type[FromPanel]] = {
    "OPEN": BetsOpened,
    "CLOSE": BetsClosed,
    "REVEAL": CardsRevealed,
    "PAID": RoundPaid,
}
_DECISIONS: dict[str, Answer] = {answer.upper(): answer for answer in get_args(Answer)}


def event_of(text: str, number: int, at_ms: int) -> Event | None:
    """Read a message of the panel; None if it is none that the table knows."""
    stamp = {"at_ms": at_ms, "frame": number}
    match text.split():
        case ["KEY", key] if key in _PLAIN_KEYS:
            return _PLAIN_KEYS[key](**stamp)
        case ["KEY", "AMOUNT", seat, bet, cents] if _positive(seat) and _number(cents):
            return BetKeyed(**stamp, seat=int(seat), bet=bet, stake_cents=int(cents))
        case ["KEY", "HIDDEN", seat] if _positive(seat):
            return HandNotShown(**stamp, seat=int(seat))
        case ["KEY", key, seat] if key in _DECISIONS and _positive(seat):
            return PlayerDecided(**stamp, seat=int(seat), decision=_DECISIONS[key])
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
