"""Rulings: what is chosen, who confirms or withdraws it, and how it is carried out.

How an irregularity becomes a ruling is in `reports.py`; who may confirm what is in
`authority.py`.
"""

from collections.abc import Callable, Container, Mapping
from typing import Literal

from msgspec import UNSET
from msgspec.structs import replace

from firmware.errors import Refused
from firmware.rules.contract import Action, Incident, IrregularityName, Ruling
from firmware.rules.explain import explain_ruling
from firmware.rules.ruling import ruling
from firmware.rules.words import OPTIONS, by_pin, paragraphs, spaced
from firmware.table.awards import pay_from_registered_meter
from firmware.table.events import CorrectionKind, OptionChosen, ReportWithdrawn, RulingConfirmed
from firmware.table.irregularities.reports import (
    PLAYERS_AS_ONE,
    authority_of,
    choices,
    confirmer,
    follow_by_key,
    named_seats,
    open_ruling,
    seats_concerned,
)
from firmware.table.settings import HousePolicy, TableSettings
from firmware.table.settlement import (
    WITHDRAWN_AT_ONCE,
    settle_again,
    void_round,
)
from firmware.table.stages import first_card_out, go_on, turn_down_dealers
from firmware.table.state import IncidentState, TableState, Waiting
from firmware.table.turn import Turn, asked_words
from firmware.table.verdicts import Withdrawal, withdraw_claims_of

_CARDS_LOST = frozenset(
    {"foreign_card", "dealer_count_wrong", "community_count_wrong", "player_count_wrong"}
)
"""What the table notices when it can no longer tell which card is whose."""
_ANYTHING: tuple[CorrectionKind, ...] = ("swap", "went", "order")
_OF_THE_DEAL: Mapping[IrregularityName, tuple[CorrectionKind, ...]] = {
    "misdeal": _ANYTHING,
    "dealing_error": _ANYTHING,
    "player_count_wrong": _ANYTHING,
    "dealer_count_wrong": _ANYTHING,
    "community_count_wrong": _ANYTHING,
    "no_burn": _ANYTHING,
    "simultaneous_draw": ("order",),
    "other": _ANYTHING,
}
"""The dealing errors after which, if play goes on, cards may lie elsewhere: what may be said then."""
_SAYS_WHO_VOIDED = 3
"""The edition since which a withdrawal for another reason says who has decided that: one that was sent
before is sent again as it was."""
_LONGEST_SHOWN = 20
"""So many characters of an option that nobody knows are shown."""


def option_chosen(turn: Turn, event: OptionChosen) -> bool:
    """Note the choice of a seat, or of the person to whom the matter was referred."""
    incident = turn.state.incident
    offered = choices(incident)
    if event.option not in offered:
        if not offered:
            raise Refused(f"Nothing to choose: {_who_confirms(turn)}.")
        what = OPTIONS.get(event.option, event.option[:_LONGEST_SHOWN])
        raise Refused(f"Not a choice here: {what}. Press MENU and pick one.")
    if incident.ruling.action == "refer":
        incident.chosen = {0: event.option}
        return True
    if event.seat and event.seat not in asked_seats(turn.state):
        raise Refused(f"Seat {event.seat} has no choice to make.")
    for seat in _of_the_player(turn, event.seat) if event.seat else still_asked(turn.state):
        incident.chosen[seat] = event.option
    return True


def _who_confirms(turn: Turn) -> str:
    wanted = authority_of(turn.settings, turn.state)
    if turn.state.incident.withdrawing:
        wanted = "pit_supervisor"
    return "press CONFIRM" if wanted is None else f"the {confirmer(wanted)} must confirm this"


def _of_the_player(turn: Turn, seat: int) -> list[int]:
    """List the seats of one player that have a choice: he chooses once for all (I-41)."""
    joined = [seats for seats in turn.round.players if seat in seats and turn.state.edition]
    return [
        other
        for other in asked_seats(turn.state)
        if other == seat or any(other in s for s in joined)
    ]


