"""Taking the last key back, while it has had no consequence.

A key that told nobody anything (no contribution, no claim, no report) leaves behind what the round
was before it. UNDO restores that if the round is still as the key left it: once a card has come, bets
are closed or somebody has decided, it is too late, and `stake_corrections.py` is the way.
"""

from collections.abc import Callable, Iterator
from functools import wraps
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec import Struct

from firmware.errors import Refused
from firmware.table.boxes import why_no_bets
from firmware.table.claims import claims_on_hand
from firmware.table.events import KeyTakenBack
from firmware.table.keying import keyable_places
from firmware.table.settlement import VOID
from firmware.table.showing import may_be_shown
from firmware.table.state import AT_REST, LastKey, Phase, RoundState, TableState
from firmware.table.turn import Turn

_TOO_LATE = "Too late to take the last key back"


class _Kept(Struct):
    """What keys can change."""

    phase: Phase
    round: RoundState
    last_ante_cents: dict[int, int]
    under_min: list[int]
    without_chip: list[int]
    last_bonus_cents: dict[int, int] = {}


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_Kept)


def undoable(handler: Callable[[Turn, Any], bool]) -> Callable[[Turn, Any], bool]:
    """Let the key of this handler be taken back, unless somebody has been told something."""

    @wraps(handler)
    def keep(turn: Turn, event: object) -> bool:
        before = _kept(turn.state)
        changed = handler(turn, event)
        if changed:
            told = bool(turn.owed)
            turn.state.last_key = None if told else LastKey(before, _mark(turn.state))
        return changed

    return keep


def key_taken_back(turn: Turn, _event: KeyTakenBack) -> bool:
    """Drop a correction that waits, or restore what was before the last key."""
    state = turn.state
    if turn.drop_asked():
        return True
    last = state.last_key
    if last is None:
        raise Refused("There is no key to take back.")
    if last.mark != _mark(state):
        raise Refused(_too_late(turn))
    kept = _decoder.decode(last.before)
    state.phase = kept.phase
    state.last_ante_cents, state.under_min = kept.last_ante_cents, kept.under_min
    state.without_chip, state.last_bonus_cents = kept.without_chip, kept.last_bonus_cents
    turn.begin_round(kept.round)
    return True


def _too_late(turn: Turn) -> str:
    """Name the keys that put something right now."""
    if turn.state.phase in AT_REST:
        return f"{_TOO_LATE}: its round is over."
    if turn.round.void:
        return VOID
    *most, last = [*_of_stakes(turn), *_of_hands(turn)] or ["MENU"]
    return f"{_TOO_LATE}; use {' or '.join([', '.join(most), last] if most else [last])}."


def _of_stakes(turn: Turn) -> Iterator[str]:
    """Name what corrects stakes and decisions; not once claims were made by hand."""
    play, phase = turn.round, turn.state.phase
    if phase == "settling" and play.source == "manual":
        return
    boxes = range(1, turn.settings.seats + 1) if phase == "betting" else play.dealt
    out = [seat for seat, player in play.seats.items() if player.taken_out]
    if any(seat not in out and not why_no_bets(turn.settings, turn.state, seat) for seat in boxes):
        yield "AMOUNT"
    decided = [
        seat
        for seat, player in play.seats.items()
        if (player.decision or player.checked) and seat not in out
    ]
    by_hand = play.source == "manual"
    if any(not (by_hand and claims_on_hand(turn.game, play, seat)) for seat in decided):
        yield "CORRECT"


def _of_hands(turn: Turn) -> Iterator[str]:
    """Name what corrects hands that lie face up, and what they claim."""
    play = turn.round
    if turn.state.phase not in {"claiming", "settling"}:
        return
    if any(may_be_shown(turn.game, play, seat) for seat in play.seats):
        yield "SHOWN"
    if keyable_places(turn.settings, turn.state):
        yield "CARDS"
    if play.claims:
        yield "NOTCONFIRMED"


def _kept(state: TableState) -> bytes:
    return _encoder.encode(
        _Kept(
            state.phase,
            state.round,
            state.last_ante_cents,
            state.under_min,
            state.without_chip,
            state.last_bonus_cents,
        )
    )


def _mark(state: TableState) -> str:
    """Return a mark of everything that a key can change: the same only if nothing has changed."""
    return blake2b(_kept(state), digest_size=16).hexdigest()
