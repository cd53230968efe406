"""The end of a round: settle it, claim what was won on the jackpot, pay, or void it.

The rules core says what each bet gets. What a claim is paid is in `awards.py`; how it is
confirmed or withdrawn is in `verdicts.py`.
"""

from collections.abc import Collection, Container, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from firmware.errors import BadInput, Refused
from firmware.protocol.obligations import ClockQuality, Win
from firmware.rules.contract import Claim, Limits, Round, Seat
from firmware.rules.explain import explain_wrong_cards
from firmware.rules.game import TAKEN_OUT, Game
from firmware.rules.jackpot import claimed
from firmware.rules.play import fate_of
from firmware.rules.settle import settle
from firmware.rules.words import claim_words, paragraphs
from firmware.table.awards import note_paid, pay_from_registered_meter
from firmware.table.claims import rests_on
from firmware.table.events import RoundPaid
from firmware.table.settings import TableSettings
from firmware.table.state import ClaimState, RoundState, SeatState, TableState
from firmware.table.turn import Turn
from firmware.table.verdicts import (
    Withdrawal,
    award_anew,
    denied_words,
    report_paid,
    why_not_final,
    withdraw,
    withdraw_claims_of,
)

VOID = "The round is void: return every bet, then press PAID."
PUT_RIGHT = Withdrawal("", "the cards or stakes were put right")
"""Why a claim is withdrawn, where the dealer alone has put something right."""
WITHDRAWN_AT_ONCE = 2
"""The edition since which a claim is withdrawn when a supervisor has agreed, and not with PAID."""
STAYS_BY_HAND = 2
"""The edition since which a correction leaves a round by hand that was settled by hand."""
JUMPS_COUNT = 2
"""The edition since which a clock that has jumped is not called synchronised."""

MAY_BE_PAID = (
    "The table was restarted and this may have been paid: pay nothing twice. Wait for the jackpot "
    "link, or have a pit supervisor confirm that it has not been paid: key, number and PIN."
)


def settle_round(turn: Turn, by: Withdrawal = PUT_RIGHT) -> None:
    """Settle the hands that the table knows, and claim on the jackpot what has been won.

    Settled once more after something was put right, what still holds stays as it is; `by` says
    who has put it right, and why.
    """
    play = turn.round
    document = round_document(turn.settings, play)
    settled = settle(document, turn.game)
    play.results = list(settled.seats)
    claims = list(settled.claims)
    if unknown_seats(play):
        by_hand = settled_by_hand(turn.settings, play)
        claims = sorted([*claims, *claimed(by_hand, turn.game)], key=lambda claim: claim.seat)
        _return_unsettled(turn, by_hand)
    _claim_anew(turn, claims, by)
    _contributions_follow(turn)
    turn.begin_settlement()
    pay_from_registered_meter(turn)


def settle_or_key(turn: Turn, by: Withdrawal = PUT_RIGHT) -> None:
    """Settle the round, or let the dealer settle it whose hands the table does not know (I-40).

    What he keys of them is claimed with PAID.
    """
    if turn.round.source == "manual" or unknown_seats(turn.round):
        turn.state.phase = "claiming"
    else:
        settle_round(turn, by)


def settle_put_right(turn: Turn, by: Withdrawal) -> None:
    """Settle by what was put right, if the round was being settled; by hand, it stays by hand."""
    if turn.state.phase != "settling":
        return
    if turn.state.edition < STAYS_BY_HAND:
        settle_round(turn, by)
    else:
        settle_or_key(turn, by)


def check_not_void(turn: Turn) -> None:
    """Refuse to settle a void round again: every bet goes back, whatever the cards are."""
    if turn.round.void and turn.state.edition > 1:
        raise Refused(VOID)


def unknown_seats(play: RoundState) -> list[int]:
    """List the seats that the dealer settles himself: their hands are not known (I-40).

    Without the dealer's hand or the board, that is everybody; in a void round nobody: every bet
    goes back, whatever the cards are.
    """
    if play.void:
        return []
    everybody = "dealer" in play.lost or "board" in play.lost
    return [
        seat
        for seat, player in play.seats.items()
        if (everybody or str(seat) in play.lost)
        and player.stakes.get("ante")
        and not player.taken_out
    ]


