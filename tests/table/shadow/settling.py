"""What the documents pay: every bet of a round, and every claim on the jackpot.

Plain over quick. `rules-contract` names the outcomes: a stand-off is `push`, what the rules hand
back is `returned`.
"""

from dataclasses import dataclass

from tests.table.shadow.felt import Box, Felt
from tests.table.shadow.hands import at_least, category, qualifies, ranked
from tests.table.shadow.letter import (
    BET_ODDS,
    COMMUNITY_ROYAL_CENTS,
    DRAW_ODDS,
    MOST_PAID_CENTS,
    bonus_odds,
)


@dataclass(frozen=True)
class Paid:
    """What becomes of one stake."""

    stake: int
    outcome: str
    winnings: int = 0
    returned: int = 0


@dataclass(frozen=True)
class Claim:
    """What is claimed from the jackpot."""

    seat: int
    on: str
    tier: str
    major: bool = False
    percent: int = 0
    amount: int = 0


@dataclass(frozen=True)
class Settled:
    """A whole round."""

    bets: dict[tuple[int, str], Paid]
    claims: frozenset[Claim]
    reversed_stakes: dict[tuple[int, str], int]
    """Contributions that the jackpot gives back."""


def settled(felt: Felt) -> Settled:
    """Settle a round as the documents say."""
    bets: dict[tuple[int, str], Paid] = {}
    claims: set[Claim] = set()
    for seat, box in felt.boxes.items():
        if _takes_no_part(felt, box):
            paid = {bet: Paid(cents, "returned", 0, cents) for bet, cents in box.stakes.items()}
        else:
            claimed = {*_own_claims(felt, seat, box), *_dealer_claims(felt, seat, box)}
            paid = _jackpot_bets(felt, box, claimed)
            if not felt.by_hand:
                # Where the table reads no cards the dealer settles the main game himself.
                paid |= _main_bets(felt, box)
            claims |= claimed
        bets |= {(seat, bet): each for bet, each in paid.items() if each.stake}
    back = {
        key: cents for key, cents in felt.contributed.items() if bets[key].outcome == "returned"
    }
    return Settled(bets, frozenset(claims), back)


def _takes_no_part(felt: Felt, box: Box) -> bool:
    """Say whether every bet of a box is handed back."""
    if felt.void or box.out or not box.ante:
        return True
    # Megalink §5.11 and §5.13, for both games of the operator (I-1).
    again = box.under_before and box.ante < felt.ante_min
    return felt.letter.operator == "mbs" and (box.said == "absent" or again)


def _folded(felt: Felt, box: Box) -> bool:
    """Say whether a hand counts as folded; RWS §5.5: who is absent has; multi-link §4.3."""
    return box.said in {"fold", "absent"} or (box.hidden and felt.letter.hidden_is_folded)


# The main game


def _main_bets(felt: Felt, box: Box) -> dict[str, Paid]:
    counted = _counted(felt, box)
    results = _holdem(felt, box, counted) if felt.letter.holdem else _stud(felt, box, counted)
    paid = {}
    for bet, (outcome, winnings) in results.items():
        stake = box.stakes.get(bet, 0)
        excess = stake - counted[bet]
        back = excess if outcome == "lose" else stake
        paid[bet] = Paid(stake, outcome, winnings, back)
    return paid


def _counted(felt: Felt, box: Box) -> dict[str, int]:
    """Give how much of each stake takes part: up to the limit, up to the multiple (I-11)."""
    counted = {"ante": min(box.ante, felt.ante_max)}
    for bet, antes in felt.letter.follow_ups:
        counted[bet] = min(box.stakes.get(bet, 0), antes * counted["ante"])
    bonus = box.stakes.get("bonus", 0)
    counted["bonus"] = bonus if felt.bonus_max is None else min(bonus, felt.bonus_max)
    return counted


Results = dict[str, tuple[str, int]]
"""The outcome of each bet and what the House adds."""


def _stud(felt: Felt, box: Box, counted: dict[str, int]) -> Results:
    """RWS stud §3.12 to §3.14, MBS §3.9 to §3.12 (Singapore §3.9 to §3.16)."""
    if _folded(felt, box):
        return {"ante": ("lose", 0), "bet": ("lose", 0)}
    dealer, own = tuple(felt.dealer), tuple(box.cards)
    if not qualifies(dealer):
        return {"ante": ("win", counted["ante"]), "bet": ("returned", 0)}
    if box.hidden or ranked(own) < ranked(dealer):
        return {"ante": ("lose", 0), "bet": ("lose", 0)}
    if ranked(own) == ranked(dealer):
        return {"ante": ("push", 0), "bet": ("push", 0)}
    winnings = counted["bet"] * BET_ODDS[category(own)]
    if felt.letter.operator == "rws":
        winnings = min(winnings, MOST_PAID_CENTS)
    return {"ante": ("win", counted["ante"]), "bet": ("win", winnings)}


