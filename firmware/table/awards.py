"""What a claim is worth: whether an award is believed, and what the table pays by itself.

The jackpot controller says what a claim is paid. The table knows the claim, the pay table and
the meter that the claim holds, and doubts an award that the claim cannot be worth, or that
contradicts an earlier one: then nothing is paid on it before somebody has decided, by name. If
the link is down after the cards were seen, the table pays from the meter that the claim holds,
or else from the one last registered (I-28). How a claim is withdrawn is in `verdicts.py`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from msgspec import UNSET

from firmware.errors import Refused
from firmware.protocol.obligations import Verdict, moment
from firmware.rules.award import award
from firmware.rules.contract import Authority, Claims, EnteredClaim, Meter, Settings
from firmware.rules.game import Game
from firmware.table.events import AwardDecided, AwardGranted
from firmware.table.locks import after_others
from firmware.table.settings import TableSettings
from firmware.table.state import AwardChoice, ClaimState, PaidClaim, TableState
from firmware.table.turn import Turn, fault_key

AWARDS_CHECKED = 2
"""The edition since which awards are checked."""
UNCLAIMED = "no claim"
"""Where the fault is if something is awarded that this table has not claimed."""
MOST_REMEMBERED = 64
"""For how many claims that are over a late award is still compared; no round has more than a few."""


# What the table pays by itself


def pay_from_registered_meter(turn: Turn) -> None:
    """Set the amounts of claims by the table's own meter while the link is down (I-28).

    Only if the game's rules let play continue on that meter, or somebody has decided so
    (`rulings.py`). An award that comes before anybody was told to pay it replaces it.
    """
    play = turn.round
    # All of them together: what falls away or comes in later changes what the others are worth.
    waiting = {
        claim_id: claim
        for claim_id, claim in play.claims.items()
        if (claim.amount_cents is None or claim.registered)
        and not (claim.doubted or claim.decided_by)
    }
    by_meter = play.by_registered_meter or _plays_on(turn.settings)
    if turn.state.link_healthy or not waiting or not by_meter:
        return
    for claim_id, amount_cents in _own_amounts(turn, waiting).items():
        play.claims[claim_id].amount_cents = amount_cents
        play.claims[claim_id].registered = True


def _plays_on(settings: TableSettings) -> bool:
    """Return whether the rules themselves pay on the registered meter once cards were seen."""
    cases = settings.rules.irregularities.get("jackpot_fault", (settings.rules.silent,))
    return any(
        case.action == "continue" and case.when.get("any_player_seen") is True for case in cases
    )


def _own_amounts(turn: Turn, waiting: dict[str, ClaimState]) -> dict[str, int]:
    """Ask the rules core what claims are worth, each from the meter that it holds.

    What holds none is paid after what does; where nothing is held, from the registered meter.
    """
    play = turn.round
    holding = {i: claim for i, claim in play.claims.items() if claim.locked_cents is not None}
    held = {i: (claim.locked_cents or 0, claim.locked_reset_cents) for i, claim in holding.items()}
    last = min(held.values(), default=(play.meter_cents or 0, play.reset_cents))
    # Those of them that are awarded already were paid from the same meter.
    together: dict[tuple[int, int], list[EnteredClaim]] = defaultdict(list)
    for claim_id, claim in (holding | waiting).items():
        together[held.get(claim_id, last)].append(_entered(turn, claim_id, claim))
    worth: dict[str, int] = {}
    for (value, reset), claims in together.items():
        worth |= _paid_from(turn, Meter(value=value, reset=reset), claims)
    return {claim_id: worth[claim_id] for claim_id in waiting}


def _paid_from(turn: Turn, meter: Meter, claims: Iterable[EnteredClaim]) -> dict[str, int]:
    choice = Settings(straight_flush_share=turn.settings.straight_flush_share)
    answer = award(Claims(turn.settings.game, meter, tuple(claims), choice), turn.game)
    return {paid.id: paid.amount for paid in answer.awards}


def _entered(turn: Turn, claim_id: str, state: ClaimState) -> EnteredClaim:
    claim, player = state.claim, turn.round.seats[state.seat]
    return EnteredClaim(
        id=claim_id,
        table=turn.settings.name,
        round=turn.round.number,
        seat=claim.seat,
        tier=claim.tier,
        dealt_at=moment(player.dealt_at_ms),
        entered_at=moment(turn.at_ms),
        percent=UNSET if claim.percent is None else claim.percent,
        amount=UNSET if claim.amount is None else claim.amount,
        on=claim.on,
        level=claim.level,
    )


# What the controller awards


def judge_award(turn: Turn, claim: ClaimState, event: AwardGranted) -> bool:
    """Believe an award that is not paid yet, or lock its payment; return whether it is news."""
    if claim.award_cents == event.amount_cents:
        return False
    reckoned_cents = _reckoned_cents(turn, claim, event)
    if claim.award_cents is not None:
        # Two awards contradict each other: neither is believed more than the table's own, and one
        # that is the table's own leaves nothing to decide.
        own_cents = claim.reckoned_cents if claim.doubted else claim.amount_cents
        own_cents = claim.award_cents if own_cents is None else own_cents
        reckoned_cents = None if event.amount_cents == own_cents else own_cents
    elif claim.stands_registered:
        # The rules let the table pay from the meter registered before the malfunction (I-28), and
        # somebody was told to: no award replaces that in silence.
        own_cents = claim.amount_cents
        reckoned_cents = None if event.amount_cents == own_cents else own_cents
    claim.award_cents, claim.registered, claim.decided_by = event.amount_cents, False, ""
    claim.winners = event.winners
    claim.amount_cents = event.amount_cents if reckoned_cents is None else None
    claim.reckoned_cents = reckoned_cents
    if reckoned_cents is None:
        end_doubt(turn, event.id, by="an award that the claim is worth")
    else:
        _drop_choice(turn, event.id)
        money = turn.settings.money
        amounts = f"awarded {money(event.amount_cents)}, worth {money(reckoned_cents)}"
        _doubt(turn, event.id, f"seat {claim.seat}, {claim.words.partition(',')[0]}: {amounts}")
    return True


def judge_late_award(turn: Turn, event: AwardGranted, *, was_owed: bool) -> bool:
    """Compare an award with what was paid on the claim; return whether it is news.

    Nothing was paid on one that was withdrawn, and its award may have been on its way: a second
    one contradicts it all the same. What this table has never claimed, nobody can award it.
    """
    paid = turn.state.paid.get(event.id)
    if paid is None:
        return not was_owed and _doubt_unclaimed(turn, event)
    if event.amount_cents in {paid.paid_cents, paid.award_cents}:
        return False
    before_cents, paid.award_cents = paid.award_cents, event.amount_cents
    if paid.withdrawn and (before_cents is None or _may_change(turn, event.id)):
        return True
    money = turn.settings.money
    before = f"paid {money(paid.paid_cents)}"
    if paid.withdrawn:
        before = f"withdrawn, awarded {money(before_cents or 0)} before"
    _doubt(turn, event.id, f"{before}, awarded {money(event.amount_cents)}")
    return True


def _doubt_unclaimed(turn: Turn, event: AwardGranted) -> bool:
    """Note an award for nothing; further ones are not told, for anybody can make up many."""
    if fault_key("award_doubted", UNCLAIMED) in turn.state.faults:
        return False
    awarded = turn.settings.money(event.amount_cents)
    words = f"awarded {awarded} on {event.id}, which this table has not claimed"
    _doubt(turn, UNCLAIMED, words)
    return True


def _may_change(turn: Turn, claim_id: str) -> bool:
    """Return whether another withdrawal may have changed an award that was under way (I-37)."""
    withdrawn = turn.round.withdrawn
    return claim_id in withdrawn and any(
        isinstance(owed, Verdict) and owed.win in withdrawn and owed.win != claim_id
        for owed in turn.state.owed.values()
    )


def note_paid(turn: Turn) -> None:
    """Remember what was paid on the claims of the round, for an award that still comes."""
    paid = turn.state.paid
    for claim_id, claim in turn.round.claims.items():
        paid[claim_id] = PaidClaim(claim.amount_cents or 0, claim.award_cents)
    _forget_oldest(paid)


def note_withdrawn(turn: Turn, claim_id: str, award_cents: int | None) -> None:
    """Remember that nothing is paid on a claim, for an award that still comes."""
    turn.state.paid[claim_id] = PaidClaim(0, award_cents, withdrawn=True)
    _forget_oldest(turn.state.paid)


def _forget_oldest(paid: dict[str, PaidClaim]) -> None:
    for claim_id in list(paid)[:-MOST_REMEMBERED]:
        del paid[claim_id]


def _doubt(turn: Turn, claim_id: str, detail: str) -> None:
    """Note the doubt as a fault, with both amounts; a new one is told again."""
    turn.begin_fault("award_doubted", claim_id, detail)


def end_doubt(turn: Turn, claim_id: str, by: str) -> None:
    """Let a doubt end: somebody has decided, or nothing is paid on the claim."""
    _drop_choice(turn, claim_id)
    key = fault_key("award_doubted", claim_id)
    if key in turn.state.faults:
        turn.end_fault(key, by=by)


def _drop_choice(turn: Turn, claim_id: str) -> None:
    """Drop what was to be paid on a claim: it was chosen between other amounts, or is not paid."""
    choice = turn.round.deciding_award
    if choice is not None and choice.claim == claim_id:
        turn.drop("deciding_award")


def _reckoned_cents(turn: Turn, claim: ClaimState, event: AwardGranted) -> int | None:
    """Return what the claim is worth by the table's own reckoning; None if it is the award."""
    if claim.claim.percent is None:
        fixed_cents = claim.claim.amount or 0
        return None if event.amount_cents == fixed_cents else fixed_cents
    stated_cents, reset_cents = event.meter_cents, turn.round.reset_cents
    if claim.locked_cents is not None:
        reset_cents = claim.locked_reset_cents
    sharers = [each for each in turn.round.claims.values() if _shares(turn.game, claim, each)]
    possible = any(
        least <= (stated_cents or 0) <= most for least, most in _meters(turn, claim, event)
    )
    if stated_cents is not None and possible and 1 <= event.winners <= len(sharers):
        meter = Meter(value=stated_cents, reset=reset_cents)
        own_cents = _share_cents(turn, claim, meter, event.winners)
    else:
        waiting = {i: c for i, c in turn.round.claims.items() if c.claim.percent is not None}
        own_cents = _own_amounts(turn, waiting)[event.id]
    return None if event.amount_cents == own_cents else own_cents


