"""Why the table has noticed something about the cards: which device, which card of whose hand.

Sentences for the dealer, who sees only that the deal has stopped. They follow from the order of
the deal and from what a device has said; no card is named, since it lies face down.
"""

from firmware.rules.cards import CODES
from firmware.rules.dealing import Target
from firmware.table.corrections import place_name
from firmware.table.stages import current, due
from firmware.table.turn import Turn


def unread(turn: Turn, problem: str) -> str:
    """Say which card could not be read, in the device's words unless they name a card."""
    why = f" ({problem})" if problem and not any(card in problem for card in CODES) else ""
    return f"The {turn.round.source} could not read {_next_card(turn)}{why}."


def not_of_this_deck(turn: Turn, *, twice: bool) -> str:
    """Say which card cannot be right."""
    what = "had left already" if twice else "is no card of the deck"
    return f"The {turn.round.source} read {_next_card(turn)}, and it {what}."


def too_many(turn: Turn) -> str:
    """Say that cards came although none was due."""
    what = "gave a hand" if turn.round.source == "shuffler" else "read a card"
    return f"The {turn.round.source} {what} although none was due."


def wrong_count(turn: Turn, target: Target, count: int, wanted: int) -> str:
    """Say which hand has a wrong number of cards."""
    whose, cards = place_name(target.place), "1 card" if count == 1 else f"{count} cards"
    return f"The {turn.round.source} gave {cards} to {whose}; {wanted} belong there."


def _next_card(turn: Turn) -> str:
    """Name the card that the deal needs after those that have come, by its place in a hand."""
    stage, play = current(turn.settings, turn.round), turn.round
    places = [target.place for target in (due(stage, play) if stage else ())]
    came = len(play.surplus)
    if came >= len(places):
        return "a card that was not due"
    place = places[came]
    if place == "burn":
        return "the burnt card"
    number = len(play.cards_at(place)) + places[:came].count(place) + 1
    return f"card {number} of {place_name(place)}"
