"""Rulings: what is chosen, who confirms or withdraws it, and how it is carried out.

How an irregularity becomes a ruling is in `reports.py`; who may confirm what is in
`authority.py`.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Literal

from msgspec import UNSET
from msgspec.structs import replace

from firmware.errors import Refused
from firmware.rules.contract import Action, Facts
from firmware.table.events import OptionChosen, ReportWithdrawn, RulingConfirmed
from firmware.table.irregularities.reports import choices, confirmer, follow_by_key, open_ruling
from firmware.table.settings import HousePolicy
from firmware.table.settlement import (
    check_not_awarded,
    pay_from_registered_meter,
    settle_again,
    void_round,
)
from firmware.table.stages import go_on
from firmware.table.turn import Turn

_CARDS_LOST = frozenset(
    {"foreign_card", "dealer_count_wrong", "community_count_wrong", "player_count_wrong"}
)
"""What the table notices when it can no longer tell which card is whose."""


def option_chosen(turn: Turn, event: OptionChosen) -> bool:
    """Note the choice of a seat, or of the person to whom the matter was referred."""
    incident = turn.state.incident
    offered = choices(incident)
    if event.option not in offered:
        what = f"Choose {' or '.join(offered)}." if offered else "Nothing to choose: press CONFIRM."
        raise Refused(what)
    if incident.ruling.action == "refer":
        incident.chosen = {0: event.option}
        return True
    if event.seat and event.seat not in asked_seats(turn):
        raise Refused(f"Seat {event.seat} has no choice to make.")
    for seat in [event.seat] if event.seat else still_asked(turn):
        incident.chosen[seat] = event.option
    return True


def asked_seats(turn: Turn) -> list[int]:
    """List the seats that have a choice."""
    out = turn.state.incident.ruling.seats
    return [s for s, player in turn.round.seats.items() if player.in_round and s not in out]


def still_asked(turn: Turn) -> list[int]:
    """List the seats that have a choice and have not chosen."""
    return [seat for seat in asked_seats(turn) if seat not in turn.state.incident.chosen]


def ruling_confirmed(turn: Turn, _event: RulingConfirmed) -> bool:
    """Carry out a ruling that the dealer may confirm."""
    incident = turn.state.incident
    if incident.withdrawing:
        raise Refused(
            "A pit supervisor must withdraw this: turn the key, enter your number and PIN."
        )
    if incident.ruling.authority is not None:
        raise Refused(f"The {confirmer(incident.ruling.authority)} must confirm this.")
    carry_out(turn, by="the dealer")
    return True


def report_withdrawn(turn: Turn, _event: ReportWithdrawn) -> bool:
    """Withdraw a report; what the table itself has noticed, only with a supervisor.

    Pressed again before he comes, it cancels the withdrawal.
    """
    incident = turn.state.incident
    if turn.round.correction is not None:
        turn.round.correction = None
    elif incident.noticed:
        incident.withdrawing = not incident.withdrawing
    else:
        _close(turn)
    return True


def withdraw_noticed(turn: Turn) -> None:
    """Continue as if nothing had been noticed."""
    _play_on(turn)


def carry_out(turn: Turn, by: str) -> None:
    """Do what the ruling says, once everybody who is asked has chosen."""
    incident = turn.state.incident
    asked = incident.ruling.options and incident.ruling.action != "refer"
    if asked and incident.ruling.affects == "all" and still_asked(turn):
        seats = ", ".join(map(str, still_asked(turn)))
        raise Refused(f"These seats have not chosen yet: {seats}.")
    if incident.ruling.action == "refer" and not incident.chosen:
        raise Refused(f"Choose first: {' or '.join(choices(incident))}.")
    check_not_awarded(turn.round, _going_out(turn))
    turn.round.rulings.append(f"{incident.words} Confirmed by {by}.")
    _CARRIED_OUT[incident.ruling.action](turn)


def _going_out(turn: Turn) -> Collection[int]:
    """List the seats that get all their bets back if the ruling is carried out now."""
    incident = turn.state.incident
    if "void" in {incident.ruling.action, incident.chosen.get(0)}:
        return turn.round.seats
    if incident.chosen.get(0) == "invalidate":
        return _named_seats(incident.facts)
    withdrawing = [seat for seat, option in incident.chosen.items() if option == "withdraw"]
    return (*incident.ruling.seats, *withdrawing)


def _named_seats(facts: Facts) -> tuple[int, ...]:
    """List the seats that a report is about."""
    if facts.seat is not UNSET:
        return (facts.seat,)
    return () if facts.seats is UNSET else facts.seats


# What a ruling does


def _void(turn: Turn) -> None:
    resume = turn.state.incident.resume
    turn.round.incident = None
    turn.round.waiting = []
    if resume in {"betting", "idle"}:
        # Bets are not closed yet: the players take their chips back themselves.
        turn.round.void = True
        turn.report_round("void")
        turn.state.phase = "idle"
        return
    void_round(turn)


def _go_on(turn: Turn) -> None:
    _close(turn)


def _use_card(turn: Turn) -> None:
    face_up = turn.state.incident.ruling.use_as == "face_up_card"
    if face_up and turn.round.tracked and not turn.round.face_up:
        # Which card that is, only the dealer can say; until then none is shown.
        turn.round.face_up = ""
    _close(turn)


def _options(turn: Turn) -> None:
    chosen = turn.state.incident.chosen
    for seat in [seat for seat, option in chosen.items() if option == "withdraw"]:
        _take_out(turn, seat, "withdrawn")
    _close(turn)


def _invalidate(turn: Turn) -> None:
    incident = turn.state.incident
    for seat in incident.ruling.seats:
        if incident.irregularity == "jackpot_without_ante":
            # The table had assumed an ante; there was none to return.
            turn.round.seats[seat].stakes["ante"] = 0
        _take_out(turn, seat, "invalid")
    _options(turn)


def _refer(turn: Turn) -> None:
    incident = turn.state.incident
    option = incident.chosen[0]
    if option == "void":
        _void(turn)
        return
    if option == "invalidate":
        incident.ruling = replace(incident.ruling, seats=_named_seats(incident.facts))
        incident.chosen = {}
        _invalidate(turn)
        return
    turn.round.by_registered_meter = option == "pay_registered"
    policies: dict[str, HousePolicy] = {
        "close_table": "close_table",
        "disallow_box": "disallow_box",
        "no_jackpot_bets": "no_jackpot_bets",
    }
    if option in policies:
        turn.state.policy = policies[option]
    _play_on(turn)
    if option == "close_table" and turn.state.phase == "idle":
        turn.state.phase = "closed"


_CARRIED_OUT: Mapping[Action, Callable[[Turn], None]] = {
    "void": _void,
    "continue": _go_on,
    "reconstruct": _go_on,
    "use_card": _use_card,
    "refuse": _go_on,
    "stand": _go_on,
    "correct": _go_on,
    "options": _options,
    "invalidate": _invalidate,
    "refer": _refer,
}


def _take_out(turn: Turn, seat: int, decision: Literal["withdrawn", "invalid"]) -> None:
    """Take a seat out of the round; all its bets are returned."""
    if turn.state.doing == "betting":
        # Bets are not closed yet: the bets are lifted, and the box may bet again.
        turn.round.seats.pop(seat, None)
        return
    turn.round.seats[seat].decision = decision
    turn.take_back(seat)
    if turn.state.doing == "settling":
        settle_again(turn)


def _play_on(turn: Turn) -> None:
    """Continue the round; by key, if the table knows that it has lost track of the cards."""
    incident = turn.state.incident
    if incident.noticed and incident.irregularity in _CARDS_LOST:
        follow_by_key(turn)
    _close(turn)


def _close(turn: Turn) -> None:
    """Leave the ruling: back to where the round was, or on if nobody has to act there now."""
    resume = turn.state.incident.resume
    turn.round.incident = None
    turn.state.phase = resume
    if resume in {"dealing", "deciding"}:
        go_on(turn)
    elif resume == "settling":
        pay_from_registered_meter(turn)
    if turn.round.waiting and turn.state.phase != "settling":
        waiting = turn.round.waiting.pop(0)
        open_ruling(turn, waiting.irregularity, waiting.facts, noticed=True)
