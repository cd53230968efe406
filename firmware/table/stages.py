"""The deal as stages: cards to be dealt, decisions to be made, cards to be turned up.

A game describes its deal as steps (`rules/game.py`); for the occupied seats they become the
stages of a round, one after another. The state says which stage a round has reached;
`go_on` moves it to the next one in which somebody has to act, and after the last one to its
settlement (`settlement.py`). What happens in a stage is in `dealing.py`.

A source that reads no cards leaves two stages: the dealer says when the hands are dealt and
when they lie face up; in between he runs the main game himself.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from firmware.protocol.fault_catalogue import FaultCode
from firmware.rules.dealing import Target, steps_of, targets
from firmware.rules.game import Step
from firmware.rules.games import find_game
from firmware.table.settings import CardSource, TableSettings
from firmware.table.settlement import settle_or_key
from firmware.table.state import Phase, RoundState, SeatState
from firmware.table.turn import Turn


class Stage(Struct, frozen=True):
    """One stage; `targets` has one entry for each card of a deal that is read."""

    kind: Literal["deal", "decide", "reveal"]
    step: Step
    targets: tuple[Target, ...] = ()

    @property
    def phase(self) -> Phase:
        """The table's phase in this stage."""
        return _PHASES[self.kind]


_PHASES: dict[str, Phase] = {"deal": "dealing", "decide": "deciding", "reveal": "revealing"}


def stages(settings: TableSettings, play: RoundState) -> tuple[Stage, ...]:
    """List the stages of a round for the seats that are dealt a hand."""
    return _stages(settings.game, play.source, tuple(play.dealt))


@lru_cache(maxsize=256)
def _stages(game: str, source: CardSource, seats: tuple[int, ...]) -> tuple[Stage, ...]:
    if source == "manual":
        return _manual_stages(game)
    return tuple(
        Stage(
            "deal" if step.kind == "burn" else step.kind,
            step,
            tuple(targets(step, seats)),
        )
        for step in steps_of(find_game(game), source)
        if not step.by_deal
    )


def _manual_stages(game: str) -> tuple[Stage, ...]:
    steps = find_game(game).shoe
    deal = next(step for step in steps if "seats" in step.to)
    return (Stage("deal", deal), Stage("reveal", steps[-1]))


def current(settings: TableSettings, play: RoundState) -> Stage | None:
    """Return the stage that a round is in; None when all are done."""
    all_stages = stages(settings, play)
    return all_stages[play.stage] if play.stage < len(all_stages) else None


def due(stage: Stage, play: RoundState) -> Sequence[Target]:
    """List where the cards go that are still to be dealt in a stage."""
    return stage.targets[play.stage_cards :] if play.left is None else play.left


def undecided(play: RoundState, bet: str) -> list[int]:
    """List the seats that still have to say whether they place a bet."""
    return [
        seat
        for seat, player in play.seats.items()
        if player.in_round and bet not in player.stakes and bet not in player.checked
    ]


def is_done(stage: Stage, play: RoundState) -> bool:
    """Return whether a stage is complete; some end only with a key."""
    if stage.kind == "deal":
        return play.source != "manual" and not due(stage, play)
    return stage.kind == "decide" and not undecided(play, stage.step.bet)


def first_card_out(settings: TableSettings, play: RoundState) -> bool:
    """Return whether the first card has left the source, read or not."""
    return bool(play.drawn or play.stage or play.source != settings.card_source)


def hands_complete(settings: TableSettings, play: RoundState) -> bool:
    """Return whether every player has his whole hand and the deal around it is over."""
    last = next(
        place
        for place, stage in enumerate(stages(settings, play))
        if stage.kind == "deal" and "seats" in stage.step.to
    )
    return play.stage > last


