"""What the panel tells the dealer in each phase: what to do now, then what else there is to know.

Plain lines of text that follow from the state. No card or hand is named before it is face
up on the felt. The deal is in `dealing_prompt.py`, what to pay in `settlement_prompt.py`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from firmware.protocol.fault_catalogue import FAULTS, place_words
from firmware.rules.words import (
    IRREGULARITIES,
    OPTIONS,
    bet_name,
    by_pin,
    paragraphs,
    seats_named,
    spaced,
)
from firmware.table import dealing_prompt
from firmware.table.betting import no_meter
from firmware.table.boxes import measure_words, plays_without_link, why_no_bets
from firmware.table.corrections import correction_words
from firmware.table.dealing_prompt import (
    corrected,
    newest,
    noted,
    on_the,
    under_min_again,
)
from firmware.table.effects import ShowPrompt
from firmware.table.faults import fault_sentence, locking_faults, other_faults
from firmware.table.held import held_words, is_held
from firmware.table.irregularities.authority import told_first
from firmware.table.irregularities.reports import authority_of, choices, confirmer
from firmware.table.irregularities.rulings import chosen_words, may_leave_choice, must_choose
from firmware.table.settings import TableSettings
from firmware.table.settlement import unknown_seats, why_not_paid
from firmware.table.settlement_prompt import (
    SeatLines,
    asked_of_claims,
    not_paid,
    settlement,
    with_parts,
)
from firmware.table.state import AT_REST, Phase, RoundState, TableState


def prompt(settings: TableSettings, state: TableState) -> ShowPrompt:
    """Tell the dealer what to do now, then what else he needs to know.

    A fault that locks the table comes before the key that it locks; in a round that goes on it
    comes after what to do, and its number is on every page.
    """
    locking = locking_faults(state) if state.faults else []
    locked = newest([fault_sentence(fault) for fault in locking], "faults")
    phase = [held_words(state)] if is_held(state) else _PROMPTS[state.phase](settings, state)
    first, last = (locked, []) if state.phase in {"idle", "betting"} else ([], locked)
    lines, parts = with_parts([*_asked(settings, state), *first, *phase])
    lines += last
    if state.faults:
        lines += newest([fault_sentence(fault) for fault in other_faults(state)], "faults")
    pending = [f"Jackpot pending: {words}." for words in reversed(state.known_pending)]
    lines += newest(pending, "jackpots pending")
    alerts = dict.fromkeys(FAULTS[fault.code].number for fault in locking)
    return ShowPrompt(state.phase, tuple(lines), parts, tuple(alerts))


def _asked(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Say what waits for somebody's PIN, in the order in which a PIN confirms it."""
    play = state.round
    if state.measure is not None:
        yield measure_words(settings, state, state.measure)
    if state.clearing:
        fault = state.faults[state.clearing]
        kind = FAULTS[fault.code]
        what = f"{kind.number} {place_words(fault.where)}".rstrip()
        yield f"{by_pin(spaced(kind.ends))} To clear {what}."
    if state.phase in AT_REST:
        return
    if play.correction is not None:
        yield f"{by_pin('pit supervisor')} {correction_words(play.correction)}."
    elif play.to_put_right is not None:
        yield f"{by_pin('pit supervisor')} {play.to_put_right.words}"
    if dropped := told_first(settings, state):
        yield f"Dropped, key it again if meant: {dropped}"


def _idle(settings: TableSettings, state: TableState) -> Iterator[str]:
    nobody = "No dealer has signed on: press SIGNON, then enter your number and PIN."
    if settings.dealer_must_sign_on and state.on_duty is None:
        yield nobody
    if not plays_without_link(settings, state):
        yield "No bets while the jackpot link is down: wait, or report it with MENU."
    elif locking_faults(state):
        yield "Press OPEN once that is put right."
    else:
        yield "Press OPEN to take bets."
    if not state.link_healthy:
        yield f"The jackpot link is down: {state.link_problem or 'not connected yet'}."
    if state.on_duty is not None:
        yield f"Dealer on duty: {state.on_duty.name}."
    elif not (settings.dealer_must_sign_on or state.opened_by_nobody):
        yield nobody
    yield from _forgotten(settings, state)


