"""What the panel tells the dealer in each phase: what to do now, then what else there is to know.

Plain lines of text that follow from the state. No card or hand is named before it is face
up on the felt. What to pay is in `settlement_prompt.py`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from firmware.protocol.fault_catalogue import FAULTS
from firmware.rules.words import IRREGULARITIES, draw_words, money, paragraphs, spaced
from firmware.table.effects import ShowPrompt
from firmware.table.faults import fault_sentences
from firmware.table.irregularities.reports import choices, confirmer
from firmware.table.settings import TableSettings
from firmware.table.settlement_prompt import SeatLines, settlement, with_parts
from firmware.table.stages import current, undecided
from firmware.table.state import Phase, TableState


def prompt(settings: TableSettings, state: TableState) -> ShowPrompt:
    """Tell the dealer what to do now, then what else he needs to know."""
    lines, parts = with_parts(_PROMPTS[state.phase](settings, state))
    if state.clearing:
        who = spaced(FAULTS[state.faults[state.clearing].code].ends)
        lines.append(f"To clear {state.clearing}: {who}, turn the key, enter your number and PIN.")
    if state.faults:
        lines += fault_sentences(state)
    lines += [f"Jackpot pending: {words}." for words in state.pending_words]
    return ShowPrompt(state.phase, tuple(lines), parts)


def _idle(settings: TableSettings, state: TableState) -> Iterator[str]:
    yield "Press OPEN to take bets."
    if not state.link_healthy:
        yield f"The jackpot link is down: {state.link_problem or 'not connected yet'}."
    yield from _forgotten(settings, state)


def _closed(_settings: TableSettings, _state: TableState) -> Iterator[str]:
    yield "The table is closed. Press OPENTABLE to open it."


def _service(_settings: TableSettings, _state: TableState) -> Iterator[str]:
    yield "A technician is at work. Do not use the table."


def _betting(settings: TableSettings, state: TableState) -> Iterator[str]:
    yield f"Round {state.round.number}: place your bets. Then press CLOSE."
    chips = state.chips()
    for bet in settings.rules.jackpot_bets:
        yield f"{_chips_of(bet)}: {_seats([seat for seat, placed in chips if placed == bet])}."
    for seat, play in sorted(state.round.seats.items()):
        keyed = ", ".join(f"{spaced(bet)} {money(cents)}" for bet, cents in play.stakes.items())
        yield f"Seat {seat} keyed: {keyed}."
        yield from _limits(settings, seat, play.stakes.get("ante"))
        yield from _bonus_over(settings, seat, play.stakes)
    if settings.shown_bonus_max_cents is not None:
        yield f"Bonus up to {money(settings.shown_bonus_max_cents)}."
    if not state.link_healthy:
        yield "The jackpot link is down: take no jackpot bets."
    yield from _forgotten(settings, state)
    yield from _without_ante(settings, state, [seat for seat, _ in chips])


def _limits(settings: TableSettings, seat: int, ante_cents: int | None) -> Iterator[str]:
    if ante_cents and ante_cents < settings.ante_min_cents:
        yield f"Seat {seat}: ante under the minimum; ask the player to raise or withdraw it."
    if ante_cents and ante_cents > settings.ante_max_cents:
        yield f"Seat {seat}: ante over the maximum; hand back the excess."


def _bonus_over(settings: TableSettings, seat: int, stakes: Mapping[str, int]) -> Iterator[str]:
    bonus, most_cents = settings.rules.bonus, settings.shown_bonus_max_cents
    if bonus and most_cents is not None and stakes.get(bonus.name, 0) > most_cents:
        yield f"Seat {seat}: bonus over the maximum; hand back the excess."


def _without_ante(
    settings: TableSettings, state: TableState, chips: Iterable[int]
) -> Iterator[str]:
    game = settings.rules
    cases = game.irregularities.get("jackpot_without_ante", (game.silent,))
    for seat in sorted({*chips}):
        play = state.round.seats.get(seat)
        if play is not None and play.stakes.get("ante") == 0:
            rule = paragraphs([cases[-1].rule])
            what = "jackpot chip without an ante; add an ante or lift the chip"
            yield f"Seat {seat}: {what} ({rule})."


def _forgotten(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Name the spots whose chip has already bet and has not been lifted since."""
    for seat, spots in sorted(state.spots.items()):
        for bet, spot in spots.items():
            if spot.chip and not spot.ready and seat <= settings.seats:
                yield f"Seat {seat}{_on(bet)}: lift the old chip; it is not a bet."


@lru_cache(maxsize=16)
def _on(bet: str) -> str:
    return spaced(bet.removeprefix("jackpot")).replace(" ", " on the ", 1)


def _chips_of(bet: str) -> str:
    return f"Jackpot chips{_on(bet)}"


