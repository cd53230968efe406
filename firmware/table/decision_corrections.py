"""A decision that was keyed wrongly: put right with a pit supervisor, as the chips lie (I-39).

Only while nothing that came after it depended on it. That a player has left is shared by all his
seats (I-41): if he has not left one, he has not left the others that went with it.
"""

from firmware.errors import Refused
from firmware.rules.words import seats_named
from firmware.table.by_hand import leave_by_hand, leaving_by_hand
from firmware.table.claims import bound_by
from firmware.table.dealing import allowed_answers, decide, leave, leaving, playing_seat
from firmware.table.events import DecisionCorrected
from firmware.table.irregularities.reports import PLAYERS_AS_ONE, decision_put_right
from firmware.table.settings import TableSettings
from firmware.table.settlement import VOID, settle_put_right
from firmware.table.stages import current, go_on, stages, wrong_counts
from firmware.table.state import PutRight, RoundState, SeatState
from firmware.table.turn import Turn
from firmware.table.verdicts import Withdrawal


def decision_corrected(turn: Turn, event: DecisionCorrected) -> bool:
    """Note a decision that was keyed wrongly; a supervisor must agree."""
    _check_decision(turn, event.seat, event.decision)
    was = decision_now(turn.settings, turn.round, event.seat)
    if event.decision == was:
        raise Refused(f"Seat {event.seat} has decided so already: {was}.")
    _check_others(turn, event.seat, event.decision)
    turn.ask()
    turn.round.to_put_right = PutRight(
        seat=event.seat,
        words=_words(turn, event.seat, event.decision),
        decision=event.decision,
        about=_last_asked(turn.settings, turn.round, turn.round.seats[event.seat]),
    )
    return True


def check_decision_still(turn: Turn, asked: PutRight) -> None:
    """Refuse a decision that could be put right, as was shown, and no longer can."""
    play = turn.round
    _check_decision(turn, asked.seat, asked.decision)
    _check_others(turn, asked.seat, asked.decision)
    same = _last_asked(turn.settings, play, play.seats[asked.seat]) == asked.about
    if turn.state.edition >= PLAYERS_AS_ONE:
        same = same and _words(turn, asked.seat, asked.decision) == asked.words
    if not same:
        raise Refused(f"Seat {asked.seat} has decided since: key it again.")


def _words(turn: Turn, seat: int, decision: str) -> str:
    """Say what becomes what, and at which of the player's other seats: all that is agreed to."""
    was = decision_now(turn.settings, turn.round, seat)
    alike, again = _back_alike(turn, seat, decision), _back_to_be_asked(turn, seat, decision)
    gone = _gone_too(turn, seat, decision)
    named = seats_named(sorted([seat, *alike])).capitalize()
    words = [f"{named}: {was} becomes {decision}."]
    words += [f"Not absent, to be keyed again: {seats_named(again)}."] if again else []
    words += [f"Absent too: {seats_named(gone)}."] if gone else []
    return " ".join(words)


def set_decision(turn: Turn, seat: int, decision: str, by: Withdrawal) -> None:
    """Put a decision right, and what the player's other seats share with it."""
    alike, again = _back_alike(turn, seat, decision), _back_to_be_asked(turn, seat, decision)
    for other in again:
        _take_back(turn, other)
    for each in (seat, *alike):
        _set_alone(turn, each, decision)
    if turn.round.source != "manual":
        if decision == "absent":
            leave(turn, seat)
        _go_on(turn, by)
    elif decision == "absent":
        leave_by_hand(turn, seat)
    for each in (seat, *alike, *again):
        decision_put_right(turn, each)


def _set_alone(turn: Turn, seat: int, decision: str) -> None:
    play, game, player = turn.round, turn.game, turn.round.seats[seat]
    if play.source == "manual":
        stays = decision == game.stay and turn.state.edition < 2  # noqa: PLR2004  # its number
        player.decision = None if stays else decision
        return
    bet = _take_back(turn, seat)
    decide(game, player, bet, decision)


def _take_back(turn: Turn, seat: int) -> str:
    """Take a seat's last decision back, and give the bet that it was about."""
    play, game, player = turn.round, turn.game, turn.round.seats[seat]
    if play.source == "manual":
        player.decision = None
        return ""
    bet = _last_asked(turn.settings, play, player)
    player.stakes.pop(bet, None)
    player.checked = [each for each in player.checked if each != bet]
    player.keyed = [each for each in player.keyed if each != bet]
    player.decision = None if bet == game.stay else game.stay
    return bet


def _go_on(turn: Turn, by: Withdrawal) -> None:
    play = turn.round
    if turn.state.phase == "claiming" and wrong_counts(turn.settings, play):
        pass  # the round stops until that is ruled on
    elif turn.state.phase != "settling":
        go_on(turn)
    elif current(turn.settings, play) is None:
        settle_put_right(turn, by)
    else:
        # Everybody had folded, so the round was over; now it goes on.
        play.results = []
        go_on(turn)


# The other seats of a player (I-41)


