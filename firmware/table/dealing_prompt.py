"""What the panel tells the dealer while he deals, players decide, and hands are turned up or claimed.

The order is the game's data, also where the dealer plays by hand: then the panel lists what he
does until REVEAL. The other phases are in `prompts.py`.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from firmware.rules.cards import pretty
from firmware.rules.dealing import BURN, Target, card_order
from firmware.rules.game import Game, Step
from firmware.rules.words import bet_name, draw_words, paragraphs, seats_named, spaced
from firmware.table.corrections import place_name, shows_a_card
from firmware.table.keying import keyable_places
from firmware.table.seen import face_up_cards
from firmware.table.settings import TableSettings
from firmware.table.settlement import (
    returned_by_hand,
    undecided_claims,
    unknown_seats,
    why_not_claimed,
)
from firmware.table.stages import (
    Stage,
    current,
    deal_waits,
    due,
    face_down,
    first_card_out,
    is_dealt_next,
    last_is_face_up,
    undecided,
    wrong_counts,
)
from firmware.table.state import CARDS_COME, RoundState, SeatState, TableState

_LEFT = {"fold": "folded", "absent": "walked away", "invalid": "taken out"}
_MOST_ALIKE = 8
"""So many lines of one kind are shown at most; the journal has all of them."""


def dealing(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Say where the next cards go."""
    play, stage = state.round, current(settings, state.round)
    if play.source == "manual":
        yield _deal_by_hand(settings.rules, play)
    elif stage is not None and not deal_waits(play):
        yield _next_card(settings, play, stage)
    if play.draws is not None:
        yield f"Drawn: {draw_words(play.draws)}."
    if not first_card_out(settings, play):
        yield from _in_play(settings, play)
    waiting = [
        seat
        for seat, player in play.seats.items()
        if any(contribution in state.owed for contribution in player.contributions.values())
    ]
    if waiting:
        yield f"Jackpot bets not yet confirmed: {seats_named(waiting)}."
    yield from after_the_close(settings, state)


def _in_play(settings: TableSettings, play: RoundState) -> Iterator[str]:
    """List who is in play with what, while the dealer alone can still put it right."""
    bonus = settings.rules.bonus.name if settings.rules.bonus else ""
    for seat in play.dealt:
        player = play.seats[seat]
        assumed = {"ante"} if player.by_memory else set()
        assumed |= {bonus} if seat in play.bonus_by_memory else set()
        bets = [
            f"{bet_name(bet)} {settings.money(cents)}{' (by memory)' if bet in assumed else ''}"
            for bet, cents in _placed(player)
        ]
        yield f"Seat {seat}: {', '.join(bets)}."


def _placed(player: SeatState) -> list[tuple[str, int]]:
    """List a seat's bets, the ante first."""
    placed = [(bet, cents) for bet, cents in player.stakes.items() if cents]
    return sorted(placed, key=lambda bet: bet[0] != "ante")


# Where cards go


def _next_card(settings: TableSettings, play: RoundState, stage: Stage) -> str:
    """Say where the next cards go, how many belong together, and what lies face up."""
    left = due(stage, play)
    target = left[0]
    together = len(list(takewhile(target.__eq__, left)))
    if target.to == "community":
        return f"Deal {_street(stage.step, together)}, face down."
    if target.to == "burn":
        return "Burn a card."
    whom = "yourself" if target.to == "dealer" else f"seat {target.seat}"
    count = f": {_cards(together)}" if together > 1 else ""
    return f"Deal to {whom}{count}{_turned_up(settings, play, left)}."


def _turned_up(settings: TableSettings, play: RoundState, left: Sequence[Target]) -> str:
    """Say which of the dealer's cards he deals face up, with the last of them."""
    target = left[0]
    last = target.to == "dealer" and all(each == target for each in left)
    if not last or not shows_a_card(settings.rules):
        return ""
    if play.dealer_exposed:
        return ", face down"  # the exposed one is the face-up card (RWS §5.16)
    if not last_is_face_up(settings, play):
        return ", one face up"
    return ", face up" if len(left) == 1 else ", the last face up"


