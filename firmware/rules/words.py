"""Words for people: money, hands, bets and claims as a dealer would say them.

Used by `explain.py` and by anything that shows a hand or an amount. Nothing here decides
anything.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from msgspec import UNSET

from firmware.rules.cards import RANKS, codes, pretty
from firmware.rules.contract import BetResult, Claim, Draws, IrregularityName, SeatResult
from firmware.rules.game import Game
from firmware.rules.hands import CATEGORY_OF, Category, five_strength

_ONE = {
    "A": "ace",
    "K": "king",
    "Q": "queen",
    "J": "jack",
    "T": "ten",
    "9": "nine",
    "8": "eight",
    "7": "seven",
    "6": "six",
    "5": "five",
    "4": "four",
    "3": "three",
    "2": "two",
}
_SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
_WHEEL = frozenset("A5432")
OWNERS = {
    "player": "player's hand",
    "dealer": "dealer's hand",
    "community": "community cards",
}
"""Whose cards a jackpot line looks at."""
OPTIONS = {
    "continue": "play on with the cards as they are",
    "continue_reconstructed": "play on with the cards corrected",
    "withdraw": "withdraw, bets returned",
    "close_table": "close the table",
    "disallow_box": "allow no bets on the affected box",
    "no_jackpot_bets": "play on without jackpot bets",
    "void": "void the round, bets returned",
    "invalidate": "take the hand out, bets returned",
    "pay_registered": "pay from the registered meter",
}
"""What can be chosen: the options of the rules, then how a referred matter can end."""
IRREGULARITIES: Mapping[IrregularityName, str] = {
    "foreign_card": "Foreign card found",
    "deck_count_wrong": "Deck with a wrong number of cards",
    "insufficient_cards": "Not enough cards to finish",
    "unshuffled": "Cards were not shuffled",
    "cards_exposed": "Cards exposed in the deal",
    "dealer_card_exposed": "Dealer's card exposed",
    "misdeal": "Misdeal",
    "dealer_count_wrong": "Dealer has a wrong number of cards",
    "community_count_wrong": "Board has a wrong number of cards",
    "player_count_wrong": "Player has a wrong number of cards",
    "no_burn": "No card was burnt",
    "dealing_error": "Dealing error",
    "card_face_up_in_shoe": "Card face up in the shoe",
    "simultaneous_draw": "Two cards drawn at once",
    "jackpot_fault": "The jackpot does not work",
    "jackpot_fault_persists": "The jackpot still does not work",
    "interruption": "The round was interrupted",
    "extra_hand_examined": "Player looked at another hand",
    "late_bet": "Late bet",
    "late_increase": "Bet raised too late",
    "late_withdrawal": "Bet taken back too late",
    "jackpot_without_ante": "Jackpot bet without an ante",
    "over_max": "Bet over the maximum",
    "under_min": "Bet under the minimum",
    "error_in_earlier_round": "Error in an earlier round",
    "played_several_positions": "Player played several hands",
    "hand_not_confidential": "Hand shown to another player",
    "other": "Anything else",
}
"""What an irregularity is called where it is picked from a list."""


DOLLARS = "$"
"""What stands before an amount where no table says otherwise."""


def money(cents: int, currency: str = DOLLARS) -> str:
    """Write an amount: 123450 is `$1,234.50`, and -5 is `−$0.05`."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'−' if cents < 0 else ''}{currency}{whole:,}.{rest:02}"


