"""What the documents make of a mishap: play goes on, players choose, hands are out, or the round is void.

Section 5 of each document, and the general provision of each; I-23, I-24 and I-34 where they leave room.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.table.shadow.letter import Letter


@dataclass(frozen=True)
class Consequence:
    """What follows, and who has to say so."""

    does: str
    """`on`, `void`, `out` (of `seats`), `choose` (from `offered`), or `refer`."""
    seats: tuple[int, ...] = ()
    offered: tuple[str, ...] = ()
    """What the players choose from; after `out`, all others."""
    everybody: bool = False
    """Whether each player must choose, or those whom it concerns."""
    authority: str = ""
    """Who decides, where the document names a person."""
    impossible: bool = False
    """Whether the game cannot have it at all."""


ON = Consequence("on")
VOID = Consequence("void")
NEVER = Consequence("on", impossible=True)
_PIT = "pit_supervisor"


Facts = Mapping[str, Any]
Says = Callable[[Facts], Consequence | None]
"""What a document says of a mishap; None where it is silent."""


def consequence(letter: Letter, what: str, facts: Facts) -> Consequence:
    """Say what a document makes of a mishap."""
    if not _possible(letter, what):
        return NEVER
    asks = letter.operator == "rws" or facts.get("noticed")
    if what == "jackpot_fault" and not facts["any_jackpot_bet"] and asks:
        return ON  # I-36: nothing of the round depends on it; MBS documents say it of none
    says = _document(letter).get(what)
    found = says(facts) if says else None
    return found or Consequence("refer", authority=letter.shift_manager)


def _possible(letter: Letter, what: str) -> bool:
    if what == "community_count_wrong":
        return letter.holdem
    if what == "dealer_card_exposed":
        return not letter.holdem
    return what != "no_burn" or letter.burns


def _document(letter: Letter) -> Mapping[str, Says]:
    if letter.operator == "rws":
        return _RWS
    return _MBS if letter.draws else _MBS | _MEGALINK


def _on(_: Facts) -> Consequence:
    return ON


def _void(_: Facts) -> Consequence:
    return VOID


def _choice(*, put_right: bool, everybody: bool = False, authority: str = "") -> Consequence:
    """RWS §5.10: go on, with the cards put right if they can be, or take the bets back."""
    go_on = "continue_reconstructed" if put_right else "continue"
    offered = (go_on, "withdraw")
    return Consequence("choose", offered=offered, everybody=everybody, authority=authority)


def _without_ante(facts: Facts) -> Consequence:
    """RWS §3.8, §5.4; Megalink §5.12."""
    return Consequence("out", seats=(facts["seat"],)) if facts["bets_closed"] else ON


# RWS


def _exposed(facts: Facts) -> Consequence:
    """RWS §5.8.2, §5.12; one card alone is a dealing error (I-23)."""
    if facts["any_player_seen"]:
        return ON
    return VOID if facts["count"] > 1 else _choice(put_right=False)


def _misdeal(facts: Facts) -> Consequence:
    """RWS §5.8.6, §5.10."""
    if facts["any_player_seen"]:
        return _choice(put_right=facts["movable"])
    return ON if facts["movable"] else VOID


def _count(facts: Facts, otherwise: Consequence) -> Consequence:
    """RWS §5.8.7, §5.15: unless it can be put right, or is noticed too late."""
    if not facts["before_next_round"]:
        return ON
    return _choice(put_right=True) if facts["reconstructable"] else otherwise


def _no_burn(facts: Facts) -> Consequence:
    """RWS §5.9."""
    if facts["any_player_seen"] or not facts["reconstructable"]:
        return VOID
    return _choice(put_right=True, everybody=True)


def _two_at_once(facts: Facts) -> Consequence:
    """RWS §5.14."""
    known = facts["order_known"]
    return _choice(put_right=known, everybody=True, authority="" if known else _PIT)


def _examined(facts: Facts) -> Consequence:
    """RWS §5.19, hold'em §5.18."""
    others = tuple(seat for seat in facts["seats"] if seat != facts["first_seat"])
    if facts["intentional"]:
        return Consequence("out", seats=others, authority=_PIT)
    return Consequence("on", authority=_PIT)


_RWS: dict[str, Says] = {
    # §5.8.1, §5.8.3 to §5.8.5
    **dict.fromkeys(
        ("foreign_card", "deck_count_wrong", "insufficient_cards", "unshuffled"), _void
    ),
    "cards_exposed": _exposed,
    "misdeal": _misdeal,
    "dealer_count_wrong": lambda facts: _count(facts, VOID),
    "community_count_wrong": lambda facts: _count(facts, VOID),
    "player_count_wrong": lambda facts: _count(facts, Consequence("out", (facts["seat"],))),
    "no_burn": _no_burn,
    "dealing_error": lambda facts: _choice(put_right=facts["reconstructable"]),  # §5.10
    "simultaneous_draw": _two_at_once,
    # §5.17, §5.18.1 (hold'em §5.16, §5.17.1)
    "jackpot_fault": lambda facts: ON if facts["any_player_seen"] else VOID,
    "interruption": lambda facts: ON if facts["outcome_established"] else VOID,  # §5.7
    "extra_hand_examined": _examined,
    "jackpot_without_ante": _without_ante,
    # §5.11, §5.1, §5.2: what lies there is settled, or corrected before the close
    **dict.fromkeys(("late_bet", "late_increase", "late_withdrawal", "over_max", "under_min"), _on),
    # §5.16, §5.13, §5.20
    **dict.fromkeys(("dealer_card_exposed", "card_face_up_in_shoe", "error_in_earlier_round"), _on),
}


# MBS: what both documents say, or the later one says for both (I-1); then what Megalink says alone


def _handled(facts: Facts) -> Consequence | None:
    """MBS §5.2."""
    if facts["any_player_seen"]:
        return None
    return ON if facts["movable"] else VOID


def _dealer_count(facts: Facts) -> Consequence:
    """MBS §5.3."""
    return ON if facts["reconstructable"] or not facts["before_next_round"] else VOID


def _player_count(facts: Facts) -> Consequence:
    """Megalink §5.7."""
    if not facts["before_next_round"] or facts["reconstructable"]:
        return ON
    return Consequence("out", (facts["seat"],), ("continue", "withdraw"), everybody=True)


def _several_positions(facts: Facts) -> Consequence:
    """Megalink §5.10."""
    kept = facts["viewed"] or [min(facts["seats"])]
    out = tuple(seat for seat in facts["seats"] if seat not in kept)
    return Consequence("out", seats=out) if out else ON


def _power(facts: Facts) -> Consequence:
    """Megalink §5.16."""
    if facts["outcome_established"]:
        return ON
    return Consequence("choose", offered=("continue", "withdraw"), everybody=True)


_MBS: dict[str, Says] = {
    "foreign_card": _void,  # Megalink §5.1, Singapore §5.1
    "deck_count_wrong": _void,  # Megalink §5.1, §5.8, Singapore §5.5
    "cards_exposed": lambda facts: VOID if facts["count"] > 1 else None,  # §5.4
    "misdeal": _handled,
    "dealer_count_wrong": _dealer_count,
    "jackpot_without_ante": _without_ante,
    # Megalink §5.5, §5.6, §3.4, §5.13, §5.14; Singapore §5.6, §5.7
    **dict.fromkeys(("late_bet", "late_increase", "late_withdrawal", "over_max", "under_min"), _on),
}
_MEGALINK: dict[str, Says] = {
    "unshuffled": _void,  # §5.1
    "player_count_wrong": _player_count,
    "played_several_positions": _several_positions,
    "interruption": _power,
}
