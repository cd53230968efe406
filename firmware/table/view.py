"""What is seen of a table outside: lamps, the dealer's prompt, the sign, where it stands.

All of it follows from the state, so no lamp can be forgotten and a restart shows what
was shown before. No card appears here before it is face up on the felt. The words of
the prompts are in `prompts.py`.
"""

from collections.abc import Iterator

from msgspec import Struct

from firmware.protocol.obligations import OWED_MONEY
from firmware.rules.explain import draw_words
from firmware.rules.words import money
from firmware.table.effects import (
    AnyEffect,
    Pattern,
    PublishStatus,
    SetLamp,
    ShowPrompt,
    ShowSign,
)
from firmware.table.prompts import prompt_lines
from firmware.table.settings import TableSettings
from firmware.table.state import TableState

Lamp = tuple[int, str]
"""A lamp by seat and jackpot bet."""
_AT_REST = frozenset({"idle", "closed", "service"})


class View(Struct, frozen=True):
    """Everything that the table shows."""

    lamps: dict[Lamp, Pattern]
    prompt: ShowPrompt
    sign: ShowSign
    standing: PublishStatus

    def effects(self, before: "View | None" = None) -> Iterator[AnyEffect]:
        """Yield what has to be done to come here from another view, or from nothing."""
        for lamp, pattern in self.lamps.items():
            if before is None or before.lamps.get(lamp) != pattern:
                yield SetLamp(*lamp, pattern)
        if before is None or before.prompt != self.prompt:
            yield self.prompt
        if before is None or before.sign != self.sign:
            yield self.sign
        if before is None or before.standing != self.standing:
            yield self.standing


def view(settings: TableSettings, state: TableState) -> View:
    """Show a table."""
    chips = state.chips()
    lamps = {
        (seat, bet): _lamp(state, chips, seat, bet)
        for seat in range(1, settings.seats + 1)
        for bet in settings.rules.jackpot_bets
    }
    prompt = ShowPrompt(state.phase, tuple(prompt_lines(settings, state)))
    return View(lamps, prompt, _sign(settings, state), _standing(state))


def _lamp(state: TableState, chips: list[Lamp], seat: int, bet: str) -> Pattern:
    if state.is_locked(seat, bet):
        return "double_blink"
    if state.doing in _AT_REST:
        return "off"
    if state.doing == "betting":
        return "quick_blink" if (seat, bet) in chips else "slow_blink"
    play = state.round.seats.get(seat)
    if play is None or bet not in play.contributions:
        return "off"
    if any((claim.seat, claim.bet) == (seat, bet) for claim in state.round.claims.values()):
        return "flutter"
    return "quick_blink" if play.contributions[bet] in state.owed else "steady"


def _sign(settings: TableSettings, state: TableState) -> ShowSign:
    return ShowSign(state.meter_cents, _sign_text(settings, state))


def _sign_text(settings: TableSettings, state: TableState) -> str:
    if state.phase in {"closed", "service"}:
        return "This table is closed"
    for claim in state.round.claims.values():
        if state.phase == "settling" and claim.amount_cents is not None and not claim.unconfirmed:
            return f"Seat {claim.seat} wins {money(claim.amount_cents)}"
    limits = f"{money(settings.ante_min_cents)} to {money(settings.ante_max_cents)}"
    if not state.link_healthy:
        return f"Ante {limits}, no jackpot bets are accepted"
    text = f"Ante {limits}, jackpot bet {money(settings.jackpot_bet_cents)}"
    if state.round.draws is not None and state.doing not in {*_AT_REST, "betting"}:
        text = f"{text}, {draw_words(state.round.draws)}"
    return text


def _standing(state: TableState) -> PublishStatus:
    play = state.round
    # Once it is settled a round claims nothing more; what it has claimed is owed or entered.
    in_play = state.doing not in {*_AT_REST, "betting", "settling"}
    return PublishStatus(
        round=play.number,
        phase=state.phase,
        dealt_at_ms=play.dealt_at_ms or None if in_play else None,
        owed=sum(
            isinstance(owed, OWED_MONEY) and owed_id not in state.entered
            for owed_id, owed in state.owed.items()
        ),
        contributions=state.totals.contributions,
        contributed_cents=state.totals.contributed_cents,
        seen_pending=state.pending_ids,
    )
