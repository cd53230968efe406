"""How an irregularity comes about: what can occur when, what is reported, what is noticed.

The rules core rules (`rules/ruling.py`); here a ruling becomes the phase `ruling`, with the
choices that it offers. The dealer is asked only for facts that nothing senses. Choosing,
confirming and carrying out are in `rulings.py`.
"""

from collections.abc import Collection, Mapping

from msgspec import UNSET
from msgspec.structs import replace

from firmware.errors import BadInput, Refused
from firmware.protocol.fault_catalogue import FAULTS, spot_place
from firmware.rules.contract import Authority, Facts, Incident, IrregularityName, Ruling
from firmware.rules.explain import explain_ruling
from firmware.rules.ruling import NEEDED_FACTS, ruling
from firmware.rules.words import IRREGULARITIES, spaced
from firmware.table.events import FaultNoticed, IrregularityReported
from firmware.table.settings import TableSettings
from firmware.table.stages import (
    cards_seen,
    conclusively_lost,
    go_on,
    is_of_reader,
    outcome_established,
    stop_reading,
)
from firmware.table.state import (
    AFTER_THE_CLOSE,
    CARDS_COME,
    IN_PLAY,
    IncidentState,
    Phase,
    RoundState,
    TableState,
    Waiting,
)
from firmware.table.turn import Turn

_BETTING: frozenset[Phase] = frozenset({"betting"})
_DEALING: frozenset[Phase] = frozenset({"dealing"})
_BETWEEN: frozenset[Phase] = frozenset({"idle"})
# Nothing is reported while lots are drawn: that takes no time.
_DEALT: frozenset[Phase] = IN_PLAY - {"drawing"}
_CLOSED: frozenset[Phase] = AFTER_THE_CLOSE - {"drawing"}
_ROUND: frozenset[Phase] = _BETTING | _CLOSED
_ALWAYS: frozenset[Phase] = _ROUND | _BETWEEN

CAN_OCCUR: Mapping[IrregularityName, frozenset[Phase]] = {
    "foreign_card": _CLOSED,
    "deck_count_wrong": _CLOSED,
    "insufficient_cards": _DEALT,
    "unshuffled": _CLOSED,
    "cards_exposed": _DEALT,
    "dealer_card_exposed": _DEALT,
    "misdeal": _CLOSED,
    "dealer_count_wrong": _CLOSED | _BETTING,
    "community_count_wrong": _CLOSED | _BETTING,
    "player_count_wrong": _CLOSED | _BETTING,
    "no_burn": _CLOSED,
    "dealing_error": _CLOSED,
    "card_face_up_in_shoe": _DEALING,
    "simultaneous_draw": _CLOSED,
    "jackpot_fault": _ROUND,
    "jackpot_fault_persists": _BETWEEN,
    "interruption": _ROUND,
    "extra_hand_examined": _CLOSED,
    "late_bet": _CLOSED,
    "late_increase": _CLOSED,
    "late_withdrawal": _CLOSED,
    "jackpot_without_ante": _ROUND,
    "over_max": _ROUND,
    "under_min": _ROUND,
    "error_in_earlier_round": _ALWAYS,
    "played_several_positions": _CLOSED,
    "hand_not_confidential": _CLOSED,
    "other": _ALWAYS,
}
"""In which phases each irregularity can occur, and so be reported."""

_OF_A_PLAYER: frozenset[IrregularityName] = frozenset({"hand_not_confidential"})
"""What a player did, whatever hand he did it with."""
PLAYERS_AS_ONE = 2
"""The edition since which what happens to a player happens at all his seats (I-41)."""
_LASTING: frozenset[IrregularityName] = frozenset({"interruption", "jackpot_fault"})
"""What lasts while it is dealt with: the power or the link failing again is the same matter."""


