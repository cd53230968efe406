"""What was keyed wrongly, or lies there otherwise: stakes after the close.

A BET that is not the prescribed multiple is the dealer's to key, until PAID (I-38). Anything else
is corrected as the chips lie (RWS §5.21, hold'em §5.20): by the dealer alone before the first
card, after it with a pit supervisor, for whom the correction waits (I-39). Contributions and
claims follow. Decisions are in `decision_corrections.py`, what is keyed before the close is in
`betting.py`, taking back the last key in `undo.py`.
"""

from msgspec.structs import replace

from firmware.errors import Refused
from firmware.rules.contract import MAX_CENTS
from firmware.rules.game import Game
from firmware.rules.words import bet_name
from firmware.table.betting import (
    NO_SUCH_BET,
    bets_before_the_deal,
    check_jackpot_bet,
    check_seat,
    forget_seat,
    remember_bonus,
    under_min_before,
)
from firmware.table.boxes import why_no_bets
from firmware.table.by_hand import key_again
from firmware.table.dealing import playing_seat
from firmware.table.decision_corrections import check_decision_still, set_decision
from firmware.table.events import BetKeyed
from firmware.table.settlement import (
    PUT_RIGHT,
    VOID,
    settle_put_right,
    withdraw_unfounded,
)
from firmware.table.showing import set_shown
from firmware.table.stages import (
    first_card_out,
    go_on,
    stages,
    turn_down_dealers,
)
from firmware.table.state import CARDS_COME, PutRight, RoundState, SeatState
from firmware.table.turn import Turn
from firmware.table.verdicts import Withdrawal

_NOTICED_EARLY = 2
"""The edition since which a forgotten seat can be keyed while its last cards are still to come."""


def stake_corrected(turn: Turn, event: BetKeyed) -> bool:
    """Take what lies in a box after the close: at once, or once a supervisor has agreed."""
    check_seat(turn, event.seat)
    _check_amount(turn, event)
    seat, bet, cents = event.seat, event.bet, event.stake_cents
    if bet not in bets_before_the_deal(turn.game):
        _key_decided_bet(turn, event)
        return True
    _check_stake(turn, event)
    if first_card_out(turn.settings, turn.round) or _wins_are_known(turn, bet):
        turn.ask()
        words = _stake_words(turn, event)
        turn.round.to_put_right = PutRight(seat=seat, words=words, bet=bet, stake_cents=cents)
    else:
        _set_stake(turn, seat, bet, cents, PUT_RIGHT)
    return True


def _wins_are_known(turn: Turn, bet: str) -> bool:
    """Return whether the lots are drawn that a jackpot bet may win on: nobody adds one alone."""
    drawn = turn.round.draws is not None
    return drawn and bet in turn.game.jackpot_bets and turn.state.edition > 1


def _check_amount(turn: Turn, event: BetKeyed) -> None:
    seat, bet, cents = event.seat, event.bet, event.stake_cents
    if turn.round.void:
        raise Refused(VOID)
    if bet not in turn.game.bet_names:
        raise Refused(NO_SUCH_BET)
    if cents > MAX_CENTS:
        raise Refused(f"Seat {seat}: that {bet_name(bet)} is too large.")
    if cents == stake_now_cents(turn.round, seat, bet):
        raise Refused(f"Seat {seat}: the {bet_name(bet)} is {turn.settings.money(cents)} already.")


def _stake_words(turn: Turn, event: BetKeyed) -> str:
    """Say what becomes what; the supervisor agrees to what it means for the deal, too."""
    seat, bet, cents = event.seat, event.bet, event.stake_cents
    now_cents, money = stake_now_cents(turn.round, seat, bet), turn.settings.money
    if bet == "ante" and not cents:
        return f"Seat {seat}: not playing, its ante was {money(now_cents)}. Its hand is taken out."
    if bet == "ante" and not now_cents:
        words = f"Seat {seat}: playing, ante {money(cents)}. It was dealt a hand too"
        lacking = _cards_lacking(turn, [*turn.round.dealt, seat])
        after = turn.state.phase == "deciding" and turn.round.source != "manual" and lacking
        return f"{words}; {lacking} more cards are still to be dealt." if after else f"{words}."
    return f"Seat {seat}: {bet_name(bet)} {money(now_cents)} becomes {money(cents)}."


