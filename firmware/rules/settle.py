"""What a round pays: every bet of every seat, by the game's own description.

One engine for all games. It asks where the seat stands (`standing.py`), compares
its hand with the dealer's, pays each bet by its odds and limits, and collects the
claims on the jackpot bets (`jackpot.py`). Nothing here knows a game by name.
"""

from firmware.rules.checks import check_cards, check_round
from firmware.rules.contract import (
    BetResult,
    Claim,
    DealerResult,
    Round,
    Seat,
    SeatResult,
    Settlement,
)
from firmware.rules.game import Game
from firmware.rules.games import find_game
from firmware.rules.jackpot import settle_jackpot_bets
from firmware.rules.play import (
    SeatHand,
    SeatPlay,
    TableHands,
    seat_hand,
    table_hands,
    verdict_on,
)
from firmware.rules.standing import Standing, standing
from firmware.rules.wagers import settle_bonus, settle_wagers


def settle(asked: Round) -> Settlement:
    """Settle a round of play."""
    game = find_game(asked.game)
    check_round(game, asked)
    standings = [standing(game, asked.limits, seat) for seat in asked.seats]
    _check_needed_cards(game, asked, standings)
    hands = table_hands(game, asked)
    seats: list[SeatResult] = []
    claims: list[Claim] = []
    for seat, stands in zip(asked.seats, standings, strict=True):
        hand = seat_hand(hands, seat.cards)
        if stands.fate == "returned":
            seats.append(_returned(seat, hand, stands))
        else:
            play = _begin(hands, seat, hand, stands)
            settle_wagers(play, game, asked.limits)
            if game.bonus and seat.bets.get(game.bonus.name):
                settle_bonus(play, game.bonus, hands, asked.limits)
            claims += settle_jackpot_bets(play, hands)
            seats.append(_result(seat, hand, play.bets, tuple(play.rules)))
    claims.sort(key=lambda claim: claim.seat)
    return Settlement(game.id, _dealer(hands), tuple(seats), tuple(claims))


def _begin(hands: TableHands, seat: Seat, hand: SeatHand, stands: Standing) -> SeatPlay:
    """Start to settle a seat that takes part, with the verdict on its hand."""
    if stands.fate == "folded":
        return SeatPlay(seat, hand, "folded", [*stands.rules], {})
    verdict = verdict_on(hands, seat, hand)
    rules = [*hands.game.verdict_rules[verdict]]
    if not seat.revealed:
        rules = [*hands.game.paragraphs.hidden, *rules]
    return SeatPlay(seat, hand, verdict, rules, {})


def _returned(seat: Seat, hand: SeatHand, stands: Standing) -> SeatResult:
    """Give every bet of a seat back."""
    bets = {
        name: BetResult(stake, "returned", 0, stake) for name, stake in seat.bets.items() if stake
    }
    return _result(seat, hand, bets, stands.rules)


def _result(
    seat: Seat, hand: SeatHand, bets: dict[str, BetResult], rules: tuple[str, ...]
) -> SeatResult:
    """Write a seat's result; a box without an ante had no hand in the round."""
    known = hand.category if seat.bets.get("ante") else None
    return SeatResult(seat=seat.seat, category=known, bets=bets, rules=rules)


def _dealer(hands: TableHands) -> DealerResult | None:
    if hands.dealer_category is None:
        return None
    qualifies = hands.dealer_qualifies if hands.game.dealer_must_qualify else None
    return DealerResult(hands.dealer_category, qualifies)


def _check_needed_cards(game: Game, asked: Round, standings: list[Standing]) -> None:
    """Require the cards that a hand in the round, or a jackpot bet that stands, depends on."""
    if "in" in [stands.fate for stands in standings]:
        check_cards(game, asked, dealer=True, community=True)
        return
    owners = {
        owner
        for seat, stands in zip(asked.seats, standings, strict=True)
        if stands.fate != "returned"
        for bet, owner in game.jackpot_bets.items()
        if seat.bets.get(bet)
    }
    check_cards(game, asked, dealer="dealer" in owners, community=bool(owners))
