"""What a round pays: every bet of every seat, by the game's own description.

One engine for all games. It asks for the seat's fate and compares its hand with
the dealer's (`play.py`), pays each bet by its odds and limits, and collects the claims
on the jackpot bets (`jackpot.py`). Nothing here knows a game by name.
"""

from collections.abc import Sequence

from msgspec import UNSET

from firmware.rules.cards import RANKS
from firmware.rules.checks import check_cards, check_round
from firmware.rules.contract import (
    BetResult,
    Claim,
    DealerResult,
    Limits,
    Round,
    Seat,
    SeatResult,
    Settlement,
)
from firmware.rules.game import Bonus, Game, Wager
from firmware.rules.games import find_game
from firmware.rules.jackpot import settle_jackpot_bets
from firmware.rules.play import (
    Fate,
    SeatHand,
    SeatPlay,
    TableHands,
    compared,
    fate_of,
    seat_hand,
    table_hands,
)

_LOST = frozenset({"lose", "folded"})


def settle(asked: Round, game: Game | None = None) -> Settlement:
    """Settle a round of play; a table passes its game, which it knows already."""
    game = game or find_game(asked.game)
    check_round(game, asked)
    fates = [fate_of(game, asked.limits, seat) for seat in asked.seats]
    _check_needed_cards(game, asked, fates)
    hands = table_hands(game, asked)
    seats: list[SeatResult] = []
    claims: list[Claim] = []
    for seat, fate in zip(asked.seats, fates, strict=True):
        hand = seat_hand(hands, seat.cards)
        if fate.kind == "returned":
            seats.append(_returned(seat, hand, fate))
        else:
            play = _begin(hands, seat, hand, fate)
            _settle_wagers(play, game, asked.limits)
            if game.bonus and seat.bets.get(game.bonus.name):
                _settle_bonus(play, game.bonus, hands, asked.limits)
            claims += settle_jackpot_bets(play, hands)
            seats.append(_result(seat, hand, play.bets, tuple(play.rules)))
    claims.sort(key=lambda claim: claim.seat)
    return Settlement(game.id, _dealer(hands), tuple(seats), tuple(claims))


def _begin(hands: TableHands, seat: Seat, hand: SeatHand, fate: Fate) -> SeatPlay:
    """Start to settle a seat that takes part, with how its hand compares."""
    if fate.kind == "folded":
        return SeatPlay(seat, hand, "folded", [*fate.rules], {})
    comparison = compared(hands, seat, hand)
    rules = [*hands.game.comparison_rules[comparison]]
    if not seat.revealed:
        rules = [*hands.game.paragraphs.hidden, *rules]
    return SeatPlay(seat, hand, comparison, rules, {})


def _returned(seat: Seat, hand: SeatHand, fate: Fate) -> SeatResult:
    """Return every bet of a seat to the player."""
    bets = {
        name: BetResult(stake, "returned", 0, stake) for name, stake in seat.bets.items() if stake
    }
    return _result(seat, hand, bets, fate.rules)


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


def _check_needed_cards(game: Game, asked: Round, fates: list[Fate]) -> None:
    """Require the cards that a hand in the round, or a live jackpot bet, depends on."""
    if "in" in [fate.kind for fate in fates]:
        check_cards(game, asked, dealer=True, community=True)
        return
    owners = {
        owner
        for seat, fate in zip(asked.seats, fates, strict=True)
        if fate.kind != "returned"
        for bet, owner in game.jackpot_bets.items()
        if seat.bets.get(bet)
    }
    check_cards(game, asked, dealer="dealer" in owners, community=bool(owners))


# What each bet gets: first how much of a stake counts, then the comparison and the pay table.
# What is over a limit is returned whatever the outcome.


def _settle_wagers(play: SeatPlay, game: Game, limits: Limits) -> None:
    """Settle the ante and the bets placed with it, each up to what the rules allow."""
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
    """Settle a wager of which `counted` cents count; the rest is returned in any case."""
    verdict = play.comparison
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
    """Return the maximum payout; the stake is returned on top of it (I-14)."""
    play.cite(bet.cap_rule)
    return bet.cap_cents or 0


def _settle_bonus(play: SeatPlay, bonus: Bonus, hands: TableHands, limits: Limits) -> None:
    """Settle the bet on the hole cards: it loses with a fold or a hand not shown."""
    stake = counted = play.seat.bets[bonus.name]
    if limits.bonus_max is not UNSET and stake > limits.bonus_max:
        counted = limits.bonus_max
        for rule in hands.game.paragraphs.over_max:
            play.cite(rule)
    odds = None
    if play.comparison != "folded" and play.seat.revealed:
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
    """Return the odds of the first line that the hole cards match, or None."""
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