def _claim_anew(turn: Turn, claims: Sequence[Claim], by: Withdrawal) -> None:
    """Claim what has been won, and withdraw what turns out not to be; a denied claim stays so."""
    standing = turn.round.claims
    withdraw(turn, [i for i, state in standing.items() if state.claim not in claims], by)
    decided = [*turn.round.denied, *(state.claim for state in standing.values())]
    for claim in claims:
        if claim not in decided:
            _claim(turn, claim)


def withdraw_unfounded(turn: Turn, seats: Collection[int], by: Withdrawal) -> None:
    """Withdraw what these seats no longer claim, in the name of whoever has put something right.

    While hands are keyed the rest is claimed with PAID; by then nobody knows who has agreed to what.
    """
    if turn.state.edition < WITHDRAWN_AT_ONCE:
        return
    claims = turn.round.claims
    of_seats = {i: state.claim for i, state in claims.items() if state.seat in seats}
    standing = [claim for seat in seats for claim in _claims_alone(turn, seat)]
    withdraw(turn, [i for i, claim in of_seats.items() if claim not in standing], by)


def _claims_alone(turn: Turn, seat: int) -> tuple[Claim, ...]:
    """List what a seat claims, whatever is still to be keyed elsewhere."""
    play = turn.round
    if seat not in play.seats:
        return ()
    document, written = round_document(turn.settings, play), _seat(seat, play.seats[seat])
    if play.source == "manual" and play.seats[seat].decision is None:
        written = replace(written, decision=turn.game.stay)
    try:
        return claimed(replace(document, seats=(written,)), turn.game)
    except BadInput:  # PAID says which cards are wrong, and nothing is claimed before
        return tuple(state.claim for state in play.claims_of(seat))


def _contributions_follow(turn: Turn) -> None:
    """Reverse what is returned; contribute again what was returned and now is not."""
    for result in turn.round.results:
        bets = [bet for bet in turn.game.jackpot_bets if bet in result.bets]
        if any(result.bets[bet].outcome == "returned" for bet in bets):
            turn.take_back(result.seat)
            continue
        player = turn.round.seats[result.seat]
        settled = {*player.contributions, *player.not_contributed}
        for bet in [bet for bet in bets if bet not in settled]:
            turn.contribute(result.seat, bet)


def round_document(settings: TableSettings, play: RoundState) -> Round:
    """Write the round as the document that the rules core takes."""
    limits = Limits(ante_min=settings.ante_min_cents, ante_max=settings.ante_max_cents)
    if settings.rules.bonus and settings.bonus_max_cents is not None:
        limits = replace(limits, bonus_max=settings.bonus_max_cents)
    return Round(
        game=settings.game,
        limits=limits,
        # If everybody has withdrawn, the deal may have ended in the middle of the dealer's hand.
        dealer=tuple(play.dealer) if len(play.dealer) == settings.rules.dealer_cards else (),
        community=tuple(play.community),
        seats=_seats(play, play.seats.keys() - unknown_seats(play)),
        draws=UNSET if play.draws is None else play.draws,
    )


def hand_document(settings: TableSettings, play: RoundState, seat: int) -> Round:
    """Write the hand of one seat as such a document, whatever was keyed elsewhere."""
    document = round_document(settings, play)
    return replace(document, dealer=(), seats=(_seat(seat, play.seats[seat]),))


def _seats(play: RoundState, numbers: Container[int]) -> tuple[Seat, ...]:
    """Write the hands of these seats down; of one that shares a card with what was keyed, nothing.

    It lies face down (`by_hand.py` compares the others), and a refusal would tell what it holds.
    """
    shared = {"dealer", "board"} | {str(n) for n in play.seats if n in numbers}
    keyed = {card for place in play.keyed if place in shared for card in play.cards_at(place)}
    return tuple(
        _seat(n, player, known=str(n) in play.keyed or keyed.isdisjoint(player.cards))
        for n, player in play.seats.items()
        if n in numbers
    )


def _seat(number: int, player: SeatState, *, known: bool = True) -> Seat:
    decision = player.decision or ("fold" if player.stakes.get("ante") else UNSET)
    return Seat(
        seat=number,
        cards=tuple(player.cards) if known else (),
        bets=dict(player.stakes),
        decision=decision,
        revealed=player.shown,
        under_min_before=player.under_min_before,
    )


