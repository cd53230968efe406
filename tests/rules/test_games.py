"""The game descriptions as data: complete, well-formed, and nowhere else in the engine.

What a description says is proved in `games/`, by what the game answers. Here is what
must be so for any game, and so for a sixth one too.
"""

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec import Struct
from msgspec.structs import fields

import firmware.rules
from firmware.rules.contract import Authority, IrregularityName
from firmware.rules.game import Game, Paragraphs
from firmware.rules.games import GAMES
from firmware.rules.hands import BEST_TO_LEAST
from firmware.rules.interpretations import INTERPRETATIONS
from tests.rules.ask import Json, refused, ruling

RULES = Path(firmware.rules.__file__).parent
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)

NO_YES = (False, True)
FACTS: Mapping[str, tuple[object, ...]] = {
    "count": (1, 2, 5),
    "any_player_seen": NO_YES,
    "movable": NO_YES,
    "reconstructable": NO_YES,
    "before_next_round": NO_YES,
    "order_known": NO_YES,
    "outcome_established": NO_YES,
    "intentional": NO_YES,
    "bets_closed": NO_YES,
    "seat": (3,),
    "seats": ([2, 3, 5],),
    "first_seat": (3,),
    "viewed": ([], [3], [2, 5], [2, 3, 5]),
}
"""Every fact of the contract and the values that are tried."""

_COUNT_FACTS = ("reconstructable", "before_next_round")
NEEDS: Mapping[str, tuple[str, ...]] = {
    "foreign_card": (),
    "deck_count_wrong": (),
    "insufficient_cards": (),
    "unshuffled": (),
    "cards_exposed": ("count", "any_player_seen"),
    "dealer_card_exposed": (),
    "misdeal": ("any_player_seen", "movable"),
    "dealer_count_wrong": _COUNT_FACTS,
    "community_count_wrong": _COUNT_FACTS,
    "player_count_wrong": ("seat", *_COUNT_FACTS),
    "no_burn": ("any_player_seen", "reconstructable"),
    "dealing_error": ("reconstructable",),
    "card_face_up_in_shoe": (),
    "simultaneous_draw": ("order_known",),
    "jackpot_fault": ("any_player_seen",),
    "jackpot_fault_persists": (),
    "interruption": ("outcome_established",),
    "extra_hand_examined": ("seats", "first_seat", "intentional"),
    "late_bet": ("seat",),
    "late_increase": ("seat",),
    "late_withdrawal": ("seat",),
    "jackpot_without_ante": ("seat", "bets_closed"),
    "over_max": ("seat", "bets_closed"),
    "under_min": ("seat", "bets_closed"),
    "error_in_earlier_round": (),
    "played_several_positions": ("seats", "viewed"),
    "hand_not_confidential": ("seat",),
    "other": (),
}
"""The irregularities of the contract and the facts that each needs."""

SHAPES: Mapping[str, tuple[set[str], set[str]]] = {
    "void": ({"bets"}, set()),
    "continue": (set(), {"authority"}),
    "reconstruct": (set(), set()),
    "options": ({"options", "affects"}, {"authority"}),
    "invalidate": ({"seats"}, {"options", "affects", "authority"}),
    "use_card": ({"as"}, set()),
    "refuse": (set(), set()),
    "stand": (set(), set()),
    "correct": (set(), set()),
    "refer": ({"authority"}, {"options"}),
}
"""What a ruling must say and may say beside `action` and `rule`, by its action."""

PLAYERS_CHOICES = (["continue", "withdraw"], ["continue_reconstructed", "withdraw"])
HOUSE_CHOICES = ["close_table", "disallow_box", "no_jackpot_bets"]
CANNOT_HAPPEN = {
    "rws-multilink-stud": {"community_count_wrong"},
    "rws-casino-stud": {"community_count_wrong"},
    "mbs-megalink-stud": {"community_count_wrong", "no_burn"},
    "mbs-singapore-stud": {"community_count_wrong", "no_burn"},
    "rws-holdem": {"dealer_card_exposed"},
}


# ── irregularities ───────────────────────────────────────────────────────────


