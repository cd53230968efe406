"""Bad documents of each kind that the contract refuses, and what the refusal names.

Each is an example of the contract with one thing wrong: where (as a path), what
stands there instead, and which field and words the error must have. How the command
reports it is in test_rules_bad_input.py.
"""

import json
from copy import deepcopy
from typing import Any, NamedTuple

from tests.host_tools.command import CLAIMS, INCIDENT, ROUND, Json


class Bad(NamedTuple):
    """A document that must be refused; `reason` are words that the error must say."""

    kind: str
    question: str
    document: str
    field: str
    reason: str


class _Left(NamedTuple):
    """Stands for a key that is left out."""


LEFT_OUT = _Left()
Path = tuple[str | int, ...]


def spoilt(document: Json, *changes: tuple[Path, object]) -> str:
    """Write a document with something else, or nothing, in some of its places."""
    copy = deepcopy(document)
    for path, value in changes:
        at: Any = copy
        for step in path[:-1]:
            at = at[step]
        if value is LEFT_OUT:
            del at[path[-1]]
        else:
            at[path[-1]] = value
    return json.dumps(copy)


def _round(kind: str, field: str, reason: str, *changes: tuple[Path, object]) -> Bad:
    return Bad(kind, "settle", spoilt(ROUND, *changes), field, reason)


def _incident(kind: str, field: str, reason: str, *changes: tuple[Path, object]) -> Bad:
    return Bad(kind, "ruling", spoilt(INCIDENT, *changes), field, reason)


def _claims(kind: str, field: str, reason: str, *changes: tuple[Path, object]) -> Bad:
    return Bad(kind, "award", spoilt(CLAIMS, *changes), field, reason)


def _fact(name: str) -> Path:
    return ("facts", name)


_SEAT: Path = ("seats", 0)
_ANTE: Path = (*_SEAT, "bets", "ante")
_CARDS: Path = (*_SEAT, "cards")
_CLAIM: Path = ("claims", 0)
_SINGAPORE: tuple[Path, object] = (("game",), "mbs-singapore-stud")
_TO_FOLD: tuple[Path, object] = ((*_SEAT, "decision"), "fold")
_NO_BET: tuple[Path, object] = ((*_SEAT, "bets", "bet"), LEFT_OUT)
_EXTRA_HAND = (("irregularity",), "extra_hand_examined")
_LUCKY_EIGHT: tuple[Path, object] = (("draws",), {"lucky_seat": 8})