def _claim(turn: Turn, claim: Claim) -> None:
    claim_id = turn.next_id()
    bets = {owner: bet for bet, owner in turn.game.jackpot_bets.items()}
    bet = bets.get(claim.on, next(iter(turn.game.jackpot_bets)))
    play = turn.round
    # A reader that has failed makes nobody's word better: only a table without one goes by keys.
    source = turn.settings.card_source if turn.state.edition > 1 else play.source
    keyed = source != "manual" and _on_keyed_cards(turn, claim)
    words = claim_words(claim, turn.settings.currency)
    made = ClaimState(claim=claim, bet=bet, words=words, on_keyed_cards=keyed)
    made.win = Win(
        id=claim_id,
        table=turn.settings.name,
        round=play.number,
        seat=claim.seat,
        at_ms=turn.at_ms,
        claim=claim,
        dealt_at_ms=play.seats[claim.seat].dealt_at_ms,
        clock=_clock(turn.state),
        final=not made.unconfirmed,
    )
    award_anew(turn, made)
    play.claims[claim_id] = made
    turn.owe(made.win)


def _on_keyed_cards(turn: Turn, claim: Claim) -> bool:
    """Return whether a claim rests on cards that somebody keyed, whoever said they were lost."""
    places = rests_on(turn.game, claim) if turn.state.edition > 1 else {str(claim.seat)}
    return not places.isdisjoint(turn.round.keyed)


def _clock(state: TableState) -> ClockQuality:
    """Return the quality of the clock; one that has jumped is not one to go by, whatever it says."""
    jumped = any(fault.code == "clock_jumped" for fault in state.faults.values())
    return "free" if jumped and state.edition >= JUMPS_COUNT else state.clock


# A round whose cards the table did not follow


def claims_keyed(turn: Turn, event: RoundPaid) -> bool:
    """Claim what the keyed hands have won; if there is nothing to claim, end the round."""
    play = turn.round
    if why := why_not_claimed(turn.state):
        raise Refused(why)
    if play.source != "manual":
        return _known_and_keyed(turn, event)
    for seat in undecided_claims(turn.settings, play) if event.folds_asked else ():
        rule = paragraphs(turn.game.paragraphs.fold)
        raise Refused(f"Seat {seat}: key {turn.game.stay.upper()} or FOLD first ({rule}).")
    document = settled_by_hand(turn.settings, play)
    try:
        claims = claimed(document, turn.game)
    except BadInput as error:
        raise Refused(f"The keyed cards are wrong: {explain_wrong_cards(error)}.") from None
    withdrawn = len(play.withdrawn)
    _claim_anew(turn, claims, PUT_RIGHT)
    _return_unsettled(turn, document)
    turn.state.phase = "settling"
    pay_from_registered_meter(turn)
    # What was withdrawn just now has to be seen before the round is over.
    return True if play.claims or len(play.withdrawn) > withdrawn else round_paid(turn, event)


def undecided_claims(settings: TableSettings, play: RoundState) -> list[int]:
    """List the seats with a keyed hand whose claim a fold would forfeit, and nobody said which."""
    game = settings.rules
    keeps = all(line.on in game.fold_keeps for line in game.lines if line.on == "player")
    if keeps or play.source != "manual":
        return []
    return [
        seat
        for seat, player in play.seats.items()
        if player.cards and player.contributions and player.decision is None
    ]


def _known_and_keyed(turn: Turn, event: RoundPaid) -> bool:
    """Settle the hands that are known, and claim what the keyed ones have won."""
    play, withdrawn = turn.round, len(turn.round.withdrawn)
    try:
        settle_round(turn)
    except BadInput as error:
        raise Refused(f"The keyed cards are wrong: {explain_wrong_cards(error)}.") from None
    seen = play.results or play.claims or len(play.withdrawn) > withdrawn
    return True if seen else round_paid(turn, event)


def settled_by_hand(settings: TableSettings, play: RoundState) -> Round:
    """Write the hands that the dealer settles himself; by hand nobody keys who stays in."""
    document = round_document(settings, play)
    if play.source != "manual":
        return replace(document, seats=_seats(play, unknown_seats(play)))
    seats = tuple(
        replace(seat, decision=settings.rules.stay)
        if play.seats[seat.seat].decision is None
        else seat
        for seat in document.seats
        if seat.bets.get("ante")
    )
    return replace(document, seats=seats)


