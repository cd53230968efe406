"""What is seen of a table outside: lamps, the dealer's prompt, the sign.

All of it follows from the state, so no lamp can be forgotten and a restart shows what
was shown before. No card appears here before it is face up on the felt.
"""

from collections.abc import Iterator

from msgspec import Struct

from firmware.rules.explain import bet_words
from firmware.rules.words import money, plain
from firmware.table.effects import AnyEffect, Pattern, SetLamp, ShowPrompt, ShowSign
from firmware.table.handlers import deal_order
from firmware.table.settings import TableSettings
from firmware.table.state import Spot, TableState


class View(Struct, frozen=True):
    """Everything that the table shows."""

    lamps: dict[int, Pattern]
    prompt: ShowPrompt
    sign: ShowSign

    def effects(self, before: "View | None" = None) -> Iterator[AnyEffect]:
        """Yield what has to be done to come here from another view, or from nothing."""
        for seat, pattern in self.lamps.items():
            if before is None or before.lamps.get(seat) != pattern:
                yield SetLamp(seat, pattern)
        if before is None or before.prompt != self.prompt:
            yield self.prompt
        if before is None or before.sign != self.sign:
            yield self.sign


def view(settings: TableSettings, state: TableState) -> View:
    """Show a table."""
    seats = range(1, settings.seats + 1)
    return View(
        {seat: _lamp(state, seat) for seat in seats},
        _prompt(settings, state),
        _sign(settings, state),
    )


def _lamp(state: TableState, seat: int) -> Pattern:
    if state.phase == "idle":
        return "off"
    if state.phase == "betting":
        spot = state.spots.get(seat, Spot())
        return "quick_blink" if spot.chip and spot.ready else "slow_blink"
    play = state.round.seats.get(seat)
    if play is None or not play.contribution_id:
        return "off"
    if any(claim.seat == seat for claim in state.round.claims.values()):
        return "flutter"
    return "quick_blink" if play.contribution_id in state.owed else "steady"


def _prompt(settings: TableSettings, state: TableState) -> ShowPrompt:
    return ShowPrompt(state.phase, tuple(_PROMPTS[state.phase](settings, state)))


def _idle(_settings: TableSettings, state: TableState) -> Iterator[str]:
    yield "Press OPEN to take bets."
    if not state.link_healthy:
        yield "The jackpot link is down."


def _betting(_settings: TableSettings, state: TableState) -> Iterator[str]:
    chips = [seat for seat, spot in sorted(state.spots.items()) if spot.chip and spot.ready]
    yield f"Round {state.round.number}: place your bets. Then press CLOSE."
    yield f"Jackpot chips: {_seats(chips)}."


def _dealing(settings: TableSettings, state: TableState) -> Iterator[str]:
    target = deal_order(settings, state)[len(state.round.drawn)]
    whom = {"burn": "Burn a card", "dealer": "Deal to yourself", "community": "Deal to the board"}
    yield f"{whom.get(target.to, f'Deal to seat {target.seat}')}."
    unacknowledged = [s for s, p in state.round.seats.items() if p.contribution_id in state.owed]
    if unacknowledged:
        yield f"Jackpot not yet confirmed: {_seats(unacknowledged)}."


def _deciding(_settings: TableSettings, state: TableState) -> Iterator[str]:
    undecided = [seat for seat, play in state.round.seats.items() if play.decision is None]
    yield f"BET or FOLD: {_seats(undecided)}."


def _revealing(_settings: TableSettings, _state: TableState) -> Iterator[str]:
    yield "Turn up all hands. Then press REVEAL."


def _settling(settings: TableSettings, state: TableState) -> Iterator[str]:
    for result in state.round.results:
        for name, words in bet_words(settings.rules, result):
            # The chip of a jackpot bet is in the jackpot; what it wins is told as a claim.
            if name not in settings.rules.jackpot_bets or result.bets[name].returned:
                yield f"Seat {result.seat} {plain(name)} {words}"
    for claim in state.round.claims.values():
        amount = "pending" if claim.amount_cents is None else f"pay {money(claim.amount_cents)}"
        yield f"Seat {claim.seat} JACKPOT {claim.words}: {amount}"
    yield "Then press PAID."


_PROMPTS = {
    "idle": _idle,
    "betting": _betting,
    "dealing": _dealing,
    "deciding": _deciding,
    "revealing": _revealing,
    "settling": _settling,
}


def _sign(settings: TableSettings, state: TableState) -> ShowSign:
    for claim in state.round.claims.values():
        if state.phase == "settling" and claim.amount_cents is not None:
            text = f"Seat {claim.seat} wins {money(claim.amount_cents)}"
            return ShowSign(state.meter_cents, text)
    limits = f"{money(settings.ante_min_cents)} to {money(settings.ante_max_cents)}"
    return ShowSign(
        state.meter_cents, f"Ante {limits}, jackpot bet {money(settings.jackpot_bet_cents)}"
    )


def _seats(numbers: list[int]) -> str:
    if not numbers:
        return "none"
    return ("seat " if len(numbers) == 1 else "seats ") + ", ".join(map(str, numbers))
