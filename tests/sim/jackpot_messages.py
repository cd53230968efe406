"""What tables say to a jackpot controller, made up for tests."""

from firmware.protocol.messages import AwardMessage, TableStatus
from firmware.protocol.obligations import Contribution, Reversal, Verdict, Win
from firmware.rules.contract import Claim

DEALT_MS = 1_900_000_000_000
"""In 2030: after every time at which a test opens a round."""
ROYAL = Claim(1, "player", "royal_flush", "major", percent=100)
STRAIGHT = Claim(1, "player", "straight_flush", "major", percent=10)
FLUSH = Claim(1, "player", "flush", "minor", amount=10_000)
RIVER = Claim(1, "player", "royal_flush_river", "minor", percent=5)
FLOP = Claim(1, "player", "royal_flush_flop", "major", percent=100)


def whole_meter(win: str, winners: int = 1) -> AwardMessage:
    """Expect the award of the whole meter as it is at the start, or an equal share of it."""
    whole_cents = 10_000_000
    return AwardMessage(id=win, amount_cents=whole_cents, meter_cents=whole_cents, winners=winners)


def contribution(number: int, stake_cents: int = 500, table: str = "T1") -> Contribution:
    """Make the nth message of a table a contribution, in its nth round: a spot has one a round."""
    return Contribution(
        id=f"{table}.j.{number}.1",
        table=table,
        round=number,
        seat=1,
        at_ms=0,
        bet="jackpot",
        stake_cents=stake_cents,
    )


def reversal(number: int, taken_back: Contribution) -> Reversal:
    """Make the nth message of a table take a contribution back."""
    return Reversal(
        id=f"{taken_back.table}.j.{number}.1",
        table=taken_back.table,
        round=taken_back.round,
        seat=taken_back.seat,
        at_ms=0,
        contribution=taken_back.id,
        stake_cents=taken_back.stake_cents,
    )


def win(
    number: int, claim: Claim, table: str = "T1", *, dealt: int | None = None, round_: int = 1
) -> Win:
    """Make the nth message of a table a win; `dealt` is in milliseconds after the first deal."""
    return Win(
        id=f"{table}.j.{number}.1",
        table=table,
        round=round_,
        seat=claim.seat,
        at_ms=0,
        claim=claim,
        dealt_at_ms=DEALT_MS + (number if dealt is None else dealt),
        clock="synchronised",
        final=claim.level == "minor",
    )


def verdict(
    number: int, on: Win, *, confirmed: bool = True, paid_cents: int | None = None
) -> Verdict:
    """Make the nth message of a table the verdict on a win."""
    return Verdict(
        id=f"{on.table}.j.{number}.1",
        table=on.table,
        round=on.round,
        seat=on.seat,
        at_ms=0,
        win=on.id,
        confirmed=confirmed,
        paid_cents=paid_cents,
        staff="4711",
    )


def status(  # noqa: PLR0913  # one argument for each thing that a test turns
    table: str,
    *seen: str,
    online: bool = True,
    dealt: int | None = None,
    owed: int = 0,
    round_: int = 1,
    phase: str = "",
    contributions: tuple[int, int] = (0, 0),
    journal: str = "j",
    game: str = "rws-casino-stud",
) -> TableStatus:
    """Make the status of a table that has seen these claims pending."""
    return TableStatus(
        table=table,
        journal=journal,
        online=online,
        game=game,
        round=round_,
        phase=phase or ("idle" if dealt is None else "deciding"),
        dealt_at_ms=None if dealt is None else DEALT_MS + dealt,
        owed=owed,
        contributions=contributions[0],
        contributed_cents=contributions[1],
        seen_pending=seen,
    )
