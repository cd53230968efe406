"""The wins of a round under way, for their slips: told from what everybody at the table sees.

So no card is in them that lies face down. What only the journal knows follows when the round is over.
While the round may still win something, no older win may be taken for it: `slip.py` is told what is
missing instead.
"""

import re
from typing import NamedTuple

from firmware.protocol.obligations import Win
from firmware.rules.contract import Claim
from firmware.rules.game import JackpotLine
from firmware.rules.games import find_game
from firmware.rules.words import money
from firmware.table.payable import OTHER_CLAIM, WITHOUT_AWARD
from firmware.table.public import PublicClaim, PublicTable, PublicWithdrawn
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

    Every slip is named besides that may have been printed of it and is not to be paid now. An older win
    may be printed if this says nothing and `wins_under_way` finds nothing.
    """
    if shown.phase in BEFORE_THE_CLOSE:
        return ""
    claims = [each for each in shown.claims if wanted in {LAST, str(each.seat), each.id}]
    gone = [each for each in shown.withdrawn if wanted in {LAST, str(each.seat), each.id}]
    why = _why_missing(shown, wanted, claims, gone)
    return why + _not_to_be_paid(shown, _of_seats(shown, claims), gone) if why else ""


def _why_missing(
    shown: PublicTable, wanted: str, claims: list[PublicClaim], gone: list[PublicWithdrawn]
) -> str:
    if claims and shown.ruling:
        return f"the claims in round {shown.round} wait for {shown.ruling}; {_THEN}"
    waiting = [each for each in _of_seats(shown, claims) if each.amount_cents is None]
    if waiting:
        # What only waits for the others of its seat does not say what is missing.
        first = next((each for each in waiting if each.waits != OTHER_CLAIM), waiting[0])
        return (
            f"the claim of seat {first.seat} in round {shown.round} "
            f"{first.waits or 'is not to be paid yet'}; {_THEN}"
        )
    if claims and shown.phase != _PAYING:
        return f"the claims in round {shown.round} are not complete yet; {_THEN}"
    if any(_win(shown, each) is None for each in claims):  # a table of an older version
        return (
            f"the table tells too little about the claims in round {shown.round}; print the slip when "
            "the round is over"
        )
    return "" if claims else _without_claim(shown, wanted, gone)


def _without_claim(shown: PublicTable, wanted: str, gone: list[PublicWithdrawn]) -> str:
    if len(gone) == 1:
        seat, what, why = gone[0].seat, gone[0].words, _why_gone(gone[0])
        return (
            f"the claim of seat {seat} in round {shown.round}, {what}, was withdrawn{why}; pay nothing on "
            "it; what became of it can be printed when the round is over"
        )
    if gone:
        told = listed([f"seat {each.seat}, {each.words}{_why_gone(each)}" for each in gone])
        return (
            f"the claims in round {shown.round} were withdrawn: {told}; pay nothing on them; what became "
            "of them can be printed when the round is over"
        )
    if wanted == LAST:
        return f"round {shown.round} is not over, and there may still be a win in it; {_THEN}"
    seats = [each for each in shown.seats if str(each.seat) == wanted and any(each.stakes.values())]
    if seats:
        return f"round {shown.round} is not over, and seat {wanted} may still win in it; {_THEN}"
    return ""


def _why_gone(gone: PublicWithdrawn) -> str:
    return f" ({in_brackets(gone.reason)})" if gone.reason else ""


class _Paper(NamedTuple):
    """A sum of which a slip may have been printed; the message where its seat has claimed again."""

    seat: int
    cents: int
    message: str = ""


def _not_to_be_paid(
    shown: PublicTable, claims: list[PublicClaim], gone: list[PublicWithdrawn]
) -> str:
    """Name every slip that may have been printed: what is not to be paid, and what not yet."""
    again = {each.seat for each in claims}
    dead = [
        _Paper(each.seat, cents, each.id if each.seat in again else "")
        for each in gone
        for cents in each.told_cents
    ]
    held: list[_Paper] = []
    for each in claims:
        told = [_Paper(each.seat, cents) for cents in each.told_cents]
        if each.amount_cents is not None and shown.phase == _PAYING:
            # One of the same sum is to be paid, and says by itself what it replaces.
            told = [paper for paper in told if paper.cents != each.amount_cents]
        elif each.waits not in WITHOUT_AWARD:
            held += told[-1:]
        dead += [paper for paper in told if paper not in held]
    seats = len({paper.seat for paper in (*dead, *held)})
    parted = ((dead, ""), (held, " until it is decided"))
    return "".join(
        f"; do not pay {_slips_of(shown, papers, seats)} printed before{until}"
        for papers, until in parted
        if papers
    )


def _slips_of(shown: PublicTable, papers: list[_Paper], seats: int) -> str:
    """Name slips by their sums; by their seats where there are several, and their messages."""
    named = []
    for paper in dict.fromkeys(papers):
        beside = [f"seat {paper.seat}"] * (seats > 1) + [f"message {paper.message}"] * bool(
            paper.message
        )
        about = f" ({', '.join(beside)})" if beside else ""
        named.append(f"{money(paper.cents, shown.currency)}{about}")
    if len(named) == 1:
        return f"a slip of {named[0]} that was"
    return f"slips of {listed(named)} that were"


def ids_under_way(shown: PublicTable) -> list[tuple[str, int]]:
    """List the ids of all claims of the round under way, with their seats."""
    if shown.phase in BEFORE_THE_CLOSE:
        return []
    standing = [(each.id, each.seat) for each in shown.claims if each.id]
    return standing + [(each.id, each.seat) for each in shown.withdrawn]


def gone_under_way(shown: PublicTable) -> list[Gone]:
    """Tell the claims of the round under way that were withdrawn, with what was to be paid on them."""
    return [
        Gone(shown.round, each.seat, each.id, each.told_cents, each.told_ms)
        for each in shown.withdrawn
    ]


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
    says_now = told[-1:] == (claim.amount_cents,)
    row.earlier_cents = told[:-1] if says_now else told
    row.earlier_ms = claim.told_ms[: len(row.earlier_cents)]
    row.payable_ms = claim.told_ms[-1] if says_now and len(claim.told_ms) == len(told) else None
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
