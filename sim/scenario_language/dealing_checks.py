"""What can be wrong with a deal before anything is dealt: the source, the hands below it, their size.

Found here from the sentence and the table's settings alone, so that `play --check` finds it too. What
depends on the round, such as who plays in it, is found in `cards.py` when it is dealt.
"""

from collections import Counter
from collections.abc import Iterator

from firmware.errors import BadInput
from firmware.rules.cards import CODES
from firmware.rules.dealing import card_order
from firmware.rules.words import counted
from firmware.table.settings import TableSettings
from sim.floor.dealer import read_by
from sim.scenario_language.people import Hand, hand_of
from sim.scenario_language.reader import Sentence

_SAID_AT = {"draw": "shoe", "dispense": "shuffler"}
_UNREAD = "a card is not read"


class BadHand(BadInput):
    """A hand below a deal that is none; `number` counts the lines of the hands from 0."""

    def __init__(self, what: str, why: str, number: int) -> None:
        super().__init__(what, why)
        self.number = number


def source_errors(text: str, settings: TableSettings) -> Iterator[BadInput]:
    """Find that this table's card source cannot do this."""
    verb, source = text.split(maxsplit=1)[0], settings.card_source
    if source == "manual" and (verb in {"deal", *_SAID_AT} or text == _UNREAD):
        yield BadInput(text, "this table has no shoe or shuffler; deal by hand, with 'dealt'")
    elif _SAID_AT.get(verb, source) != source:
        other = next(each for each, at in _SAID_AT.items() if at == source)
        yield BadInput(text, f"this table has a {source}; write '{other} …'")


def block_errors(sentence: Sentence, settings: TableSettings | None) -> Iterator[BadInput]:
    """Find what is wrong with the lines below a sentence; with no table, what is wrong at any."""
    if sentence.block and not sentence.text.startswith("deal"):
        words = "an indented line can only stand below 'deal' or 'table'"
        yield BadHand(sentence.block[0], words, 0)
        return
    places: set[tuple[str, int]] = set()
    taken: set[str] = set()
    for number, line in enumerate(sentence.block):
        hand = hand_of(line)
        if hand is None:
            why = "not a hand; write 'seat 1: As Kd …', 'dealer: …' or 'board: …'"
            yield BadHand(line, why, number)
            continue
        if hand.where in places:
            yield BadHand(_place(line), "has a hand in this deal already; give it one", number)
        places.add(hand.where)
        yield from (BadHand(*wrong, number) for wrong in card_errors(hand.cards, taken, "deal"))
        if settings is not None:
            wrong = _beyond(hand, _place(line), settings)
            yield from (BadHand(*each, number) for each in wrong)


def card_errors(cards: list[str], taken: set[str], where: str) -> Iterator[tuple[str, str]]:
    """Find what is no card, and what is named twice in a deal or a hand; all are taken then."""
    for card in cards:
        if card not in CODES:
            yield card, "not a card; write rank and suit, such as As or Td"
        elif card in taken:
            yield card, f"named twice in this {where}; a deck has it once"
        taken.add(card)


def most_cards(settings: TableSettings) -> Counter[tuple[str, int]]:
    """Return how many cards the game deals to each place when every seat plays."""
    order = card_order(settings.rules, read_by(settings), range(1, settings.seats + 1))
    return Counter((target.to, target.seat) for target in order)


def no_such_seat(seats: int) -> str:
    """Say which seats there are."""
    return f"no such seat; this table has seats 1 to {seats}"


def _beyond(hand: Hand, place: str, settings: TableSettings) -> Iterator[tuple[str, str]]:
    """Find a hand that the table does not deal."""
    to, seat = hand.where
    if to == "seat" and not 1 <= seat <= settings.seats:
        yield place, no_such_seat(settings.seats)
        return
    most = most_cards(settings)[hand.where]
    if len(hand.cards) > most:
        deals = (
            f"{counted(most, 'card')} there, not {len(hand.cards)}" if most else "no cards there"
        )
        yield place, f"{settings.game} deals {deals}"


def _place(line: str) -> str:
    return line.partition(":")[0]