def irregularity_reported(turn: Turn, event: IrregularityReported) -> bool:
    """Rule on what the dealer reports."""
    kind, phase = event.irregularity, turn.state.phase
    if phase not in CAN_OCCUR[kind]:
        raise Refused(f"{IRREGULARITIES[kind]}: cannot be reported now.")
    if phase == "settling" and turn.round.void:
        raise Refused("The round is already void: return every bet, then press PAID.")
    facts = _filled_in(kind, turn, event.facts)
    _check_seats(turn, kind, facts)
    open_ruling(turn, kind, facts, noticed=False)
    return True


def _check_seats(turn: Turn, kind: IrregularityName, facts: Facts) -> None:
    named = [] if facts.seat is UNSET else [facts.seat]
    named += [] if facts.seats is UNSET else facts.seats
    there = reportable_seats(turn.settings, turn.state, kind)
    for seat in named:
        if seat not in there:
            raise Refused(f"Seat {seat} is not in this round.")


def reportable_seats(
    settings: TableSettings, state: TableState, kind: IrregularityName
) -> Collection[int]:
    """List the seats that a report can name; a bet that comes too late may be the box's first."""
    any_box = state.phase in {"idle", "betting"} or kind == "late_bet"
    return range(1, settings.seats + 1) if any_box else sorted(state.round.seats)


def _filled_in(kind: IrregularityName, turn: Turn, facts: Facts) -> Facts:
    """Add the facts that the table itself knows; there it overrules the dealer."""
    settings, play = turn.settings, turn.round
    closed = turn.state.phase != "betting"
    known: dict[str, bool] = {"bets_closed": closed}
    in_it = [player for player in play.seats.values() if not player.taken_out]
    if turn.state.edition > 1 and any(player.decision or player.checked for player in in_it):
        # Whoever has decided has seen his cards.
        known["any_player_seen"] = True
    if not closed or facts.before_next_round is UNSET:
        # In the next round's betting, a report is about the round before it.
        known["before_next_round"] = closed
    if facts.outcome_established is UNSET:
        known["outcome_established"] = outcome_established(settings, play)
    return replace(facts, **{name: known[name] for name in known if name in NEEDED_FACTS[kind]})


def notice(turn: Turn, kind: IrregularityName, facts: Facts, cause: str = "") -> None:
    """Rule on what the table itself has noticed, one thing after another; say by what.

    Where the rules let play continue unchanged there is nothing to confirm, only to note.
    """
    incident = Incident(turn.settings.game, kind, facts)
    ruled = ruling(incident, turn.game)
    if ruled.action == "continue" and ruled.authority is None:
        turn.round.rulings.append(f"{cause} {explain_ruling(incident, ruled)}".lstrip())
    elif turn.state.phase != "ruling":
        open_ruling(turn, kind, facts, noticed=True, cause=cause)
    elif not (turn.state.edition and kind in _LASTING and _is_known(turn.round, kind)):
        turn.round.waiting.append(Waiting(kind, facts, cause))


def _is_known(play: RoundState, kind: IrregularityName) -> bool:
    """Return whether something of a kind is being dealt with or waits."""
    waiting = {each.irregularity for each in play.waiting}
    return kind in waiting or (play.incident is not None and play.incident.irregularity == kind)


def is_noticed(play: RoundState, kind: IrregularityName) -> bool:
    """Return whether the table has noticed something of a kind, and it is not settled yet."""
    waiting = {each.irregularity for each in play.waiting}
    incident = play.incident
    is_open = incident is not None and incident.noticed and incident.irregularity == kind
    return is_open or kind in waiting


def open_ruling(
    turn: Turn, kind: IrregularityName, facts: Facts, *, noticed: bool, cause: str = ""
) -> None:
    """Let the table wait until an irregularity is settled."""
    incident = Incident(turn.settings.game, kind, facts)
    try:
        ruled = ruling(incident, turn.game)
    except BadInput as error:
        in_game = error.field != "irregularity"
        why = (
            "some facts are missing or wrong; MENU asks for them" if in_game else "not in this game"
        )
        raise Refused(f"{IRREGULARITIES[kind]}: {why}.") from None
    if kind == "jackpot_fault" and not noticed and not _jackpot_at_stake(turn):
        ruled = _without_jackpot(ruled)
    ruled = replace(ruled, seats=seats_concerned(turn.state, kind, ruled.seats))
    if turn.state.edition:
        _set_aside(turn)
    turn.round.incident = IncidentState(
        irregularity=kind,
        facts=facts,
        ruling=ruled,
        words=explain_ruling(incident, ruled),
        resume=turn.state.doing,
        noticed=noticed,
        cause=cause,
    )
    turn.state.phase = "ruling"


