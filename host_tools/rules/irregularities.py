"""What `underfelt rules irregularities` prints: each irregularity, its facts, and what follows.

Paragraphs, cases and options are read from the games' descriptions, the type of a fact from the
contract. Only what a fact means is written here.
"""

from collections.abc import Iterator, Mapping
from typing import get_args

from msgspec import inspect

from firmware.rules.contract import Facts, Incident, IrregularityName, Ruling
from firmware.rules.explain import explain_ruling
from firmware.rules.game import Case, Game
from firmware.rules.ruling import NEEDED_FACTS
from firmware.rules.words import IRREGULARITIES, OPTIONS

FACTS: Mapping[str, str] = {
    "count": "how many cards were exposed; the dealer's face-up card does not count",
    "any_player_seen": "whether a player had seen (MBS: handled) his cards",
    "movable": "whether moving whole hands puts it right",
    "reconstructable": "whether the cards can be put in their intended order",
    "before_next_round": "whether it was noticed before the next round began",
    "order_known": "whether it is known which of the cards came first",
    "outcome_established": "whether the outcome of the round was established",
    "intentional": "whether the player looked on purpose",
    "bets_closed": "whether it was noticed after the bets were closed",
    "seat": "the seat that it is about",
    "first_seat": "the seat whose hand the player looked at first",
    "seats": "all the seats of that player, two or more",
    "viewed": "the seats whose hands were looked at",
}
"""What each fact means."""
_SEATS_OUT = {
    "seat": "Out: the seat.",
    "additional": "Out: the seats of the player but first_seat.",
    "unviewed": "Out: the seats of the player whose hands were not viewed; if there is none, play goes on.",
    "all_but_first_dealt": "Out: the seats of the player but the lowest, which was dealt first.",
}
_TYPES = {field.name: field.type for field in inspect.type_info(Facts).fields}  # type: ignore[attr-defined]  # of a Struct
_LABEL = 20


def irregularity_lines(game: Game) -> Iterator[str]:
    """Tell every irregularity of a game."""
    yield f"{game.title} ({game.id}), {game.version}"
    yield "Of the cases of an irregularity the first that fits decides."
    for name in get_args(IrregularityName):
        yield ""
        yield f"{name}: {IRREGULARITIES[name]}"
        if name in game.impossible:
            yield "  cannot happen in this game"
            continue
        yield from _fact_lines(game, name)
        cases = game.irregularities.get(name, (game.silent,))
        if name not in game.irregularities:
            yield "  the document says nothing about it"
        for case in cases:
            yield from _case_lines(game, name, case, alone=len(cases) == 1)


def _fact_lines(game: Game, name: IrregularityName) -> Iterator[str]:
    needed = NEEDED_FACTS[name]
    yield "  facts:" if needed else "  facts: none"
    for fact in needed:
        yield f"    {fact:<{_LABEL}}{_allowed(game, fact)}: {FACTS[fact]}"


def _allowed(game: Game, fact: str) -> str:
    """Say which values a fact may have."""
    kinds = _TYPES[fact]
    types = kinds.types if isinstance(kinds, inspect.UnionType) else (kinds,)
    if any(isinstance(each, inspect.BoolType) for each in types):
        return "true or false"
    seats = f"1 to {game.positions[1]}"
    if any(isinstance(each, inspect.VarTupleType) for each in types):
        return f"a list of seats, {seats}, such as [1, 2]"
    return f"a seat, {seats}" if "seat" in fact else "a whole number from 1"


def _case_lines(game: Game, name: IrregularityName, case: Case, *, alone: bool) -> Iterator[str]:
    when = ", ".join(f"{fact} {_value(value)}" for fact, value in case.when.items())
    head = "always" if alone else f"if {when}" if when else "otherwise"
    out = f" {_SEATS_OUT[case.seats_out]}" if case.seats_out else ""
    yield f"  {head}: {_told(game, name, case)}{out}"
    for option in case.options:
        yield f"    {option:<{_LABEL + 4}}{OPTIONS[option]}"


def _told(game: Game, name: IrregularityName, case: Case) -> str:
    """Say what a case leads to, in the words of a ruling without its heading."""
    ruled = Ruling(
        action=case.action,
        rule=case.rule,
        use_as=case.use_as,
        options=case.options,
        affects=case.affects,
        authority=case.authority,
    )
    return explain_ruling(Incident(game=game.id, irregularity=name), ruled).partition(": ")[2]


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "empty" if value == () else str(value)