def _shares(game: Game, claim: ClaimState, other: ClaimState) -> bool:
    """Return whether two claims of the round are paid together; a claim is with itself."""
    same = other.claim.tier == claim.claim.tier and other.claim.percent is not None
    return other is claim or (same and claim.claim.tier in game.payment.sharing)


def _share_cents(turn: Turn, claim: ClaimState, meter: Meter, winners: int) -> int:
    """Return what each of this many claims like this one is paid from a meter."""
    alike = [_entered(turn, str(number), claim) for number in range(winners)]
    return _paid_from(turn, meter, alike)["0"]


def _meters(turn: Turn, claim: ClaimState, event: AwardGranted) -> Iterator[tuple[int, int]]:
    """Yield the least and the most that the meter can have been when the claim was paid.

    By the meter that it holds and by no other: the one that is heard later may be the reset one.
    Where it holds none it may have been paid at once, from about the meter that was heard last; or
    awarded anew, from about what it held before, less what void rounds have taken back since.
    """
    if claim.locked_cents is not None:
        reset_cents, beside = claim.locked_reset_cents, claim.locked_beside
        yield after_others(claim.locked_cents, reset_cents, beside, event.unheard_cents)
        return
    play = turn.round
    heard = (play.meter_cents, event.heard_cents, claim.held_before_cents)
    known = [cents for cents in heard if cents is not None]
    if known:
        resets = (play.reset_cents, event.heard_reset_cents or play.reset_cents)
        least_cents = min(*known, *resets)
        if claim.held_before_cents is not None:
            least_cents = max(0, least_cents - event.unheard_cents)
        # A hit elsewhere may have lowered the meter to its reset value, or raised it to that.
        yield least_cents, max(*known, *resets) + event.unheard_cents


