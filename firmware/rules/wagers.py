"""Settles the ante, the bets placed beside it, and the bonus.

First what counts of each stake is found: the ante up to the table's maximum, the
others up to so many antes. What is over goes back whatever the outcome. Then the
verdict on the hand and the pay table decide. Jackpot bets are in `jackpot.py`.
"""

from collections.abc import Sequence

from msgspec import UNSET

from firmware.rules.cards import RANKS
from firmware.rules.contract import BetResult, Limits
from firmware.rules.game import Bonus, Game, Wager
from firmware.rules.play import SeatPlay, TableHands

_LOST = frozenset({"lose", "folded"})


def settle_wagers(play: SeatPlay, game: Game, limits: Limits) -> None:
    """Settle the ante and what was placed beside it, each up to what the rules allow."""
    stakes = play.seat.bets
    ante = stakes["ante"]
    if limits.ante_max is not UNSET and ante > limits.ante_max:
        ante = limits.ante_max
        play.rules += game.paragraphs.over_max
    elif limits.ante_min is not UNSET and ante < limits.ante_min:
        play.rules += game.paragraphs.under_min  # and it is settled as placed
    for wager in game.wagers:
        stake = counted = stakes.get(wager.name, 0)
        if not stake:
            continue
        allowed = ante * wager.antes
        if stake != allowed:
            _cite_size(play, game, wager, stake - allowed)
            counted = min(stake, allowed)
        play.bets[wager.name] = _wager_result(play, wager, stake, counted)


def _cite_size(play: SeatPlay, game: Game, wager: Wager, excess: int) -> None:
    """Cite what happens to a bet that is not the prescribed number of antes."""
    if wager.name == "ante":
        return
    rules = game.paragraphs
    for rule in rules.more_than_allowed if excess > 0 else rules.less_than_prescribed:
        play.cite(rule)


def _wager_result(play: SeatPlay, wager: Wager, stake: int, counted: int) -> BetResult:
    """Settle a wager of which `counted` cents count; the rest goes back in any case."""
    verdict = play.verdict
    if verdict in _LOST:
        return BetResult(stake, "lose", 0, stake - counted)
    if verdict == "stand_off":
        return BetResult(stake, "push", 0, stake)
    if verdict == "no_hand":
        odds = wager.no_hand_odds
        if odds is None:
            return BetResult(stake, "returned", 0, stake)
    else:
        odds = wager.odds.get(play.hand.category) if play.hand.category else None
        if odds is None:
            return BetResult(stake, "push", 0, stake)
    winnings = counted * odds
    if wager.cap_cents is not None and winnings > wager.cap_cents:
        winnings = _capped(play, wager)
    return BetResult(stake, "win", winnings, stake)


def _capped(play: SeatPlay, bet: Wager | Bonus) -> int:
    """Give the maximum payout; the stake is returned on top of it (I-14)."""
    play.cite(bet.cap_rule)
    return bet.cap_cents or 0


def settle_bonus(play: SeatPlay, bonus: Bonus, hands: TableHands, limits: Limits) -> None:
    """Settle the bet on the hole cards: it loses with a fold, or a hand that is not shown."""
    stake = counted = play.seat.bets[bonus.name]
    if limits.bonus_max is not UNSET and stake > limits.bonus_max:
        counted = limits.bonus_max
        for rule in hands.game.paragraphs.over_max:
            play.cite(rule)
    odds = None
    if play.verdict != "folded" and play.seat.revealed:
        play.cite(bonus.rule)
        odds = bonus_odds(bonus, play.seat.cards, hands.dealer_names)
    if odds is None:
        play.bets[bonus.name] = BetResult(stake, "lose", 0, stake - counted)
        return
    winnings = counted * odds
    if winnings > bonus.cap_cents:
        winnings = _capped(play, bonus)
    play.bets[bonus.name] = BetResult(stake, "win", winnings, stake)


def bonus_odds(bonus: Bonus, hole: Sequence[str], dealer: Sequence[str]) -> int | None:
    """Give the odds of the first line that the hole cards fit, or None."""
    ranks, suited = _ranks(hole), hole[0][1] == hole[1][1]
    for line in bonus.lines:
        if ranks not in line.ranks or line.suited not in {None, suited}:
            continue
        if not line.dealer_too or _ranks(dealer) == ranks:
            return line.odds
    return None


def _ranks(hole: Sequence[str]) -> str:
    """Write two cards as their ranks, the higher first: `AK`."""
    return "".join(sorted((card[0] for card in hole), key=RANKS.index, reverse=True))