def asked_seats(state: TableState) -> list[int]:
    """List the seats that have a choice."""
    out = state.incident.ruling.seats
    return [s for s, player in state.round.seats.items() if player.in_round and s not in out]


def still_asked(state: TableState) -> list[int]:
    """List the seats that have a choice and have not chosen."""
    return [seat for seat in asked_seats(state) if seat not in state.incident.chosen]


def must_choose(state: TableState) -> list[int]:
    """List the seats whose choice is needed before the ruling is confirmed."""
    ruled = state.incident.ruling
    asked = ruled.options and ruled.action != "refer" and ruled.affects == "all"
    return still_asked(state) if asked else []


def ruling_confirmed(turn: Turn, event: RulingConfirmed) -> bool:
    """Carry out a ruling that the dealer may confirm."""
    incident = turn.state.incident
    if incident.withdrawing:
        raise Refused(f"{by_pin('pit supervisor')} To withdraw this.")
    wanted = authority_of(turn.settings, turn.state)
    if wanted is not None:
        raise Refused(f"The {confirmer(wanted)} must confirm this.")
    set_stakes(turn, event.remains, event.no_hand)
    dealer = turn.state.on_duty
    by = f"the dealer {dealer.name}" if dealer else "the dealer"
    carry_out(turn, by=by, staff=dealer.staff if dealer else "")
    return True


def set_stakes(turn: Turn, remains: Mapping[str, int], no_hand: Container[int]) -> None:
    """Take what a confirmation means for the stakes, and for who gets a hand."""
    incident = turn.state.incident
    if remains and incident.facts.seat is not UNSET:
        play = turn.round.seat(incident.facts.seat)
        play.stakes.update(remains)
        play.by_memory = False
    turn.round.dealt = [seat for seat in turn.round.dealt if seat not in no_hand]


def confirmed_stakes(
    settings: TableSettings, state: TableState
) -> tuple[dict[str, int], tuple[int, ...]]:
    """Say what the dealer's confirmation means: what remains of stakes, who gets no hand.

    Excess that is refused before the close goes back to the player at once. A box without an
    ante is dealt no hand if no card has left yet (RWS §5.4).
    """
    incident = state.incident
    if incident.irregularity == "over_max" and incident.ruling.action == "refuse":
        return _without_excess(settings, state), ()
    if incident.irregularity == "jackpot_without_ante" and not first_card_out(
        settings, state.round
    ):
        return {}, incident.ruling.seats
    return {}, ()


def _without_excess(settings: TableSettings, state: TableState) -> dict[str, int]:
    """Cut the bets of the seat that are over their maximum; the only one there is, in any case.

    The dealer says that it was over, even if nobody had keyed the amount.
    """
    seat = named_seats(state.incident.facts)[0]
    play = state.round.seats.get(seat)
    stakes = {"ante": state.last_ante_cents.get(seat, 0)} | (play.stakes if play else {})
    most = {"ante": settings.ante_max_cents}
    if settings.rules.bonus and settings.bonus_max_cents is not None:
        most[settings.rules.bonus.name] = settings.bonus_max_cents
    over = {bet: cents for bet, cents in most.items() if stakes.get(bet, 0) > cents}
    return over or (most if len(most) == 1 else {})


def report_withdrawn(turn: Turn, _event: ReportWithdrawn) -> bool:
    """Drop what waits, or withdraw a report; what the table has noticed, only with a supervisor.

    Pressed again before he comes, it cancels the withdrawal.
    """
    incident = turn.state.incident
    if turn.state.edition and turn.drop_asked():
        return True
    called = incident.withdrawing or authority_of(turn.settings, turn.state) is not None
    words = asked_words(turn.state) if called else ""
    if incident.noticed:
        incident.withdrawing = not incident.withdrawing
    else:
        _close(turn)
    if words and not incident.withdrawing:
        _tell_cancelled(turn, words)
    return True


def _tell_cancelled(turn: Turn, words: str) -> None:
    """Tell whom nobody needs any more, where his PIN would confirm something else at once.

    What was dropped before, when the ruling was opened, is told and not this.
    """
    play, phase = turn.round, turn.state.phase
    pays = play.may_be_paid or any(claim.unconfirmed for claim in play.claims.values())
    if not play.dropped and (phase == "ruling" or (phase == "settling" and pays)):
        turn.tell_dropped(words)