def _holdem(felt: Felt, box: Box, counted: dict[str, int]) -> Results:
    """Hold'em §3.11.2, §3.13 to §3.15, §4.1; what a hand that is not shown loses is I-9."""
    raises = [bet for bet, _ in felt.letter.follow_ups]
    if _folded(felt, box) or box.hidden:
        return dict.fromkeys(["ante", "bonus", *raises], ("lose", 0))
    odds = bonus_odds(tuple(box.cards), tuple(felt.dealer))
    bonus = ("win", min(odds * counted["bonus"], MOST_PAID_CENTS)) if odds else ("lose", 0)
    own = tuple(box.cards + felt.board)
    dealer = tuple(felt.dealer + felt.board)
    if ranked(own) == ranked(dealer):
        return {"bonus": bonus} | dict.fromkeys(["ante", *raises], ("push", 0))
    if ranked(own) < ranked(dealer):
        return {"bonus": bonus} | dict.fromkeys(["ante", *raises], ("lose", 0))
    ante = ("win", counted["ante"]) if at_least(own, "straight") else ("push", 0)
    return {"bonus": bonus, "ante": ante} | {bet: ("win", counted[bet]) for bet in raises}


# The jackpot


def _jackpot_bets(felt: Felt, box: Box, claims: set[Claim]) -> dict[str, Paid]:
    paid = {}
    for bet in felt.letter.chips:
        owners = {"dealer"} if bet == "jackpot_dealer" else {"player", "community"}
        won = [claim for claim in claims if claim.on in owners]
        winnings = sum(claim.amount for claim in won)
        paid[bet] = Paid(box.stakes.get(bet, 0), "win" if won else "lose", winnings, 0)
    return paid


def _own_claims(felt: Felt, seat: int, box: Box) -> set[Claim]:
    stake = box.stakes.get("jackpot", 0)
    if not stake:
        return set()
    if felt.letter.holdem:
        return _holdem_claims(felt, seat, box)
    claims = set()
    unseen = box.hidden or (felt.by_hand and not box.keyed)
    forfeited = felt.letter.fold_forfeits_jackpot and _folded(felt, box)
    if not unseen and not forfeited:
        claims |= _lines(felt, seat, "player", tuple(box.cards), stake)
    if felt.lucky_seat == seat:
        claims.add(Claim(seat, "player", "lucky_player", amount=DRAW_ODDS * stake))
    return claims


def _dealer_claims(felt: Felt, seat: int, box: Box) -> set[Claim]:
    """Singapore §3.5, §4.3.1, §4.4.1: a wager on the dealer's hand."""
    stake = box.stakes.get("jackpot_dealer", 0)
    if not stake:
        return set()
    claims = _lines(felt, seat, "dealer", tuple(felt.dealer), stake) if felt.dealer else set()
    if felt.lucky_dealer:
        claims.add(Claim(seat, "dealer", "lucky_dealer", amount=DRAW_ODDS * stake))
    return claims


def _lines(felt: Felt, seat: int, on: str, cards: tuple[str, ...], stake: int) -> set[Claim]:
    """Give the claims of a five-card hand (stud §4.2, Singapore §4.3 too)."""
    claims = set()
    tier = category(cards)
    percent = {"royal_flush": 100, "straight_flush": 10}.get(tier, 0)
    amount = dict(felt.letter.fixed_cents).get(tier, 0) or stake * dict(felt.letter.odds).get(
        tier, 0
    )
    if percent:
        claims.add(Claim(seat, on, tier, major=True, percent=percent))
    elif amount:
        claims.add(Claim(seat, on, tier, amount=amount))
    if felt.magic_card in cards:
        claims.add(Claim(seat, on, "magic_card", amount=DRAW_ODDS * stake))
    return claims


def _holdem_claims(felt: Felt, seat: int, box: Box) -> set[Claim]:
    """Hold'em §4.2: one line alone, the best (I-5 to I-7)."""
    board, hole = tuple(felt.board), tuple(box.cards)
    shown = not (_folded(felt, box) or box.hidden or (felt.by_hand and not box.keyed))
    if felt.by_hand and not board:
        return set()
    common = category(board)
    if common == "royal_flush":
        return {Claim(seat, "community", common, amount=COMMUNITY_ROYAL_CENTS)}
    if shown:
        for name, cards, percent, major in (
            ("flop", hole + board[:3], 100, True),
            ("turn", hole + board[:4], 25, True),
            ("river", hole + board, 5, False),
        ):
            if category(cards) == "royal_flush":
                return {Claim(seat, "player", f"royal_flush_{name}", major=major, percent=percent)}
    best = category(hole + board) if shown else common
    amount = dict(felt.letter.fixed_cents).get(best, 0)
    on = "community" if best == common else "player"
    return {Claim(seat, on, best, amount=amount)} if amount else set()
