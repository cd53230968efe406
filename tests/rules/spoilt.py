"""Documents that may break the contract, for hypothesis to draw.

`spoilt` changes a legal document in a place or two. Incidents are here because they
are drawn with every fact there is, so that many are legal and the rest nearly so.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, get_args

from hypothesis import strategies as st

from firmware.rules.contract import IrregularityName
from tests.rules.ask import Json
from tests.rules.rounds import GAMES

_PLAIN_FACTS = (
    "any_player_seen",
    "movable",
    "reconstructable",
    "before_next_round",
    "order_known",
    "outcome_established",
    "intentional",
    "bets_closed",
)
_SOME_SEATS = st.lists(st.integers(1, 7), max_size=4)
_FACTS: Mapping[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(_PLAIN_FACTS, st.booleans()),
    "count": st.integers(1, 3),
    "seat": st.integers(1, 7),
    "first_seat": st.integers(1, 7),
    "seats": _SOME_SEATS,
    "viewed": _SOME_SEATS,
}


def incidents() -> st.SearchStrategy[Json]:
    """Report an irregularity with every fact there is, needed or not."""
    return st.fixed_dictionaries(
        {
            "game": st.sampled_from(GAMES),
            "irregularity": st.sampled_from(get_args(IrregularityName)),
            "facts": st.fixed_dictionaries(dict(_FACTS)),
        }
    )


_JUNK: st.SearchStrategy[object] = st.sampled_from(
    (None, True, False, -1, 0, 1.5, 10**30, float("nan"), "", "As", "Xx", "\ud800", [], {}, [[]])
)
_KEYS = st.sampled_from(("", "seat", "bets", "ante", "jackpot", "cards", "line\nbreak")) | st.text()


@st.composite
def spoilt(draw: st.DrawFn, documents: st.SearchStrategy[Json]) -> Json:
    """Change a legal document in one place or two: drop, rename, replace, copy from elsewhere."""
    document = deepcopy(draw(documents))
    for _ in range(draw(st.integers(1, 2))):
        places = list(_places(document))
        if places:
            holder, key = draw(st.sampled_from(places))
            other_holder, other_key = draw(st.sampled_from(places))
            copied = deepcopy(other_holder[other_key])
            _spoil(draw, holder, key, copied)
    return document


def _places(node: Any) -> list[tuple[Any, Any]]:  # noqa: ANN401  # whatever JSON has
    """List every place of a document: what holds it, and its key or index there."""
    inside = list(node.items()) if isinstance(node, dict) else list(enumerate(node))
    found = [(node, key) for key, _ in inside]
    for _, value in inside:
        found += _places(value) if isinstance(value, (dict, list)) else []
    return found


def _spoil(draw: st.DrawFn, holder: Any, key: Any, copied: object) -> None:  # noqa: ANN401
    match draw(st.sampled_from(("drop", "rename", "replace", "copy"))):
        case "drop":
            del holder[key]
        case "rename" if isinstance(holder, dict):
            holder[draw(_KEYS)] = holder.pop(key)
        case "replace":
            holder[key] = deepcopy(draw(_JUNK))
        case _:
            holder[key] = copied
