"""What happens after an irregularity: looks up the answer in the game's table.

The tables are data in `games/`; here are the facts that each irregularity needs, and how the
first case that matches becomes a ruling. Who confirms a ruling and what the table then does
about it is decided elsewhere.
"""

from collections.abc import Callable, Mapping

from msgspec import UNSET

from firmware.errors import BadInput
from firmware.rules.checks import check_seat_number
from firmware.rules.contract import Facts, Incident, IrregularityName, Ruling
from firmware.rules.game import Case, Game
from firmware.rules.games import find_game

NEEDED_FACTS: Mapping[IrregularityName, tuple[str, ...]] = {
    "foreign_card": (),
    "deck_count_wrong": (),
    "insufficient_cards": (),
    "unshuffled": (),
    "cards_exposed": ("count", "any_player_seen"),
    "dealer_card_exposed": (),
    "misdeal": ("any_player_seen", "movable"),
    "dealer_count_wrong": ("reconstructable", "before_next_round"),
    "community_count_wrong": ("reconstructable", "before_next_round"),
    "player_count_wrong": ("seat", "reconstructable", "before_next_round"),
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


def ruling(incident: Incident, game: Game | None = None) -> Ruling:
    """Say what the game's rules do about an irregularity, and by which paragraph."""
    game = game or find_game(incident.game)
    _check(game, incident)
    cases = game.irregularities.get(incident.irregularity, (game.silent,))
    return _ruled(next(case for case in cases if _fits(case, incident.facts)), incident.facts)


def _fits(case: Case, facts: Facts) -> bool:
    return all(getattr(facts, name) == value for name, value in case.when.items())


def _ruled(case: Case, facts: Facts) -> Ruling:
    seats = _SEATS_OUT[case.seats_out](facts) if case.seats_out else ()
    if case.action == "invalidate" and not seats:
        # Every hand may stay (all were viewed, mbs-megalink-stud §5.10.1), so play continues.
        return Ruling(action="continue", rule=case.rule)
    return Ruling(
        action=case.action,
        rule=case.rule,
        bets="returned" if case.action == "void" else None,
        use_as=case.use_as,
        seats=seats,
        options=case.options,
        affects=case.affects,
        authority=case.authority,
    )


def _check(game: Game, incident: Incident) -> None:
    kind, facts = incident.irregularity, incident.facts
    if kind in game.impossible:
        possible = ", ".join(sorted(each for each in NEEDED_FACTS if each not in game.impossible))
        raise BadInput("irregularity", f"{kind} cannot happen in {game.id}; these can: {possible}")
    needed = NEEDED_FACTS[kind]
    for name in facts.__struct_fields__:
        given = getattr(facts, name) is not UNSET
        if given and name not in needed:
            raise BadInput(f"facts.{name}", f"{kind} takes no such fact; {_facts_words(kind)}")
        if not given and name in needed:
            raise BadInput(f"facts.{name}", f"is missing; {_facts_words(kind)}")
    _check_seat_numbers(game, facts)
    if facts.seats is not UNSET:
        _check_seats(facts, facts.seats)


def _facts_words(kind: IrregularityName) -> str:
    needed = NEEDED_FACTS[kind]
    return f"{kind} needs {', '.join(needed)}" if needed else f"{kind} needs no facts"


def _check_seat_numbers(game: Game, facts: Facts) -> None:
    for name in ("seat", "first_seat"):
        number = getattr(facts, name)
        if number is not UNSET:
            check_seat_number(game, number, f"facts.{name}")
    for name in ("seats", "viewed"):
        numbers = getattr(facts, name)
        for place, number in enumerate(() if numbers is UNSET else numbers):
            check_seat_number(game, number, f"facts.{name}[{place}]")


def _check_seats(facts: Facts, seats: tuple[int, ...]) -> None:
    """Check the facts about one player's several hands against each other."""
    for name in ("seats", "viewed"):
        listed = getattr(facts, name)
        if listed is not UNSET and len(set(listed)) != len(listed):
            raise BadInput(f"facts.{name}", "names a seat twice")
    if len(seats) < 2:  # noqa: PLR2004  # several hands are two or more
        raise BadInput("facts.seats", "needs two seats or more: all the hands of that player")
    if facts.first_seat is not UNSET and facts.first_seat not in seats:
        raise BadInput("facts.first_seat", f"seat {facts.first_seat} is not among facts.seats")
    if facts.viewed is not UNSET and not set(facts.viewed) <= set(seats):
        raise BadInput("facts.viewed", "names a seat that is not among facts.seats")


def _seats(facts: Facts) -> tuple[int, ...]:
    return () if facts.seats is UNSET else tuple(sorted(facts.seats))


def _unviewed(facts: Facts) -> tuple[int, ...]:
    viewed = () if facts.viewed is UNSET else facts.viewed
    return tuple(seat for seat in _seats(facts) if seat not in viewed)


_SEATS_OUT: Mapping[str, Callable[[Facts], tuple[int, ...]]] = {
    "seat": lambda facts: () if facts.seat is UNSET else (facts.seat,),
    "additional": lambda facts: tuple(s for s in _seats(facts) if s != facts.first_seat),
    "unviewed": _unviewed,
    # Hands are dealt clockwise from seat 1, so the lowest seat was dealt first.
    "all_but_first_dealt": lambda facts: _seats(facts)[1:],
}