def _closed(_settings: TableSettings, _state: TableState) -> Iterator[str]:
    yield "The table is closed. Press OPENTABLE to open it."


def _service(_settings: TableSettings, _state: TableState) -> Iterator[str]:
    yield "A technician is at work. Do not use the table."


def _betting(settings: TableSettings, state: TableState) -> Iterator[str]:
    yield f"Round {state.round.number}: place your bets. Then press CLOSE."
    chips, money = state.chips(), settings.money
    for bet in settings.rules.jackpot_bets:
        yield f"{_chips_of(bet)}: {seats_named([seat for seat, placed in chips if placed == bet])}."
    with_chip = {seat for seat, _ in chips}
    yield from _bonuses(settings, state, with_chip)
    for seat in sorted(with_chip - state.round.seats.keys()):
        yield from _limits(settings, state, seat, state.last_ante_cents.get(seat))
    for seat, play in sorted(state.round.seats.items()):
        if play.by_memory and seat not in with_chip:
            ante = f"ante {money(play.stakes['ante'])}"
            yield f"Seat {seat} by memory: {ante}; OUT {seat} takes it out."
        if not play.by_memory:
            placed = {bet: cents for bet, cents in play.stakes.items() if cents or bet != "ante"}
            keyed = ", ".join(f"{bet_name(bet)} {money(cents)}" for bet, cents in placed.items())
            out = "" if play.stakes.get("ante", 1) else f"Seat {seat}: not playing."
            yield out or f"Seat {seat} keyed: {keyed}."
        ante_cents = play.stakes.get("ante", state.last_ante_cents.get(seat))
        yield from _limits(settings, state, seat, ante_cents)
        yield from _bonus_over(settings, seat, play.stakes)
    if settings.shown_bonus_max_cents is not None:
        yield f"Bonus up to {settings.money(settings.shown_bonus_max_cents)}."
    yield from _no_jackpot(state)
    yield from _closed_boxes(settings, state)
    yield from _forgotten(settings, state)
    yield from _without_ante(settings, state, [seat for seat, _ in chips])


def _no_jackpot(state: TableState) -> Iterator[str]:
    """Say why no jackpot bets are taken, and whose chip is none."""
    if state.takes_jackpot_bets:
        return
    down = "The jackpot link is down" if not state.link_healthy else no_meter(state)
    yield f"{down}: take no jackpot bets."
    if chips := state.chips():
        yield f"Hand back the jackpot chips: {seats_named(dict.fromkeys(s for s, _ in chips))}."


def _bonuses(settings: TableSettings, state: TableState, with_chip: set[int]) -> Iterator[str]:
    """List the bonuses that nobody has keyed and that CLOSE would place all the same."""
    bonus, seats = settings.rules.bonus, state.round.seats
    placed = [
        f"seat {seat} {settings.money(cents)}"
        for seat, cents in state.round.bonus_by_memory.items()
        if (seat in with_chip or seat in seats)
        and (seat not in seats or seats[seat].stakes.get("ante") != 0)
    ]
    if bonus is not None and placed:
        name = spaced(bonus.name)
        yield f"{name.capitalize()} by memory: {', '.join(placed)}; OUT, seat, {name} takes it out."


