"""A slip among the others of its seat and round: its number, what they come to, what they replace.

A slip that was printed once may still lie somewhere. So each keeps its number, whatever becomes of the
others, and says which amounts were to be paid before it and are not any more. What stands on a slip
besides is in `slips.py`.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from host_tools.audit.rows import AWARDED, BY_TABLE, DROPPED, WITHDRAWN, WinRow


class Gone(NamedTuple):
    """A claim that was withdrawn, and the amounts that were to be paid on it before."""

    round: int
    seat: int
    id: str
    told_cents: tuple[int, ...]


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
    """The claims of its seat and round that were withdrawn after they were to be paid."""


def slips(
    chosen: Iterable[WinRow], wins: Sequence[WinRow], gone: Sequence[Gone] = ()
) -> list[Slip]:
    """Make the slip of each win that was chosen, those of a seat together.

    `gone` are the claims that were withdrawn, where `wins` has none of them.
    """
    told = [_gone(win) for win in wins if win.outcome in {WITHDRAWN, DROPPED}]
    made = [_slip(win, wins, [*told, *gone]) for win in chosen]
    return sorted(made, key=lambda slip: (slip.win.round, slip.win.seat, slip.number))


def _gone(win: WinRow) -> Gone:
    return Gone(win.round, win.seat, win.id, win.earlier_cents)


def _slip(win: WinRow, wins: Sequence[WinRow], gone: Sequence[Gone]) -> Slip:
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
        tuple(each for each in left if each.told_cents and each.id != win.id),
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
        amounts = _amounts(win, each.told_cents)
        said.append(
            f"Do not pay a slip of {amounts} with the message {each.id}: its claim was withdrawn."
        )
    return said


def _earlier_words(win: WinRow) -> str:
    amounts, several = _amounts(win, win.earlier_cents), len(set(win.earlier_cents)) > 1
    earlier = f"earlier slips of {amounts}" if several else f"an earlier slip of {amounts}"
    that = "those" if several else "that one"
    if win.is_paid:
        return f"Replaces {earlier}: nothing was paid on {that}."
    if is_payable(win):
        return f"Replaces {earlier}: do not pay {that}."
    return f"Do not pay {earlier}: {'they are' if several else 'it is'} no longer valid."


def _amounts(win: WinRow, cents: Sequence[int]) -> str:
    return listed([win.money(each) for each in dict.fromkeys(cents)])


def listed(words: Sequence[str]) -> str:
    """List things as people say it: one, two and three."""
    return " and ".join([", ".join(words[:-1]), *words[-1:]] if len(words) > 1 else words)
