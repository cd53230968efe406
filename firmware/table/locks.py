"""The meter that a claim holds: which the table believes, and what can be left of it.

The jackpot controller says with each list of pending majors which meter they hold. A table knows
the meter that it registered with the round and those that it has heard: what cannot be beside them
is not kept with the claim, and is a fault. A claim that holds a meter is worth what is left of it
after the majors that were named beside it, and nothing else: whatever a table has missed while it
was cut off, a person decides.
"""

from collections.abc import Iterable

from firmware.table.events import BelievedMeter, MeterLocked
from firmware.table.state import ClaimState
from firmware.table.turn import Turn, fault_key

LOCK_PLACE = "pending"
"""Where the fault of a meter that cannot be held is."""
_WHOLE = 100


def meter_locked(turn: Turn, event: MeterLocked) -> bool:
    """Keep with each claim the meter that it holds: what it is paid from, whatever comes after."""
    changed = False
    for claim_id in event.ids:
        claim = turn.round.claims.get(claim_id)
        if claim is None or claim.stands_registered:
            continue
        beside = [share for i, share in event.shares if i != claim_id]
        held = (event.meter_cents, event.reset_cents, beside)
        if held == (claim.locked_cents, claim.locked_reset_cents, claim.locked_beside):
            continue
        if not _can_be_held(turn, claim, event):
            changed = _doubt(turn, claim, event) or changed
            continue
        claim.locked_cents, claim.locked_reset_cents, claim.locked_beside = held
        changed = True
    return changed


def after_others(
    meter_cents: int, reset_cents: int, percents: Iterable[int], unheard_cents: int
) -> tuple[int, int]:
    """Return the least and the most that is left after any of these others were paid first.

    One of them may have been paid by its table, from a meter that it had heard a moment before: so
    much more may be gone, or left above the reset value. Nobody who is paid adds to the meter.
    """
    least_cents = most_cents = meter_cents
    others = list(percents)
    if not others:
        return meter_cents, meter_cents
    if _WHOLE in others:
        least_cents = min(least_cents, reset_cents)
        most_cents = max(most_cents, reset_cents + unheard_cents)
    for percent in [each for each in others if each < _WHOLE]:
        least_cents -= max(least_cents, reset_cents) * percent // 100
    return max(0, least_cents - unheard_cents), most_cents


def _can_be_held(turn: Turn, claim: ClaimState, event: MeterLocked) -> bool:
    heard = [c for c in (turn.round.meter_cents, event.heard_cents) if c is not None]
    held = [c for c in (claim.held_before_cents, claim.locked_cents) if c is not None]
    known = [*heard, *held]
    if not known:
        return True  # nothing is known that could contradict it
    resets = {turn.round.reset_cents}
    if event.heard_cents is not None:
        resets.add(event.heard_reset_cents)
    # An award that is taken back may restore any meter that was heard before it. What is unheard is
    # above a meter that was heard, never above what was held: else each list would raise it again.
    most_cents = max([*held, *(cents + event.unheard_cents for cents in heard)])
    least_cents = max(0, min(*known, *resets) - event.unheard_cents)
    if claim.locked_cents is None:
        # Where the meter was below its reset value, somebody else's hit has raised it.
        most_cents = max(most_cents, *(cents + event.unheard_cents for cents in resets))
    else:
        least_cents, left_cents = _left(turn, claim, event.unheard_cents)
        most_cents = max(most_cents, left_cents)
        resets.add(claim.locked_reset_cents)
    return least_cents <= event.meter_cents <= most_cents and event.reset_cents in resets


def _left(turn: Turn, claim: ClaimState, unheard_cents: int) -> tuple[int, int]:
    """Return what can be left of the meter that a claim holds, when the next list comes.

    A minor that is a share is paid at once, in its own time, even from a meter that is held (I-43).
    """
    lines, held_cents = turn.game.lines, claim.locked_cents or 0
    reset_cents = claim.locked_reset_cents
    at_once = [line.percent for line in lines if line.level == "minor" and line.percent is not None]
    others = [*claim.locked_beside, *([max(at_once)] if at_once else [])]
    least_cents, most_cents = after_others(held_cents, reset_cents, others, unheard_cents)
    if held_cents <= reset_cents + unheard_cents:
        # The whole meter was won just before. If that is taken back (I-37) and the meter had been
        # below its reset value, it falls to where it was.
        lowest_cents = min(turn.round.meter_cents or 0, reset_cents)
        least_cents = min(least_cents, max(0, lowest_cents - unheard_cents))
    return least_cents, most_cents


def _doubt(turn: Turn, claim: ClaimState, event: MeterLocked) -> bool:
    """Note that the claim cannot hold this meter; return whether that is news."""
    if fault_key("meter_doubted", LOCK_PLACE) in turn.state.faults:
        return False
    held = event.meter_cents if event.meter_cents != claim.locked_cents else event.reset_cents
    known_cents = turn.round.meter_cents if claim.locked_cents is None else claim.locked_cents
    money = turn.settings.money
    detail = f"seat {claim.seat} cannot hold {money(held)} after {money(known_cents or 0)}"
    turn.begin_fault("meter_doubted", LOCK_PLACE, detail)
    if event.heard_cents is not None:
        turn.state.believed_meter = BelievedMeter(
            meter_cents=event.heard_cents,
            reset_cents=event.heard_reset_cents,
            books=event.heard_books,
        )
    return True
