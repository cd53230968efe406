"""What is seen of a table outside: lamps, the dealer's prompt, the sign.

All of it follows from the state, so no lamp can be forgotten and a restart shows what
was shown before. No card appears here before it is face up on the felt.
"""

from collections.abc import Iterator

from msgspec import Struct

from firmware.rules.explain import bet_words, draw_words
from firmware.rules.words import money, plain
from firmware.table.effects import AnyEffect, Pattern, SetLamp, ShowPrompt, ShowSign
from firmware.table.settings import TableSettings
from firmware.table.stages import current, undecided
from firmware.table.state import TableState

Lamp = tuple[int, str]
"""A lamp by seat and jackpot bet."""


class View(Struct, frozen=True):
    """Everything that the table shows."""

    lamps: dict[Lamp, Pattern]
    prompt: ShowPrompt
    sign: ShowSign

    def effects(self, before: "View | None" = None) -> Iterator[AnyEffect]:
        """Yield what has to be done to come here from another view, or from nothing."""
        for lamp, pattern in self.lamps.items():
            if before is None or before.lamps.get(lamp) != pattern:
                yield SetLamp(*lamp, pattern)
        if before is None or before.prompt != self.prompt:
            yield self.prompt
        if before is None or before.sign != self.sign:
            yield self.sign


def view(settings: TableSettings, state: TableState) -> View:
    """Show a table."""
    lamps = {
        (seat, bet): _lamp(state, seat, bet)
        for seat in range(1, settings.seats + 1)
        for bet in settings.rules.jackpot_bets
    }
    prompt = ShowPrompt(state.phase, tuple(_PROMPTS[state.phase](settings, state)))
    return View(lamps, prompt, _sign(settings, state))


def _lamp(state: TableState, seat: int, bet: str) -> Pattern:
    if state.phase == "idle":
        return "off"
    if state.phase == "betting":
        return "quick_blink" if (seat, bet) in state.chips() else "slow_blink"
    play = state.round.seats.get(seat)
    if play is None or bet not in play.contributions:
        return "off"
    if any((claim.seat, claim.bet) == (seat, bet) for claim in state.round.claims.values()):
        return "flutter"
    return "quick_blink" if play.contributions[bet] in state.owed else "steady"


def _idle(_settings: TableSettings, state: TableState) -> Iterator[str]:
    yield "Press OPEN to take bets."
    if not state.link_healthy:
        yield "The jackpot link is down."


def _betting(settings: TableSettings, state: TableState) -> Iterator[str]:
    yield f"Round {state.round.number}: place your bets. Then press CLOSE."
    chips = state.chips()
    for bet in settings.rules.jackpot_bets:
        yield f"{_chips_of(bet)}: {_seats([seat for seat, placed in chips if placed == bet])}."
    for seat, play in sorted(state.round.seats.items()):
        keyed = ", ".join(f"{plain(bet)} {money(cents)}" for bet, cents in play.stakes.items())
        yield f"Seat {seat} keyed: {keyed}."


def _chips_of(bet: str) -> str:
    return "Jackpot chips" + plain(bet.removeprefix("jackpot")).replace(" ", " on the ", 1)


def _drawing(_settings: TableSettings, _state: TableState) -> Iterator[str]:
    yield "Wait: the draws of the round are being made."


def _dealing(settings: TableSettings, state: TableState) -> Iterator[str]:
    stage = current(settings, state.round)
    if stage is not None:
        target = stage.targets[state.round.stage_cards]
        whom = {"burn": "Burn a card", "dealer": "Deal to yourself", "community": "Deal the board"}
        yield f"{whom.get(target.to, f'Deal to seat {target.seat}')}."
    if state.round.draws is not None:
        yield f"Drawn: {draw_words(state.round.draws)}."
    waiting = [
        seat
        for seat, play in state.round.seats.items()
        if any(contribution in state.owed for contribution in play.contributions.values())
    ]
    if waiting:
        yield f"Jackpot not yet confirmed: {_seats(waiting)}."


def _deciding(settings: TableSettings, state: TableState) -> Iterator[str]:
    stage = current(settings, state.round)
    if stage is not None:
        bet = stage.step.bet
        other = "FOLD" if bet == settings.rules.stay else "CHECK"
        yield f"{bet.upper()} or {other}: {_seats(undecided(state.round, bet))}."


def _revealing(settings: TableSettings, state: TableState) -> Iterator[str]:
    stage = current(settings, state.round)
    what = "the board" if stage and "community" in stage.step.to else "all hands"
    yield f"Turn up {what}. Then press REVEAL."


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
    "drawing": _drawing,
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
