"""What the panel tells the dealer in each phase: what to do now, then what else there is to know.

Plain lines of text that follow from the state. No card or hand is named before it is face
up on the felt. What to pay is in `settlement_prompt.py`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from firmware.protocol.fault_catalogue import FAULTS
from firmware.rules.dealing import Target
from firmware.rules.game import Step
from firmware.rules.words import IRREGULARITIES, draw_words, money, paragraphs, spaced
from firmware.table.boxes import measure_words, why_no_bets
from firmware.table.corrections import correction_words, place_name, shows_a_card
from firmware.table.effects import ShowPrompt
from firmware.table.faults import fault_sentences
from firmware.table.irregularities.reports import authority_of, choices, confirmer
from firmware.table.settings import TableSettings
from firmware.table.settlement import undecided_claims, unknown_seats
from firmware.table.settlement_prompt import SeatLines, settlement, with_parts
from firmware.table.stages import (
    Stage,
    current,
    due,
    face_down,
    first_card_out,
    last_is_face_up,
    undecided,
    wrong_counts,
)
from firmware.table.state import AT_REST, Phase, RoundState, SeatState, TableState


def prompt(settings: TableSettings, state: TableState) -> ShowPrompt:
    """Tell the dealer what to do now, then what else he needs to know."""
    lines, parts = with_parts([*_asked(settings, state), *_PROMPTS[state.phase](settings, state)])
    if state.faults:
        lines += fault_sentences(state)
    lines += [f"Jackpot pending: {words}." for words in state.pending_words]
    return ShowPrompt(state.phase, tuple(lines), parts)


def _asked(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Say what waits for somebody's PIN, in the order in which a PIN confirms it."""
    play = state.round
    if state.measure is not None:
        yield measure_words(settings, state, state.measure)
    if state.clearing:
        who = spaced(FAULTS[state.faults[state.clearing].code].ends)
        yield f"To clear {state.clearing}: {who}, turn the key, enter your number and PIN."
    if state.phase in AT_REST:
        return
    if play.correction is not None:
        yield f"To be confirmed: {correction_words(play.correction)}."
    elif play.to_put_right is not None:
        yield play.to_put_right.words
    if play.correction is not None or play.to_put_right is not None:
        yield "Pit supervisor: turn the key, enter your number and PIN. Or press CANCEL."


def _idle(settings: TableSettings, state: TableState) -> Iterator[str]:
    yield "Press OPEN to take bets."
    if not state.link_healthy:
        yield f"The jackpot link is down: {state.link_problem or 'not connected yet'}."
    if state.on_duty is not None:
        yield f"Dealer on duty: {state.on_duty.name}."
    elif settings.dealer_must_sign_on or not state.opened_by_nobody:
        yield "No dealer has signed on: press SIGNON, then enter your number and PIN."
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
    with_chip = {seat for seat, _ in chips}
    for seat, play in sorted(state.round.seats.items()):
        if play.by_memory and seat not in with_chip:
            ante = f"ante {money(play.stakes['ante'])}"
            yield f"Seat {seat} by memory: {ante}; OUT {seat} takes it out."
        if not play.by_memory:
            keyed = ", ".join(f"{spaced(bet)} {money(cents)}" for bet, cents in play.stakes.items())
            yield f"Seat {seat} keyed: {keyed}."
        yield from _limits(settings, seat, play.stakes.get("ante"))
        yield from _bonus_over(settings, seat, play.stakes)
    if settings.shown_bonus_max_cents is not None:
        yield f"Bonus up to {money(settings.shown_bonus_max_cents)}."
    if not state.link_healthy:
        yield "The jackpot link is down: take no jackpot bets."
    yield from _closed_boxes(settings, state)
    yield from _forgotten(settings, state)
    yield from _without_ante(settings, state, [seat for seat, _ in chips])


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
        yield _next_card(stage, due(stage, play))
    if play.draws is not None:
        yield f"Drawn: {draw_words(play.draws)}."
    if not first_card_out(settings, play):
        yield from _in_play(play)
    waiting = [
        seat
        for seat, player in play.seats.items()
        if any(contribution in state.owed for contribution in player.contributions.values())
    ]
    if waiting:
        yield f"Jackpot bets not yet confirmed: {_seats(waiting)}."
    yield from _after_the_close(settings, state)


def _in_play(play: RoundState) -> Iterator[str]:
    """List who is in play with what, while the dealer alone can still put it right."""
    for seat in play.dealt:
        player = play.seats[seat]
        bets = ", ".join(f"{spaced(bet)} {money(cents)}" for bet, cents in _placed(player))
        yield f"Seat {seat}: {bets}{' (by memory)' if player.by_memory else ''}."


def _placed(player: SeatState) -> list[tuple[str, int]]:
    """List a seat's bets, the ante first."""
    placed = [(bet, cents) for bet, cents in player.stakes.items() if cents]
    return sorted(placed, key=lambda bet: bet[0] != "ante")


def _next_card(stage: Stage, left: Sequence[Target]) -> str:
    """Say where the next card goes; of the board, which cards, and how many are left."""
    target = left[0]
    if target.to == "community":
        return f"Deal {_street(stage.step)}: {_cards(left.count(target))}, face down."
    whom = {"burn": "Burn a card", "dealer": "Deal to yourself"}
    return f"{whom.get(target.to, f'Deal to seat {target.seat}')}."


