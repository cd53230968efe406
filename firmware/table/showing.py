"""Whether a hand is shown, and so claims: said before the reveal or after it, and taken back.

A player need not show his hand (RWS §4.3, I-8 to I-10). Once it lies face up and claims, or may
claim, it is a pit supervisor who takes its showing back. What he has agreed to, that it is not shown
or that a claim is not confirmed, is taken back with him: the claim is then made again, under a new
id (I-37, I-39).
"""

from firmware.errors import Refused
from firmware.rules.contract import Claim
from firmware.rules.game import Game
from firmware.table.claims import claims_on_hand
from firmware.table.dealing import hand_not_shown, playing_seat
from firmware.table.events import HandNotShown
from firmware.table.settlement import PUT_RIGHT, check_not_void, settle_or_key
from firmware.table.stages import current
from firmware.table.state import PutRight, RoundState
from firmware.table.turn import Turn
from firmware.table.verdicts import Withdrawal


def shown_or_not(turn: Turn, event: HandNotShown) -> bool:
    """Take it after the reveal, too, that a player does not show his hand, or does after all."""
    check_not_void(turn)
    words = _asked_for(turn, event)
    claims_again = bool(words) and event.shown
    if not claims_again and (turn.state.phase == "settling" or turn.state.edition > 1):
        _check_not_final(turn, event.seat)
    if words:
        turn.ask()
        turn.round.to_put_right = PutRight(seat=event.seat, words=words, shown=event.shown)
        return True
    if not hand_not_shown(turn, event):
        return False
    _settle_by_it(turn, PUT_RIGHT)
    return True


def set_shown(turn: Turn, asked: PutRight, by: Withdrawal) -> None:
    """Take a hand's showing back, or its hiding, or that a claim was not confirmed, with authority."""
    play, player = turn.round, playing_seat(turn, asked.seat)
    if not asked.shown:
        _check_not_final(turn, asked.seat)
    if asked.shown and player.shown:
        again = claimed_again(play, asked.seat)
        play.denied = [claim for claim in play.denied if claim not in again]
    player.shown = asked.shown is True
    player.hidden_agreed = not player.shown
    _settle_by_it(turn, by)


def claimed_again(play: RoundState, seat: int) -> list[Claim]:
    """List what a supervisor has not confirmed at a seat, and may take back until PAID."""
    return [claim for claim in play.denied if claim.seat == seat and claim not in play.rejected]


def may_be_shown(game: Game, play: RoundState, seat: int) -> bool:
    """Return whether SHOWN changes anything at a seat: it is hidden, or claims again."""
    player = play.seats[seat]
    if player.shown or not player.stakes.get("ante"):
        return bool(claimed_again(play, seat))
    return not any(claim.final for claim in claims_on_hand(game, play, seat))


def _asked_for(turn: Turn, event: HandNotShown) -> str:
    """Say what a supervisor is asked for; nothing if the dealer alone may say it."""
    play, player = turn.round, playing_seat(turn, event.seat)
    if turn.state.edition < 2:  # noqa: PLR2004  # its number
        return ""
    if not player.shown:
        agreed = event.shown and player.hidden_agreed
        return f"Seat {event.seat}: hand shown after all." if agreed else ""
    if event.shown:
        again = claimed_again(play, event.seat)
        return f"Seat {event.seat}: JACKPOT claimed again." if again else ""
    return f"Seat {event.seat}: hand not shown, no JACKPOT." if _counts_face_up(turn, event) else ""


def _counts_face_up(turn: Turn, event: HandNotShown) -> bool:
    """Return whether a hand lies face up, and so wins or claims: then the dealer is not alone.

    Whether one that is still to be looked at would claim is not asked: the board may not be keyed yet.
    """
    play, player = turn.round, turn.round.seats[event.seat]
    counts = player.cards and (player.in_round or player.contributions)
    turned_up = turn.state.phase == "claiming" and current(turn.settings, play) is None
    settled = turn.state.phase == "settling"
    claims = claims_on_hand(turn.game, play, event.seat)
    return bool(claims or settled or (counts and turned_up))


def _check_not_final(turn: Turn, seat: int) -> None:
    if any(claim.final for claim in claims_on_hand(turn.game, turn.round, seat)):
        raise Refused(f"Seat {seat}'s claim is final: NOTCONFIRMED {seat} first.")


def _settle_by_it(turn: Turn, by: Withdrawal) -> None:
    """Settle by what is shown now; hands that are keyed are claimed with PAID."""
    if turn.state.phase != "claiming":
        settle_or_key(turn, by)
