"""No card is known outside before it is face up: whole walks, searched and compared.

The search knows the names of cards and hands; the comparison needs to know nothing: the
same play with another deck must look the same from outside until the reveal. Channels of
the whole firmware (logs, MQTT, lines) are listened to where the firmware runs whole.
"""

import os
import re
from collections.abc import Sequence
from itertools import takewhile

import msgspec
import pytest
from hypothesis import given, settings

from firmware.protocol.obligations import AnyObligation, FaultReport, Win
from firmware.rules.cards import CODES, pretty
from firmware.rules.hands import BEST_TO_LEAST
from firmware.rules.words import card_words, spaced
from firmware.table.effects import AnyEffect, Pattern, Send, SetLamp
from firmware.table.settings import TableSettings
from tests.table.playing import FLUSH, Effects, at_reveal, lamps_in, owed_in
from tests.table.walking import Deck, Move, Walker, decks, tables, walks

often = settings(max_examples=1_000 if os.environ.get("SOAK") else 100, deadline=None)

CARD = re.compile(r"\b([2-9TJQKA]|10)[cdhs]\b|[♣♦♥♠]|\bof (clubs|diamonds|hearts|spades)\b")
DRAWN = re.compile(r"magic card [a-z]+ of [a-z]+")
HAND = re.compile("flush|straight|pair|of.a.kind|full.house|royal|odd.cards", re.IGNORECASE)


def told(effects: Effects) -> str:
    """Write effects as one text, to search in it; a magic card that was drawn is on no felt."""
    return DRAWN.sub("", msgspec.json.encode(effects).decode())


def patterns_in(effects: Effects) -> set[Pattern]:
    """Pick the patterns of all lamps out of some effects."""
    return {effect.pattern for effect in effects if isinstance(effect, SetLamp)}


def is_win(effect: AnyEffect) -> bool:
    """Tell whether an effect sends a win."""
    return isinstance(effect, Send) and isinstance(effect.obligation, Win)


def without_old_claims(table: Walker) -> Effects:
    """Give what a start would carry out but for claims of rounds that are over: those lay face up.

    They are owed as wins, and as reports that an award of one was in doubt.
    """
    return tuple(
        effect
        for effect in table.table.resumed()
        if not (isinstance(effect, Send) and _is_old_claim(table, effect.obligation))
    )


def _is_old_claim(table: Walker, owed: AnyObligation) -> bool:
    play, over = table.state.round, table.state.doing in {"idle", "betting"}
    match owed:
        case Win():
            return over or owed.round < play.number
        case FaultReport(code="award_doubted"):
            return over or owed.where not in play.claims
    return False


def face_up(table: Walker) -> bool:
    """Tell whether the hands of the round lie face up: from the reveal to the last payment."""
    return table.state.doing in {"settling", "claiming"}


@pytest.mark.parametrize("card", CODES)
def test_the_search_finds_every_card(card: str) -> None:
    assert CARD.search(f'["seat 1 has {card}."]')
    assert CARD.search(pretty([card]))
    assert CARD.search(card_words(card))


@pytest.mark.parametrize("hand", BEST_TO_LEAST)
def test_the_search_finds_every_hand(hand: str) -> None:
    assert HAND.search(hand)
    assert HAND.search(spaced(hand))


@often
@given(walks, decks, tables)
def test_no_effect_names_a_card_or_a_hand_before_the_reveal(
    moves: list[Move], deck: Deck, at: TableSettings
) -> None:
    table = Walker(deck, at)
    for effects in table.walk(moves):
        if not face_up(table):
            for text in (told(effects), told(without_old_claims(table))):
                assert not CARD.search(text)
                assert not HAND.search(text)


@often
@given(walks, decks, tables)
def test_no_win_is_owed_and_no_lamp_flutters_before_the_reveal(
    moves: list[Move], deck: Deck, at: TableSettings
) -> None:
    table = Walker(deck, at)
    for effects in table.walk(moves):
        if not face_up(table):
            assert not any(map(is_win, without_old_claims(table)))
            assert "flutter" not in patterns_in(effects)
            assert "flutter" not in patterns_in(table.table.resumed())


@often
@given(walks, decks, decks, tables)
def test_until_the_reveal_a_round_looks_the_same_with_any_other_cards(
    moves: list[Move], deck: Deck, other: Deck, at: TableSettings
) -> None:
    def seen(table: Walker) -> list[Effects]:
        return list(takewhile(lambda _: not face_up(table), table.walk(moves)))

    assert seen(Walker(deck, at)) == seen(Walker(other, at))


def test_the_reveal_is_what_tells() -> None:
    playing = at_reveal(FLUSH)
    assert "Ah" in told_by_the_journal(playing.journal)
    effects = playing.reveal()
    assert HAND.search(told(effects))
    assert lamps_in(effects) == {1: "flutter"}
    assert len(owed_in(effects)) == 1


def told_by_the_journal(journal: Sequence[msgspec.Struct]) -> str:
    """Write a journal as one text; it knows every card, which is why it stays on the device."""
    return msgspec.json.encode(journal).decode()
