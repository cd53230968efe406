"""What can be wrong with cards before anything is dealt: the source, the seats, the size of a hand.

Found here from the sentence and the table's settings alone, so that `play --check` finds it too. What
depends on the round, such as who plays in it, is found in `cards.py` when it is dealt.
"""

from collections import Counter

from firmware.errors import BadInput
from firmware.rules.dealing import card_order
from firmware.rules.words import counted
from firmware.table.settings import TableSettings
from sim.floor.dealer import read_by
from sim.scenario_language.people import BadHand, hands
from sim.scenario_language.reader import Sentence

_SAID_AT = {"draw": "shoe", "dispense": "shuffler"}


def check_dealing(sentence: Sentence, settings: TableSettings) -> None:
    """Refuse cards that this table cannot deal."""
    verb = sentence.text.split()[0]
    if verb in {"deal", *_SAID_AT}:
        _check_source(sentence.text, verb, settings.card_source)
    _check_hands(sentence, settings)


def _check_source(text: str, verb: str, source: str) -> None:
    if source == "manual":
        raise BadInput(text, "no card source reads cards at this table; deal by hand: 'dealt'")
    if _SAID_AT.get(verb, source) != source:
        other = next(each for each, at in _SAID_AT.items() if at == source)
        raise BadInput(text, f"this table has a {source}; use {other}")


def _check_hands(sentence: Sentence, settings: TableSettings) -> None:
    named = hands(sentence)
    order = card_order(settings.rules, read_by(settings), range(1, settings.seats + 1))
    dealt: Counter[tuple[str, int]] = Counter((target.to, target.seat) for target in order)
    for line, ((to, seat), cards) in enumerate(named.items()):
        if to == "seat" and not 1 <= seat <= settings.seats:
            raise BadHand(
                f"seat {seat}", f"is not at this table; it has seats 1 to {settings.seats}", line
            )
        most = dealt[to, seat]
        if len(cards) > most:
            place = sentence.block[line].partition(":")[0]
            deals = counted(most, "card") if most else "no card"
            raise BadHand(place, f"{settings.game} deals {deals} there, not {len(cards)}", line)