def _street(step: Step) -> str:
    return f"the {step.name or 'board'}"


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _corrections(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Count the cards after a correction, and say which hands cannot be right."""
    play = state.round
    if play.unexplained and play.source != "manual":
        yield "A card too many came. Say where it lies: WENT, SWAP or LOST."
        yield "If it lies apart and every hand is right, press DEALT."
    if play.corrected and state.doing == "dealing":
        yield f"Cards dealt so far: {', '.join(_counts(play))}."
    for place in wrong_counts(settings, play):
        yield f"{place_name(place).capitalize()} has {_cards(len(play.cards_at(place)))}: wrong."


def _counts(play: RoundState) -> Iterator[str]:
    """Count the cards at each place, for the dealer to compare with what lies there."""
    for place in (*map(str, play.dealt), "dealer"):
        known = "unknown" if place in play.lost else len(play.cards_at(place))
        yield f"{place_name(place)} {known}"


def _face_up(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Ask the dealer for his face-up card where only he can know it."""
    play = state.round
    asked = play.face_up == "" or (play.face_up is None and not last_is_face_up(settings, play))
    if asked and play.source != "manual" and shows_a_card(settings.rules):
        yield "Key UP and your face-up card."


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
    yield from _corrections(settings, state)
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
    yield from _face_up(settings, state)
    yield from _after_the_close(settings, state)


def _revealing(settings: TableSettings, state: TableState) -> Iterator[str]:
    play, stage = state.round, current(settings, state.round)
    if stage and "community" in stage.step.to:
        yield f"Turn up {_street(stage.step)}: {_cards(stage.step.cards)}. Then press REVEAL."
        hidden = face_down(settings, play) - stage.step.cards
        if hidden > 0:
            others = "card" if hidden == 1 else _cards(hidden)
            yield f"Leave the other {others} of the board face down."
    else:
        yield "Turn up all hands. Then press REVEAL."
    if play.source == "manual":
        yield "Key FOLD or ABSENT and the seat when a player folds or walks away."
        yield from _left(state)
    yield from _after_the_close(settings, state)


def _left(state: TableState) -> Iterator[str]:
    for seat, player in state.round.seats.items():
        if not player.in_round and player.decision is not None:
            yield f"Seat {seat}: {player.decision}."


def _claiming(settings: TableSettings, state: TableState) -> Iterator[str]:
    play = state.round
    unknown = unknown_seats(play)
    which = f"Settle {_seats(unknown)} yourself" if unknown else "Settle the main game"
    yield f"{which}. Key each hand that claims on the jackpot with CARDS."
    if settings.rules.community_cards and (play.source == "manual" or "board" in play.lost):
        yield "Key the board too, in the order dealt."
    for seat in undecided_claims(settings, play):
        yield f"Seat {seat}: did the player fold? Key {settings.rules.stay.upper()} or FOLD."
    for seat, player in play.seats.items():
        if player.cards:
            yield f"Seat {seat}: {len(player.cards)} cards known."
    yield from _left(state)
    for whose, cards in (("Dealer", play.dealer), ("Board", play.community)):
        if cards:
            yield f"{whose}: {len(cards)} cards known."
    yield from _corrections(settings, state)
    yield "Then press PAID."


def _ruling(settings: TableSettings, state: TableState) -> Iterator[str]:
    incident = state.incident
    yield incident.words
    for each in state.round.waiting:
        yield f"{spaced(each.irregularity).capitalize()}: noticed too; it comes next."
    yield from _corrections(settings, state)
    if incident.withdrawing:
        yield "To withdraw this: pit supervisor, turn the key, enter your number and PIN."
        yield "Or press CANCEL again to keep it."
        return
    offered = choices(incident)
    if offered:
        yield f"CHOOSE {' or '.join(offered)}."
        chosen = [f"seat {seat} {spaced(option)}" for seat, option in incident.chosen.items()]
        yield f"Chosen: {', '.join(chosen).replace('seat 0 ', '') or 'nothing yet'}."
    wanted = authority_of(settings, state)
    if wanted is None:
        yield "Press CONFIRM, or CANCEL if this is a mistake."
    else:
        who = confirmer(wanted)
        yield f"{who.capitalize()}: turn the key, enter your number and PIN. Or press CANCEL."


def _ruled(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Name the irregularity, say what to do, and only then what is ruled: that may be long."""
    ruling, *what_to_do = _ruling(settings, state)
    yield f"{IRREGULARITIES[state.incident.irregularity]}."
    yield from what_to_do
    yield ruling


def _settling(settings: TableSettings, state: TableState) -> Iterator[str | SeatLines]:
    yield from settlement(settings, state)
    if unknown := unknown_seats(state.round):
        yield f"Settle {_seats(unknown)} yourself: the table does not know the cards."
    yield from _corrections(settings, state)
    yield "Then press PAID."
    yield from state.round.rulings


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
    "settling": _settling,
}


def _seats(numbers: list[int]) -> str:
    if not numbers:
        return "none"
    return ("seat " if len(numbers) == 1 else "seats ") + ", ".join(map(str, numbers))