def carry_out_correction(turn: Turn, name: str, staff: str) -> None:
    """Correct what was asked for, with somebody's authority."""
    asked = turn.round.to_put_right
    if asked is None:
        raise AssertionError("no correction is waiting")
    turn.round.to_put_right = None
    turn.round.rulings.append(f"{asked.words} Confirmed by {name}.")
    by = Withdrawal(staff, asked.words)
    try:
        _check_still(turn, asked)
        _carry_out(turn, asked, by)
    except Refused as error:
        raise Refused(f"{error} Press CANCEL.") from None
    if turn.state.doing == "claiming":
        withdraw_unfounded(turn, turn.round.seats_of_player(asked.seat), by)


def _carry_out(turn: Turn, asked: PutRight, by: Withdrawal) -> None:
    if asked.shown is not None:
        set_shown(turn, asked, by)
    elif asked.cards:
        key_again(turn, asked, by)
    elif asked.decision:
        set_decision(turn, asked.seat, asked.decision, by)
    else:
        _set_stake(turn, asked.seat, asked.bet, asked.stake_cents, by)


def _check_still(turn: Turn, asked: PutRight) -> None:
    """Refuse what could be put right when it was keyed and no longer can."""
    if asked.shown is not None or asked.cards:
        return  # checked where it is done
    if asked.decision:
        check_decision_still(turn, asked)
        return
    keyed = BetKeyed(
        at_ms=turn.at_ms, frame=0, seat=asked.seat, bet=asked.bet, stake_cents=asked.stake_cents
    )
    _check_stake(turn, keyed)


def stake_now_cents(play: RoundState, seat: int, bet: str) -> int:
    """Return what the table takes a bet to be."""
    return play.seats[seat].stakes.get(bet, 0) if seat in play.seats else 0


# Stakes


def _key_decided_bet(turn: Turn, event: BetKeyed) -> None:
    """Take a BET as it lies there, whatever is prescribed (RWS §5.3, I-38)."""
    player = playing_seat(turn, event.seat)
    bet = bet_name(event.bet)
    if event.bet not in player.stakes and turn.round.source == "manual":
        # By hand nobody tells the table whether such a bet was placed.
        raise Refused(f"Seat {event.seat}: settle the {bet} by hand; it is not keyed.")
    if event.bet not in player.stakes:
        raise Refused(f"Seat {event.seat} has not placed the {bet}.")
    if not event.stake_cents:
        raise Refused(f"Seat {event.seat}: if there is no {bet}, CORRECT the decision.")
    player.stakes[event.bet] = event.stake_cents
    if event.bet not in player.keyed:
        player.keyed.append(event.bet)
    settle_put_right(turn, PUT_RIGHT)


def _check_stake(turn: Turn, event: BetKeyed) -> None:
    """Refuse a stake that can no longer be put right at the table."""
    game, play, phase = turn.game, turn.round, turn.state.phase
    seat, player = event.seat, play.seats.get(event.seat)
    ante_cents = stake_now_cents(play, seat, "ante")
    why = why_no_bets(turn.settings, turn.state, seat)
    if why and event.stake_cents:
        raise Refused(f"{why}.")
    if player is not None and player.taken_out:
        raise Refused(f"Seat {seat} is out of the round: return its bets.")
    if phase == "settling" and play.source == "manual":
        raise Refused(f"Seat {seat}: the claims are made; settle the difference by hand.")
    if event.bet == "ante":
        _check_ante(turn, seat, ante_cents, event.stake_cents)
    elif not ante_cents:
        raise Refused(f"Seat {seat} is not in this round: key its ante first.")
    if event.bet in game.jackpot_bets:
        if phase not in CARDS_COME:
            raise Refused(f"Seat {seat}: the hands are face up; the jackpot bet stands.")
        check_jackpot_bet(turn, event)


def _check_ante(turn: Turn, seat: int, was_cents: int, cents: int) -> None:
    """Refuse that a box had, or had not, an ante where the cards say otherwise."""
    if cents and not was_cents:
        _check_deal_is_open(turn, seat)
    if was_cents and not cents:
        _check_no_answer(turn, seat)


def _check_deal_is_open(turn: Turn, seat: int) -> None:
    """Refuse to change who is dealt a hand once somebody has acted on the hands."""
    play, whole = turn.round, {0, turn.game.own_cards}
    decided = any(player.decision or player.checked for player in play.seats.values())
    if play.source == "manual":
        is_open = not decided
    elif play.corrected:
        is_open = False  # the cards no longer lie where the order of the deal has them
    else:
        uneven = play.source == "shuffler" and any(
            len(player.cards) not in whole for player in play.seats.values()
        )
        # After the deal no more cards may have left than the hands need, the new one too: noticed
        # when it shows, the dealer still holds the rest.
        fits = turn.state.phase == "dealing" or (
            turn.state.phase == "deciding" and _cards_fit(turn, [*play.dealt, seat])
        )
        is_open = fits and not decided and not uneven
    if not is_open:
        raise Refused(f"Seat {seat}: too late to change who has a hand; report it.")


