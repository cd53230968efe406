"""What can be seen of a table from outside: lamps, the dealer's prompt, the sign, its status.

All of it follows from the state, so no lamp can be forgotten and a restart shows what
was shown before. It is made from what is seen (`seen.py`): no card can appear here before it is
face up on the felt. The words of the prompts are in `prompts.py`.
"""

from functools import lru_cache

from msgspec import Struct

from firmware.protocol.fault_catalogue import spot_place
from firmware.protocol.obligations import OWED_MONEY
from firmware.rules.words import draw_words
from firmware.table.effects import (
    AnyEffect,
    Pattern,
    PublishStatus,
    SetLamp,
    ShowPrompt,
    ShowSign,
    SpotKey,
)
from firmware.table.faults import locking_faults
from firmware.table.held import is_held
from firmware.table.prompts import prompt
from firmware.table.seen import Seen, seen
from firmware.table.settings import TableSettings
from firmware.table.state import AFTER_THE_CLOSE, AT_REST, Phase, TableState
from firmware.table.verdicts import payable_cents


class View(Struct, frozen=True):
    """Everything that the table shows."""

    lamps: dict[SpotKey, Pattern]
    prompt: ShowPrompt
    sign: ShowSign
    status: PublishStatus

    def effects(self, before: "View | None" = None) -> list[AnyEffect]:
        """List what has to be done to get here from another view, or from nothing."""
        changes: list[AnyEffect] = [
            SetLamp(*lamp, pattern)
            for lamp, pattern in self.lamps.items()
            if before is None or before.lamps.get(lamp) != pattern
        ]
        if before is None or before.prompt != self.prompt:
            changes.append(self.prompt)
        if before is None or before.sign != self.sign:
            changes.append(self.sign)
        if before is None or before.status != self.status:
            changes.append(self.status)
        return changes


def view(settings: TableSettings, state: TableState) -> View:
    """Return everything that a table shows; cards that lie face down are not known here."""
    known, doing = seen(settings, state), state.doing
    return View(
        _lamps(settings, known, doing),
        prompt(settings, known),
        ShowSign(known.shown_meter_cents, _sign_text(settings, known, doing)),
        _status(known, doing),
    )


def _lamps(settings: TableSettings, state: Seen, doing: Phase) -> dict[SpotKey, Pattern]:
    chips = state.chips()
    lamps: dict[SpotKey, Pattern] = {
        (seat, bet): _lamp(state, doing, chips, seat, bet)
        for seat in range(1, settings.seats + 1)
        for bet in settings.rules.jackpot_bets
    }
    if state.faults:
        locked = {fault.where for fault in state.faults.values()}
        for seat, bet in lamps:
            if spot_place(seat, bet) in locked:
                lamps[seat, bet] = "double_blink"
    return lamps


def _lamp(state: Seen, doing: Phase, chips: list[SpotKey], seat: int, bet: str) -> Pattern:
    if doing in AT_REST:
        return "off"
    if doing == "betting":
        if seat in state.barred or not state.takes_jackpot_bets:
            return "off"
        return "quick_blink" if (seat, bet) in chips else "slow_blink"
    play = state.round.seats.get(seat)
    if play is None or bet not in play.contributions:
        return "off"
    if any((each.claim.seat, each.bet) == (seat, bet) for each in state.round.claims.values()):
        return "flutter"
    return "quick_blink" if play.contributions[bet] in state.owed else "steady"


def _sign_text(settings: TableSettings, state: Seen, doing: Phase) -> str:
    if state.phase in {"closed", "service"}:
        return "This table is closed"
    won = _winners(settings, state)
    if won:
        return won
    # A fault that locks the table lets no round begin, whatever the link does.
    takes_bets = state.takes_jackpot_bets and not locking_faults(state)
    text = _limits_text(settings, jackpot=takes_bets)
    if state.link_healthy and state.round.draws is not None and doing in AFTER_THE_CLOSE:
        text = f"{text}, {draw_words(state.round.draws)}"
    return text


def _winners(settings: TableSettings, state: Seen) -> str:
    """Name every seat whose jackpot may be paid now, with all that it wins; nothing before that."""
    if state.phase != "settling" or is_held(state):
        return ""
    amounts: dict[int, list[int | None]] = {}
    for claim in state.round.claims.values():
        amounts.setdefault(claim.seat, []).append(payable_cents(state.round, claim))
    known = {seat: each for seat, each in amounts.items() if None not in each}
    won = [
        f"{'seat' if place else 'Seat'} {seat} wins {settings.money(sum(filter(None, each)))}"
        for place, (seat, each) in enumerate(sorted(known.items()))
    ]
    return ", ".join(won)


@lru_cache(maxsize=64)
def _limits_text(settings: TableSettings, *, jackpot: bool) -> str:
    money = settings.money
    limits = f"{money(settings.ante_min_cents)} to {money(settings.ante_max_cents)}"
    most_cents = settings.shown_bonus_max_cents
    bonus = "" if most_cents is None else f", bonus up to {money(most_cents)}"
    bet = f"jackpot bet {money(settings.jackpot_bet_cents)}"
    return f"Ante {limits}{bonus}, {bet if jackpot else 'no jackpot bets are accepted'}"


def _status(state: Seen, doing: Phase) -> PublishStatus:
    play = state.round
    rejected = {f.where for f in state.faults.values() if f.code == "message_rejected"}
    # Until PAID a correction may still bring a claim; a void round brings none.
    may_claim = doing in AFTER_THE_CLOSE and not play.void
    return PublishStatus(
        round=play.number,
        phase=state.phase,
        dealt_at_ms=(play.dealt_at_ms or None) if may_claim else None,
        # What the controller has rejected it never takes: no claim may wait for it.
        owed=sum(
            isinstance(owed, OWED_MONEY)
            and owed_id not in state.entered
            and owed_id not in rejected
            for owed_id, owed in state.owed.items()
        ),
        contributions=state.totals.contributions,
        contributed_cents=state.totals.contributed_cents,
        seen_pending=state.pending_ids,
    )
