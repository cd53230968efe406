"""What a jackpot bet wins: the lines of the game's pay table, and its draws.

A bet collects one line, the first that matches; draws come on top. `claimed` returns the
claims alone, for when the table did not follow the cards and only keyed hands are known. What
the meter pays on a claim, and in which order, is in `award.py`.
"""

from msgspec import UNSET

from firmware.errors import BadInput
from firmware.rules.checks import check_cards
from firmware.rules.contract import BetResult, Claim, Draws, Owner, Round, Seat
from firmware.rules.game import DrawLine, Game, JackpotLine
from firmware.rules.games import find_game
from firmware.rules.hands import BEST_TO_LEAST, CATEGORY_OF, strength
from firmware.rules.play import (
    Comparison,
    SeatHand,
    SeatPlay,
    TableHands,
    fate_of,
    seat_hand,
    table_hands,
)

_PLACE = {name: place for place, name in enumerate(BEST_TO_LEAST)}
_EVERYONE: frozenset[Owner] = frozenset({"player", "dealer", "community"})


def settle_jackpot_bets(play: SeatPlay, hands: TableHands) -> list[Claim]:
    """Settle the jackpot bets by their claims; the stakes went into the jackpot."""
    game, stakes = hands.game, play.seat.bets
    on_the_table = (play.hand.category, hands.dealer_category, hands.community_category)
    hopeless = hands.draws is UNSET and game.paying_categories.isdisjoint(on_the_table)
    claims: list[Claim] = []
    for bet in game.jackpot_bets:
        stake = stakes.get(bet)
        if not stake:
            continue
        won = None if hopeless else _claims_on(bet, stake, play, hands)
        if won:
            play.bets[bet] = BetResult(stake, "win", sum(c.amount or 0 for c in won), 0)
            claims += won
        else:
            play.bets[bet] = BetResult(stake, "lose", 0, 0)
    return claims


def _claims_on(bet: str, stake: int, play: SeatPlay, hands: TableHands) -> list[Claim]:
    """List the claims on one jackpot bet, citing their paragraphs: one line, then draws."""
    game, seat = hands.game, play.seat
    kept = game.fold_keeps if play.comparison == "folded" else _EVERYONE
    claims: list[Claim] = []
    for line in game.lines_on[bet]:
        if line.on in kept and _fits(line, hands, seat, play.hand):
            play.cite(line.rule)
            claims.append(_claim(line, seat, stake))
            break
    if hands.draws is not UNSET:
        for draw in game.draws:
            if draw.bet == bet and draw.on in kept and _drawn(draw, hands, hands.draws, seat):
                play.cite(draw.drawn_rule)
                play.cite(draw.rule)
                amount = draw.odds * stake
                claims.append(Claim(seat.seat, draw.on, draw.tier, "minor", amount=amount))
    return claims


def _claim(line: JackpotLine, seat: Seat, stake: int) -> Claim:
    amount = line.amount_cents if line.odds is None else line.odds * stake
    return Claim(seat.seat, line.on, line.tier, line.level, line.percent, amount)


def _fits(line: JackpotLine, hands: TableHands, seat: Seat, hand: SeatHand) -> bool:
    if line.on == "dealer":
        return hands.dealer_category == line.category
    if line.on == "community":
        return hands.community_category == line.category
    if not seat.revealed or hand.category is None:
        return False
    if line.board == hands.game.community_cards:
        return hand.category == line.category
    # A hand only improves as the board grows, so most need no second look.
    if _PLACE[hand.category] > _PLACE[line.category]:
        return False
    return CATEGORY_OF[strength(hand.cards + hands.community[: line.board])] == line.category


def _drawn(line: DrawLine, hands: TableHands, draws: Draws, seat: Seat) -> bool:
    if line.draw == "lucky_seat":
        return draws.lucky_seat == seat.seat
    if line.draw == "lucky_dealer":
        return draws.lucky_dealer
    if line.on == "dealer":
        return draws.magic_card in hands.dealer_names
    return seat.revealed and draws.magic_card in seat.cards


def claimed(asked: Round, game: Game | None = None) -> tuple[Claim, ...]:
    """List the claims of the seats whose hands are known, and of the draws."""
    game = game or find_game(asked.game)
    check_cards(game, asked, dealer=False, community=False)
    for index, seat in enumerate(asked.seats):
        if len(seat.cards) not in {0, game.own_cards}:
            raise BadInput(f"seats[{index}].cards", f"a hand has {game.own_cards} cards")
    hands = table_hands(game, asked)
    claims: list[Claim] = []
    for seat in asked.seats:
        fate = fate_of(game, asked.limits, seat).kind
        if fate != "returned":
            comparison: Comparison = "folded" if fate == "folded" else "win"
            play = SeatPlay(seat, seat_hand(hands, seat.cards), comparison, [], {})
            claims += settle_jackpot_bets(play, hands)
    return tuple(sorted(claims, key=lambda claim: claim.seat))
