"""What the panel tells the dealer to pay and take: one seat after another, clockwise.

A seat is a part of the prompt, so that a small display shows one seat at a time: the jackpot
first, then one sum to pay and one to take; the single bets are its details. No amount is called
one to pay before it may be paid, and a seat's jackpot is paid in one sum. The other phases are in `prompts.py`.
"""

from collections.abc import Iterable, Iterator
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from firmware.rules.contract import SeatResult
from firmware.rules.game import Game
from firmware.rules.play import table_hands
from firmware.rules.words import bet_name, bet_words, by_pin, seats_named, spaced
from firmware.table.awards import decides_awards
from firmware.table.effects import Part
from firmware.table.settings import TableSettings
from firmware.table.settlement import MAY_BE_PAID, round_document
from firmware.table.showing import claimed_again
from firmware.table.stages import current
from firmware.table.state import (
    ClaimState,
    DenialState,
    RoundState,
    TableState,
    WithdrawnClaim,
)
from firmware.table.verdicts import payable_cents


class SeatLines(Struct, frozen=True):
    """What to do with one seat, and the details of it."""

    first: tuple[str, ...]
    details: tuple[str, ...]


def settlement(settings: TableSettings, state: TableState) -> Iterator[str | SeatLines]:
    """Say what the dealer does with every seat, then what else there is about the jackpot."""
    play, game = state.round, settings.rules
    results = {result.seat: result for result in play.results}
    claims = list(play.claims.values())
    yield from asked_of_claims(settings, play)
    if play.may_be_paid:
        yield MAY_BE_PAID
    yield from _majors(play)
    yield from _opening(settings, state)
    if play.may_be_paid:
        # No amount is shown before it may be paid.
        results, claims = {}, []
    for seat in sorted({*results, *(claim.seat for claim in claims)}):
        won, result = [claim for claim in claims if claim.seat == seat], results.get(seat)
        if result is not None and seat in play.sent_back:
            result = _without_jackpot(game, result)
        waits = result is not None and _is_doubted(play, seat)
        result = None if waits else result
        first = (
            *_jackpot(settings, state, seat, won),
            *([f"Seat {seat}: wait, a correction is open."] if waits else []),
            *_sums(settings, result),
            *_by_the_hand(play, result),
        )
        if first:
            details = (_claim(settings, play, claim) for claim in won)
            yield SeatLines(first, (*details, *_bets(settings, result)))
    yield from not_paid(play)
    for seat in [seat for seat in play.seats if claimed_again(play, seat) and not play.void]:
        yield f"If seat {seat} has its JACKPOT after all: SHOWN {seat} and a pit supervisor."
    if not state.link_healthy and any(claim.amount_cents is None for claim in claims):
        yield "The jackpot link is down: wait, or report it with MENU."


def _is_doubted(play: RoundState, seat: int) -> bool:
    """Return whether what waits for a supervisor may change what a seat is paid."""
    if play.void:
        return False
    if play.correction is not None:
        places = {*play.correction.places}
        # The dealer's hand, the board, and cards in another order concern everybody.
        return not places or bool(places & {str(seat), "dealer", "board"})
    asked = play.to_put_right
    return asked is not None and (asked.place in {"dealer", "board"} or asked.seat == seat)


def with_parts(said: Iterable[str | SeatLines]) -> tuple[list[str], tuple[Part, ...]]:
    """Write what is said as lines, and list which of them belong to one seat."""
    lines: list[str] = []
    parts: list[Part] = []
    for each in said:
        if isinstance(each, str):
            lines.append(each)
        else:
            place = len(lines)
            lines += [*each.first, *each.details]
            parts.append(Part(place, place + len(each.first), len(lines)))
    return lines, tuple(parts)


def asked_of_claims(settings: TableSettings, play: RoundState) -> Iterator[str]:
    """Say what waits for a PIN about a claim: what is paid on it, or that it is not that hand."""
    who, choice = spaced(decides_awards(settings.rules)), play.deciding_award
    doubted = dict.fromkeys(claim.seat for claim in play.claims.values() if claim.doubted)
    if choice is not None:
        claim = play.claims[choice.claim]
        cents = claim.award_cents if choice.pay == "awarded" else claim.reckoned_cents
        yield f"{by_pin(who)} Pay seat {claim.seat} {settings.money(cents or 0)}, as {choice.pay}."
        return
    if doubted:
        yield f"{who.capitalize()}: MENU, award in doubt, {seats_named(doubted)}."
    if play.denying is not None:
        denied = _denied(play, play.denying)
        yield f"{by_pin('pit supervisor')} Seat {play.denying.seat}: no JACKPOT{denied}."