def _deal_by_hand(game: Game, play: RoundState) -> str:
    """Say what the dealer deals before the players decide; DEALT comes first, lists are long.

    Hands that were read before the reader failed lie there already.
    """
    burns = list(takewhile(lambda step: "seats" not in step.to, game.shoe))
    step = game.shoe[len(burns)]
    missing = [seat for seat in play.dealt if len(play.seats[seat].cards) < game.own_cards]
    named = [seats_named(missing)] if missing else []
    whom = " and ".join([*named, *(["yourself"] if "dealer" in step.to else [])])
    up = ", your last face up" if "dealer" in step.to and shows_a_card(game) else ""
    up = ", the exposed one face up" if up and play.dealer_exposed else up
    burn = "Burn one; " if burns and not (play.drawn or play.unread_cards) else ""
    return f"Deal, then DEALT. {burn}{_cards(step.cards)} to {whom}{up}."


def _rest_by_hand(settings: TableSettings, play: RoundState) -> list[str]:
    """List what follows the deal of the hands and is still to be done, up to REVEAL."""
    game, burnt = settings.rules, _burns_made(settings, play)
    steps = [step for step in game.shoe if not step.by_deal]
    hands = next(place for place, step in enumerate(steps) if "seats" in step.to)
    after = steps[hands + 1 :]
    said, burn = [], ""
    done = _steps_done(after, play)
    burnt -= sum(step.kind == "burn" for step in [*steps[: hands + 1], *after[:done]])
    for step in after[done:]:
        if step.kind == "decide":
            other = "fold" if step.bet == game.stay else "check"
            said.append(f"{spaced(step.bet).capitalize()} or {other}?")
        elif step.kind == "burn":
            burn, burnt = "" if burnt > 0 else "Burn one. ", burnt - 1
        elif step.kind == "deal" and "community" in step.to:
            said.append(f"{burn}Deal {_street(step, step.cards)} face down, then up.")
            burn = ""
        elif step.kind == "deal":
            said.append(f"{burn}Deal to yourself: {_cards(step.cards)}.")
            burn = ""
    return said


def _burns_made(settings: TableSettings, play: RoundState) -> int:
    """Count the cards that were burnt before the shoe failed, the one that it could not read too."""
    if settings.card_source != "shoe":
        return 0
    came = card_order(settings.rules, "shoe", play.dealt)[: len(play.drawn) + play.unread_cards]
    return came.count(BURN)


def _steps_done(steps: Sequence[Step], play: RoundState) -> int:
    """Count the steps that the table has seen done before the reader failed."""
    playing = [player for player in play.seats.values() if player.in_round]
    done = board = 0
    for number, step in enumerate(steps, start=1):
        if step.kind == "decide":
            answers = [
                step.bet in player.stakes or step.bet in player.checked for player in playing
            ]
            over = bool(answers) and all(answers)
        else:
            board += step.cards if step.kind == "deal" and "community" in step.to else 0
            over = "community" in step.to and board <= len(play.turned_up)
        done = number if over else done
    return done


def _street(step: Step, count: int) -> str:
    """Name the cards of the board that a step deals or turns up, and how many they are."""
    name = step.name or "board"
    return f"the {name} card" if step.cards == 1 else f"the {name}: {_cards(count)}"


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


# What is not as it was dealt or bet


