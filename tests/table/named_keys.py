"""The keys that a sentence on the panel names, and whether they work where it is shown.

A sentence that names a key is a promise: whoever presses it, with what belongs behind it, is not
refused. It is pressed on a copy of the table, in every way that could be meant.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import permutations

import msgspec

from firmware.devices.panel_keys import KEYS, PLAIN_KEYS, event_of
from firmware.rules.cards import CODES
from firmware.rules.game import Game
from firmware.table.effects import ShowRefusal
from firmware.table.events import Event, ReportWithdrawn
from firmware.table.settings import TableSettings
from firmware.table.state import TableState
from firmware.table.table import Table

_WAITS = ("Something waits for a PIN already", "A correction waits for a pit supervisor")
"""What the panel shows first is confirmed or dropped first."""
_CENTS = (0, 500, 1_000, 2_500, 5_000, 7_500)
_SEATS = tuple(map(str, range(1, 5)))
_PICKED = frozenset({"REPORT", "CHOOSE", "CLEAR"})
"""Keys that a sentence names only by MENU."""


_NO_PROMISE = re.compile(
    r"^Key (?:SWAP|WENT|ORDER|LOST)\b"  # how the very key is keyed that was pressed
    r"|(?:such as|keyed with) [A-Z]+[ \w]*"  # an example, or what was pressed before
    r"|\b[A-Z]+(?= (?:is (?:not|for)|once) )"  # what does not work, and why, or not yet
)


class NamedKey(msgspec.Struct, frozen=True):
    """A key in a sentence, and what stands behind it there: a seat or a place."""

    key: str
    behind: str = ""


def named_keys(game: Game, sentence: str) -> list[NamedKey]:
    """List the keys that a sentence tells somebody to press, now and not after something else."""
    known = {*KEYS, *PLAIN_KEYS, *(answer.upper() for answer in game.answers)} - _PICKED
    sentence = _NO_PROMISE.sub("", sentence)
    found = re.finditer(r"\b([A-Z]{2,})((?: (?:\d+|dealer|board|awarded|reckoned)\b)*)", sentence)
    return [
        NamedKey(match[1], match[2].strip())
        for match in found
        if match[1] in known and not _comes_later(sentence[: match.start()])
    ]


def _comes_later(before: str) -> bool:
    """Return whether something else is to be done before the key."""
    return bool(re.search(r"\b(?:[Tt]hen|[Aa]fter|[Oo]nce)\b[^.:;]*$", before))


def works(settings: TableSettings, state: TableState, named: NamedKey) -> bool:
    """Return whether a key is accepted in one of the ways in which it can be meant."""
    return any(
        _is_accepted(settings, state, f"KEY {named.key} {words}".rstrip())
        for words in _words(settings, state, named.key)
        if f"{words} ".startswith(f"{named.behind} ") or not named.behind
    )


def _is_accepted(settings: TableSettings, state: TableState, text: str) -> bool:
    copy = Table.restored(settings, _copied(state))
    refusal = _press(copy, _typed(copy, text))
    if refusal.startswith(_WAITS):
        _press(copy, ReportWithdrawn(at_ms=1, frame=_next_frame(copy)))
        refusal = _press(copy, _typed(copy, text))
    return not refusal


def _copied(state: TableState) -> TableState:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=TableState)


def _next_frame(table: Table) -> int:
    return table.state.last_frame.get("panel", 0) + 1


def _typed(table: Table, text: str) -> Event:
    event = event_of(text, _next_frame(table), 1, table.settings.rules.answers)
    assert event is not None, f"the panel does not understand {text}"
    return event


def _press(table: Table, event: Event) -> str:
    """Press a key, and give the sentence with which it is refused."""
    effects = table.step(table.completed(event)).effects
    return next((effect.reason for effect in effects if isinstance(effect, ShowRefusal)), "")


def _words(settings: TableSettings, state: TableState, key: str) -> Iterable[str]:
    """List what can stand behind a key."""
    game = settings.rules
    answers = [answer.upper() for answer in game.answers]
    if key in PLAIN_KEYS:
        return [""]
    if key in answers:
        return _SEATS
    places = (*_SEATS, "dealer", "board")
    pairs = [" ".join(pair) for pair in permutations(places, 2)]
    claims = [f"{seat}{which}" for seat in _SEATS for which in ("", " 1", " 2")]
    behind: dict[str, Iterable[str]] = {
        "AMOUNT": (f"{s} {bet} {c}" for s in _SEATS for bet in game.bet_names for c in _CENTS),
        "REST": ["", *answers],
        "CORRECT": (f"{seat} {answer}" for seat in _SEATS for answer in answers),
        "PLAYER": (" ".join(pair) for pair in permutations(_SEATS, 2)),
        "CARDS": _cards(game, state),
        "SWAP": pairs,
        "WENT": pairs,
        "ORDER": [""],
        "LOST": places,
        "UP": CODES,
        "NOTCONFIRMED": (f"{claim} why" for claim in claims),
        "PAYOUT": (f"{claim} {pay}" for claim in claims for pay in ("awarded", "reckoned")),
    }
    return behind.get(key, _SEATS)


def _cards(game: Game, state: TableState) -> Iterator[str]:
    play = state.round
    lying = {*play.dealer, *play.community}.union(*(p.cards for p in play.seats.values()))
    free = [card for card in CODES if card not in lying]
    counts = {"dealer": game.dealer_cards, "board": game.community_cards}
    for place in (*_SEATS, "dealer", "board"):
        yield " ".join([place, *free[: counts.get(place, game.own_cards)]])
