"""Legal documents of the contract, for hypothesis to draw: rounds, claims, incidents.

Legal by the contract's text alone; what a round pays or who is paid first is not
known here. `spoilt` turns a legal document into one that may no longer be legal.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from itertools import islice
from typing import Any, NamedTuple, get_args

from hypothesis import strategies as st

from firmware.rules.contract import IrregularityName
from tests.rules.ask import Json

STUD_GAMES = ("rws-multilink-stud", "rws-casino-stud", "mbs-megalink-stud", "mbs-singapore-stud")
GAMES = (*STUD_GAMES, "rws-holdem")
BY_SUIT = tuple(rank + suit for suit in "shdc" for rank in "AKQJT98765432")
BY_RANK = tuple(rank + suit for rank in "AKQJT98765432" for suit in "shdc")
ANTES = {"ante": 1, "bet": 2, "flop": 2, "turn": 1, "river": 1}
"""How many antes each bet against the dealer should be."""
JACKPOT_BETS = {"jackpot": ("player", "community"), "jackpot_dealer": ("dealer",)}
"""Whose cards pay on each jackpot bet."""


class Layout(NamedTuple):
    """What a game deals and where its players bet."""

    cards: int
    dealer: int
    community: int
    stay: str
    later: Sequence[str]
    beside: Sequence[str]

    @property
    def bets(self) -> tuple[str, ...]:
        """Name every bet of the game."""
        return ("ante", self.stay, *self.later, *self.beside)


_STUD = Layout(5, 5, 0, "bet", (), ("jackpot",))
LAYOUTS = dict.fromkeys(STUD_GAMES, _STUD) | {
    "mbs-singapore-stud": _STUD._replace(beside=("jackpot", "jackpot_dealer")),
    "rws-holdem": Layout(2, 2, 5, "flop", ("turn", "river"), ("bonus", "jackpot")),
}

_OUT = ("withdrawn", "invalid")
_DECISIONS = ("stay",) * 6 + ("fold",) * 3 + ("absent",) * 2 + _OUT
_STAKES = st.sampled_from((1, 2_499, 2_500, 5_000, 100_000)) | st.integers(1, 12_000_000)
_LIMITS = st.sampled_from((0, 2_500, 5_000, 99_999)) | st.integers(0, 200_000)


@st.composite
def decks(draw: st.DrawFn) -> list[str]:
    """Shuffle a deck well, or take one from its box, cut it and swap a few cards.

    The second kind is full of what the jackpot pays; the first hardly ever is.
    """
    if draw(st.booleans()):
        return draw(st.permutations(BY_SUIT))
    fresh, cut = draw(st.sampled_from((BY_SUIT, BY_RANK))), draw(st.integers(0, 51))
    deck = [*fresh[cut:], *fresh[:cut]]
    place = st.integers(0, 51)
    for one, other in draw(st.lists(st.tuples(place, place), max_size=3)):
        deck[one], deck[other] = deck[other], deck[one]
    return deck


@st.composite
def rounds(draw: st.DrawFn, games: Sequence[str] = GAMES) -> Json:
    """Play a round of one to seven seats."""
    game = draw(st.sampled_from(games))
    layout = LAYOUTS[game]
    numbers = draw(st.lists(st.integers(1, 7), min_size=1, max_size=7, unique=True))
    seats = [draw(_seats(layout, number)) for number in numbers]
    played: Json = {"game": game, "seats": seats}
    _deal(draw, layout, played)
    if draw(st.booleans()):
        played["limits"] = draw(_limits(bonus="bonus" in layout.beside))
    if game == "mbs-singapore-stud" and draw(st.booleans()):
        played["draws"] = draw(_DRAWS)
    return played


@st.composite
def _seats(draw: st.DrawFn, layout: Layout, number: int) -> Json:
    """Lay out a seat, its cards still a number; one in nine has no ante."""
    decision = draw(st.sampled_from(_DECISIONS))
    ante = draw(_STAKES)
    stakes = {"ante": ante} if draw(st.integers(0, 8)) else {}
    for bet in _raised(draw, layout, decision):
        stakes[bet] = draw(st.just(ante * ANTES[bet]) | st.integers(1, ante * 3))
    stakes |= {bet: draw(_STAKES) for bet in layout.beside if draw(st.booleans())}
    if draw(st.booleans()):
        stakes = dict.fromkeys(layout.bets, 0) | stakes
    told = bool(stakes.get("ante")) or draw(st.booleans())
    count = layout.cards
    if told and decision in _OUT:
        count = draw(st.integers(0, count + 1))
    elif not stakes.get("ante"):
        count = draw(st.sampled_from((0, count)))
    laid: Json = {"seat": number, "bets": stakes, "cards": count}
    if told:
        laid["decision"] = layout.stay if decision == "stay" else decision
    laid |= draw(_REMARKS)
    return laid


def _raised(draw: st.DrawFn, layout: Layout, decision: str) -> Sequence[str]:
    """Say which bets a player with this decision may have placed after seeing cards."""
    later = [bet for bet in layout.later if draw(st.booleans())]
    if decision == "fold" or (decision == "absent" and not layout.later):
        return ()
    if decision == "stay":
        return (layout.stay, *later)
    raised = (layout.stay, *later) if draw(st.booleans()) else ()
    # One who walked away had at least the last decision still to make.
    return [bet for bet in raised if decision != "absent" or bet != layout.later[-1]]


_REMARKS = st.fixed_dictionaries(
    {}, optional={"revealed": st.booleans(), "under_min_before": st.booleans()}
)
_DRAWS = st.fixed_dictionaries(
    {},
    optional={
        "magic_card": st.sampled_from(BY_SUIT),
        "lucky_seat": st.integers(1, 7),
        "lucky_dealer": st.booleans(),
    },
)


@st.composite
def _limits(draw: st.DrawFn, *, bonus: bool) -> Json:
    low, high = sorted((draw(_LIMITS), draw(_LIMITS)))
    limits = {"ante_min": low, "ante_max": high} | ({"bonus_max": high} if bonus else {})
    kept = draw(st.sets(st.sampled_from(sorted(limits))))
    return {name: limits[name] for name in sorted(kept)}


def _deal(draw: st.DrawFn, layout: Layout, played: Json) -> None:
    """Deal every hand from one deck, and leave out what nothing depends on."""
    played |= {"dealer": layout.dealer, "community": layout.community}
    cards = iter(draw(decks()))
    hands = [(seat, "cards") for seat in played["seats"]]
    for place, key in draw(st.permutations([*hands, (played, "dealer"), (played, "community")])):
        place[key] = list(islice(cards, place[key]))
        if not place[key] and draw(st.booleans()):
            del place[key]
    standing = [seat for seat in played["seats"] if seat["bets"].get("ante")]
    if any(_needs_the_dealer(layout, seat) for seat in standing):
        return
    if draw(st.booleans()):
        played["dealer"] = []
    waits = any(s["bets"].get("jackpot") and s["decision"] not in _OUT for s in standing)
    if not waits and draw(st.booleans()):
        played["community"] = []


def _needs_the_dealer(layout: Layout, seat: Json) -> bool:
    folded_on_dealer = seat["decision"] == "fold" and bool(seat["bets"].get("jackpot_dealer"))
    return seat["decision"] == layout.stay or folded_on_dealer


_STUD_PERCENT = {"royal_flush": 100, "straight_flush": 10}
_STUD_FIXED = ("four_of_a_kind", "full_house", "flush")
PERCENT: Mapping[str, Mapping[str, int]] = dict.fromkeys(STUD_GAMES, _STUD_PERCENT) | {
    "rws-holdem": {"royal_flush_flop": 100, "royal_flush_turn": 25, "royal_flush_river": 5}
}
FIXED: Mapping[str, Sequence[str]] = dict.fromkeys(STUD_GAMES, _STUD_FIXED) | {
    "mbs-singapore-stud": (*_STUD_FIXED, "magic_card", "lucky_player", "lucky_dealer"),
    "rws-holdem": ("royal_flush", "straight_flush", "four_of_a_kind"),
}
_TIMES = st.sampled_from(
    (
        "2026-01-02T03:04:05.678Z",
        "2026-01-02T11:04:05.678+08:00",  # the same moment, as Singapore writes it
        "2026-01-02T03:04:05.679Z",
        "2026-01-02T03:04:06Z",
        "2025-12-31T23:59:59.999Z",
    )
)
_MONEY = st.sampled_from((0, 1, 99, 20_000_000, 100_000_000)) | st.integers(0, 10**9)


@st.composite
def claims(draw: st.DrawFn, games: Sequence[str] = GAMES) -> Json:
    """Let up to eight claims of a few tables and rounds wait on one meter."""
    game = draw(st.sampled_from(games))
    names = draw(st.permutations("abcdefgh"))[: draw(st.integers(0, 8))]
    asked: Json = {
        "game": game,
        "meter": {"value": draw(_MONEY), "reset": draw(_MONEY)},
        "claims": [{"id": name, **draw(_claim(game))} for name in names],
    }
    if draw(st.booleans()):
        share = st.sampled_from(("declining", "reset"))
        asked["settings"] = draw(
            st.fixed_dictionaries({}, optional={"straight_flush_share": share})
        )
    return asked


@st.composite
def _claim(draw: st.DrawFn, game: str) -> Json:
    claimed: Json = {
        "table": draw(st.sampled_from(("T1", "T10", "T2"))),
        "round": draw(st.integers(1, 2)),
        "seat": draw(st.integers(1, 7)),
        "dealt_at": draw(_TIMES),
        "entered_at": draw(_TIMES),
    }
    if draw(st.integers(0, 2)):
        tier = draw(st.sampled_from(tuple(PERCENT[game])))
        return claimed | {"tier": tier, "percent": PERCENT[game][tier]}
    return claimed | {"tier": draw(st.sampled_from(FIXED[game])), "amount": draw(_MONEY)}


_YES_OR_NO = (
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
    **dict.fromkeys(_YES_OR_NO, st.booleans()),
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
            holder[key] = draw(_JUNK)
        case _:
            holder[key] = copied
