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
from firmware.rules.words import money
from firmware.table.payable import OTHER_CLAIM
from firmware.table.public import PublicClaim, PublicTable
from firmware.table.state import BEFORE_THE_CLOSE
from host_tools.audit.beside import Gone, listed
from host_tools.audit.rows import AWARDED, BY_TABLE, WinRow
from host_tools.audit.sharing import may_share
from host_tools.audit.slips import LATER
from host_tools.audit.wins import Cards, House, win_row
from host_tools.journal.asked import in_brackets

LAST = "last"
_THEN = "print the slip when the panel says to pay it"
_ID = re.compile(r"[\w-]+\.[\w-]+\.[0-9]{1,12}\.[0-9]{1,6}", re.ASCII)
_PAYING = "settling"
"""The phase in which the claims of the round are complete, and what may be paid is shown."""


def missing(shown: PublicTable, wanted: str) -> str:
    """Say why what is wanted of the round under way has no slip yet; nothing if it has one.

    An older win may be printed if this says nothing and `wins_under_way` finds nothing.
    """
    if shown.phase in BEFORE_THE_CLOSE:
        return ""
    claims = [each for each in shown.claims if wanted in {LAST, str(each.seat), each.id}]
    waiting = [each for each in _of_seats(shown, claims) if each.amount_cents is None]
    if waiting:
        # What only waits for the others of its seat does not say what is missing.
        first = next((each for each in waiting if each.waits != OTHER_CLAIM), waiting[0])
        return (
            f"the claim of seat {first.seat} in round {shown.round} "
            f"{first.waits or 'is not to be paid yet'}; {_THEN}{_void(shown, first.told_cents)}"
        )
    if claims and shown.phase != _PAYING:
        return f"the claims in round {shown.round} are not complete yet; {_THEN}"
    if any(_win(shown, each) is None for each in claims):  # a table of an older version
        return (
            f"the table tells too little about the claims in round {shown.round}; print the slip when "
            "the round is over"
        )
    return "" if claims else _without_claim(shown, wanted)


def _without_claim(shown: PublicTable, wanted: str) -> str:
    withdrawn = [each for each in shown.withdrawn if wanted in {LAST, str(each.seat), each.id}]
    if withdrawn:
        gone = withdrawn[-1]
        why = f" ({in_brackets(gone.reason)})" if gone.reason else ""
        return (
            f"the claim of seat {gone.seat} in round {shown.round}, {gone.words}, was withdrawn{why}; "
            "pay nothing on it; what became of it can be printed when the round is over"
            f"{_void(shown, gone.told_cents)}"
        )
    if wanted == LAST:
        return f"round {shown.round} is not over, and there may still be a win in it; {_THEN}"
    seats = [each for each in shown.seats if str(each.seat) == wanted and any(each.stakes.values())]
    if seats:
        return f"round {shown.round} is not over, and seat {wanted} may still win in it; {_THEN}"
    return ""


def _void(shown: PublicTable, told_cents: tuple[int, ...]) -> str:
    """Say that slips may have been printed that are not to be paid; nothing if none can have been."""
    amounts = listed([money(cents, shown.currency) for cents in dict.fromkeys(told_cents)])
    return f"; do not pay a slip of {amounts} that was printed before" if amounts else ""


def ids_under_way(shown: PublicTable) -> list[tuple[str, int]]:
    """List the ids of all claims of the round under way, with their seats."""
    if shown.phase in BEFORE_THE_CLOSE:
        return []
    standing = [(each.id, each.seat) for each in shown.claims if each.id]
    return standing + [(each.id, each.seat) for each in shown.withdrawn]


def gone_under_way(shown: PublicTable) -> list[Gone]:
    """Tell the claims of the round under way that were withdrawn, with what was to be paid on them."""
    return [Gone(shown.round, each.seat, each.id, each.told_cents) for each in shown.withdrawn]


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
    told = claim.told_cents
    row.earlier_cents = told[:-1] if told[-1:] == (claim.amount_cents,) else told
    if claim.winners > 1 and not claim.registered:
        row.shared = f"1 of {claim.winners} equal shares; of what is {LATER}"
        row.shared_with = listed(
            [
                f"seat {each.seat} ({each.id})"
                for each in shown.claims
                if _shares(shown, claim, each)
            ]
        )
    return row


def _shares(shown: PublicTable, claim: PublicClaim, other: PublicClaim) -> bool:
    """Tell whether another claim was awarded together with this one, and not only may have been."""
    mine, theirs = _win(shown, claim), _win(shown, other)
    if mine is None or theirs is None or other.id == claim.id:
        return False
    together = (claim.award_cents, claim.winners) == (other.award_cents, other.winners)
    return together and may_share(find_game(shown.game), mine.claim, theirs.claim)


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
