"""Panel, sign, menus, refusals and what maintenance shows speak people's words, in the table's currency.

Rounds with every mishap of the shadow, and walks with anything at all, are played at a table whose
currency is `S$`; every text that leaves it is searched for names of the contract: anything with an
underscore, the field of a document, a card as a device writes it, and an amount of no currency.
"""

import os
import re
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from firmware.protocol.obligations import FaultReport, Verdict
from firmware.rules.words import spaced
from firmware.table.effects import AnyEffect, Send, ShowPrompt, ShowRefusal, ShowSign
from firmware.table.events import Event
from firmware.table.public import PublicTable
from firmware.table.questions import Entry
from firmware.table.settings import TableSettings
from firmware.table.table import Outcome
from tests.table.alike import First, Listening, Told, chips, doubts, wanderings
from tests.table.shadow.dealer import Dealer
from tests.table.shadow.mishaps import play_round
from tests.table.shadow.search import ROUNDS, TABLES, settings_of
from tests.table.walking import Deck, Move, decks, tables

SOAK = bool(os.environ.get("SOAK"))
CURRENCY = "S$"
IDENTIFIER = re.compile(r"[A-Za-z]_[A-Za-z]|facts\.|\[\d+\]|\b[2-9TJQKA][cdhs]\b|(?<!S)\$")
EXAMPLE = "such as As or Td"
"""How cards are keyed is told as they are keyed."""


def identifiers_in(texts: Iterable[str]) -> set[str]:
    """Pick the texts that nobody should have to read."""
    return {text for text in texts if IDENTIFIER.search(text.replace(EXAMPLE, ""))}


def texts_in(effect: AnyEffect) -> tuple[str, ...]:
    """Give what people read of an effect."""
    match effect:
        case ShowPrompt(lines=lines):
            return lines
        case ShowRefusal(reason=text) | ShowSign(text=text):
            return (text,)
        case Send(obligation=FaultReport(text=text)):
            return (text,)
        case Send(obligation=Verdict(reason=reason)):
            return (reason,)
    return ()


def texts_of(shown: PublicTable) -> Iterator[str]:
    """Give what people read of a table from outside."""
    yield from (*shown.prompt, shown.sign, shown.link_problem, *shown.pending, *shown.faults)
    yield from (claim.words for claim in shown.claims)
    yield from (seat.decision for seat in shown.seats)


def texts_on(entries: Iterable[Entry]) -> Iterator[str]:
    """Give what people read in a menu."""
    for entry in entries:
        yield entry.words
        yield from texts_on(entry.entries)
        for question in entry.questions:
            yield from (question.words, *(answer.words for answer in question.answers))


def heard(ears: Listening) -> Iterator[str]:
    """Give every text that has left a table."""
    for told in ears.told:
        if isinstance(told, Told):
            yield from (text for effect in told.effects for text in texts_in(effect))
            yield from texts_of(told.shown)
            yield from texts_on(told.menu)
        else:
            yield from (text for effect in told for text in texts_in(effect))


def listening_beside(dealer: Dealer) -> Listening:
    """Note everything that leaves a table beside its shadow, which listens too."""
    ears, shadow = Listening(), dealer.playing.listener
    ears.listen(dealer.playing)
    noted = dealer.playing.listener
    assert shadow is not None
    assert noted is not None

    def both(event: Event, before: bytes, outcome: Outcome) -> None:
        shadow(event, before, outcome)
        noted(event, before, outcome)

    dealer.playing.listener = both
    return ears


@pytest.mark.parametrize("number", range(600 if SOAK else 45))
def test_rounds_with_mishaps_are_told_in_peoples_words(number: int) -> None:
    game, source = TABLES[number % len(TABLES)]
    at = replace(settings_of(game, source, number), currency=CURRENCY)
    dealer = Dealer(at, f"words {number}", frozenset())
    dealer.playing.called = spaced
    ears = listening_beside(dealer)
    for _ in range(ROUNDS):
        play_round(dealer)
    assert identifiers_in(heard(ears)) == set()


@settings(max_examples=2_000 if SOAK else 100, deadline=None)
@given(chips, wanderings | doubts, decks, tables)
def test_whatever_happens_is_told_in_peoples_words(
    placed: set[int], moves: list[Move], deck: Deck, at: TableSettings
) -> None:
    table = First(deck, replace(at, currency=CURRENCY))
    table.called = spaced
    table.wander(sorted(placed), moves)
    assert identifiers_in(heard(table.ears)) == set()


@pytest.mark.parametrize(
    "text",
    ["royal_flush", "facts.any_player_seen: is missing", "magic card Ac", "pay $5.00", "seats[0]"],
)
def test_the_search_finds_what_nobody_should_read(text: str) -> None:
    assert identifiers_in([text]) == {text}
