"""Whose card is next: the deal of each game, card by card, over three occupied seats.

The orders are written out as the documents tell them. That a table follows them, and
what it does with a card that does not fit, is not proved here.
"""

import pytest

from firmware.rules.dealing import CardReader, Target, card_order
from firmware.rules.games import GAMES

SEATS = (1, 3, 6)
IN_TURN = "1 3 6 D " * 5
IN_PACKETS = "1 1 1 1 1 3 3 3 3 3 6 6 6 6 6 D D D D D"

SHOE = {
    "rws-multilink-stud": f"burn {IN_TURN}",
    "rws-casino-stud": f"burn {IN_TURN}",
    "mbs-megalink-stud": IN_TURN,
    "mbs-singapore-stud": IN_PACKETS,
    "rws-holdem": "burn 1 3 6 1 3 6 burn C C C burn C burn C D D",
}
SHUFFLER = {
    "rws-multilink-stud": IN_PACKETS,
    "rws-casino-stud": IN_PACKETS,
    "mbs-megalink-stud": IN_PACKETS,
    "mbs-singapore-stud": IN_PACKETS,
    "rws-holdem": "C C C C C 1 1 3 3 6 6 D D",
}


def written(target: Target) -> str:
    """Write a target in one letter or number."""
    return {"burn": "burn", "dealer": "D", "community": "C"}.get(target.to, str(target.seat))


def dealt(game: str, source: CardReader, *seats: int) -> list[str]:
    """List the targets of a whole round."""
    return [written(target) for target in card_order(GAMES[game], source, seats)]


@pytest.mark.parametrize("game", GAMES)
def test_a_shoe_deals_in_the_order_of_the_document(game: str) -> None:
    assert dealt(game, "shoe", *SEATS) == SHOE[game].split()


@pytest.mark.parametrize("game", GAMES)
def test_a_shuffler_deals_in_the_order_of_the_document(game: str) -> None:
    assert dealt(game, "shuffler", *SEATS) == SHUFFLER[game].split()


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
@pytest.mark.parametrize("game", GAMES)
def test_seats_are_dealt_clockwise_however_they_are_listed(game: str, source: CardReader) -> None:
    assert dealt(game, source, 6, 1, 3) == dealt(game, source, 1, 3, 6)


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
@pytest.mark.parametrize("game", GAMES)
def test_a_full_table_gets_its_hands_from_one_deck(game: str, source: CardReader) -> None:
    order = dealt(game, source, 1, 2, 3, 4, 5, 6, 7)
    assert len(order) <= 52
    assert {order.count(str(seat)) for seat in range(1, 8)} == {GAMES[game].own_cards}
    assert order.count("D") == GAMES[game].dealer_cards
    assert order.count("C") == GAMES[game].community_cards


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
def test_a_table_without_players_still_has_a_board_and_a_dealer(source: CardReader) -> None:
    assert dealt("rws-holdem", source).count("C") == 5
    assert dealt("rws-casino-stud", source).count("D") == 5