ROUNDS = (
    _round("unknown game", "game", "rws-faro", (("game",), "rws-faro")),
    _round("no game", "game", "missing", (("game",), LEFT_OUT)),
    _round(
        "game of the wrong type",
        "game",
        "is a number; it must be one of the games rws-",
        (("game",), 7),
    ),
    _round("no seats", "seats", "missing", (("seats",), LEFT_OUT)),
    _round("seats of the wrong type", "seats", "a list", (("seats",), {})),
    _round("card twice", "seats[0].cards[0]", "As", ((*_CARDS, 0), "As")),
    _round("card twice in a hand", "dealer[4]", "5h", (("dealer", 4), "5h")),
    _round("impossible rank", "dealer[0]", "1s", (("dealer", 0), "1s")),
    _round("impossible suit", "seats[0].cards[2]", "8x", ((*_CARDS, 2), "8x")),
    _round("ten as a number", "dealer[1]", "10d", (("dealer", 1), "10d")),
    _round("card in small letters", "dealer[0]", "as", (("dealer", 0), "as")),
    _round("card of the wrong type", "dealer[0]", "a text", (("dealer", 0), 12)),
    _round("hand of the wrong type", "seats[0].cards", "a list", (_CARDS, "QcQd8h4s2c")),
    _round("missing hand", "seats[0].cards", "missing", (_CARDS, LEFT_OUT)),
    _round("empty hand", "seats[0].cards", "missing", (_CARDS, [])),
    _round("short hand", "seats[0].cards", "2 cards", (_CARDS, ["Qc", "Qd"])),
    _round("missing dealer", "dealer", "missing", (("dealer",), LEFT_OUT)),
    _round("short dealer", "dealer", "4 cards", (("dealer",), ["As", "Kd", "9c", "5h"])),
    _round("dealer null", "dealer", "null", (("dealer",), None)),
    _round("community in stud", "community", "1 card;", (("community",), ["3c"])),
    _round("negative stake", "seats[0].bets.ante", "cents from 0", (_ANTE, -2500)),
    _round("stake in dollars", "seats[0].bets.ante", "fraction", (_ANTE, 25.5)),
    _round("stake as text", "seats[0].bets.ante", "is a text", (_ANTE, "2500")),
    _round("no bets", "seats[0].bets", "missing", ((*_SEAT, "bets"), LEFT_OUT)),
    _round("bet of another game", "seats[0].bets.flop", "no such", ((*_SEAT, "bets", "flop"), 1)),
    _round("seat nought", "seats[0].seat", "1 to 7", ((*_SEAT, "seat"), 0)),
    _round("seat that no layout has", "seats[0].seat", "1 to 7", ((*_SEAT, "seat"), 9)),
    _round("whole stake with a point", "seats[0].bets.ante", "cents", (_ANTE, 2500.0)),
    _round("limit in dollars", "limits.ante_max", "cents", (("limits", "ante_max"), 25.5)),
    _round("nearly a game", "game", "nearest is rws-holdem; ", (("game",), "rws-holdm")),
    _round("nearly a ten", "dealer[1]", "did you mean Td?", (("dealer", 1), "10D")),
    _round("nearly a limit", "limits.ante", "are ante_", (("limits", "ante"), 1)),
    _round(
        "nearly a decision",
        "seats[0].decision",
        "bet, absent, fold, invalid, withdrawn",
        ((*_SEAT, "decision"), "folds"),
    ),
    _round("lucky seat too high", "draws.lucky_seat", "1 to 7", _SINGAPORE, _LUCKY_EIGHT),
    _round("no decision", "seats[0].decision", "missing", ((*_SEAT, "decision"), LEFT_OUT)),
    _round("unknown decision", "seats[0].decision", "pass", ((*_SEAT, "decision"), "pass")),
    _round("hold'em decision", "seats[0].decision", "flop", ((*_SEAT, "decision"), "flop")),
    _round("fold with a BET", "seats[0].decision", "contradicts", _TO_FOLD),
    _round("bet without a BET", "seats[0].decision", "contradicts", _NO_BET),
    _round("revealed as text", "seats[0].revealed", "true or false", ((*_SEAT, "revealed"), "yes")),
    _round("limits crossed", "limits.ante_min", "above", (("limits", "ante_min"), 100001)),
    _round("negative limit", "limits.ante_max", "cents from 0", (("limits", "ante_max"), -1)),
    _round("bonus limit in stud", "limits.bonus_max", "bonus", (("limits", "bonus_max"), 1)),
    _round("draws elsewhere", "draws", "no draws", (("draws",), {"lucky_seat": 1})),
    _round("unknown key", "pot", "not a key", (("pot",), 0)),
    _round("unknown limit", "limits.bet_max", "not a key", (("limits", "bet_max"), 1)),
    _round("unknown key of a seat", "seats[0].name", "not a key", ((*_SEAT, "name"), "Lim")),
    _round("unknown draw", "draws.joker", "not a key", _SINGAPORE, (("draws",), {"joker": "As"})),
    _round(
        "impossible magic card",
        "draws.magic_card",
        "7x",
        _SINGAPORE,
        (("draws",), {"magic_card": "7x"}),
    ),
    Bad("not JSON", "settle", "seat 1 has a pair", "document", "JSON"),
    Bad("half a document", "settle", spoilt(ROUND)[:-2], "document", "JSON"),
    Bad("two documents in one", "settle", spoilt(ROUND) * 2, "document", "JSON"),
    Bad("no object", "settle", "[]", "document", "object"),
)

