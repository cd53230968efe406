"""What a dealer says about a mishap, made up at random; the rest the table knows by itself."""

from collections.abc import Callable
from random import Random
from typing import Any

FACTS: dict[str, tuple[str, ...]] = {
    "foreign_card": (),
    "deck_count_wrong": (),
    "insufficient_cards": (),
    "unshuffled": (),
    "cards_exposed": ("count", "any_player_seen"),
    "dealer_card_exposed": (),
    "misdeal": ("any_player_seen", "movable"),
    "dealer_count_wrong": ("reconstructable",),
    "community_count_wrong": ("reconstructable",),
    "player_count_wrong": ("seat", "reconstructable"),
    "no_burn": ("any_player_seen", "reconstructable"),
    "dealing_error": ("reconstructable",),
    "card_face_up_in_shoe": (),
    "simultaneous_draw": ("order_known",),
    "jackpot_fault": ("any_player_seen",),
    "interruption": (),
    "extra_hand_examined": ("seats", "first_seat", "intentional"),
    "late_bet": ("seat",),
    "late_increase": ("seat",),
    "late_withdrawal": ("seat",),
    "jackpot_without_ante": ("seat",),
    "over_max": ("seat",),
    "under_min": ("seat",),
    "error_in_earlier_round": (),
    "played_several_positions": ("seats", "viewed"),
    "hand_not_confidential": ("seat",),
    "other": (),
}
"""What the dealer says about each; the rest the table knows."""

Said = dict[str, Any]
_ABOUT_SEATS: dict[str, Callable[[Said, list[int], Random], Any]] = {
    "count": lambda _, __, rng: rng.randint(1, 3),
    "seat": lambda _, seats, rng: rng.choice(seats),
    "seats": lambda _, seats, rng: rng.sample(seats, rng.randint(2, len(seats))),
    "first_seat": lambda said, _, __: said["seats"][0],
    "viewed": lambda said, _, rng: rng.sample(said["seats"], rng.randint(0, len(said["seats"]))),
}
"""Every other fact is yes or no."""


def facts_for(what: str, seats: list[int], rng: Random) -> Said | None:
    """Make up the facts of a mishap among these seats; None where they are too few."""
    needed = FACTS[what]
    if len(seats) < (2 if "seats" in needed else 1 if "seat" in needed else 0):
        return None
    said: Said = {}
    for name in needed:
        make = _ABOUT_SEATS.get(name)
        said[name] = make(said, seats, rng) if make else rng.random() < 0.5
    return said