def _closed_boxes(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Name the boxes that take no bets, and the players who may play one position only."""
    if not (state.faults or state.barred or state.restricted):
        return
    for seat in range(1, settings.seats + 1):
        why = why_no_bets(settings, state, seat)
        if why:
            yield f"{why}."
        elif seat in state.restricted:
            rule = paragraphs([settings.rules.restrict.rule])
            yield f"Seat {seat}: the player may play this position only ({rule})."


def _limits(
    settings: TableSettings, state: TableState, seat: int, ante_cents: int | None
) -> Iterator[str]:
    """Say that an ante, keyed or remembered, is not within the limits."""
    if ante_cents and ante_cents < settings.ante_min_cents:
        yield f"Seat {seat}: ante under the minimum; ask the player to raise or withdraw it."
        if seat in state.under_min:
            yield from under_min_again(settings, seat, ante_cents)
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
                yield f"Seat {seat}{on_the(bet)}: lift the old chip; it is not a bet."


def _chips_of(bet: str) -> str:
    return f"Jackpot chips{on_the(bet)}"


def _drawing(_settings: TableSettings, _state: TableState) -> Iterator[str]:
    yield "Please wait: the draw is running."


def _ruling(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Say what to do, and only then what is ruled: that may be long."""
    incident = state.incident
    name = f"{IRREGULARITIES[incident.irregularity]}."
    if incident.withdrawing:
        yield f"{by_pin('pit supervisor')} To withdraw this: {name}"
        yield "CANCEL again keeps it."
    else:
        wanted = authority_of(settings, state)
        by_dealer = "Then CONFIRM, or CANCEL." if must_choose(state) else "CONFIRM or CANCEL."
        confirms = by_dealer if wanted is None else by_pin(confirmer(wanted))
        chosen = list(_choosing(settings, state))
        # What is still to be chosen comes first, what was chosen after the one who confirms it.
        yield from (
            [f"{confirms} {name}", *chosen] if incident.chosen else [*chosen, f"{confirms} {name}"]
        )
    waiting = dict.fromkeys(IRREGULARITIES[each.irregularity] for each in state.round.waiting)
    yield from (f"{name}: noticed too; it comes next." for name in waiting)
    yield from corrected(settings, state)
    if incident.cause:
        yield incident.cause
    yield incident.words


def _choosing(settings: TableSettings, state: TableState) -> Iterator[str]:
    """List what can be chosen, with its numbers in the menu, and who chose what."""
    incident = state.incident
    offered = choices(incident)
    if offered:
        numbered = [f"{number} {OPTIONS[each]}" for number, each in enumerate(offered, start=1)]
        yield f"MENU to choose: {'; '.join(numbered)}."
        wanted = authority_of(settings, state)
        decider = f"the {confirmer(wanted)}" if wanted else "the dealer"
        yield from chosen_words(incident, decider) or ["Nothing is chosen yet."]
        if may_leave_choice(state):
            yield "Anyone who does not choose plays on."


def _claiming(settings: TableSettings, state: TableState) -> Iterator[str]:
    yield from asked_of_claims(settings, state.round)
    yield from dealing_prompt.claiming(settings, state)
    yield from not_paid(state.round)


def _settling(settings: TableSettings, state: TableState) -> Iterator[str | SeatLines]:
    yield from settlement(settings, state)
    yield from _by_hand(state.round)
    yield from corrected(settings, state)
    if not why_not_paid(state.round):
        yield "Then press PAID."
    yield from noted(state.round)


def _by_hand(play: RoundState) -> Iterator[str]:
    """Say whom the dealer settles himself, and why: keyed cards only claim (I-40)."""
    unknown = unknown_seats(play)
    keyed = [seat for seat in unknown if not {str(seat), *_SHARED} & {*play.lost} - {*play.keyed}]
    if others := [seat for seat in unknown if seat not in keyed]:
        yield f"Settle {seats_named(others)} by hand: the table does not know the cards."
    if keyed:
        yield f"Settle {seats_named(keyed)} by hand: keyed cards count for the jackpot alone."


_SHARED = ("dealer", "board")
_PROMPTS: Mapping[Phase, Callable[[TableSettings, TableState], Iterable[str | SeatLines]]] = {
    "idle": _idle,
    "closed": _closed,
    "service": _service,
    "betting": _betting,
    "drawing": _drawing,
    "dealing": dealing_prompt.dealing,
    "deciding": dealing_prompt.deciding,
    "revealing": dealing_prompt.revealing,
    "claiming": _claiming,
    "ruling": _ruling,
    "settling": _settling,
}