def every_combination(irregularity: str) -> Iterator[Json]:
    """Give the facts of an irregularity in every combination."""
    names = NEEDS[irregularity]
    for values in product(*(FACTS[name] for name in names)):
        yield dict(zip(names, values, strict=True))


def assert_well_formed(answer: Json) -> None:
    """Hold a ruling against the shape that the contract gives its action."""
    must, may = SHAPES[answer["action"]]
    said = set(answer) - {"action", "rule"}
    assert must <= said <= must | may
    assert is_citation(answer["rule"])
    assert answer.get("bets", "returned") == "returned"
    assert answer.get("as", "next_card") in {"face_up_card", "next_card"}
    assert answer.get("authority", "house") in get_args(Authority)
    assert answer.get("affects", "all") in {"all", "affected"}
    assert ("affects" in answer) == ("options" in answer and answer["action"] != "refer")
    assert answer.get("seats", [3]) == sorted(set(answer.get("seats", [3])))
    assert answer.get("seats") != []
    choices = [HOUSE_CHOICES] if answer["action"] == "refer" else PLAYERS_CHOICES
    assert "options" not in answer or answer["options"] in choices


def test_the_irregularities_are_those_of_the_contract() -> None:
    assert set(get_args(IrregularityName)) == set(NEEDS)


@pytest.mark.parametrize("irregularity", NEEDS)
@every_game
def test_every_irregularity_is_answered_whatever_the_facts(game: Game, irregularity: str) -> None:
    for facts in every_combination(irregularity):
        if irregularity in CANNOT_HAPPEN[game.id]:
            asked = {"game": game.id, "irregularity": irregularity, "facts": facts}
            assert refused("ruling", asked).field == "irregularity"
        else:
            assert_well_formed(ruling(game.id, irregularity, **facts))


@pytest.mark.parametrize("irregularity", NEEDS)
def test_a_fact_that_is_needed_cannot_be_left_out(irregularity: str) -> None:
    game = "rws-holdem" if irregularity == "community_count_wrong" else "rws-casino-stud"
    facts = next(every_combination(irregularity))
    for name in facts:
        rest = {each: value for each, value in facts.items() if each != name}
        asked = {"game": game, "irregularity": irregularity, "facts": rest}
        assert refused("ruling", asked).field == f"facts.{name}"


@every_game
def test_every_case_asks_only_for_facts_that_its_irregularity_has(game: Game) -> None:
    for irregularity, cases in game.irregularities.items():
        for case in cases:
            assert set(case.when) <= set(NEEDS[irregularity]), irregularity


@every_game
def test_no_irregularity_is_both_answered_and_impossible(game: Game) -> None:
    assert game.impossible == CANNOT_HAPPEN[game.id]
    assert game.impossible.isdisjoint(game.irregularities)


# ── bets, odds, lines ────────────────────────────────────────────────────────


@every_game
def test_odds_are_by_category_and_never_less_for_a_better_hand(game: Game) -> None:
    for wager in game.wagers:
        assert set(wager.odds) <= set(BEST_TO_LEAST)
        odds = [wager.odds[name] for name in BEST_TO_LEAST if name in wager.odds]
        assert odds == sorted(odds, reverse=True)
        assert min(odds) >= 1


@every_game
def test_the_ante_comes_first_and_then_the_bet_that_stays_in(game: Game) -> None:
    assert [wager.name for wager in game.wagers][:2] == ["ante", game.stay]
    assert len(set(game.bets)) == len(game.bets)


@every_game
def test_every_jackpot_line_pays_one_thing_on_a_bet_of_the_game(game: Game) -> None:
    for line in game.lines:
        pays = [line.percent, line.amount_cents, line.odds]
        assert sum(each is not None for each in pays) == 1
        assert line.bet in game.jackpot_bets
        assert line.category in BEST_TO_LEAST
        assert line.level == "minor" or line.percent is not None
        assert line.board <= game.community_cards
    assert {draw.bet for draw in game.draws} <= set(game.jackpot_bets)


