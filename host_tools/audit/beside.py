"""A slip among the others of its seat and round: its number, what they come to, what they replace.

A slip that was printed once may still lie somewhere. So each keeps its number, whatever becomes of the
others, and says which amounts were to be paid before it and are not any more. What stands on a slip
besides is in `slips.py`.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from host_tools.audit.rows import AWARDED, BY_TABLE, DROPPED, WITHDRAWN, WinRow
from host_tools.journal.times import local_time


class Gone(NamedTuple):
    """A claim that was withdrawn, and the amounts that were to be paid on it before."""

    round: int
    seat: int
    id: str
    told_cents: tuple[int, ...]
    told_ms: tuple[int, ...] = ()
    """Since when each was to be paid, as far as it is known."""


class Slip(NamedTuple):
    """A win, and which of the wins of its seat and round it is."""

    win: WinRow
    number: int = 1
    """Among all that its seat has claimed in the round, withdrawn or not: it stays the same."""
    claims: int = 1
    """How many those are."""
    paid: int = 1
    """How many of them are paid, and what they come to."""
    together_cents: int = 0
    gone: tuple[Gone, ...] = ()
    """The claims of its round that were withdrawn after they were to be paid: those of its seat, and of
    seats that nothing else is printed for."""


def slips(
    chosen: Sequence[WinRow],
    wins: Sequence[WinRow],
    gone: Sequence[Gone] = (),
    *,
    of_round: bool = False,
) -> list[Slip]:
    """Make the slip of each win that was chosen, those of a seat together.

    `gone` are the claims that were withdrawn, where `wins` has none of them. If the whole round was asked
    for, each slip also names those of the seats that have no slip here: nothing else here does.
    """
    told = [*(_gone(win) for win in wins if win.outcome in {WITHDRAWN, DROPPED}), *gone]
    here = {(win.round, win.seat) for win in chosen}
    unnamed = [each for each in told if of_round and (each.round, each.seat) not in here]
    made = [_slip(win, wins, told, unnamed) for win in chosen]
    return sorted(made, key=lambda slip: (slip.win.round, slip.win.seat, slip.number))


def _gone(win: WinRow) -> Gone:
    return Gone(win.round, win.seat, win.id, win.earlier_cents, win.earlier_ms)


def _slip(
    win: WinRow, wins: Sequence[WinRow], gone: Sequence[Gone], unnamed: Sequence[Gone]
) -> Slip:
    beside = [
        each
        for each in wins
        if (each.table, each.round, each.seat) == (win.table, win.round, win.seat)
    ]
    left = [each for each in gone if (each.round, each.seat) == (win.round, win.seat)]
    ids = sorted({win.id, *(b.id for b in beside), *(gone.id for gone in left)}, key=_order)
    counted = [each for each in beside if has_amount(each)]
    return Slip(
        win,
        ids.index(win.id) + 1,
        len(ids),
        len(counted),
        sum(each.amount_cents or 0 for each in counted),
        tuple(
            each
            for each in (*left, *(other for other in unnamed if other.round == win.round))
            if each.told_cents and each.id != win.id
        ),
    )


def _order(win_id: str) -> tuple[int, ...]:
    """Order wins as they were claimed: by the record and the place in it, which end their id."""
    return tuple(int(part) if part.isdecimal() else 0 for part in win_id.split(".")[-2:])


def is_payable(win: WinRow) -> bool:
    """Return whether a win may be paid and is not paid yet: there is something to sign."""
    return win.amount_cents is not None and win.outcome in {AWARDED, BY_TABLE}


def has_amount(win: WinRow) -> bool:
    """Return whether a win is paid, or to be paid."""
    return is_payable(win) or (win.is_paid and win.amount_cents is not None)


def counted_words(slip: Slip) -> str:
    """Say that the seat has other wins in the round, and what it is paid in all; or nothing."""
    if slip.claims == 1:
        return ""
    number = f"number {slip.number} of {slip.claims} for this seat in this round"
    if not has_amount(slip.win):
        return number
    money = slip.win.money(slip.together_cents)
    if slip.paid == slip.claims:
        return f"{number}, together {money}"
    if slip.paid == 1:
        return f"{number}; only this one is paid"
    return f"{number}; {slip.paid} of them are paid, together {money}"


def replaced_words(slip: Slip) -> list[str]:
    """Say which slips of the seat and round are not to be paid any more, each in a sentence."""
    win = slip.win
    said = []
    if win.earlier_cents:
        said.append(_earlier_words(win))
    for each in slip.gone:
        amounts = _amounts(win, each.told_cents, each.told_ms)
        slips, its = _slips_of(amounts), "its" if len(amounts) == 1 else "their"
        whose = "" if each.seat == win.seat else f" for seat {each.seat},"
        said.append(
            f"Do not pay {slips}{whose} with the message {each.id}: {its} claim was withdrawn."
        )
    return said


def _earlier_words(win: WinRow) -> str:
    """Name the slips of a win that are not valid; what was done with them nobody here knows."""
    amounts = _amounts(win, win.earlier_cents, win.earlier_ms)
    earlier = _slips_of(amounts, "earlier ")
    several = len(amounts) > 1
    if has_amount(win):
        return f"Replaces {earlier}: do not pay {'those' if several else 'that one'}."
    return f"Do not pay {earlier}: {'they are' if several else 'it is'} no longer valid."


def _slips_of(amounts: Sequence[str], kind: str = "") -> str:
    if len(amounts) > 1:
        return f"{kind}slips of {listed(amounts)}"
    return f"{'an' if kind else 'a'} {kind}slip of {listed(amounts)}"


def _amounts(win: WinRow, cents: Sequence[int], since_ms: Sequence[int]) -> list[str]:
    """Write the amounts of slips, each with the time since which it was to be paid.

    Two slips may have the same sum; the time stands on both.
    """
    told = dict.fromkeys(zip_longest(cents, since_ms[: len(cents)]))
    return [
        win.money(each or 0) + (f" (marked to be paid {since_words(since)})" if since else "")
        for each, since in told
    ]


def since_words(since_ms: int | None) -> str:
    """Say since when a sum is to be paid, as it stands on its slip; nothing if that is not known."""
    return f"since {local_time(since_ms)}" if since_ms else ""


def listed(words: Sequence[str]) -> str:
    """List things as people say it: one, two and three."""
    return " and ".join([", ".join(words[:-1]), *words[-1:]] if len(words) > 1 else words)