def withdraw_noticed(turn: Turn) -> None:
    """Continue as if nothing had been noticed."""
    turn.round.unexplained = False
    _play_on(turn)


def carry_out(turn: Turn, by: str, staff: str = "") -> None:
    """Do what the ruling says, once everybody who is asked has chosen.

    `by` is the person in words, `staff` his number, if it is known.
    """
    incident = turn.state.incident
    if must_choose(turn.state):
        seats = ", ".join(map(str, must_choose(turn.state)))
        raise Refused(f"These seats have not chosen yet: {seats}.")
    if incident.ruling.action == "refer" and not incident.chosen:
        raise Refused("Choose first: press MENU.")
    incident.confirmed_by = staff
    told = [incident.cause, *_decided_words(turn, incident, by), f"Confirmed by {by}."]
    turn.round.rulings.append(" ".join(filter(None, told)))
    _note_examined(turn, incident)
    _note_tellable(turn, incident)
    _CARRIED_OUT[incident.ruling.action](turn)


def _decided_words(turn: Turn, incident: IncidentState, by: str) -> list[str]:
    """Say what was ruled and who chose what, as something that is over."""
    if turn.state.edition < 2:  # noqa: PLR2004  # its number
        return [incident.words]
    asked = Incident(turn.settings.game, incident.irregularity, incident.facts)
    ruled = explain_ruling(asked, incident.ruling, decided=True)
    none = ["Nobody chose: all play on."] if may_leave_choice(turn.state) else []
    return [ruled, *(chosen_words(incident, by) or none)]


def may_leave_choice(state: TableState) -> bool:
    """Return whether somebody is offered a choice that he need not make: then he plays on.

    Only the players whom it concerns choose, and who they are only the people at the table know.
    """
    offered = state.incident.ruling.affects == "affected"
    return offered and bool(still_asked(state))


def chosen_words(incident: IncidentState, decider: str) -> list[str]:
    """Say who has chosen what: the players of these seats, or the person who decides."""
    seats_of: dict[str, list[int]] = {}
    for seat, option in sorted(incident.chosen.items()):
        seats_of.setdefault(option, []).append(seat)
    return [
        f"{_choosers(seats, decider)} chose: {OPTIONS[option]}."
        for option, seats in seats_of.items()
    ]


def _choosers(seats: list[int], decider: str) -> str:
    if seats == [0]:
        return decider[0].upper() + decider[1:]
    return f"Seat{'s' if len(seats) > 1 else ''} {', '.join(map(str, seats))}"


# What a ruling does


def _withdrawal(turn: Turn) -> Withdrawal:
    """Say for the jackpot controller who takes claims out of the round, and why."""
    incident, state = turn.state.incident, turn.state
    why = spaced(incident.irregularity)
    if incident.irregularity == "other" and state.edition >= _SAYS_WHO_VOIDED:
        # It says nothing of what happened; who decided can be asked.
        wanted = authority_of(turn.settings, state)
        why = f"voided by the {confirmer(wanted) if wanted else 'dealer'}"
    return Withdrawal(incident.confirmed_by, f"{why} ({paragraphs([incident.ruling.rule])})")


def _note_examined(turn: Turn, incident: IncidentState) -> None:
    """Let a player look at the hand that he keeps, and at no other of his (RWS §5.19).

    Of hands that he plays in error, those that stay in are his to look at (Megalink §5.10).
    """
    facts, seats = incident.facts, turn.round.seats
    for seat in named_seats(facts) if turn.state.edition >= PLAYERS_AS_ONE else ():
        if incident.irregularity == "extra_hand_examined" and seat in seats:
            seats[seat].blind = seat != facts.first_seat
        elif incident.irregularity == "played_several_positions" and seat in seats:
            seats[seat].blind = seat in incident.ruling.seats


