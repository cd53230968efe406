"""The wins of a round under way, for their slips: told from what everybody at the table sees.

So no card is in them that lies face down. What only the journal knows follows when the round is over.
While the round may still win something, no older win may be taken for it: `slip.py` is told what is
missing instead.
"""

import re

from firmware.protocol.obligations import Win
from firmware.rules.contract import Claim
from firmware.rules.game import JackpotLine
from firmware.rules.games import find_game
from firmware.table.public import PublicClaim, PublicTable
from firmware.table.state import BEFORE_THE_CLOSE
from host_tools.audit.rows import AWARDED, BY_TABLE, WinRow
from host_tools.audit.sharing import may_share
from host_tools.audit.wins import Cards, House, win_row

LAST = "last"
_ID = re.compile(r"[\w-]+\.[\w-]+\.[0-9]{1,12}\.[0-9]{1,6}", re.ASCII)
_PAYING = "settling"
"""The phase in which the claims of the round are complete, and what may be paid is shown."""


def missing(shown: PublicTable, wanted: str) -> str:
    """Say why what is wanted of the round under way has no slip yet; nothing if it has one.

    An older win may be printed if this says nothing and `wins_under_way` finds nothing.
    """
    if shown.phase in BEFORE_THE_CLOSE:
        return ""
    round_words = f"in round {shown.round}, which is under way,"
    claims = [each for each in shown.claims if wanted in {LAST, str(each.seat), each.id}]
    waiting = [each for each in _of_seats(shown, claims) if each.amount_cents is None]
    if waiting:
        return (
            f"the claim of seat {waiting[0].seat} in round {shown.round} is not confirmed and awarded "
            "yet, or something is still to be put right; print its slip when the panel says to pay it"
        )
    if claims and shown.phase != _PAYING:
        return (
            f"{round_words} the claims are not complete; print the slip when the panel says to pay"
        )
    if any(_win(shown, each) is None for each in claims):  # a table of an older version
        return (
            f"the table tells too little of the claims {round_words} to print a slip before its end"
        )
    return "" if claims else _without_claim(shown, wanted)


def _without_claim(shown: PublicTable, wanted: str) -> str:
    withdrawn = [each for each in shown.withdrawn if wanted in {LAST, str(each.seat), each.id}]
    if withdrawn:
        gone = withdrawn[-1]
        why = f" ({gone.reason})" if gone.reason else ""
        return (
            f"the claim of seat {gone.seat} in round {shown.round}, {gone.words}, was withdrawn{why}: "
            "pay nothing on it; it has its slip when the round is over, unless the panel says to pay it"
        )
    then = "print its slip when the panel says to pay it"
    if wanted == LAST:
        return f"round {shown.round} is under way and may still be won; {then}"
    seats = [each for each in shown.seats if str(each.seat) == wanted and any(each.stakes.values())]
    if seats:
        return f"seat {wanted} may still win in round {shown.round}, which is under way; {then}"
    return ""


def wins_under_way(shown: PublicTable) -> list[WinRow]:
    """Tell the claims of the round under way that may be paid now."""
    if shown.phase != _PAYING:
        return []
    told = [(each, _win(shown, each)) for each in shown.claims if each.amount_cents is not None]
    return [_row(shown, claim, win) for claim, win in told if win is not None]


def _of_seats(shown: PublicTable, claims: list[PublicClaim]) -> list[PublicClaim]:
    """List all claims of the seats of these: a seat is paid one sum."""
    seats = {each.seat for each in claims}
    return [each for each in shown.claims if each.seat in seats]


def _row(shown: PublicTable, claim: PublicClaim, win: Win) -> WinRow:
    hand = next((seat.cards for seat in shown.seats if seat.seat == claim.seat), ())
    row = win_row(
        win,
        find_game(shown.game),
        House(shown.casino, shown.currency),
        Cards(hand, shown.dealer, shown.community),
    )
    row.amount_cents, row.award_cents = claim.amount_cents, claim.award_cents
    row.outcome = BY_TABLE if claim.registered else AWARDED
    row.authority = f"number {claim.confirmed_by}" if claim.confirmed_by else "none needed"
    others = [
        f"seat {each.seat} ({each.id})"
        for each in shown.claims
        if each.id != claim.id and _shares(shown, win, each)
    ]
    if others:
        row.shared_with = ", ".join(others)
        row.shared = "paid together with other claims of the round; the journal has how"
    return row


def _shares(shown: PublicTable, win: Win, other: PublicClaim) -> bool:
    theirs = _win(shown, other)
    return theirs is not None and may_share(find_game(shown.game), win.claim, theirs.claim)


def _win(shown: PublicTable, claim: PublicClaim) -> Win | None:
    """Tell a win from what the table shows of it; None if it shows too little."""
    lines = [
        each for each in find_game(shown.game).tiers.get(claim.tier, ()) if each.on == claim.on
    ]
    if not (_ID.fullmatch(claim.id) and lines):
        return None
    line = lines[0]
    percent = line.percent if isinstance(line, JackpotLine) else None
    level = line.level if isinstance(line, JackpotLine) else "minor"
    amount = claim.amount_cents if percent is None else None
    return Win(
        id=claim.id,
        table=shown.name,
        at_ms=claim.claimed_at_ms,
        round=shown.round,
        seat=claim.seat,
        claim=Claim(claim.seat, line.on, line.tier, level, percent, amount),
        dealt_at_ms=claim.dealt_at_ms,
        clock="synchronised" if claim.clock == "synchronised" else "free",
    )