def _drawing(_settings: TableSettings, _state: TableState) -> Iterator[str]:
    yield "Please wait: the draw is running."


def _dealing(settings: TableSettings, state: TableState) -> Iterator[str]:
    play, stage = state.round, current(settings, state.round)
    if play.source == "manual":
        yield f"Deal to {_seats(play.dealt)} and yourself. Then press DEALT."
    elif stage is not None:
        target = stage.targets[play.stage_cards]
        whom = {"burn": "Burn a card", "dealer": "Deal to yourself", "community": "Deal the board"}
        yield f"{whom.get(target.to, f'Deal to seat {target.seat}')}."
    if play.draws is not None:
        yield f"Drawn: {draw_words(play.draws)}."
    waiting = [
        seat
        for seat, player in play.seats.items()
        if any(contribution in state.owed for contribution in player.contributions.values())
    ]
    if waiting:
        yield f"Jackpot bets not yet confirmed: {_seats(waiting)}."
    yield from _after_the_close(settings, state)


def _after_the_close(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Name the late chips, and the jackpot bets without an ante."""
    late = settings.rules.irregularities.get("late_bet")
    rule = f" ({paragraphs([late[0].rule])})" if late else ""
    for seat, spots in sorted(state.spots.items()):
        for bet, spot in spots.items():
            if spot.late:
                yield f"Seat {seat}{_on(bet)}: late chip; hand it back{rule}."
    for seat, player in state.round.seats.items():
        if not player.stakes.get("ante"):
            yield f"Seat {seat}: no ante; return the jackpot bet."
    yield from state.round.rulings


def _deciding(settings: TableSettings, state: TableState) -> Iterator[str]:
    stage = current(settings, state.round)
    if stage is not None:
        bet = stage.step.bet
        other = "FOLD" if bet == settings.rules.stay else "CHECK"
        yield f"{bet.upper()} or {other}: {_seats(undecided(state.round, bet))}."
    blind = [seat for seat, player in state.round.seats.items() if player.blind]
    if blind:
        yield f"The player must not look at: {_seats(blind)}."
    yield from _after_the_close(settings, state)


def _revealing(settings: TableSettings, state: TableState) -> Iterator[str]:
    stage = current(settings, state.round)
    what = "the board" if stage and "community" in stage.step.to else "all hands"
    yield f"Turn up {what}. Then press REVEAL."
    yield from _after_the_close(settings, state)


def _claiming(settings: TableSettings, state: TableState) -> Iterator[str]:
    yield "Settle the main game. Key each hand that claims on the jackpot with CARDS."
    if settings.rules.community_cards:
        yield "Key the board too, in the order dealt."
    for seat, player in state.round.seats.items():
        if player.cards:
            yield f"Seat {seat}: {len(player.cards)} cards known."
        if not player.in_round and player.decision is not None:
            yield f"Seat {seat}: {player.decision}."
    for whose, cards in (("Dealer", state.round.dealer), ("Board", state.round.community)):
        if cards:
            yield f"{whose}: {len(cards)} cards known."
    yield "Then press PAID."


def _ruling(_settings: TableSettings, state: TableState) -> Iterator[str]:
    incident = state.incident
    yield incident.words
    if incident.withdrawing:
        yield "To withdraw this: pit supervisor, turn the key, enter your number and PIN."
        yield "Or press CANCEL again to keep it."
        return
    offered = choices(incident)
    if offered:
        yield f"CHOOSE {' or '.join(offered)}."
        chosen = [f"seat {seat} {spaced(option)}" for seat, option in incident.chosen.items()]
        yield f"Chosen: {', '.join(chosen).replace('seat 0 ', '') or 'nothing yet'}."
    if incident.ruling.authority is None:
        yield "Press CONFIRM, or CANCEL if this is a mistake."
    else:
        who = confirmer(incident.ruling.authority)
        yield f"{who.capitalize()}: turn the key, enter your number and PIN. Or press CANCEL."


def _ruled(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Name the irregularity, say what to do, and only then what is ruled: that may be long."""
    ruling, *what_to_do = _ruling(settings, state)
    yield f"{IRREGULARITIES[state.incident.irregularity]}."
    yield from what_to_do
    yield ruling


_PROMPTS: Mapping[Phase, Callable[[TableSettings, TableState], Iterable[str | SeatLines]]] = {
    "idle": _idle,
    "closed": _closed,
    "service": _service,
    "betting": _betting,
    "drawing": _drawing,
    "dealing": _dealing,
    "deciding": _deciding,
    "revealing": _revealing,
    "claiming": _claiming,
    "ruling": _ruled,
    "settling": settlement,
}


def _seats(numbers: list[int]) -> str:
    if not numbers:
        return "none"
    return ("seat " if len(numbers) == 1 else "seats ") + ", ".join(map(str, numbers))