def not_paid(play: RoundState) -> Iterator[str]:
    """Name the claims on which nothing is paid any more."""
    yield from map(partial(_withdrawn, play), play.withdrawn.values())


def _majors(play: RoundState) -> Iterator[str]:
    """Say which majors a PIN confirms, if nothing else about a claim waits for one."""
    unconfirmed = dict.fromkeys(claim.seat for claim in play.claims.values() if claim.unconfirmed)
    if unconfirmed and play.deciding_award is None and play.denying is None:
        yield f"Pit supervisor: check {seats_named(unconfirmed)}, key and PIN."


def _opening(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Say that the round is void, or what the dealer announces, once the hands are up."""
    play, game = state.round, settings.rules
    if play.void:
        yield "Void: return bets."
    elif current(settings, play) is None:
        hands = table_hands(game, round_document(settings, play))
        if hands.dealer_category is not None:
            hand = spaced(hands.dealer_category)
            if not game.dealer_must_qualify:
                yield f"Dealer: {hand}."
            elif hands.dealer_qualifies:
                odd = hands.dealer_category == "five_odd_cards"
                yield f"Dealer qualifies: {'ace and king' if odd else hand}."
            else:
                yield "Dealer: No hand."


def _withdrawn(play: RoundState, withdrawn: WithdrawnClaim) -> str:
    """Say that nothing is paid on a claim; what was claimed again is paid once."""
    what = f"Seat {withdrawn.seat} JACKPOT {withdrawn.words}: withdrawn"
    if withdrawn.words in {claim.words for claim in play.claims_of(withdrawn.seat)}:
        return f"{what} and claimed again, pay it once ({withdrawn.reason})."
    award = ", whatever the award says" if withdrawn.awarded else ""
    return f"{what}, do not pay it{award} ({withdrawn.reason})."


def _by_the_hand(play: RoundState, result: SeatResult | None) -> Iterator[str]:
    """Say by which hand the main game is settled, where its claim was not confirmed or shown."""
    if result is None or play.void:
        return
    seat = result.seat
    if not play.seats[seat].shown:
        yield f"Seat {seat}: hand not shown."
    if claimed_again(play, seat):
        yield f"Seat {seat}: by the hand as read. If it is another: LOST {seat}, then CARDS."


def _jackpot(
    settings: TableSettings, state: TableState, seat: int, won: list[ClaimState]
) -> Iterator[str]:
    """Say what a seat gets from the jackpot, and what happens to its cards until then."""
    if not won:
        return
    amounts = [payable_cents(state.round, claim) for claim in won]
    denying = state.round.denying
    if denying is not None and denying.seat == seat:
        yield f"Seat {seat}: JACKPOT denied, do not pay."
        yield f"Reason: {denying.reason or 'none keyed'}."
    elif any(claim.doubted for claim in won):
        yield f"Seat {seat}: JACKPOT in doubt, do not pay."
    elif any(claim.unconfirmed for claim in won):
        yield f"Seat {seat}: JACKPOT, do not pay yet."
        yield from _not_confirmed(seat, won)
    elif any(claim.amount_cents is None for claim in won):
        yield f"Seat {seat}: JACKPOT, wait for the amount."
    elif None in amounts:
        yield f"Seat {seat}: JACKPOT, do not pay yet: a correction waits."
    else:
        paid = settings.money(sum(cents or 0 for cents in amounts))
        yield f"Seat {seat}: JACKPOT, pay {paid}."
    by_hand = {line.tier for line in settings.rules.lines}
    if any(claim.claim.on == "player" and claim.claim.tier in by_hand for claim in won):
        folded = not state.round.seats[seat].in_round
        yield f"Seat {seat}: {'turn' if folded else 'leave'} the cards face up."


def _not_confirmed(seat: int, won: list[ClaimState]) -> Iterator[str]:
    """Say what to key for a claim that is not confirmed; a seat's several have numbers."""
    for number, claim in enumerate(won, start=1):
        if claim.unconfirmed and len(won) == 1:
            yield f"If not confirmed: first NOTCONFIRMED {seat} and the reason."
        elif claim.unconfirmed:
            which = f"{seat} {number} and the reason"
            yield f"If the {_hand(claim)} is not confirmed: first NOTCONFIRMED {which}."


def _hand(claim: ClaimState) -> str:
    """Name what a claim is for, without its level and amount."""
    return claim.words.partition(",")[0]


def _denied(play: RoundState, denying: DenialState) -> str:
    """Name the claim that is not confirmed, where its seat has several."""
    claims = play.claims_of(denying.seat)
    return f" on {_hand(claims[denying.which - 1])}" if len(claims) > 1 and denying.which else ""


def _is_denied(play: RoundState, claim: ClaimState) -> bool:
    """Return whether this is the claim of which a supervisor is about to say that it is none."""
    denying, claims = play.denying, play.claims_of(claim.seat)
    if denying is None or denying.seat != claim.seat:
        return False
    return not denying.which or claims[denying.which - 1 : denying.which] == [claim]


def _without_jackpot(game: Game, result: SeatResult) -> SeatResult:
    """Leave out the jackpot bets of a seat: they went back when it was noticed (RWS §5.4)."""
    bets = {name: bet for name, bet in result.bets.items() if name not in game.jackpot_bets}
    return replace(result, bets=bets)


def _sums(settings: TableSettings, result: SeatResult | None) -> Iterator[str]:
    """Say in one line what to pay to a seat, what to take and what to give back."""
    if result is None or not result.bets:
        return
    jackpot_bets = settings.rules.jackpot_bets
    bets = [bet for name, bet in result.bets.items() if name not in jackpot_bets]
    pay = sum(bet.winnings for bet in bets)
    take = sum(bet.stake - bet.returned for bet in bets)
    back = sum(bet.returned for bet in result.bets.values() if bet.outcome in {"returned", "lose"})
    # What is paid or stood off lies on the felt already; it is named if there is nothing to do.
    leave = 0 if pay or take or back else sum(bet.returned for bet in bets)
    sums = {"pay": pay, "take": take, "return": back, "stand-off, leave": leave}
    words = [f"{verb} {settings.money(cents)}" for verb, cents in sums.items() if cents]
    if words:
        yield f"Seat {result.seat}: {', '.join(words)}."


def _claim(settings: TableSettings, play: RoundState, claim: ClaimState) -> str:
    """Say of one claim whether it is paid now; read alone, it must not be taken for an order."""
    payable, money = payable_cents(play, claim), settings.money
    if payable is not None:
        by_meter = " from the registered meter" if claim.registered else ""
        if claim.decided_by:
            by_meter = f" as decided, not the awarded {money(claim.award_cents or 0)}"
        amount = f"pay {money(payable)}{by_meter if claim.registered else ''}"
    elif claim.doubted:
        awarded, reckoned = money(claim.award_cents or 0), money(claim.reckoned_cents or 0)
        amount = f"awarded {awarded}, the table reckons {reckoned}, do not pay"
    else:
        amount = f"{_missing(play, claim)}do not pay yet"
    return f"Seat {claim.seat} JACKPOT {claim.words}: {amount}"


def _missing(play: RoundState, claim: ClaimState) -> str:
    """Say what a claim waits for; one that has all waits for the others of its seat."""
    if _is_denied(play, claim):
        return "denied, a PIN is awaited, "
    if claim.unconfirmed:
        return "to be confirmed, "
    return "pending, " if claim.amount_cents is None else ""


def _bets(settings: TableSettings, result: SeatResult | None) -> Iterator[str]:
    if result is None:
        return
    for name, words in bet_words(settings.rules, result, settings.currency):
        # The chip of a jackpot bet is in the jackpot; what it wins is shown as a claim.
        if name not in settings.rules.jackpot_bets or result.bets[name].returned:
            yield f"Seat {result.seat} {bet_name(name)} {words}"