def corrected(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Count the cards after a correction, and say which hands cannot be right."""
    play = state.round
    ruled = state.phase == "ruling" or play.void
    if play.unexplained and play.source != "manual" and not ruled:
        yield "A card too many came. Say where it lies: WENT, SWAP or LOST."
        if state.phase in CARDS_COME and is_dealt_next(settings, play):
            yield "If every hand is right, press DEALT: it is the next card dealt."
        elif state.phase in CARDS_COME:
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


def after_the_close(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Name the late chips, those lifted as the bets closed, and jackpot bets without an ante."""
    late = settings.rules.irregularities.get("late_bet")
    rule = f" ({paragraphs([late[0].rule])})" if late else ""
    for seat, spots in sorted(state.spots.items()):
        for bet, spot in spots.items():
            if spot.late:
                yield f"Seat {seat}{on_the(bet)}: late chip; hand it back{rule}."
    for seat, bet in state.round.lifted_late:
        if bet in state.round.seats[seat].contributions:
            yield (
                f"Seat {seat}{on_the(bet)}: chip lifted as bets closed; it is charged. "
                f"Have it put back, or OUT {seat} {bet_name(bet)}."
            )
    for seat in without_ante(settings.rules, state.round):
        end = "its jackpot bet goes back at the end of the round"
        now = seat in state.round.sent_back
        yield f"Seat {seat}: no ante; {'return the jackpot bet' if now else end}."
    yield from _under_min_again(settings, state.round)
    yield from corrected(settings, state)
    yield from noted(state.round)


def _under_min_again(settings: TableSettings, play: RoundState) -> Iterator[str]:
    """Name the antes that are under the minimum again, where such a wager is returned."""
    for seat, player in play.seats.items():
        if player.in_round and player.under_min_before:
            yield from under_min_again(settings, seat, player.stakes["ante"])


def under_min_again(settings: TableSettings, seat: int, ante_cents: int) -> Iterator[str]:
    """Say that an ante under the minimum goes back the second time (Megalink §5.13)."""
    if settings.rules.under_min_again == "returned" and ante_cents < settings.ante_min_cents:
        rule = paragraphs(settings.rules.paragraphs.under_min)
        yield f"Seat {seat}: ante under the minimum again; every bet goes back ({rule})."


def without_ante(game: Game, play: RoundState) -> list[int]:
    """List the seats that have a jackpot bet and no ante."""
    return [
        seat
        for seat, player in play.seats.items()
        if not player.stakes.get("ante") and any(player.stakes.get(b) for b in game.jackpot_bets)
    ]


# Decisions, hands turned up, hands that claim


def deciding(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Ask who places the next bet."""
    stage = current(settings, state.round)
    if stage is not None:
        bet = stage.step.bet
        other = "FOLD" if bet == settings.rules.stay else "CHECK"
        asked = undecided(state.round, bet)
        yield f"{bet.upper()} or {other}: {seats_named(asked)}."
        if len(asked) > 1:
            yield f"REST: they all {bet.upper()}."
    seats = state.round.seats
    blind = [seat for seat, player in seats.items() if player.blind and player.in_round]
    if blind:
        yield f"The player must not look at: {seats_named(blind)}."
    yield from not_shown(state.round)
    yield from _face_up(settings, state)
    yield from after_the_close(settings, state)


def _face_up(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Offer to show the dealer's face-up card where only he can know it.

    By its rank and suit alone: by its place, a slip of the finger would show a card that lies
    face down. No rule depends on which card it is, so he may leave it.
    """
    play = state.round
    asked = play.face_up == "" or (play.face_up is None and not last_is_face_up(settings, play))
    if asked and play.source != "manual" and shows_a_card(settings.rules):
        yield "To show your face-up card: UP."


def revealing(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Say what is turned up now."""
    play, stage = state.round, current(settings, state.round)
    if stage and "community" in stage.step.to:
        yield f"Turn up {_street(stage.step, stage.step.cards)}. Then press REVEAL."
        hidden = face_down(settings, play) - stage.step.cards
        if hidden > 0:
            others = "card" if hidden == 1 else _cards(hidden)
            yield f"Leave the other {others} of the board face down."
    elif play.source == "manual" and settings.rules.community_cards:
        yield "REVEAL at the end, with all hands up."
        for number, words in enumerate(_rest_by_hand(settings, play), start=1):
            yield f"{number}. {words}"
    else:
        yield "Turn up all hands. Then press REVEAL."
    yield from not_shown(play)
    if play.source == "manual":
        if any(player.in_round and player.decision is None for player in play.seats.values()):
            yield "Key FOLD or ABSENT and the seat when a player folds or walks away."
        yield from _left(state)
    yield from after_the_close(settings, state)


def _left(state: TableState) -> Iterator[str]:
    for seat, player in state.round.seats.items():
        if not player.in_round and player.decision is not None:
            yield f"Seat {seat}: {_LEFT.get(player.decision, player.decision)}."


def claiming(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Ask for the hands that claim and that the table does not know."""
    play = state.round
    yield from _what_to_key(settings, state)
    yield from corrected(settings, state)
    yield from not_shown(play)
    if settings.rules.community_cards and (play.source == "manual" or "board" in play.lost):
        yield "Key the board too, in the order dealt."
    yield from _given_back(settings, play)
    for seat in undecided_claims(settings, play):
        yield f"Seat {seat}: did the player fold? Key {settings.rules.stay.upper()} or FOLD."
    for seat, player in play.seats.items():
        if player.cards:
            yield f"Seat {seat}: {_known(player.cards)}."
    yield from _left(state)
    for whose, cards in (("Dealer", play.dealer), ("Board", play.community)):
        if cards:
            yield f"{whose}: {_known(cards)}."


def _known(cards: Sequence[str]) -> str:
    """Name the cards that lie face up, for the dealer to compare; of others say how many."""
    up = face_up_cards(cards)
    return pretty(up) if len(up) == len(cards) else f"{len(cards)} cards known"


def _what_to_key(settings: TableSettings, state: TableState) -> Iterator[str]:
    """Say which hands are keyed, and who settles the main game."""
    play = state.round
    unknown = unknown_seats(play)
    if wrong_counts(settings, play):
        yield "Report it, or say where the cards lie: WENT, SWAP or LOST."
        return
    refused = bool(why_not_claimed(state))
    if play.source != "manual" and not unknown:
        if not refused:
            yield "Press PAID: the table then says what to pay."
        return
    if keyable_places(settings, state):
        yield f"CARDS for each claiming hand{'' if refused else ', then PAID'}."
    else:
        asked = refused or undecided_claims(settings, play)
        yield "Every hand is known." if asked else "Press PAID: every hand is known."
    yield f"Settle {seats_named(unknown) if unknown else 'the main game'} by hand."


def not_shown(play: RoundState) -> Iterator[str]:
    """Name the hands that their players do not show."""
    hidden = [seat for seat, player in play.seats.items() if not player.shown]
    if hidden:
        yield f"Not shown: {seats_named(hidden)}. SHOWN and the seat if it is."


def _given_back(settings: TableSettings, play: RoundState) -> Iterator[str]:
    """Name the bets that go back without a settlement."""
    for seat in returned_by_hand(settings, play):
        yield f"Seat {seat}: give back every bet; the hand takes no part."
    for seat in without_ante(settings.rules, play):
        # Where hands are known, the settlement says it.
        if play.source == "manual" and seat not in play.sent_back:
            yield f"Seat {seat}: no ante; return the jackpot bet."


# Words


@lru_cache(maxsize=16)
def on_the(bet: str) -> str:
    """Say on which of a seat's spots a chip lies, where it has several."""
    return bet_name(bet).removeprefix("jackpot")


def noted(play: RoundState) -> list[str]:
    """Give what was ruled and put right in the round, the newest first."""
    return newest(list(dict.fromkeys(reversed(play.rulings))), "rulings before these")


def newest(lines: Sequence[str], what: str) -> list[str]:
    """Give the lines that have room: a prompt is bounded, however much has happened."""
    left_out = len(lines) - _MOST_ALIKE
    more = [f"And {left_out} more {what}."] if left_out > 0 else []
    return [*lines[:_MOST_ALIKE], *more]
