"""Mistakes in the table that the shadow table must find by itself, in its short search.

Each is one that a round can be played through without anybody noticing at the table: only the money,
the claims or the rulings are not those of the documents. The form of a mistake is in `mistakes.py`.
"""

from tests.mutations.mistakes import Mistake

_SHADOW = ("tests/table/test_shadow.py",)
_TABLE = "firmware/table"

IN_THE_TABLE = (
    Mistake(
        name="a jackpot bet without an ante contributes",
        file=f"{_TABLE}/betting.py",
        old="        turn.send_back(seat)\n        return\n",
        new="        turn.send_back(seat)\n",
        why="a chip that goes back to its player has gone to the jackpot (RWS §5.4, Megalink §5.12.2)",
        tests=_SHADOW,
    ),
    Mistake(
        name="under the minimum as often as one likes",
        file=f"{_TABLE}/betting.py",
        old="    play.under_min_before = under_min_before(turn, seat)\n",
        new="    play.under_min_before = False\n",
        why="a wager under the minimum is settled again and again (Megalink §5.13)",
        tests=_SHADOW,
    ),
    Mistake(
        name="a new player inherits",
        file=f"{_TABLE}/betting.py",
        old="turn.state.under_min.remove(event.seat)",
        new="pass",
        why="a new player's first wager under the minimum is returned (I-30)",
        tests=_SHADOW,
    ),
    Mistake(
        name="a hidden hand counts as shown",
        file=f"{_TABLE}/settlement.py",
        old="revealed=player.shown,",
        new="revealed=True,",
        why="a hand that nobody has seen wins and claims (§4.3, Megalink §3.10.1)",
        tests=_SHADOW,
    ),
    Mistake(
        name="a major is final at once",
        file=f"{_TABLE}/settlement.py",
        old="final=not made.unconfirmed,",
        new="final=True,",
        why="a royal flush is awarded before a supervisor has seen it",
        tests=_SHADOW,
    ),
    Mistake(
        name="void and contributed",
        file=f"{_TABLE}/settlement.py",
        old="    for seat in play.seats:\n        turn.take_back(seat)\n",
        new="",
        why="a void round's jackpot bets are handed back and stay in the jackpot (RWS §5.22)",
        tests=_SHADOW,
    ),
    Mistake(
        name="the last dealt at the first card",
        file=f"{_TABLE}/stages.py",
        old="player.dealt_at_ms = turn.at_ms",
        new="player.dealt_at_ms = player.dealt_at_ms or turn.at_ms",
        why="who is paid first goes by the first card of a hand, not by its last (RWS §4.5)",
        tests=_SHADOW,
    ),
    Mistake(
        name="a fold decides nothing",
        file=f"{_TABLE}/stages.py",
        old='lost = {"fold", "absent"} if settings.rules.absent == "folded" else {"fold"}',
        new='lost = {"absent"}',
        why="a power cut voids a round in which somebody has lost already (RWS §5.7.1)",
        tests=_SHADOW,
    ),
    Mistake(
        name="a shuffler's hands are not seen",
        file=f"{_TABLE}/stages.py",
        old='if play.source == "shuffler":',
        new="if False:",
        why="a lost link voids a round although players have seen cards (RWS §5.18.1)",
        tests=_SHADOW,
    ),
    Mistake(
        name="no board for those who folded",
        file=f"{_TABLE}/stages.py",
        old="and any(player.stakes.get(bet) for bet in jackpots)",
        new="and not jackpots",
        why="a folded player's claim on the board is never dealt (hold'em §3.11.2 a)",
        tests=_SHADOW,
    ),
    Mistake(
        name="power cuts are not ruled on",
        file=f"{_TABLE}/power.py",
        old="    turn.follow.append(interrupted)\n",
        new="",
        why="a round goes on that is void (RWS §5.7.2)",
        tests=_SHADOW,
    ),
    Mistake(
        name="a lost link is not ruled on",
        file=f"{_TABLE}/linking.py",
        old="        turn.follow.append(link_lost)\n",
        new="",
        why="a round goes on that is void (RWS §5.17)",
        tests=_SHADOW,
    ),
    Mistake(
        name="whoever withdraws stays",
        file=f"{_TABLE}/irregularities/rulings.py",
        old='for seat in [seat for seat, option in chosen.items() if option == "withdraw"]:',
        new='for seat in [seat for seat, option in chosen.items() if option == "continue"]:',
        why="those who play on are taken out, and those who withdraw are not (RWS §5.10)",
        tests=_SHADOW,
    ),
    Mistake(
        name="an ante that never lay there is handed back",
        file=f"{_TABLE}/irregularities/rulings.py",
        old='turn.round.seats[seat].stakes["ante"] = 0',
        new="pass",
        why="a player gets back an ante that he never placed (RWS §5.4)",
        tests=_SHADOW,
    ),
    # Lost, hidden, keyed and denied hands
    Mistake(
        name="only a seat's own keyed cards are checked",
        file="firmware/table/settlement.py",
        old="places = rests_on(claim) if turn.state.edition > 1 else {str(claim.seat)}",
        new="places = {str(claim.seat)}",
        why="a dealer keys a royal board and pays everybody without a PIN",
        tests=("tests/table/test_lost_and_hidden.py",),
    ),
    Mistake(
        name="a hand that claims is hidden by the dealer alone",
        file="firmware/table/showing.py",
        old='no JACKPOT." if _counts_face_up(turn, event) else ""',
        new='no JACKPOT." if not turn.round.seats else ""',
        why="one key makes a royal flush go away",
        tests=("tests/table/test_lost_and_hidden.py",),
    ),
    Mistake(
        name="a PIN for what was dropped confirms a major",
        file="firmware/table/irregularities/authority.py",
        old="    if play.dropped and play.denying is None:",
        new="    if not play.seats:",
        why="a supervisor comes to say no, and his PIN says yes",
        tests=("tests/table/test_lost_and_hidden.py",),
    ),
    Mistake(
        name="a hand that lies face up gives way to a mistyped card",
        file="firmware/table/by_hand.py",
        old="if turn.state.edition > 1 and (claims_on(play, where) or _is_face_up(turn, where)):",
        new="if turn.state.edition > 1 and claims_on(play, where):",
        why="a royal flush is forgotten because another hand was keyed wrongly",
        tests=("tests/table/test_lost_and_hidden.py",),
    ),
)
