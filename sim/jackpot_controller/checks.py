"""What an obligation must satisfy before it is entered: its id, its numbers, its claim.

A table, or anyone who speaks in its name, may send anything. What is wrong raises a
`BadInput` that names the field, and is never entered; what may only have come before something
that it rests on raises a `TooEarly`. A claim is checked against the game's pay table: a flush is
never paid 100 %.
"""

import re
from datetime import datetime

import msgspec

from firmware.errors import BadInput
from firmware.protocol.obligations import (
    AnyObligation,
    Contribution,
    OfRound,
    OfSeat,
    Reversal,
    Verdict,
    Win,
    moment,
)
from firmware.rules.contract import MAX_CENTS, EnteredClaim
from firmware.rules.game import DrawLine, Game, JackpotLine

MAX_ID_CHARACTERS = 128
_JOURNAL = r"[A-Za-z0-9_-]{1,64}"
_ID = re.compile(
    rf"(?P<table>[A-Za-z0-9_-]{{1,32}})\.(?P<journal>{_JOURNAL})\.[0-9]{{1,18}}\.[0-9]{{1,9}}"
)


class TooEarly(BadInput):
    """It rests on something that is not in the books, and may still come."""

    def __init__(self, field: str, problem: str, rests_on: str = "") -> None:
        super().__init__(field, problem)
        self.rests_on = rests_on
        """The id that is missing, if it is known."""


_MAX_NUMBER = 2**53
"""What every JSON reader keeps exactly; no time, round or count comes near it."""


def is_id(text: str) -> bool:
    """Return whether a text can be the id of an obligation."""
    return _ID.fullmatch(text) is not None


def journal_of(obligation_id: str, table: str) -> str:
    """Return the journal that an id was made in; it must be the table's own id."""
    found = _ID.fullmatch(obligation_id)
    if found is None:
        raise BadInput("id", "is not made of a table, its journal and two numbers")
    if found["table"] != table:
        raise BadInput("id", f"is not one of table {table}")
    return found["journal"]


def check_unit(journal: str) -> None:
    """Refuse what cannot be a journal's id."""
    if re.fullmatch(_JOURNAL, journal) is None:
        raise BadInput("journal", f"{journal[:64]!r} is not the id of a journal")


def check_obligation(obligation: AnyObligation, game: Game) -> None:
    """Refuse numbers that no table could mean."""
    _check_number("at_ms", obligation.at_ms, least=-_MAX_NUMBER)
    if isinstance(obligation, OfRound):
        _check_number("round", obligation.round)
    if isinstance(obligation, OfSeat):
        _check_number("seat", obligation.seat, least=1, most=game.positions[1])
    if isinstance(obligation, (Contribution, Reversal)):
        _check_number("stake_cents", obligation.stake_cents, most=MAX_CENTS)
    if isinstance(obligation, Contribution) and obligation.bet not in game.jackpot_bets:
        bets = ", ".join(game.jackpot_bets)
        raise BadInput("bet", f"{game.id} has no jackpot bet {obligation.bet!r}; it has {bets}")
    if isinstance(obligation, Verdict) and obligation.paid_cents is not None:
        _check_number("paid_cents", obligation.paid_cents, most=MAX_CENTS)
        if not obligation.confirmed:
            raise BadInput("paid_cents", "is given for a claim that is withdrawn")


def _check_number(field: str, number: int, *, least: int = 0, most: int = _MAX_NUMBER) -> None:
    if not least <= number <= most:
        raise BadInput(field, f"{number} is not between {least} and {most}")


def line_of(game: Game, win: Win) -> JackpotLine | DrawLine:
    """Return the line of the pay table that a win claims; amounts by odds need the stake too."""
    claim = win.claim
    if claim.seat != win.seat:
        raise BadInput("claim.seat", f"is {claim.seat}, but the win is seat {win.seat}'s")
    lines = game.tiers.get(claim.tier)
    if lines is None:
        raise BadInput(
            "claim.tier", f"{game.id} pays no {claim.tier!r}; it pays {', '.join(game.tiers)}"
        )
    for line in lines:
        if (line.on, _level(line)) == (claim.on, claim.level) and _pays(line, win):
            if claim.level == "major" and win.final:
                raise BadInput("final", "a major is final by its verdict alone")
            return line
    raise BadInput("claim", f"is not what the pay table of {game.id} says of {claim.tier}")


def _level(line: JackpotLine | DrawLine) -> str:
    return line.level if isinstance(line, JackpotLine) else "minor"


def _pays(line: JackpotLine | DrawLine, win: Win) -> bool:
    percent, amount = win.claim.percent, win.claim.amount
    if line.odds is not None:
        return percent is None and amount is not None and 0 <= amount <= MAX_CENTS
    return isinstance(line, JackpotLine) and (percent, amount) == (line.percent, line.amount_cents)


def check_odds(line: JackpotLine | DrawLine, win: Win, stake_cents: int | None) -> None:
    """Refuse an amount by odds that is not the odds times the stake on that bet."""
    if line.odds is None:
        return
    if stake_cents is None:
        raise TooEarly("claim.amount", f"there is no contribution on {line.bet} behind it")
    if win.claim.amount != line.odds * stake_cents:
        raise BadInput(
            "claim.amount",
            f"is {win.claim.amount}, but {line.tier} pays {line.odds} times {stake_cents}",
        )


def entered(win: Win, entered_at: datetime) -> EnteredClaim:
    """Enter a claim: I-32. It comes from outside, so the contract checks it again."""
    try:
        dealt_at = moment(win.dealt_at_ms)
    except OverflowError:
        raise BadInput("dealt_at_ms", f"{win.dealt_at_ms} is not a time") from None
    fields = {
        **msgspec.to_builtins(win.claim),
        "id": win.id,
        "table": win.table,
        "round": win.round,
        "dealt_at": dealt_at,
        "entered_at": entered_at,
    }
    try:
        return msgspec.convert(fields, EnteredClaim)
    except msgspec.ValidationError as error:
        raise BadInput("claim", str(error)) from None