def _set_aside(turn: Turn) -> None:
    """Let nothing wait behind a ruling: a PIN must confirm what the panel shows."""
    if turn.drop_asked():
        turn.round.rulings.append("What waited for a PIN is dropped: key it again if need be.")


def _jackpot_at_stake(turn: Turn) -> bool:
    """Return whether somebody has a jackpot bet in the round; before the close, a chip counts.

    So does one that may lie there, while nobody knows.
    """
    state, seats = turn.state, turn.round.seats.values()
    if not state.edition:
        return True
    if state.phase != "betting":
        return any(player.contributions for player in seats)
    keyed = any(player.stakes.get(bet) for player in seats for bet in turn.game.jackpot_bets)
    return keyed or bool(state.chips()) or state.spots_unknown


def _without_jackpot(ruled: Ruling) -> Ruling:
    """Let play go on where a failed jackpot would void a round that does not depend on it."""
    return Ruling(action="continue", rule="I-36") if ruled.action == "void" else ruled


def choices(incident: IncidentState) -> tuple[str, ...]:
    """List what may be chosen: what the rules offer, or how a referred matter can end."""
    ruled = incident.ruling
    if ruled.action != "refer" or ruled.options:
        return ruled.options
    if incident.irregularity == "jackpot_fault_persists":
        return ("no_jackpot_bets", "close_table")
    if incident.resume == "idle":
        return ("continue",)
    if incident.resume == "betting":
        return ("continue", "void")
    named = incident.facts.seat is not UNSET or incident.facts.seats is not UNSET
    by_meter = ("pay_registered",) if incident.irregularity == "jackpot_fault" else ()
    return ("continue", "void", *(("invalidate",) if named else ()), *by_meter)


def authority_of(settings: TableSettings, state: TableState) -> Authority | None:
    """Say who confirms the ruling that is open, above the dealer.

    Whom the rules name; else the house does not leave it to the dealer alone to void a round,
    or to take a hand out of it, once somebody has seen cards.
    """
    incident = state.incident
    told = incident.facts.any_player_seen is True
    seen = incident.resume == "settling" or (
        incident.resume in IN_PLAY and (told or cards_seen(settings, state.round))
    )
    claims = state.round.claims.values()
    final = any(claim.final for claim in claims)
    by_dealer = not state.edition or (settings.seen_cards_authority == "dealer" and not final)
    if incident.ruling.authority is not None or by_dealer or not seen:
        return incident.ruling.authority
    return "pit_supervisor" if going_out(state) else None


def going_out(state: TableState) -> Collection[int]:
    """List the seats that get all their bets back if the ruling is carried out now."""
    incident = state.incident
    if "void" in {incident.ruling.action, incident.chosen.get(0)}:
        return state.round.seats
    if incident.chosen.get(0) == "invalidate":
        return seats_concerned(state, incident.irregularity, named_seats(incident.facts))
    withdrawing = [seat for seat, option in incident.chosen.items() if option == "withdraw"]
    return (*incident.ruling.seats, *withdrawing)


def named_seats(facts: Facts) -> tuple[int, ...]:
    """List the seats that a report is about."""
    if facts.seat is not UNSET:
        return (facts.seat,)
    return () if facts.seats is UNSET else facts.seats


def seats_concerned(
    state: TableState, kind: IrregularityName, named: tuple[int, ...]
) -> tuple[int, ...]:
    """List the seats that are taken out with those that are named.

    What a player did concerns him and not one hand: every seat of his (Megalink §5.9, I-41).
    """
    if kind not in _OF_A_PLAYER or state.edition < PLAYERS_AS_ONE:
        return named
    his = {*named}.union(*(seats for seats in state.round.players if {*seats} & {*named}))
    return tuple(sorted(his & state.round.seats.keys()))


