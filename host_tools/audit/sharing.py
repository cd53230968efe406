"""How a win was shared: in how many parts, of what, and with whose claims.

Only claims of one table and round share, so its journal knows all of them. The table also reckons
what a share comes to; where that is not what was awarded, the jackpot controller's books have it.
"""

from collections.abc import Mapping

from msgspec import UNSET

from firmware.protocol.obligations import moment
from firmware.rules.award import award
from firmware.rules.contract import Claim, Claims, EnteredClaim, Meter, Settings
from firmware.rules.game import Game
from firmware.table.events import AwardGranted
from firmware.table.settings import TableSettings
from firmware.table.state import ClaimState, RoundState
from host_tools.audit.beside import listed

IN_THE_BOOKS = "what they are shares of is in the jackpot controller's books"
_WHOLE = 100


def may_share(game: Game, one: Claim, other: Claim) -> bool:
    """Tell whether two claims of one round are paid together by the game's rules."""
    from_meter = one.percent is not None and other.percent is not None
    return from_meter and one.tier == other.tier and one.tier in game.payment.sharing


def sharers(
    game: Game, play: RoundState, claim_id: str, awards: Mapping[str, AwardGranted]
) -> list[str]:
    """List the other claims of the round that were awarded from the same meter in equal parts."""
    own, mine = play.claims[claim_id], awards.get(claim_id)
    if mine is None or mine.winners == 1:
        return []
    return [
        other_id
        for other_id, other in play.claims.items()
        if other_id != claim_id
        and other_id in awards
        and may_share(game, own.claim, other.claim)
        and _together(mine, awards[other_id])
    ]


def named(play: RoundState, claim_ids: list[str]) -> str:
    """Name claims by their seats and ids."""
    return listed([f"seat {play.claims[claim_id].seat} ({claim_id})" for claim_id in claim_ids])


def share_words(
    settings: TableSettings, play: RoundState, claim: ClaimState, granted: AwardGranted
) -> str:
    """Say of what an award is a share, if the table reckons the same; else who knows it."""
    parts = f"1 of {granted.winners} equal shares"
    locked = claim.locked_cents is not None
    reset_cents = claim.locked_reset_cents if locked else play.reset_cents
    percent = claim.claim.percent
    if percent is None or _share_cents(settings, claim, granted, reset_cents) != (
        granted.amount_cents
    ):
        return f"{parts}; {IN_THE_BOOKS}"
    reset = f"the reset value {settings.money(reset_cents)}"
    if percent == _WHOLE:
        return f"{parts} of the meter and, for each further winner, {reset}"
    if settings.straight_flush_share == "reset":
        return f"{parts} of {percent} % of the meter and, for each further winner, of {reset}"
    return f"{parts} of {percent} % of the meter and, for each further winner, of what is left"


def _together(one: AwardGranted, other: AwardGranted) -> bool:
    mine, theirs = ((each.winners, each.meter_cents, each.amount_cents) for each in (one, other))
    return mine == theirs


def _share_cents(
    settings: TableSettings, claim: ClaimState, granted: AwardGranted, reset_cents: int
) -> int | None:
    """Reckon what each of so many claims like this one is paid from the meter of its award."""
    if granted.meter_cents is None or granted.winners > settings.seats * len(settings.rules.lines):
        return None
    made = claim.claim
    alike = tuple(
        EnteredClaim(
            id=str(number),
            table=settings.name,
            round=0,
            seat=made.seat,
            tier=made.tier,
            dealt_at=moment(0),
            entered_at=moment(0),
            percent=UNSET if made.percent is None else made.percent,
            on=made.on,
            level=made.level,
        )
        for number in range(granted.winners)
    )
    meter = Meter(value=granted.meter_cents, reset=reset_cents)
    choice = Settings(straight_flush_share=settings.straight_flush_share)
    answer = award(Claims(settings.game, meter, alike, choice), settings.rules)
    return answer.awards[0].amount
