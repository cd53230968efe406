"""The answers of the rules core in plain words, as a dealer would read them.

Each hand, who beats whom, what each bet gets and why, with the paragraphs. The table's
display, the journal viewer and the simulator show these texts too, so they are made in one
place. Nothing is decided here: the answer is an argument.
"""

from collections.abc import Iterator

from msgspec import UNSET

from firmware.errors import BadInput
from firmware.rules.cards import pretty
from firmware.rules.contract import (
    Award,
    Awards,
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
from firmware.rules.words import (
    DOLLARS,
    OPTIONS,
    OWNERS,
    bet_name,
    bet_words,
    claim_words,
    draw_words,
    hand_words,
    money,
    paragraphs,
    spaced,
    tier_words,
)

_BET_COLUMN = 15
_HAND_COLUMN = 10


def explain_settlement(asked: Round, answer: Settlement, currency: str = DOLLARS) -> str:
    """Describe a settled round from top to bottom."""
    game = find_game(asked.game)
    lines = [f"{game.title} ({game.id})"]
    if asked.community:
        lines.append(_headed("Community", pretty(asked.community)))
    lines.append(_headed("Dealer", _dealer_words(game, asked, answer)))
    if asked.draws is not UNSET:
        lines.append(_headed("Drawn", draw_words(asked.draws)))
    for seat, result in zip(asked.seats, answer.seats, strict=True):
        lines += ["", *_seat_lines(game, asked, answer, seat, result, currency=currency)]
    if answer.claims:
        lines += ["", "To be paid from the jackpot:"]
        lines += [f"  seat {claim.seat}: {claim_words(claim, currency)}" for claim in answer.claims]
    return "\n".join(lines)


def explain_ruling(asked: Incident, answer: Ruling, *, decided: bool = False) -> str:
    """Describe what happens after an irregularity; once it is decided, nobody is asked any more."""
    words = (_DECIDED if decided else {}).get(answer.action, _ACTIONS[answer.action])
    sentence = words.format(
        use_as=spaced(answer.use_as or ""), authority=spaced(answer.authority or "")
    )
    heading = _HEADINGS.get(asked.irregularity, spaced(asked.irregularity).capitalize())
    parts = [f"{heading}: {sentence}"]
    if answer.seats:
        parts.append(f"Out of the round, bets returned: {_seats(answer.seats)}.")
    if answer.options and not decided:
        choices = ", or ".join(OPTIONS[option] for option in answer.options)
        parts.append(f"{_choosers(answer)} may choose: {choices}.")
    if answer.authority and answer.action != "refer" and not decided:
        parts.append(f"This is the {spaced(answer.authority)}'s decision.")
    parts.append(
        "(the document is silent)" if answer.rule == "silent" else f"({paragraphs([answer.rule])})"
    )
    return " ".join(parts)


def explain_wrong_cards(error: BadInput) -> str:
    """Say which cards cannot be settled, without the names that a document has for them.

    No card is named: the other one of two alike may lie face down.
    """
    place = error.field.partition("[")[0].partition(".")[0]
    whose = {"dealer": "the dealer's hand", "community": "the board"}.get(place, "a hand")
    if error.field.endswith("]"):
        return f"{whose} has a card that lies elsewhere too"
    return f"{whose} {error.reason}"


def _choosers(answer: Ruling) -> str:
    if answer.affects is None:
        return f"The {spaced(answer.authority or 'house')}"
    if answer.affects == "affected":
        return "Each affected player"
    return "Every other player" if answer.action == "invalidate" else "Every player"


def explain_awards(asked: Claims, answer: Awards, currency: str = DOLLARS) -> str:
    """Describe who is paid what from the meter, in the order of payment."""
    claims = {claim.id: claim for claim in asked.claims}
    value, reset = money(asked.meter.value, currency), money(asked.meter.reset, currency)
    lines = [f"The meter stands at {value}, reset {reset}."]
    for place, paid in enumerate(answer.awards, start=1):
        claim = claims[paid.id]
        where = f"table {claim.table}, round {claim.round}, seat {claim.seat}"
        on = "" if claim.on is UNSET or claim.on == "player" else f" ({OWNERS[claim.on]})"
        lines.append(
            f"{place}. {where}: {tier_words(claim.tier)}{on}, {_award_words(paid, currency)}"
        )
    lines.append(f"The meter is left at {money(answer.meter.value, currency)}.")
    return "\n".join(lines)


def _award_words(paid: Award, currency: str) -> str:
    before, after = money(paid.meter_before, currency), money(paid.meter_after, currency)
    meter = "meter unchanged" if before == after else f"meter {before} → {after}"
    return f"pay {money(paid.amount, currency)} ({meter}; {paragraphs([paid.rule])})"


def _headed(head: str, text: str) -> str:
    return f"{head:<{_HAND_COLUMN}}{text}"


def _dealer_words(game: Game, asked: Round, answer: Settlement) -> str:
    if answer.dealer is None:
        return "no hand was needed"
    words = f"{pretty(asked.dealer)}   {hand_words((*asked.dealer, *asked.community))}"
    if answer.dealer.qualifies is None:
        return words
    verdict = "qualifies" if answer.dealer.qualifies else 'no ace and king: "No hand"'
    return f"{words}; {verdict} ({paragraphs([game.qualify_rule])})"


def _seat_lines(  # noqa: PLR0913  # all that is told of a seat
    game: Game,
    asked: Round,
    answer: Settlement,
    seat: Seat,
    result: SeatResult,
    *,
    currency: str,
) -> Iterator[str]:
    yield _headed(f"Seat {seat.seat}", _cards_words(asked, seat, result))
    because = f" ({paragraphs(result.rules)})" if result.rules else ""
    yield _headed("", f"{_story(game, answer, seat, result)}{because}")
    for name, words in bet_words(game, result, currency):
        stake = money(result.bets[name].stake, currency)
        yield _headed("", f"{bet_name(name):<{_bet_column(game)}}{stake:>12}   {words}")


def _bet_column(game: Game) -> int:
    """Return how wide the names of a game's bets are, all in one column."""
    return max(_BET_COLUMN, *(len(bet_name(bet)) + 1 for bet in game.bets))


def _cards_words(asked: Round, seat: Seat, result: SeatResult) -> str:
    """Show a hand that lies face up, and no other."""
    if not seat.cards:
        return "no cards"
    if not seat.revealed:
        return "not shown"
    if result.category is None:
        return pretty(seat.cards)
    return f"{pretty(seat.cards)}   {hand_words((*seat.cards, *asked.community))}"


def _story(game: Game, answer: Settlement, seat: Seat, result: SeatResult) -> str:
    """Say in a few words what happened to a seat."""
    if "ante" not in result.bets:
        return "no ante, so the box takes no part"
    if seat.decision in _TAKEN_OUT:
        return _TAKEN_OUT[seat.decision]
    if seat.decision == "absent":
        return f"walked away with a decision to make: {_ABSENT[game.absent]}"
    if result.bets["ante"].outcome == "returned":
        return "under the minimum again: takes no part"
    if seat.decision == "fold":
        return "folded"
    told = _COMPARED[result.bets[game.stay].outcome]
    if not seat.revealed and game.hidden == "folded":
        told = "counts as folded"
    elif answer.dealer is not None and answer.dealer.qualifies is False:
        told = "the dealer has no hand"
    return told if seat.revealed else f"the hand was not shown: {told}"


def _seats(numbers: tuple[int, ...]) -> str:
    return ("seat " if len(numbers) == 1 else "seats ") + ", ".join(map(str, numbers))


_TAKEN_OUT = {
    "withdrawn": "withdrew from the round",
    "invalid": "was taken out of the round",
}
_ABSENT = {"folded": "folded", "returned": "the hand is invalid"}
_COMPARED = {
    "returned": "goes back",
    "win": "beats the dealer",
    "lose": "is beaten by the dealer",
    "push": "stands off with the dealer",
}
_HEADINGS = {"over_max": "Over the maximum", "under_min": "Under the minimum"}
_ACTIONS = {
    "void": "the round is void; every bet is returned.",
    "continue": "play continues as dealt.",
    "reconstruct": "put the cards in their intended order, then play on.",
    "options": "the players have a choice.",
    "invalidate": "the affected hands are taken out of the round.",
    "use_card": "use the card as the {use_as}.",
    "refuse": "refuse the bet, or the part that is late or over the maximum.",
    "stand": "the bet stands; it cannot be withdrawn now.",
    "correct": "the player may correct the bet or take it back.",
    "refer": "the rules leave it to the {authority}.",
}
_DECIDED = {"options": "the players had a choice."}
"""What is said otherwise once it is decided: who chose what follows."""