def counted(number: int, noun: str) -> str:
    """Return a number of things: 1 record, 2 records."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def spaced(name: str) -> str:
    """Write a name of the contract as words: `four_of_a_kind` is `four of a kind`."""
    return name.replace("_", " ")


def bet_name(bet: str) -> str:
    """Name a bet as people do: `jackpot_dealer` is the jackpot bet on the dealer."""
    return spaced(bet.replace("jackpot_", "jackpot on the ", 1))


def by_pin(who: str) -> str:
    """Ask for a person with authority: short enough for two rows of a small display."""
    return f"{who[0].upper()}{who[1:]}: key and PIN, or CANCEL."


def paragraphs(rules: Sequence[str]) -> str:
    """Write paragraphs as a reader cites them: `§3.14.1, §4.1`; interpretations as they are."""
    named = {"silent": "the rules are silent"}
    return ", ".join(f"§{r}" if r[0].isdigit() else named.get(r, r) for r in rules)


def best_five(names: Sequence[str]) -> tuple[str, ...]:
    """Pick the best five of the cards, the ones that matter most first."""
    best = max(combinations(names, 5), key=lambda five: five_strength(codes(five)))
    counts = Counter(name[0] for name in best)
    low_ace = frozenset(counts) == _WHEEL

    def weight(name: str) -> tuple[int, int]:
        rank = -1 if low_ace and name[0] == "A" else RANKS.index(name[0])
        return counts[name[0]], rank

    return tuple(sorted(best, key=weight, reverse=True))


def hand_words(names: Sequence[str]) -> str:
    """Describe the best five of the cards: `one pair, tens, then K♦ 6♥ 3♠`."""
    five = best_five(names)
    found = CATEGORY_OF[five_strength(codes(five))]
    return f"{spaced(found)}{_detail(found, five)}"


def _detail(found: Category, five: Sequence[str]) -> str:
    first, other = five[0][0], next((name[0] for name in five if name[0] != five[0][0]), "")
    match found:
        case "royal_flush":
            return ""
        case "straight_flush" | "straight":
            return f", {_ONE[first]} high"
        case "flush" | "five_odd_cards":
            return f", {_ONE[first]} high, then {pretty(five[1:])}"
        case "full_house":
            return f", {_many(first)} over {_many(other)}"
        case "two_pairs":
            return f", {_many(first)} and {_many(other)}, then {pretty(five[4:])}"
        case "four_of_a_kind" | "three_of_a_kind" | "one_pair":
            alike = sum(name[0] == first for name in five)
            return f", {_many(first)}, then {pretty(five[alike:])}"


def card_words(name: str) -> str:
    """Write one card as it is said aloud: `Ac` is `ace of clubs`."""
    return f"{_ONE[name[0]]} of {_SUITS[name[1]]}"


def _many(rank: str) -> str:
    return f"{_ONE[rank]}es" if rank == "6" else f"{_ONE[rank]}s"


# Bets, claims and draws


def claim_words(claim: Claim, currency: str = DOLLARS) -> str:
    """Describe what one claim asks for."""
    what = f"{tier_words(claim.tier)} ({OWNERS[claim.on]})"
    if claim.percent is not None:
        return f"{what}, {claim.level}, {claim.percent} % of the meter"
    return f"{what}, {claim.level}, {money(claim.amount or 0, currency)}"


def tier_words(tier: str) -> str:
    """Write a tier: `royal_flush_flop` is `royal flush on the flop`."""
    words = spaced(tier)
    for street in ("flop", "turn", "river"):
        words = words.replace(f" {street}", f" on the {street}")
    return words


def draw_words(draws: Draws) -> str:
    """Say what the system drew for a round."""
    drawn = []
    if draws.magic_card is not UNSET:
        drawn.append(f"magic card {card_words(draws.magic_card)}")
    drawn += [f"lucky player seat {draws.lucky_seat}"] if draws.lucky_seat is not UNSET else []
    drawn += ["lucky dealer"] if draws.lucky_dealer else []
    return ", ".join(drawn) or "nothing"


def bet_words(game: Game, result: SeatResult, currency: str = DOLLARS) -> list[tuple[str, str]]:
    """Say for each bet of a seat what the dealer does with it."""
    hand_won = game.stay in result.bets and result.bets[game.stay].outcome == "win"
    return [
        (
            name,
            _jackpot_words(bet, currency)
            if name in game.jackpot_bets
            else _bet_words(bet, currency, won=hand_won),
        )
        for name, bet in result.bets.items()
    ]


def _bet_words(bet: BetResult, currency: str, *, won: bool) -> str:
    """Say what the dealer does with a bet against the dealer, or a bonus.

    What is left lies on the felt and is the player's; what is returned was not played for.
    """
    returned = money(bet.returned, currency)
    leave, back = f"leave {returned}", f"return {returned}"
    if bet.outcome == "win":
        return f"wins: pay {money(bet.winnings, currency)}, {leave}"
    if bet.outcome == "lose":
        taken = money(bet.stake - bet.returned, currency)
        return f"loses: take {taken}" + (f", {back}" if bet.returned else "")
    if bet.outcome == "push":
        return f"{'neither paid nor taken' if won else 'stand-off'}: {leave}"
    return f"goes back: {back}"


def _jackpot_words(bet: BetResult, currency: str) -> str:
    """Say what becomes of a jackpot bet, whose chip went into the jackpot at closing."""
    if bet.outcome == "returned":
        return f"goes back: return {money(bet.returned, currency)}"
    if bet.outcome == "lose":
        return "no win"
    return "wins on the jackpot"


def seats_named(numbers: Iterable[int]) -> str:
    """Name seats."""
    named = [str(number) for number in numbers]
    if not named:
        return "none"
    return ("seat " if len(named) == 1 else "seats ") + ", ".join(named)