def returned_by_hand(settings: TableSettings, play: RoundState) -> list[int]:
    """List the seats that the dealer settles himself and whose bets all go back."""
    document = settled_by_hand(settings, play)
    return [seat.seat for seat in document.seats if _goes_back(settings.rules, document, seat)]


def _goes_back(game: Game, document: Round, seat: Seat) -> bool:
    return fate_of(game, document.limits, seat).kind == "returned"


def _return_unsettled(turn: Turn, document: Round) -> None:
    """Reverse the contributions of hands that the dealer settles and whose bets are returned."""
    for seat in document.seats:
        if _goes_back(turn.game, document, seat):
            turn.take_back(seat.seat)


# What is paid


def round_paid(turn: Turn, event: RoundPaid) -> bool:
    """End the round, once every claim is final and has its amount."""
    play = turn.round
    if why := why_not_paid(play):
        raise Refused(why)
    for claim_id, claim in play.claims.items():
        if claim.registered:
            report_paid(turn, claim_id)
    note_paid(turn)
    if not play.void:
        _remember_under_min(turn, event)
        turn.report_round("settled")
    play.dropped = ""
    turn.state.phase, turn.state.paid_at_ms = "idle", event.at_ms
    return True


def _remember_under_min(turn: Turn, event: RoundPaid) -> None:
    """Remember who has had a wager under the minimum settled (I-30)."""
    settled = event.under_min
    if settled is None:
        left = TAKEN_OUT
        low = [seat for seat, _ in _under_min(turn.settings, turn.round)]
        settled = tuple(seat for seat in low if turn.round.seats[seat].decision not in left)
    remembered = turn.state.under_min
    remembered += [seat for seat in settled if seat not in remembered]


def why_not_paid(play: RoundState) -> str:
    """Say why PAID would be refused at the settlement; nothing if it is the next key."""
    return _waiting(play) or (MAY_BE_PAID if play.may_be_paid else why_not_final(play))


def why_not_claimed(state: TableState) -> str:
    """Say why PAID would be refused while hands are keyed, whatever was keyed; or nothing."""
    return _waiting(state.round) or (denied_words(state.round) if state.edition > 1 else "")


def _waiting(play: RoundState) -> str:
    """Say that something is to be put right, before which no round ends; or nothing."""
    waits = play.to_put_right is not None or play.correction is not None
    if not waits or play.void:
        return ""
    return "A correction waits for a pit supervisor: press CANCEL if it is a mistake."


def settled_under_min(settings: TableSettings, play: RoundState) -> tuple[int, ...]:
    """List the seats whose wager under the minimum is settled; one that goes back is not."""
    document = round_document(settings, play)
    return tuple(
        number
        for number, player in _under_min(settings, play)
        if fate_of(settings.rules, document.limits, _seat(number, player)).kind != "returned"
    )


def _under_min(settings: TableSettings, play: RoundState) -> list[tuple[int, SeatState]]:
    """List the seats with a wager under the minimum."""
    return [
        (seat, player)
        for seat, player in play.seats.items()
        if 0 < player.stakes.get("ante", 0) < settings.ante_min_cents
    ]


# A round that has no result


def settle_again(turn: Turn, by: Withdrawal) -> None:
    """Settle again after seats were taken out of a round being settled."""
    play = turn.round
    out = [n for n, player in play.seats.items() if player.taken_out]
    withdraw_claims_of(turn, out, by)
    if play.source != "manual":
        play.results = list(settle(round_document(turn.settings, play), turn.game).seats)
    pay_from_registered_meter(turn)


def void_round(turn: Turn, by: Withdrawal) -> None:
    """Void the round: return every bet and contribution, and claim nothing (I-37)."""
    play = turn.round
    withdraw_claims_of(turn, play.seats, by)
    turn.drop("correction", "to_put_right", "denying", "deciding_award")
    play.void = True
    for seat in play.seats:
        turn.take_back(seat)
    invalid = tuple(
        Seat(seat=number, bets=dict(player.stakes), decision="invalid")
        for number, player in play.seats.items()
    )
    play.results = list(settle(Round(game=turn.settings.game, seats=invalid), turn.game).seats)
    turn.report_round("void")
    turn.begin_settlement()


def register_meter(play: RoundState, meter_cents: int | None, reset_cents: int) -> None:
    """Keep the newest meter with the round: what the jackpot pays if the link is lost."""
    if meter_cents is not None:
        play.meter_cents, play.reset_cents = meter_cents, reset_cents
