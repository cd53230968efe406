"""Taking the last key back, while it has had no consequence.

A key that told nobody anything (no contribution, no claim, no report) leaves behind what the round
was before it. UNDO restores that if the round is still as the key left it: once a card has come, bets
are closed or somebody has decided, it is too late, and `stake_corrections.py` is the way.
"""

from collections.abc import Callable
from functools import wraps
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec import Struct

from firmware.errors import Refused
from firmware.table.events import KeyTakenBack
from firmware.table.state import LastKey, Phase, RoundState, TableState
from firmware.table.turn import Turn

_TOO_LATE = "Too late to take the last key back; use AMOUNT or CORRECT."
_TOO_LATE_AFTER_THE_REVEAL = (
    "Too late to take the last key back; use AMOUNT, CORRECT, SHOWN, CARDS or NOTCONFIRMED."
)


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
        face_up = state.phase in {"claiming", "settling"}
        raise Refused(_TOO_LATE_AFTER_THE_REVEAL if face_up else _TOO_LATE)
    kept = _decoder.decode(last.before)
    state.phase = kept.phase
    state.last_ante_cents, state.under_min = kept.last_ante_cents, kept.under_min
    state.without_chip, state.last_bonus_cents = kept.without_chip, kept.last_bonus_cents
    turn.begin_round(kept.round)
    return True


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