def confirmer(authority: Authority) -> str:
    """Name the person who turns the key where the rules name an authority.

    The house itself has no number and no PIN; at the table its shift manager acts for it.
    """
    return "shift manager" if authority == "house" else spaced(authority)


def interrupted(turn: Turn) -> None:
    """Notice that the power was cut in the middle of a round (I-24)."""
    state = turn.state
    if (state.doing if state.edition else state.phase) in IN_PLAY:
        established = outcome_established(turn.settings, turn.round)
        _note_outcome(turn)
        notice(turn, "interruption", Facts(outcome_established=established))


def _note_outcome(turn: Turn) -> None:
    """Keep whose fold is the outcome after which play goes on: it may have been keyed wrongly."""
    lost = conclusively_lost(turn.settings, turn.round)
    if lost and turn.state.edition > 1:
        turn.round.lost_at_cuts.append(lost)


def decision_put_right(turn: Turn, seat: int) -> None:
    """Rule again on a power cut whose only outcome was a fold that the player did not make."""
    cuts = turn.round.lost_at_cuts
    if seat in conclusively_lost(turn.settings, turn.round):
        return
    turn.round.lost_at_cuts = [left for cut in cuts if (left := [s for s in cut if s != seat])]
    if len(turn.round.lost_at_cuts) < len(cuts):
        notice(turn, "interruption", Facts(outcome_established=False))


def link_lost(turn: Turn) -> None:
    """Notice that the jackpot system has failed while jackpot bets are in the round."""
    play, state = turn.round, turn.state
    if state.edition > 1:
        _forget_registered_meter(play)
    contributed = any(player.contributions for player in play.seats.values())
    at_stake = state.doing in IN_PLAY
    settling = (state.doing if state.edition else state.phase) == "settling"
    unpaid = settling and any(c.amount_cents is None for c in play.claims.values())
    if contributed and (at_stake or unpaid):
        seen = settling or cards_seen(turn.settings, play)
        notice(turn, "jackpot_fault", Facts(any_player_seen=seen))


def _forget_registered_meter(play: RoundState) -> None:
    """Ask again where somebody decided by which meter is paid: it was about an earlier loss.

    What somebody has decided about one claim, against its award, stands.
    """
    if not play.by_registered_meter:
        return
    play.by_registered_meter = False
    for claim in play.claims.values():
        if claim.registered and not claim.decided_by:
            claim.amount_cents, claim.registered = None, False


def device_failed(turn: Turn, event: FaultNoticed) -> None:
    """Notice what a fault does to the round: a reader or a betting device has failed."""
    play, doing = turn.round, turn.state.doing
    if is_of_reader(play, event.code, event.where) and doing in {"drawing", "dealing"}:
        reader_failed(turn)
    betting_device = FAULTS[event.code].lock == "spot" and any(
        spot_place(seat, bet) == event.where
        for seat, player in play.seats.items()
        for bet in player.contributions
    )
    if betting_device and doing in IN_PLAY and not cards_seen(turn.settings, play):
        notice(turn, "jackpot_fault", Facts(any_player_seen=False))


def reader_failed(turn: Turn, cause: str = "") -> None:
    """Stop following the cards; if no player has seen his yet, that interrupts the round."""
    seen = cards_seen(turn.settings, turn.round)
    established = outcome_established(turn.settings, turn.round)
    if not seen:
        _note_outcome(turn)
    follow_by_key(turn)
    if not seen:
        notice(turn, "interruption", Facts(outcome_established=established), cause)
    elif cause:
        turn.round.rulings.append(f"{cause} This round goes on by hand.")


def follow_by_key(turn: Turn) -> None:
    """Let the dealer key what matters: the table no longer follows the cards of this round."""
    stop_reading(turn)
    if turn.state.phase in CARDS_COME:
        go_on(turn)
