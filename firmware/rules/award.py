"""Who is paid what from the meter, and in which order.

A *unit* is what is paid in one go: one claim, or all claims of one tier from one
table and round where the game lets its winners share. RWS games pay by the time
the hand was dealt (I-19); MBS games by entry, lower hands of a round first (I-18).
Locking the meter while claims are pending is left to the jackpot controller.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct

from firmware.errors import BadInput
from firmware.rules.contract import Award, Awards, Claims, EnteredClaim, Meter, Settings
from firmware.rules.game import Game, JackpotLine
from firmware.rules.games import find_game


class Unit(Struct, frozen=True):
    """Claims that are paid in one go, by seat."""

    claims: tuple[EnteredClaim, ...]
    rank: int = 0
    """0 if nothing is shared, then the shared tiers from the lowest up."""

    @property
    def entered_at(self) -> datetime:
        """The first entry of any claim of the unit."""
        return min(claim.entered_at for claim in self.claims)

    @property
    def round(self) -> tuple[str, int]:
        """The table and round that the unit belongs to."""
        return self.claims[0].table, self.claims[0].round


def award(asked: Claims, game: Game | None = None) -> Awards:
    """Pay every claim, in the order of the game's rules."""
    game = game or find_game(asked.game)
    _check(game, asked.claims)
    units = _ORDERS[game.payment.by](game, asked.claims)
    value, reset = asked.meter.value, asked.meter.reset
    awards: list[Award] = []
    for place, unit in enumerate(units):
        rule = _rule(game, units, place)
        for claim, amount, after in _paid(unit, value, reset, asked.settings):
            awards.append(Award(claim.id, amount, value, after, rule))
            value = after
    return Awards(tuple(awards), Meter(value=value, reset=reset))


def _paid(
    unit: Unit, value: int, reset: int, settings: Settings
) -> Iterator[tuple[EnteredClaim, int, int]]:
    """Yield (claim, amount, meter after it) for the claims of a unit."""
    first = unit.claims[0]
    if first.percent is UNSET:
        for claim in unit.claims:
            yield claim, claim.amount or 0, value
        return
    if first.percent == 100:  # noqa: PLR2004  # the whole meter
        yield from _whole_meter(unit.claims, value, reset)
        return
    pot = _percentages(first.percent, len(unit.claims), value, reset, settings)
    share = pot // len(unit.claims)
    for claim in unit.claims:
        # The house pays what a low meter cannot cover (I-35).
        value = max(0, value - share)
        yield claim, share, value


def _whole_meter(
    claims: Sequence[EnteredClaim], value: int, reset: int
) -> Iterator[tuple[EnteredClaim, int, int]]:
    """Pay 100 %: the meter and, for each further winner, a reset value, in equal shares.

    The first winner takes the meter to its reset value, the others leave it there,
    and the last adds the cents that could not be shared.
    """
    share, left_over = divmod(value + (len(claims) - 1) * reset, len(claims))
    for claim in claims:
        yield claim, share, reset + (left_over if claim is claims[-1] else 0)


def _percentages(percent: int, winners: int, value: int, reset: int, settings: Settings) -> int:
    """Add up what this many winners of a percentage share, each part rounded down."""
    if settings.straight_flush_share == "reset":
        return value * percent // 100 + (winners - 1) * (reset * percent // 100)
    pot = 0
    for _ in range(winners):
        pot += (value - pot) * percent // 100
    return pot


def _by_deal(_game: Game, claims: Iterable[EnteredClaim]) -> Sequence[Unit]:
    """Order by the moment the hand was complete: I-17, I-19, I-20."""
    ordered = sorted(claims, key=lambda c: (c.dealt_at, c.table, c.seat, c.id))
    return [Unit((claim,)) for claim in ordered]