INCIDENTS = (
    _incident("unknown game", "game", "rws-faro", (("game",), "rws-faro")),
    _incident("unknown irregularity", "irregularity", "fire", (("irregularity",), "fire")),
    _incident("no irregularity", "irregularity", "missing", (("irregularity",), LEFT_OUT)),
    _incident("no facts", "facts.count", "missing", (("facts",), LEFT_OUT)),
    _incident(
        "missing fact", "facts.any_player_seen", "missing", (_fact("any_player_seen"), LEFT_OUT)
    ),
    _incident(
        "fact of the wrong type",
        "facts.any_player_seen",
        "true or false",
        (_fact("any_player_seen"), 1),
    ),
    _incident(
        "count as text",
        "facts.count",
        "is a text; it must be a whole number",
        (_fact("count"), "2"),
    ),
    _incident("no card exposed", "facts.count", "whole number from 1", (_fact("count"), 0)),
    _incident("facts of the wrong type", "facts", "object", (("facts",), [2, False])),
    _incident("unknown fact", "facts.weather", "not a key", (_fact("weather"), "hot")),
    _incident(
        "nearly an irregularity",
        "irregularity",
        "the nearest is cards_exposed; the words are ",
        (("irregularity",), "card_exposed"),
    ),
    _incident(
        "nearly a fact",
        "facts.counts",
        "the nearest is count; the facts are count, any_player_seen",
        (_fact("counts"), 2),
    ),
    _incident(
        "fact of another irregularity",
        "facts.seat",
        "cards_exposed needs count, any_player_seen",
        (_fact("seat"), 2),
    ),
    _incident(
        "seat that no layout has",
        "facts.seat",
        "1 to 7",
        (("irregularity",), "late_bet"),
        (("facts",), {"seat": 8}),
    ),
    _incident(
        "hand that no layout has",
        "facts.seats[1]",
        "1 to 7",
        _EXTRA_HAND,
        (("facts",), {"seats": [1, 9], "first_seat": 1, "intentional": True}),
    ),
    _incident("unknown key", "table", "not a key", (("table",), "T1")),
    _incident(
        "impossible in hold'em",
        "irregularity",
        "cannot happen",
        (("irregularity",), "dealer_card_exposed"),
        (("facts",), {}),
    ),
    _incident(
        "impossible in stud",
        "irregularity",
        "cannot happen",
        (("game",), "rws-casino-stud"),
        (("irregularity",), "community_count_wrong"),
        (("facts",), {"reconstructable": True, "before_next_round": True}),
    ),
    _incident(
        "impossible without a burn card",
        "irregularity",
        "cannot happen",
        (("game",), "mbs-megalink-stud"),
        (("irregularity",), "no_burn"),
        (("facts",), {"any_player_seen": True, "reconstructable": True}),
    ),
    _incident(
        "first hand not among the hands",
        "facts.first_seat",
        "seat 3",
        _EXTRA_HAND,
        (("facts",), {"seats": [1, 2], "first_seat": 3, "intentional": True}),
    ),
    Bad("not JSON", "ruling", "{'game': 'rws-holdem'}", "document", "JSON"),
)

CLAIM_LISTS = (
    _claims("unknown game", "game", "rws-faro", (("game",), "rws-faro")),
    _claims("neither percent nor amount", "claims[0]", "percent", ((*_CLAIM, "percent"), LEFT_OUT)),
    _claims("both percent and amount", "claims[0]", "percent", ((*_CLAIM, "amount"), 20000)),
    _claims("more than the meter", "claims[0].percent", "100", ((*_CLAIM, "percent"), 101)),
    _claims("negative amount", "claims[1].amount", "cents from 0", (("claims", 1, "amount"), -1)),
    _claims("unknown tier", "claims[0].tier", "five_aces", ((*_CLAIM, "tier"), "five_aces")),
    _claims("id twice", "claims[1].id", "'a'", (("claims", 1, "id"), "a")),
    _claims("no table", "claims[0].table", "missing", ((*_CLAIM, "table"), LEFT_OUT)),
    _claims("seat nought", "claims[0].seat", "1 to 7", ((*_CLAIM, "seat"), 0)),
    _claims("seat that no layout has", "claims[0].seat", "1 to 7", ((*_CLAIM, "seat"), 8)),
    _claims("meter in dollars", "meter.value", "cents", (("meter", "value"), 1000000.5)),
    _claims("amount in dollars", "claims[1].amount", "cents", (("claims", 1, "amount"), 200.5)),
    _claims(
        "unknown owner",
        "claims[0].on",
        "the nearest is player; the words are ",
        ((*_CLAIM, "on"), "players"),
    ),
    _claims("no time", "claims[0].dealt_at", "missing", ((*_CLAIM, "dealt_at"), LEFT_OUT)),
    _claims(
        "time as a word",
        "claims[0].dealt_at",
        "such as 2026-01-02T",
        ((*_CLAIM, "dealt_at"), "noon"),
    ),
    _claims(
        "time without a zone",
        "claims[0].entered_at",
        "with its zone, such as 2026-01-02T",
        ((*_CLAIM, "entered_at"), "2026-01-02T03:05:00.000"),
    ),
    _claims("no meter", "meter", "missing", (("meter",), LEFT_OUT)),
    _claims("no reset", "meter.reset", "missing", (("meter", "reset"), LEFT_OUT)),
    _claims("negative meter", "meter.value", "cents from 0", (("meter", "value"), -1)),
    _claims("unknown key", "link", "not a key", (("link",), "L1")),
    _claims("unknown key of the meter", "meter.base", "not a key", (("meter", "base"), 0)),
    _claims("unknown key of a claim", "claims[0].name", "not a key", ((*_CLAIM, "name"), "Lim")),
    _claims("unknown setting", "settings.tip", "not a key", (("settings",), {"tip": 1})),
    _claims(
        "unknown value of a setting",
        "settings.straight_flush_share",
        "half",
        (("settings",), {"straight_flush_share": "half"}),
    ),
    Bad("not JSON", "award", "[1, 2", "document", ""),
)

BAD = (*ROUNDS, *INCIDENTS, *CLAIM_LISTS)