# What a person decides about a doubted award


def decides_awards(game: Game) -> Authority:
    """Say who decides what is paid: whom the game's document names where it says nothing."""
    return game.silent.authority or "house"


def award_decided(turn: Turn, event: AwardDecided) -> bool:
    """Note what is to be paid on a claim whose award is doubted; who decides it comes next."""
    claims = turn.round.claims.items()
    of_seat = [i for i, claim in claims if claim.seat == event.seat]
    doubted = [
        claim_id
        for place, claim_id in enumerate(of_seat, start=1)
        if turn.round.claims[claim_id].doubted and event.which in {0, place}
    ]
    if not doubted:
        raise Refused(f"Seat {event.seat} has no award that is in doubt.")
    if len(doubted) > 1:
        raise Refused(f"Which claim of seat {event.seat}? Key its number after the seat.")
    turn.ask()
    turn.round.deciding_award = AwardChoice(doubted[0], event.pay)
    return True


def decide_award(turn: Turn, staff: str, name: str) -> None:
    """Pay what somebody has decided on a claim; the controller is told what, if not the award."""
    choice = turn.round.deciding_award
    if choice is None:
        raise AssertionError("no award is waiting to be decided")
    turn.round.deciding_award = None
    claim = turn.round.claims[choice.claim]
    claim.registered = choice.pay == "reckoned"
    claim.amount_cents = claim.reckoned_cents if claim.registered else claim.award_cents
    claim.reckoned_cents, claim.decided_by = None, staff
    end_doubt(turn, choice.claim, name)


def check_decided(state: TableState, claim_id: str) -> None:
    """Refuse to clear the doubt about an award before it is decided what is paid."""
    claim = state.round.claims.get(claim_id)
    if claim is not None and claim.doubted:
        if state.phase == "ruling":
            raise Refused("Deal with the irregularity first.")
        raise Refused(
            f"First decide what seat {claim.seat} is paid: PAYOUT {claim.seat} awarded, "
            f"PAYOUT {claim.seat} reckoned, or NOTCONFIRMED {claim.seat} and the reason."
        )