def _not_left(turn: Turn, seat: int, decision: str) -> list[int]:
    """List the other seats that a player has not left if he has not left this one."""
    play = turn.round
    left = decision != "absent" and play.seats[seat].decision == "absent"
    if not left or turn.state.edition < PLAYERS_AS_ONE:
        return []
    his = sorted(play.seats_of_player(seat) - {seat})
    return [each for each in his if each in play.seats and play.seats[each].decision == "absent"]


def _back_to_be_asked(turn: Turn, seat: int, decision: str) -> list[int]:
    """List those of them whose own decision can still be keyed: nobody has said it yet."""
    return [each for each in _not_left(turn, seat, decision) if _can_be_asked(turn, each)]


def _back_alike(turn: Turn, seat: int, decision: str) -> list[int]:
    """List those of them that nobody asks any more: what is said of one holds for all."""
    return [each for each in _not_left(turn, seat, decision) if not _can_be_asked(turn, each)]


def _can_be_asked(turn: Turn, seat: int) -> bool:
    play = turn.round
    bet = _last_asked(turn.settings, play, play.seats[seat])
    return play.source == "manual" or _bets_asked(turn.settings, play)[bet] >= play.stage


def _gone_too(turn: Turn, seat: int, decision: str) -> list[int]:
    """List the other seats that a player has left with this one."""
    if decision != "absent" or turn.state.edition < PLAYERS_AS_ONE:
        return []
    by_hand = turn.round.source == "manual"
    others = leaving_by_hand(turn.round, seat) if by_hand else leaving(turn, seat)
    return sorted({*others} - {seat})


def _check_others(turn: Turn, seat: int, decision: str) -> None:
    """Refuse a correction that cannot hold at the player's other seats."""
    play = turn.round
    about = _last_asked(turn.settings, play, play.seats[seat])
    for other in _back_alike(turn, seat, decision):
        if _last_asked(turn.settings, play, play.seats[other]) != about:
            raise Refused(f"Seat {seat}: its player left seat {other} at another bet; report it.")
        _check_decision(turn, other, decision)
    changed = (*_back_to_be_asked(turn, seat, decision), *_gone_too(turn, seat, decision))
    for other in changed if play.source == "manual" else ():
        _check_not_claimed(turn, other, decision)


# What can be put right


def decision_now(settings: TableSettings, play: RoundState, seat: int) -> str:
    """Return a seat's last decision, as it would be keyed; nothing if it has made none."""
    player = play.seats.get(seat)
    if player is None:
        return ""
    bet = _last_asked(settings, play, player)
    if not player.in_round or play.source == "manual":
        return str(player.decision or "")
    return "check" if bet in player.checked else bet


def _bets_asked(settings: TableSettings, play: RoundState) -> dict[str, int]:
    """Map the bets that the players decide to their stages."""
    every = enumerate(stages(settings, play))
    return {stage.step.bet: place for place, stage in every if stage.kind == "decide"}


def _last_asked(settings: TableSettings, play: RoundState, player: SeatState) -> str:
    """Return the bet of a seat's last decision; nothing if it has made none."""
    asked = list(_bets_asked(settings, play))
    answered = [bet for bet in asked if bet in player.stakes or bet in player.checked]
    if player.in_round:
        return answered[-1] if answered else ""
    return next((bet for bet in asked if bet not in answered), "")


def _check_decision(turn: Turn, seat: int, decision: str) -> None:
    """Refuse a correction on which something that came later depends."""
    play, game = turn.round, turn.game
    if play.void:
        raise Refused(VOID)
    player = playing_seat(turn, seat)
    if player.taken_out:
        raise Refused(f"Seat {seat} is out of the round: return its bets.")
    if play.source == "manual":
        _check_by_hand(turn, seat, decision)
        return
    bet = _last_asked(turn.settings, play, player)
    if not bet:
        raise Refused(f"Seat {seat} has not decided yet.")
    allowed = allowed_answers(game, bet)
    if decision not in allowed:
        raise Refused(f"Seat {seat}: choose {', '.join(allowed[:-1])} or {allowed[-1]}.")
    asked = _bets_asked(turn.settings, play)
    later = [each for each, place in asked.items() if asked[bet] < place < play.stage]
    if later and decision not in {"fold", "absent"}:
        raise Refused(f"Seat {seat}: too late, the {later[0]} has been decided without it.")


def _check_by_hand(turn: Turn, seat: int, decision: str) -> None:
    _check_not_claimed(turn, seat, decision)
    allowed = (turn.game.stay, "fold", "absent")
    if decision not in allowed:
        raise Refused(f"Seat {seat}: choose {', '.join(allowed[:-1])} or {allowed[-1]}.")
    if turn.round.seats[seat].decision is None:
        raise Refused(f"Seat {seat} has not decided yet.")


def _check_not_claimed(turn: Turn, seat: int, decision: str) -> None:
    bound = bound_by(turn.game, turn.round, seat, decision)
    claimed = turn.state.edition > 1 and bool(bound)
    if turn.state.phase == "settling" or claimed:
        raise Refused(f"Seat {seat}: the claims are made; settle the difference by hand.")