def cards_seen(settings: TableSettings, play: RoundState) -> bool:
    """Return whether any player counts as having seen his cards (I-27).

    From the last card of the deal where single cards are dealt, from the first hand
    where whole hands are.
    """
    if play.source == "shuffler":
        return bool(play.lost) or any(player.cards for player in play.seats.values())
    return hands_complete(settings, play)


def outcome_established(settings: TableSettings, play: RoundState) -> bool:
    """Return whether something was decided in the open (I-24): a fold, or every hand is up."""
    settled = bool(play.results) or current(settings, play) is None
    return settled or bool(conclusively_lost(settings, play))


def conclusively_lost(settings: TableSettings, play: RoundState) -> list[int]:
    """List the seats that have folded, or count as folded: their ante is lost."""
    lost = {"fold", "absent"} if settings.rules.absent == "folded" else {"fold"}
    return [seat for seat, player in play.seats.items() if player.decision in lost]


def nothing_depends_on_cards(settings: TableSettings, play: RoundState) -> bool:
    """Return whether the rest of the deal changes nothing: nobody is in, and no jackpot bet.

    A board that was begun is still finished: three cards are not a board.
    """
    jackpots, board = settings.rules.jackpot_bets, len(play.community)
    return board in {0, settings.rules.community_cards} and not any(
        player.in_round
        or (
            player.decision in {"fold", "absent"}
            and any(player.stakes.get(bet) for bet in jackpots)
        )
        for player in play.seats.values()
    )


# What lies face up is kept as cards and not as places: a correction moves cards, and turns none


TURNED_UP = 2
"""The edition since which it is kept which cards were turned up."""


def board_face_up(settings: TableSettings, play: RoundState) -> int:
    """Count the cards of the board that the game has face up by now."""
    return sum(
        stage.step.cards
        for stage in stages(settings, play)[: play.stage]
        if stage.kind == "reveal" and "community" in stage.step.to
    )


def face_down(settings: TableSettings, play: RoundState) -> int:
    """Count the cards of the board that lie face down."""
    return len(play.community) - board_face_up(settings, play)


def turn_up(turn: Turn, cards: Sequence[str]) -> None:
    """Note which cards lie face up from now on: these cards, wherever they turn out to lie."""
    if turn.state.edition >= TURNED_UP:
        up = turn.round.turned_up
        up += [card for card in cards if card not in up]


def turn_up_board(turn: Turn) -> None:
    """Turn up as much of the board as the game has face up by now, in the order of the board."""
    play = turn.round
    over = current(turn.settings, play) is None
    wanted = len(play.community) if over else board_face_up(turn.settings, play)
    down = [card for card in play.community if card not in play.turned_up]
    turn_up(turn, down[: max(0, wanted - len(play.community) + len(down))])


def turn_up_dealers_last(turn: Turn) -> None:
    """Turn up the dealer's last card where the game deals it so, and he has not said another."""
    play = turn.round
    complete = len(play.dealer) == turn.game.dealer_cards
    if play.face_up is None and complete and last_is_face_up(turn.settings, play):
        turn_up(turn, play.dealer[-1:])


def turn_down_dealers(play: RoundState) -> None:
    """Take no card of the dealer for the one that lies face up: which one does, he says."""
    play.turned_up = [card for card in play.turned_up if card not in play.dealer]


def last_is_face_up(settings: TableSettings, play: RoundState) -> bool:
    """Return whether the dealer's last card is dealt face up; else he says which one is."""
    if play.source == "manual":
        return False
    steps = steps_of(settings.rules, play.source)
    return any(step.by_deal and not step.any_card and "dealer" in step.to for step in steps)


# What lies where, once somebody has said that it is not as the order of the deal has it