def _check_no_answer(turn: Turn, seat: int) -> None:
    """Refuse that a box had no ante whose player has acted on his hand."""
    player = turn.round.seats[seat]
    if player.decision or player.checked or turn.state.phase not in {"dealing", "deciding"}:
        raise Refused(f"Seat {seat} has played its hand: it had an ante. Report it, if not.")


def _cards_fit(turn: Turn, seats: list[int]) -> bool:
    """Return whether the cards that have left are those of a deal to these seats, so far."""
    lacking = _cards_lacking(turn, seats)
    return lacking == 0 if turn.state.edition < _NOTICED_EARLY else lacking >= 0


def _cards_lacking(turn: Turn, seats: list[int]) -> int:
    """Count the cards that a deal to these seats would still need, up to where the round is."""
    play = turn.round
    wanted = stages(turn.settings, replace(play, dealt=sorted(seats)))[: play.stage]
    return sum(len(stage.targets) for stage in wanted) - len(play.drawn)


def _set_stake(turn: Turn, seat: int, bet: str, cents: int, by: Withdrawal) -> None:
    game, play = turn.game, turn.round
    player = play.seat(seat)
    if bet in game.jackpot_bets:
        turn.take_back(seat, bet)
    player.stakes[bet] = cents
    ante_cents = player.stakes.setdefault("ante", 0)
    player.by_memory = False
    player.blind = any(seat in seats[1:] for seats in play.players)
    player.under_min_before = under_min_before(turn, seat)
    if ante_cents:
        _with_ante(turn, seat, player)
    else:
        turn.take_back(seat)
        turn.send_back(seat)
        forget_seat(turn, seat)
    if not ante_cents and seat in play.dealt and first_card_out(turn.settings, play):
        _take_out(turn, player, by)
        return
    if not any(player.stakes.values()):
        del play.seats[seat]
    play.seats = dict(sorted(play.seats.items()))
    if (seat in play.dealt) != bool(ante_cents):
        _deal_anew(turn)
    else:
        settle_put_right(turn, by)


def _take_out(turn: Turn, player: SeatState, by: Withdrawal) -> None:
    """Take out a hand that was dealt to a box without an ante; its cards stay where they lie."""
    player.decision = "invalid"
    if turn.state.phase in {"dealing", "deciding"}:
        go_on(turn)
    else:
        settle_put_right(turn, by)


def _with_ante(turn: Turn, seat: int, player: SeatState) -> None:
    """Let what depends on an ante follow it: the bets, the contributions, what is remembered."""
    state, jackpots = turn.state, turn.game.jackpot_bets
    turn.round.sent_back = [each for each in turn.round.sent_back if each != seat]
    state.last_ante_cents[seat] = player.stakes["ante"]
    remember_bonus(turn, seat)
    _follow_ante(turn.game, player)
    placed = [bet for bet in jackpots if player.stakes.get(bet)]
    for bet in [bet for bet in placed if bet not in player.contributions]:
        turn.contribute(seat, bet)
    if not placed and seat not in state.without_chip:
        state.without_chip.append(seat)


def _follow_ante(game: Game, player: SeatState) -> None:
    """Let the bets that were not keyed be the prescribed number of antes."""
    for wager in game.wagers[1:]:
        if player.stakes.get(wager.name) and wager.name not in player.keyed:
            player.stakes[wager.name] = player.stakes["ante"] * wager.antes


def _deal_anew(turn: Turn) -> None:
    """Deal the cards that have come once more, to the boxes that have an ante."""
    play = turn.round
    play.dealt = [seat for seat, player in play.seats.items() if player.stakes.get("ante")]
    if play.source == "manual":
        return
    shown = bool(play.turned_up)
    turn_down_dealers(play)
    for cards in (play.dealer, play.community, *(p.cards for p in play.seats.values())):
        cards.clear()
    if shown:
        # What was shown was another card than the dealer's last: he says which one it is.
        play.face_up = ""
    play.stage, play.stage_cards, play.left, play.surplus = 0, 0, None, list(play.drawn)
    play.unexpected = []
    go_on(turn)
    # What came too much was the hand of the seat that was forgotten.
    play.unexplained = play.unexplained and bool(play.surplus)
