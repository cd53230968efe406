"""Irregularities: how they come about, reported by the dealer or noticed by the table.

The rules core rules (`rules/ruling.py`); here a ruling becomes the phase `ruling`. What is
then chosen, confirmed and carried out is in `rulings.py`; which irregularity can occur when
is in `occasions.py`.
"""

from msgspec import UNSET

from firmware.errors import BadInput, Refused
from firmware.protocol.fault_catalogue import FAULTS, spot_place
from firmware.rules.contract import Facts, Incident, IrregularityName
from firmware.rules.explain import explain_ruling
from firmware.rules.ruling import ruling
from firmware.table.events import (
    FaultNoticed,
    IrregularityReported,
)
from firmware.table.irregularities.occasions import can_occur, filled_in
from firmware.table.playing import go_on, is_of_reader, stop_reading
from firmware.table.settlement import (
    check_not_awarded,
)
from firmware.table.stages import cards_seen, outcome_established
from firmware.table.state import IncidentState, Waiting
from firmware.table.turn import Turn

_PLAYED = frozenset({"drawing", "dealing", "deciding", "revealing", "claiming"})
"""The phases between the close of bets and the settlement."""


def irregularity_reported(turn: Turn, event: IrregularityReported) -> bool:
    """Rule on what the dealer reports."""
    kind, phase = event.irregularity, turn.state.phase
    if not can_occur(kind, phase):
        raise Refused(f"{kind} cannot occur now")
    if phase == "settling" and turn.round.void:
        raise Refused("the round is void already: return every bet, then press PAID")
    facts = filled_in(kind, phase, event.facts, turn.settings, turn.round)
    _check_seats(turn, facts)
    open_ruling(turn, kind, facts, noticed=False)
    return True


def notice(turn: Turn, kind: IrregularityName, facts: Facts) -> None:
    """Rule on what the table has noticed by itself; one thing after another.

    Where the rules let play go on as it is there is nothing to confirm, only to note.
    """
    incident = Incident(turn.settings.game, kind, facts)
    ruled = ruling(incident)
    if ruled.action == "continue" and ruled.authority is None:
        turn.round.rulings.append(explain_ruling(incident, ruled))
    elif turn.state.phase == "ruling":
        turn.round.waiting.append(Waiting(kind, facts))
    else:
        open_ruling(turn, kind, facts, noticed=True)


def open_ruling(turn: Turn, kind: IrregularityName, facts: Facts, *, noticed: bool) -> None:
    """Let the table wait for what becomes of an irregularity."""
    incident = Incident(turn.settings.game, kind, facts)
    try:
        ruled = ruling(incident)
    except BadInput as error:
        raise Refused(str(error)) from None
    if ruled.action == "void":
        check_not_awarded(turn.round, turn.round.seats)
    turn.round.incident = IncidentState(
        irregularity=kind,
        facts=facts,
        ruling=ruled,
        words=explain_ruling(incident, ruled),
        resume=turn.state.phase,
        noticed=noticed,
    )
    turn.state.phase = "ruling"


def _check_seats(turn: Turn, facts: Facts) -> None:
    named = [] if facts.seat is UNSET else [facts.seat]
    named += [] if facts.seats is UNSET else facts.seats
    open_bets = turn.state.phase == "betting"
    there = range(1, turn.settings.seats + 1) if open_bets else turn.round.seats
    for seat in named:
        if seat not in there:
            raise Refused(f"seat {seat} is not in this round")


def interrupted(turn: Turn) -> None:
    """Notice that the power was cut in the middle of a round (I-24)."""
    if turn.state.phase in _PLAYED:
        established = outcome_established(turn.settings, turn.round)
        notice(turn, "interruption", Facts(outcome_established=established))


def link_lost(turn: Turn) -> None:
    """Notice that the jackpot system is not functional while jackpot bets are in the round."""
    play, phase = turn.round, turn.state.phase
    contributed = any(player.contributions for player in play.seats.values())
    at_stake = turn.state.doing in _PLAYED
    unpaid = phase == "settling" and any(c.amount_cents is None for c in play.claims.values())
    if contributed and (at_stake or unpaid):
        notice(turn, "jackpot_fault", Facts(any_player_seen=_seen(turn)))


def _seen(turn: Turn) -> bool:
    return turn.state.phase == "settling" or cards_seen(turn.settings, turn.round)


def device_failed(turn: Turn, event: FaultNoticed) -> None:
    """Notice what a fault does to the round: a reader that fails, a betting device that does."""
    play, doing = turn.round, turn.state.doing
    if is_of_reader(play, event.code, event.where) and doing in {"drawing", "dealing"}:
        reader_failed(turn)
    betting_device = FAULTS[event.code].lock == "spot" and any(
        spot_place(seat, bet) == event.where
        for seat, player in play.seats.items()
        for bet in player.contributions
    )
    if betting_device and doing in _PLAYED and not cards_seen(turn.settings, play):
        notice(turn, "jackpot_fault", Facts(any_player_seen=False))


def reader_failed(turn: Turn) -> None:
    """Stop following the cards; where no player has seen his yet, that interrupts the round."""
    seen = cards_seen(turn.settings, turn.round)
    established = outcome_established(turn.settings, turn.round)
    follow_by_key(turn)
    if not seen:
        notice(turn, "interruption", Facts(outcome_established=established))


def follow_by_key(turn: Turn) -> None:
    """Let the dealer key what matters: the table no longer follows the cards of this round."""
    stop_reading(turn)
    if turn.state.phase in {"dealing", "deciding", "revealing"}:
        go_on(turn)
