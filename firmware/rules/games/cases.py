"""Short words for the answers to irregularities, so that a table of them reads well.

`void("5.8.2", count=2)` is: with these facts the round is void, by this paragraph.
Each word makes one `Case`; what an action means is in `ruling.py`.
"""

from typing import Literal

from firmware.rules.contract import Authority, Option
from firmware.rules.game import Case


def void(rule: str, **when: object) -> Case:
    """Void the round and return the bets."""
    return Case(action="void", rule=rule, when=when)


def play_on(rule: str, *, authority: Authority | None = None, **when: object) -> Case:
    """Let play continue as dealt; `authority` is who judged that it may."""
    return Case(action="continue", rule=rule, when=when, authority=authority)


def reconstruct(rule: str, **when: object) -> Case:
    """Put the cards in their intended order, then continue."""
    return Case(action="reconstruct", rule=rule, when=when)


def choose(
    rule: str,
    first: Option,
    *,
    affects: Literal["all", "affected"] = "affected",
    authority: Authority | None = None,
    **when: object,
) -> Case:
    """Let players continue as `first` says, or withdraw."""
    return Case(
        action="options",
        rule=rule,
        when=when,
        options=(first, "withdraw"),
        affects=affects,
        authority=authority,
    )


def use_card(rule: str, use_as: Literal["face_up_card", "next_card"]) -> Case:
    """Use the card as if it had come that way."""
    return Case(action="use_card", rule=rule, use_as=use_as)


def refuse(rule: str, **when: object) -> Case:
    """Refuse the bet, or the part that is late or too much."""
    return Case(action="refuse", rule=rule, when=when)


def stand(rule: str) -> Case:
    """Let the bet stand although it was withdrawn."""
    return Case(action="stand", rule=rule)


def correct(rule: str, **when: object) -> Case:
    """Let the player correct the bet or take it back."""
    return Case(action="correct", rule=rule, when=when)


def take_out(
    rule: str,
    seats_out: Literal["seat", "additional", "unviewed", "all_but_first_dealt"],
    *,
    options: tuple[Option, ...] = (),
    affects: Literal["all", "affected"] | None = None,
    authority: Authority | None = None,
    **when: object,
) -> Case:
    """Take seats out of the round and return their bets."""
    return Case(
        action="invalidate",
        rule=rule,
        when=when,
        seats_out=seats_out,
        options=options,
        affects=affects,
        authority=authority,
    )


def refer(rule: str, authority: Authority, *options: Option) -> Case:
    """Leave it to a person."""
    return Case(action="refer", rule=rule, authority=authority, options=options)