def _by_entry(game: Game, claims: Iterable[EnteredClaim]) -> Sequence[Unit]:
    """Order by entry, where a hand waits for the lower hands of its own round: I-18."""
    by_round: dict[tuple[str, int], list[Unit]] = defaultdict(list)
    units = _units(game, claims)
    for unit in units:
        by_round[unit.round].append(unit)

    def when(unit: Unit) -> tuple[Any, ...]:
        waits_for = [u.entered_at for u in by_round[unit.round] if u.rank < unit.rank]
        first = unit.claims[0]
        paid_at = max([unit.entered_at, *waits_for])
        return paid_at, unit.rank, first.table, first.round, first.seat, first.id

    return sorted(units, key=when)


def _units(game: Game, claims: Iterable[EnteredClaim]) -> list[Unit]:
    """Group what one table and round share; a fixed amount is a unit of its own."""
    ranks = {tier: rank for rank, tier in enumerate([*game.payment.sharing][::-1], start=1)}
    alone: list[Unit] = []
    shared: dict[tuple[str, int, str], list[EnteredClaim]] = defaultdict(list)
    for claim in claims:
        if claim.percent is UNSET or claim.tier not in ranks:
            alone.append(Unit((claim,)))
        else:
            shared[claim.table, claim.round, claim.tier].append(claim)
    together = [
        Unit(tuple(sorted(members, key=lambda c: (c.seat, c.id))), ranks[tier])
        for (_, _, tier), members in shared.items()
    ]
    return alone + together


_ORDERS: dict[str, Callable[[Game, Iterable[EnteredClaim]], Sequence[Unit]]] = {
    "dealt_at": _by_deal,
    "entered_at": _by_entry,
}


def _rule(game: Game, units: Sequence[Unit], place: int) -> str:
    """Name the paragraph that decided a unit's amount or, failing that, its place."""
    payment, unit = game.payment, units[place]
    tier, highest = unit.claims[0].tier, len(payment.sharing)
    pay_table = game.tiers[tier][0].rule
    if len(unit.claims) > 1:
        return payment.sharing[tier]
    if unit.rank < highest and any(u.rank == highest and u.round == unit.round for u in units):
        return payment.same_round  # it goes before the highest hand of its round
    if not _is_major(game, unit):
        return pay_table
    others = (*units[:place][::-1], *units[place + 1 :])
    nearest = next((other for other in others if _is_major(game, other)), None)
    if nearest is None:
        return pay_table
    if nearest.round != unit.round:
        return payment.across_tables
    return pay_table if payment.sharing else payment.same_round


def _is_major(game: Game, unit: Unit) -> bool:
    """Return whether the order of payment covers this hand: it covers only majors."""
    lines = game.tiers[unit.claims[0].tier]
    return any(isinstance(line, JackpotLine) and line.level == "major" for line in lines)


def _check(game: Game, claims: Sequence[EnteredClaim]) -> None:
    seen: set[str] = set()
    for index, claim in enumerate(claims):
        field = f"claims[{index}]"
        if claim.id in seen:
            raise BadInput(f"{field}.id", f"{claim.id!r} is listed twice")
        seen.add(claim.id)
        if (claim.percent is UNSET) == (claim.amount is UNSET):
            raise BadInput(field, "needs either percent or amount, and not both")
        _check_tier(game, claim, field)


def _check_tier(game: Game, claim: EnteredClaim, field: str) -> None:
    lines = game.tiers.get(claim.tier)
    if lines is None:
        tiers = ", ".join(game.tiers)
        raise BadInput(f"{field}.tier", f"{game.id} pays no {claim.tier!r}; it pays {tiers}")
    percents = [line.percent for line in lines if isinstance(line, JackpotLine)]
    if claim.percent is not UNSET and claim.percent not in percents:
        raise BadInput(f"{field}.percent", f"{game.id} pays no {claim.percent} % on {claim.tier}")
    if claim.amount is not UNSET and percents and None not in percents:
        raise BadInput(f"{field}.amount", f"{claim.tier} pays a percentage of the meter")
