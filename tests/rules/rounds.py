"""Legal documents of the contract, for hypothesis to draw: rounds, and claims on a meter.

Legal by the contract's text alone; what a round pays or who is paid first is not
known here. Documents that may not be legal are drawn in `spoilt.py`.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

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
_YES_OR_NO = st.booleans()
_DECISIONS = st.sampled_from(("stay",) * 6 + ("fold",) * 3 + ("absent",) * 2 + _OUT)
_ANTES = st.sampled_from(
    (1, 99, 2_499, 2_500, 2_501, 5_000, 12_345, 100_000, 6_000_000, 6_000_001, 0)
)
_BESIDE = st.sampled_from((0, 0, 0, 1, 100, 500, 12_345, 500_001))
_LIMITS = st.sampled_from((0, 100, 2_500, 2_501, 5_000, 99_999, 100_000))
_REMARKS = st.sampled_from(
    (
        {},
        {"revealed": True},
        {"revealed": False},
        {"under_min_before": True},
        {"revealed": False, "under_min_before": True},
    )
)


@st.composite
def decks(draw: st.DrawFn) -> list[str]:
    """Shuffle a deck well, or take one from its box, cut it and mix the first cards a little.

    The second kind is full of what the jackpot pays; the first hardly ever is.
    """
    chance = Random(draw(st.integers(0, 2**32)))
    if draw(_YES_OR_NO):
        return chance.sample(BY_SUIT, 52)
    fresh = draw(st.sampled_from((BY_SUIT, BY_RANK)))
    cut = draw(st.sampled_from((0, 13, 26, 39)) | st.integers(0, 51))
    deck, mixed = [*fresh[cut:], *fresh[:cut]], draw(st.integers(0, 12))
    return chance.sample(deck[:mixed], mixed) + deck[mixed:]


@st.composite
def rounds(draw: st.DrawFn, games: Sequence[str] = GAMES) -> Json:
    """Play a round of one to seven seats."""
    game = draw(st.sampled_from(games))
    layout = LAYOUTS[game]
    numbers = draw(st.lists(st.integers(1, 7), min_size=1, max_size=7, unique=True))
    played: Json = {"game": game, "seats": [_seat(draw, layout, number) for number in numbers]}
    _deal(draw, layout, played)
    if draw(_YES_OR_NO):
        played["limits"] = draw(_limits(bonus="bonus" in layout.beside))
    if game == "mbs-singapore-stud" and draw(_YES_OR_NO):
        played["draws"] = draw(_DRAWS)
    return played


def _seat(draw: st.DrawFn, layout: Layout, number: int) -> Json:
    """Lay out a seat; in place of its cards stands how many it has."""
    decision, ante = draw(_DECISIONS), draw(_ANTES)
    stakes = {"ante": ante}
    for bet in _raised(draw, layout, decision):
        right = ante * ANTES[bet]
        stakes[bet] = draw(st.sampled_from((right, right, right - 1, right + 1, 3 * ante, 1)))
        stakes[bet] = max(1, stakes[bet])
    stakes |= {bet: draw(_BESIDE) for bet in layout.beside}
    if draw(_YES_OR_NO):
        stakes = {bet: stake for bet, stake in stakes.items() if stake}
    told = bool(ante) or draw(_YES_OR_NO)
    count = layout.cards
    if told and decision in _OUT:
        count = draw(st.integers(0, count + 1))
    elif not ante:
        count = draw(st.sampled_from((0, count)))
    laid: Json = {"seat": number, "bets": stakes, "cards": count, **draw(_REMARKS)}
    if told:
        laid["decision"] = layout.stay if decision == "stay" else decision
    return laid


def _raised(draw: st.DrawFn, layout: Layout, decision: str) -> Sequence[str]:
    """Say which bets a player with this decision may have placed after seeing cards."""
    if decision == "fold" or (decision == "absent" and not layout.later):
        return ()
    later = [bet for bet in layout.later if draw(_YES_OR_NO)]
    if decision == "stay":
        return (layout.stay, *later)
    raised = (layout.stay, *later) if draw(_YES_OR_NO) else ()
    # One who walked away had at least the last decision still to make.
    return [bet for bet in raised if decision != "absent" or bet != layout.later[-1]]


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
    left_out = draw(st.sampled_from(("", *limits)))
    return {name: limit for name, limit in limits.items() if name != left_out}


def _deal(draw: st.DrawFn, layout: Layout, played: Json) -> None:
    """Deal every hand from one deck, and leave out what nothing depends on."""
    played |= {"dealer": layout.dealer, "community": layout.community}
    hands = [*((seat, "cards") for seat in played["seats"]), (played, "community")]
    hands.insert(len(hands) if draw(_YES_OR_NO) else 0, (played, "dealer"))
    first = draw(st.integers(0, len(hands) - 1))
    cards = iter(draw(decks()))
    for holder, key in (*hands[first:], *hands[:first]):
        holder[key] = list(islice(cards, holder[key]))
        if not holder[key]:
            del holder[key]
    standing = [seat for seat in played["seats"] if seat["bets"].get("ante")]
    if any(_needs_the_dealer(layout, seat) for seat in standing):
        return
    if draw(_YES_OR_NO):
        played["dealer"] = []
    waits = any(s["bets"].get("jackpot") and s["decision"] not in _OUT for s in standing)
    if not waits and draw(_YES_OR_NO):
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
_LOWER = {"full_house": 20_000, "flush": 10_000}
AMOUNTS: Mapping[str, Mapping[str, int]] = {
    "rws-multilink-stud": {"four_of_a_kind": 200_000, **_LOWER},
    "rws-casino-stud": {"four_of_a_kind": 50_000, **_LOWER},
    "mbs-megalink-stud": {"four_of_a_kind": 200_000, **_LOWER},
    "rws-holdem": {"royal_flush": 1_000_000, "straight_flush": 150_000, "four_of_a_kind": 30_000},
}
"""What the pay tables fix, in cents."""
_LOTS = dict.fromkeys(("magic_card", "lucky_player", "lucky_dealer"), 5)
ODDS: Mapping[str, Mapping[str, int]] = {
    "mbs-singapore-stud": {"four_of_a_kind": 500, "full_house": 100, "flush": 50, **_LOTS}
}
_WAGERS = st.sampled_from((1, 100, 500)) | st.integers(1, 10**6)
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
_WHERE = st.sampled_from((*[("T1", 1)] * 5, ("T1", 2), ("T10", 1), ("T2", 1)))
_SETTINGS: st.SearchStrategy[Json] = st.sampled_from(
    (
        {},
        {"settings": {"straight_flush_share": "reset"}},
        {"settings": {"straight_flush_share": "declining"}},
        {"settings": {"straight_flush_share": "reset"}},
        {"settings": {}},
    )
)
_SEATS = st.integers(1, 7)
_UP_TO_EIGHT = st.integers(0, 8)


@st.composite
def claims(draw: st.DrawFn, games: Sequence[str] = GAMES) -> Json:
    """Let up to eight claims of a few tables and rounds wait on one meter."""
    game = draw(st.sampled_from(games))
    names = "dbhcafge"[: draw(_UP_TO_EIGHT)]
    return {
        "game": game,
        "meter": {"value": draw(_MONEY), "reset": draw(_MONEY)},
        "claims": [{"id": name, **_claim(draw, game)} for name in names],
        **draw(_SETTINGS),
    }


def _claim(draw: st.DrawFn, game: str) -> Json:
    table, round_number = draw(_WHERE)
    claimed: Json = {
        "table": table,
        "round": round_number,
        "seat": draw(_SEATS),
        "dealt_at": draw(_TIMES),
        "entered_at": draw(_TIMES),
    }
    tier = draw(st.sampled_from((*PERCENT[game], *PERCENT[game], *FIXED[game])))
    if tier in PERCENT[game]:
        return claimed | {"tier": tier, "percent": PERCENT[game][tier]}
    return claimed | {"tier": tier, "amount": _amount(draw, game, tier)}


def _amount(draw: st.DrawFn, game: str, tier: str) -> int:
    """Draw what a tier pays: an amount of the pay table, or odds on some wager."""
    odds, amounts = ODDS.get(game, {}), AMOUNTS.get(game, {})
    return odds[tier] * draw(_WAGERS) if odds else amounts[tier]
