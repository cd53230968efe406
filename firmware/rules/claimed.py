"""What the hands that were keyed claim on the jackpot, where the table did not follow the cards.

With a source that reads no cards the dealer settles the main game himself; only the hands
that claim are known, and perhaps not the dealer's. So this asks the jackpot lines alone.
A whole round is settled in `settle.py`.
"""

from firmware.errors import BadInput
from firmware.rules.checks import check_cards
from firmware.rules.contract import Claim, Round
from firmware.rules.games import find_game
from firmware.rules.jackpot import settle_jackpot_bets
from firmware.rules.play import SeatPlay, Verdict, seat_hand, table_hands
from firmware.rules.standing import standing


def claimed(asked: Round) -> tuple[Claim, ...]:
    """List the claims of the seats whose hands are known, and of the draws."""
    game = find_game(asked.game)
    check_cards(game, asked, dealer=False, community=False)
    for index, seat in enumerate(asked.seats):
        if len(seat.cards) not in {0, game.own_cards}:
            raise BadInput(f"seats[{index}].cards", f"a hand has {game.own_cards} cards")
    hands = table_hands(game, asked)
    claims: list[Claim] = []
    for seat in asked.seats:
        fate = standing(game, asked.limits, seat).fate
        if fate != "returned":
            verdict: Verdict = "folded" if fate == "folded" else "win"
            play = SeatPlay(seat, seat_hand(hands, seat.cards), verdict, [], {})
            claims += settle_jackpot_bets(play, hands)
    return tuple(sorted(claims, key=lambda claim: claim.seat))