def wrong_counts(settings: TableSettings, play: RoundState) -> dict[str, int]:
    """Count how many cards too many (or too few: below zero) lie at a place after corrections."""
    if not play.corrected or play.source == "manual":
        return {}
    expected: Counter[str] = Counter()
    for place, stage in enumerate(stages(settings, play)[: play.stage + 1]):
        expected.update(target.place for target in stage.targets)
        if place == play.stage:
            expected.subtract(target.place for target in due(stage, play))
    out = {str(s) for s, player in play.seats.items() if player.taken_out}
    known = [place for place in expected if place not in {"burn", *out, *play.lost}]
    counts = {place: len(play.cards_at(place)) - expected[place] for place in known}
    return {place: count for place, count in counts.items() if count}


def lose(turn: Turn, place: str) -> None:
    """Forget the cards of a place; the dealer settles the hand, and keys it if it claims (I-40)."""
    play = turn.round
    if play.unexplained and not _is_still_dealt_to(turn, place):
        set_apart(play)  # where it lies is what was asked
    cards = play.cards_at(place)
    newest = max((play.drawn_at_ms.get(card, 0) for card in cards), default=0)
    cards.clear()
    play.keyed = [keyed for keyed in play.keyed if keyed != place]
    if play.source != "manual":
        play.lost.setdefault(place, newest or turn.at_ms)
        note_dealt_at(turn, place)


def _is_still_dealt_to(turn: Turn, place: str) -> bool:
    """Return whether a place gets cards in this stage or a later one."""
    to_come = stages(turn.settings, turn.round)[turn.round.stage :]
    return any(target.place == place for stage in to_come for target in stage.targets)


def lose_wrong_counts(turn: Turn) -> None:
    """Stop claiming to know hands of a wrong number of cards when the round is settled."""
    for place in wrong_counts(turn.settings, turn.round):
        lose(turn, place)


def is_revealed(settings: TableSettings, play: RoundState) -> bool:
    """Return whether the dealer has turned anything up."""
    return any(stage.kind == "reveal" for stage in stages(settings, play)[: play.stage])


# Moving on


def go_on(turn: Turn) -> None:
    """Move on to the next stage in which somebody must act, or to the end of the round."""
    play = turn.round
    while (stage := current(turn.settings, play)) is not None:
        _deal_surplus(turn, stage)
        if not is_done(stage, play):
            if nothing_depends_on_cards(turn.settings, play):
                break
            if stage.kind == "deal" and _reader_fails(turn):
                stop_reading(turn)
                continue
            turn.state.phase = stage.phase
            return
        end_stage(turn, stage)
    lose_wrong_counts(turn)
    settle_or_key(turn)


def end_stage(turn: Turn, stage: Stage) -> None:
    """Finish a stage; the jackpot controller hears when the hands are complete."""
    next_stage(turn.round)
    if stage.kind == "deal" and "dealer" in stage.step.to:
        turn_up_dealers_last(turn)
    if stage.kind == "deal" and "seats" in stage.step.to:
        turn.report_round("dealt")


def next_stage(play: RoundState) -> None:
    """Move on to the next stage."""
    play.stage += 1
    play.stage_cards = 0
    play.left = None


def give(turn: Turn, card: str, target: Target) -> None:
    """Put a card where the order of the deal says."""
    play = turn.round
    put(turn, card, target.place)
    play.stage_cards += 1
    if play.left is not None:
        play.left.remove(target)


def put(turn: Turn, card: str, place: str) -> None:
    """Put a card at a place; of a hand that is lost only the time of its last card is known."""
    play = turn.round
    if place == "burn":
        return
    if place in play.lost:
        play.lost[place] = play.drawn_at_ms.get(card, turn.at_ms)
    else:
        play.cards_at(place).append(card)
    note_dealt_at(turn, place)