@every_game
def test_the_lines_of_a_bet_stand_from_the_highest_down(game: Game) -> None:
    for lines in game.lines_on.values():
        places = [BEST_TO_LEAST.index(line.category) for line in lines]
        assert places == sorted(places)


@every_game
def test_tiers_are_categories_or_say_when_or_by_which_draw(game: Game) -> None:
    royals = {f"royal_flush_{when}" for when in ("flop", "turn", "river")}
    draws = {"magic_card", "lucky_player", "lucky_dealer"}
    assert set(game.tiers) <= {*BEST_TO_LEAST, *royals, *draws}
    assert {draw.tier for draw in game.draws} <= draws
    assert set(game.payment.sharing) <= set(game.tiers)


@every_game
def test_a_description_cannot_be_changed(game: Game) -> None:
    with pytest.raises(AttributeError):
        game.title = "Faro"  # type: ignore[misc]


# ── paragraphs ───────────────────────────────────────────────────────────────

_CITATION = re.compile(r"\d+(\.\d+)*|Appendix .+")
_CITING = {"rule", "pay_table", "same_round", "across_tables"}
_DECIDED = {entry.id for entry in INTERPRETATIONS}


def is_citation(text: str, also: Collection[str] = ("silent",)) -> bool:
    """Tell a paragraph or an interpretation that exists from anything else."""
    return bool(_CITATION.fullmatch(text)) or text in _DECIDED or text in also


def citations(value: object, where: str) -> Iterator[tuple[str, str]]:
    """Walk a description and give every paragraph it cites, with where it stands."""
    for name, inside in _parts(value):
        place = f"{where}.{name}"
        if isinstance(inside, str):
            if name in _CITING or name.endswith("_rule"):
                yield place, inside
        elif isinstance(value, Paragraphs):
            yield from ((place, rule) for rule in inside)
        else:
            yield from citations(inside, place)


def _parts(value: object) -> Iterator[tuple[str, Any]]:
    match value:
        case Struct():
            yield from ((field.name, getattr(value, field.name)) for field in fields(value))
        case Mapping():
            yield from value.items()
        case tuple() | frozenset():
            yield from ((str(place), each) for place, each in enumerate(value))


@every_game
def test_every_citation_is_a_paragraph_or_an_interpretation(game: Game) -> None:
    cited = list(citations(game, game.id))
    assert len(cited) > 50
    # The one document without a general provision is silent where the others refer.
    known = {"silent"} if game.id == "mbs-singapore-stud" else set()
    assert [(at, rule) for at, rule in cited if rule and not is_citation(rule, known)] == []


@every_game
def test_nothing_is_left_uncited_but_what_the_game_does_not_have(game: Game) -> None:
    uncited = {where for where, rule in citations(game, "game") if not rule}
    without_cap = [place for place, wager in enumerate(game.wagers) if wager.cap_cents is None]
    expected = {f"game.wagers.{place}.cap_rule" for place in without_cap}
    if not game.dealer_must_qualify:
        expected.add("game.qualify_rule")
    assert uncited == expected


def test_the_interpretations_are_numbered_without_a_gap() -> None:
    numbers = [entry.id for entry in INTERPRETATIONS]
    assert numbers == [f"I-{number}" for number in range(1, 44)]


# ── the engine ───────────────────────────────────────────────────────────────

ENGINE = sorted(path for path in RULES.glob("*.py"))
assert len(ENGINE) > 10


def _is_the_game(node: ast.expr) -> bool:
    """Tell `game`, `game_id`, `….game`, `game.id` and `….game.id` from other expressions."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in {"game", "game_id"}:
            return True
        case ast.Attribute(value=value, attr="id"):
            return _is_the_game(value)
        case _:
            return False


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: path.name)
def test_the_engine_knows_no_game_by_name(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)):
                assert text not in GAMES, f"line {node.lineno}"
            case ast.Compare(left=left, comparators=others):
                assert not any(map(_is_the_game, [left, *others])), f"line {node.lineno}"
            case ast.Match(subject=subject):
                assert not _is_the_game(subject), f"line {node.lineno}"
            case _:
                pass
