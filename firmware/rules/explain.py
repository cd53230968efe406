"""The answers of the rules core in plain words, as a dealer would read them.

Each hand, who beats whom, what each bet gets and why, with the paragraphs. The
table's display, the journal viewer and the simulator show these texts too, so
they are made in one place. Nothing is decided here: the answer is given.
"""

from collections.abc import Iterator

from firmware.rules.cards import pretty
from firmware.rules.contract import (
    Award,
    Awards,
    BetResult,
    Claim,
    Claims,
    Incident,
    Round,
    Ruling,
    Seat,
    SeatResult,
    Settlement,
)
from firmware.rules.game import Game
from firmware.rules.games import find_game
from firmware.rules.words import hand_words, money, paragraphs, plain

_HAND_COLUMN = 10


def explain_settlement(asked: Round, answer: Settlement) -> str:
    """Tell a settled round from top to bottom."""
    game = find_game(asked.game)
    lines = [f"{game.title} ({game.id})"]
    if asked.community:
        lines.append(_headed("Community", pretty(asked.community)))
    lines.append(_headed("Dealer", _dealer_words(game, asked, answer)))
    for seat, result in zip(asked.seats, answer.seats, strict=True):
        lines += ["", *_seat_lines(game, asked, answer, seat, result)]
    if answer.claims:
        lines += ["", "To be paid on the jackpot:"]
        lines += [f"  seat {claim.seat}: {claim_words(claim)}" for claim in answer.claims]
    return "\n".join(lines)


def explain_ruling(asked: Incident, answer: Ruling) -> str:
    """Tell what happens after an irregularity."""
    sentence = _ACTIONS[answer.action].format(
        use_as=plain(answer.use_as or ""), authority=plain(answer.authority or "")
    )
    parts = [f"{plain(asked.irregularity).capitalize()}: {sentence}"]
    if answer.seats:
        parts.append(f"Out of the round, bets returned: {_seats(answer.seats)}.")
    if answer.options:
        who = {"all": "Every player", "affected": "Each affected player", None: "They"}
        choices = " or ".join(plain(option) for option in answer.options)
        parts.append(f"{who[answer.affects]} may choose: {choices}.")
    if answer.authority and answer.action != "refer":
        parts.append(f"The {plain(answer.authority)} decides.")
    parts.append(f"({paragraphs([answer.rule])})")
    return " ".join(parts)


def explain_awards(asked: Claims, answer: Awards) -> str:
    """Tell who is paid what from the meter, in the order of payment."""
    claims = {claim.id: claim for claim in asked.claims}
    lines = [f"The meter stands at {money(asked.meter.value)}, reset {money(asked.meter.reset)}."]
    for place, paid in enumerate(answer.awards, start=1):
        claim = claims[paid.id]
        where = f"table {claim.table}, round {claim.round}, seat {claim.seat}"
        lines.append(f"{place}. {where}: {plain(claim.tier)}, {_award_words(paid)}")
    lines.append(f"The meter is left at {money(answer.meter.value)}.")
    return "\n".join(lines)


def claim_words(claim: Claim) -> str:
    """Tell what one claim asks for."""
    what = f"{plain(claim.tier)} on the {_OWNERS[claim.on]}"
    if claim.percent is not None:
        return f"{what}, {claim.percent} % of the meter ({claim.level})"
    return f"{what}, {money(claim.amount or 0)} ({claim.level})"


def _award_words(paid: Award) -> str:
    before, after = money(paid.meter_before), money(paid.meter_after)
    meter = "meter unchanged" if before == after else f"meter {before} → {after}"
    return f"pay {money(paid.amount)} ({meter}; {paragraphs([paid.rule])})"


def _headed(head: str, text: str) -> str:
    return f"{head:<{_HAND_COLUMN}}{text}"


def _dealer_words(game: Game, asked: Round, answer: Settlement) -> str:
    if answer.dealer is None:
        return "no hand was needed"
    cards = pretty(asked.dealer)
    if answer.dealer.category is None:
        return cards
    words = f"{cards}   {hand_words((*asked.dealer, *asked.community))}"
    if answer.dealer.qualifies is None:
        return words
    verdict = "qualifies" if answer.dealer.qualifies else 'no ace and king: "No hand"'
    return f"{words}; {verdict} ({paragraphs([game.qualify_rule])})"


def _seat_lines(
    game: Game, asked: Round, answer: Settlement, seat: Seat, result: SeatResult
) -> Iterator[str]:
    cards = pretty(seat.cards)
    hand = f"   {hand_words((*seat.cards, *asked.community))}" if result.category else ""
    yield _headed(f"Seat {seat.seat}", f"{cards}{hand}".strip() or "no cards")
    because = f" ({paragraphs(result.rules)})" if result.rules else ""
    yield _headed("", f"{_story(game, answer, seat, result)}{because}")
    for name, bet in result.bets.items():
        words = _jackpot_words(bet) if name in game.jackpot_bets else _bet_words(bet)
        yield _headed("", f"{plain(name):<15}{money(bet.stake):>12}   {words}")


def _story(game: Game, answer: Settlement, seat: Seat, result: SeatResult) -> str:
    """Say in a few words what happened to a seat."""
    if "ante" not in result.bets:
        return "no ante, so the box takes no part"
    if seat.decision in _DECISIONS:
        return _DECISIONS[seat.decision]
    outcome = result.bets["ante"].outcome
    if outcome == "returned":
        return "takes no part"
    if not seat.revealed:
        return "the hand was not shown"
    if answer.dealer is not None and answer.dealer.qualifies is False:
        return "the dealer has no hand"
    return _COMPARED[result.bets[game.stay].outcome]


def _bet_words(bet: BetResult) -> str:
    """Say what the dealer does with a bet against the dealer, or a bonus."""
    taken = bet.stake - bet.returned
    back = f"return {money(bet.returned)}"
    if bet.outcome == "win":
        return f"wins: pay {money(bet.winnings)}, {back}"
    if bet.outcome == "lose":
        return f"loses: take {money(taken)}" + (f", {back}" if bet.returned else "")
    return f"stand-off: {back}" if bet.outcome == "push" else f"goes back: {back}"


def _jackpot_words(bet: BetResult) -> str:
    """Say what becomes of a jackpot bet, whose chip went into the jackpot at closing."""
    if bet.outcome == "returned":
        return f"goes back: return {money(bet.returned)}"
    if bet.outcome == "lose":
        return "no win"
    return f"wins: pay {money(bet.winnings)}" if bet.winnings else "wins from the meter"


def _seats(numbers: tuple[int, ...]) -> str:
    return ("seat " if len(numbers) == 1 else "seats ") + ", ".join(map(str, numbers))


_OWNERS = {
    "player": "player's hand",
    "dealer": "dealer's hand",
    "community": "community cards",
}
_DECISIONS = {
    "fold": "folded",
    "absent": "walked away with a decision to make",
    "withdrawn": "withdrew from the round",
    "invalid": "was taken out of the round",
}
_COMPARED = {
    "win": "beats the dealer",
    "lose": "is beaten by the dealer",
    "push": "stands off with the dealer",
}
_ACTIONS = {
    "void": "the round is void; every bet of it is returned.",
    "continue": "play goes on as dealt.",
    "reconstruct": "put the cards in their intended order, then go on.",
    "options": "the players have a choice.",
    "invalidate": "hands are taken out.",
    "use_card": "use the card as the {use_as}.",
    "refuse": "refuse what is too late or too much.",
    "stand": "the bet stands; it cannot be withdrawn now.",
    "correct": "the player may put the bet right, or take it back.",
    "refer": "the rules leave it to the {authority}.",
}