def note_dealt_at(turn: Turn, place: str) -> None:
    """Note when a player's hand was complete: the moment of its last card (RWS §4.5).

    That is when the card left the source, even if a ruling was open then.
    """
    play = turn.round
    if not place.isdecimal():
        return
    player = play.seats[int(place)]
    if place in play.lost:
        # Keyed, it may claim by this moment, whatever it lacked of its cards then.
        player.dealt_at_ms = play.lost[place]
    elif not play.tracked:
        _note_as_before(turn, player)
        return
    else:
        moments = [play.drawn_at_ms.get(card, player.dealt_at_ms) for card in player.cards]
        player.dealt_at_ms = max(moments) if len(moments) >= turn.game.own_cards else 0
    if player.dealt_at_ms:
        play.dealt_at_ms = min(play.dealt_at_ms or player.dealt_at_ms, player.dealt_at_ms)


def _note_as_before(turn: Turn, player: SeatState) -> None:
    """Replay a round from an older record: the moment is that of the last card's event."""
    play = turn.round
    player.dealt_at_ms = turn.at_ms
    if len(player.cards) == turn.game.own_cards:
        play.dealt_at_ms = play.dealt_at_ms or turn.at_ms


def _deal_surplus(turn: Turn, stage: Stage) -> None:
    """Use the cards that came too early, in order, where the deal needs them.

    One that nobody expected waits, and those behind it, until it is said that it lies in no hand.
    """
    play = turn.round
    unexpected = too_many(play)
    while not deal_waits(play) and play.surplus and (targets_left := due(stage, play)):
        card, target = play.surplus.pop(0), targets_left[0]
        give(turn, card, target)
        if card in unexpected:
            play.rulings.append(f"The card too many is {_dealt_as(target)}: it is dealt.")


def _dealt_as(target: Target) -> str:
    """Say which card of the deal one is that came before it was due."""
    if target.place == "burn":
        return "the burnt card"
    whose = f"seat {target.place}" if target.place.isdecimal() else f"the {target.place}"
    return f"the next card of {whose}"


def too_many(play: RoundState) -> list[str]:
    """List the cards that came although none was due, and that the table has put nowhere yet."""
    unexpected = {play.drawn[place] for place in play.unexpected}
    return [card for card in play.surplus if card in unexpected]


def deal_waits(play: RoundState) -> bool:
    """Return whether no card has a place before it is said where one too many lies."""
    return play.unexplained and bool(too_many(play))


def is_dealt_next(settings: TableSettings, play: RoundState) -> bool:
    """Return whether a card too many that lies in no hand is the next one of the deal.

    Put right, the cards keep the order in which they left the shoe (hold'em §1.21, §1.4, §5.10.2).
    """
    to_come = any(stage.targets for stage in stages(settings, play)[play.stage :])
    return to_come and bool(too_many(play))


def set_apart(play: RoundState) -> None:
    """Take the cards too many out of the deal: they lie apart, or in a hand that is not known."""
    unexpected = too_many(play)
    play.surplus = [card for card in play.surplus if card not in unexpected]


def _reader_fails(turn: Turn) -> bool:
    """Return whether the source of the cards has a fault."""
    return any(is_of_reader(turn.round, f.code, f.where) for f in turn.state.faults.values())


def is_of_reader(play: RoundState, code: FaultCode, where: str) -> bool:
    """Return whether a fault keeps the table from reading the cards of the round."""
    fails = code.startswith("device_") or code == "program_failed"
    return fails and where == play.source


def stop_reading(turn: Turn) -> None:
    """Leave the rest to the dealer's keys; forget the part of an unfinished hand that was read."""
    game, play = turn.game, turn.round
    complete = hands_complete(turn.settings, play)
    play.source, play.stage, play.stage_cards = "manual", int(complete), 0
    play.surplus, play.left, play.lost = [], None, {}
    hands = [(player.cards, game.own_cards) for player in play.seats.values()]
    for cards, whole in (
        *hands,
        (play.dealer, game.dealer_cards),
        (play.community, game.community_cards),
    ):
        if len(cards) != whole:
            cards.clear()
    for player in play.seats.values() if play.tracked else ():
        if not complete and not player.cards:
            player.dealt_at_ms = 0
        elif complete:
            player.dealt_at_ms = player.dealt_at_ms or turn.at_ms