def _note_tellable(turn: Turn, incident: IncidentState) -> None:
    """Let the dealer say how the cards lie after a dealing error, should play go on (I-40)."""
    if incident.irregularity not in _OF_THE_DEAL:
        return
    kinds = _OF_THE_DEAL[incident.irregularity]
    if incident.facts.movable is True:
        kinds = ("swap",)  # complete hands are moved, and nothing else (RWS §5.8.6, Megalink §5.2)
    tellable = turn.round.tellable
    tellable += [kind for kind in kinds if kind not in tellable]


def _void(turn: Turn) -> None:
    resume, waiting = turn.state.incident.resume, turn.round.waiting
    withdrawal = _withdrawal(turn)
    turn.round.incident = None
    turn.state.phase = resume
    turn.round.waiting = []
    for each in waiting:
        _note_unruled(turn, each, "the round is void")
    if resume in {"betting", "idle"}:
        # Bets are not closed yet: the players take their chips back themselves.
        turn.round.void = True
        turn.report_round("void")
        turn.state.phase = "idle"
        return
    void_round(turn, withdrawal)


def _go_on(turn: Turn) -> None:
    _close(turn)


def _use_card(turn: Turn) -> None:
    face_up = turn.state.incident.ruling.use_as == "face_up_card"
    if face_up and turn.round.tracked and not turn.round.face_up:
        # Which card that is, only the dealer can say; until then none is shown.
        turn.round.face_up = ""
        turn_down_dealers(turn.round)
    turn.round.dealer_exposed |= face_up
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
            turn.send_back(seat)
        _take_out(turn, seat, "invalid")
    _options(turn)


def _refer(turn: Turn) -> None:
    incident = turn.state.incident
    option = incident.chosen[0]
    if option == "void":
        _void(turn)
        return
    if option == "invalidate":
        named = named_seats(incident.facts)
        seats = seats_concerned(turn.state, incident.irregularity, named)
        incident.ruling = replace(incident.ruling, seats=seats)
        incident.chosen = {}
        _invalidate(turn)
        return
    if option == "pay_registered" or not turn.state.edition:
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
    by = _withdrawal(turn)
    if turn.state.doing == "settling":
        settle_again(turn, by)
    elif turn.state.doing == "claiming" and turn.state.edition >= WITHDRAWN_AT_ONCE:
        withdraw_claims_of(turn, [seat], by)


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
    if turn.state.edition:
        _take_up_next(turn)
    elif turn.round.waiting and turn.state.phase != "settling":
        waiting = turn.round.waiting.pop(0)
        open_ruling(turn, waiting.irregularity, waiting.facts, noticed=True)


# What was noticed meanwhile


def _take_up_next(turn: Turn) -> None:
    """Rule on what was noticed meanwhile, also if the round has come to its settlement.

    What voids the round comes first: nothing else has to be asked then. What concerns nobody
    any more, because he is out of the round, is only noted.
    """
    waiting = turn.round.waiting
    while waiting:
        voids = [each for each in waiting if _ruled(turn, each).action == "void"]
        following = (voids or waiting)[0]
        waiting.remove(following)
        if _concerns_somebody(turn, _ruled(turn, following)):
            kind, facts = following.irregularity, following.facts
            open_ruling(turn, kind, facts, noticed=True, cause=following.cause)
            return
        _note_unruled(turn, following, "nobody whom it concerns is left in the round")


def _ruled(turn: Turn, waiting: Waiting) -> Ruling:
    return ruling(Incident(turn.settings.game, waiting.irregularity, waiting.facts), turn.game)


def _concerns_somebody(turn: Turn, ruled: Ruling) -> bool:
    """Return whether a ruling can still change what somebody gets."""
    seats = turn.round.seats
    if ruled.action == "options":
        return any(player.in_round for player in seats.values())
    if ruled.action == "void":
        return True
    return any(not player.taken_out for player in seats.values())


def _note_unruled(turn: Turn, waiting: Waiting, why: str) -> None:
    kind = spaced(waiting.irregularity).capitalize()
    turn.round.rulings.append(f"{kind}: noticed too; {why}.")
