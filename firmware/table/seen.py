"""A table as it may be shown: its state, in which every card that is not face up is unknown.

Whatever leaves a table is made from this and not from the state: prompts, lamps, sign, menus,
what maintenance shows. So none of it can name a card that lies face down, or depend on one; how
many cards lie where is known to everybody at the table. What lies face up is decided here alone:
the cards that were turned up, as cards, and from the last reveal on the hands.
"""

from collections.abc import Collection, Sequence

from msgspec.structs import asdict, replace

from firmware.rules.contract import SeatResult
from firmware.rules.game import Game
from firmware.table.claims import claims_on_hand
from firmware.table.settings import TableSettings
from firmware.table.stages import stages
from firmware.table.state import AT_REST, Correction, RoundState, SeatState, TableState

UNKNOWN = "??"
"""A card that is not face up."""


class Seen(TableState):
    """A state without the cards that are not face up."""


def seen(settings: TableSettings, state: TableState) -> Seen:
    """Return a table as everybody may see it; what is kept to take a key back is not shown."""
    play = state.round
    hands_up = _hands_face_up(settings, state)
    at_rest = state.phase in AT_REST
    turned_up = frozenset() if at_rest else frozenset(play.turned_up)
    # What the dealer keys lies face up; the table shows it as keyed. A folded hand it does not.
    keyed = frozenset() if at_rest else frozenset(play.keyed)
    dealer_up, board_up = hands_up or "dealer" in keyed, hands_up or "board" in keyed
    face_up = {
        seat
        for seat in play.seats
        if (hands_up or str(seat) in keyed) and _shows(settings.rules, play, seat)
    }
    shown = replace(
        play,
        seats={
            seat: player if seat in face_up else _face_down(player, turned_up)
            for seat, player in play.seats.items()
        },
        dealer=play.dealer if dealer_up else _turned(play.dealer, turned_up),
        community=play.community if board_up else _turned(play.community, turned_up),
        drawn=_unknown(play.drawn),
        drawn_at_ms={},
        surplus=_unknown(play.surplus),
        correction=_without_cards(play.correction),
        results=[each if each.seat in face_up else _unranked(each) for each in play.results],
    )
    return Seen(**{**asdict(state), "round": shown, "last_key": None})


def face_up_cards(cards: Sequence[str]) -> tuple[str, ...]:
    """Pick the cards that are face up out of those at a place."""
    return tuple(card for card in cards if card != UNKNOWN)


def _unknown(cards: Sequence[str]) -> list[str]:
    return [UNKNOWN] * len(cards)


def _turned(cards: Sequence[str], turned_up: Collection[str]) -> list[str]:
    """Leave the cards of a place that were turned up, wherever they lay then."""
    return [card if card in turned_up else UNKNOWN for card in cards]


def _face_down(player: SeatState, turned_up: Collection[str]) -> SeatState:
    return replace(player, cards=_turned(player.cards, turned_up))


def _without_cards(correction: Correction | None) -> Correction | None:
    return None if correction is None else replace(correction, cards=())


def _unranked(result: SeatResult) -> SeatResult:
    return replace(result, category=None)


# What lies face up


def _hands_face_up(settings: TableSettings, state: TableState) -> bool:
    """Return whether the hands have been turned up: every stage is done, the last reveal too.

    A round that ends because nobody is left in is settled without turning anything up.
    """
    done = state.round.stage >= len(stages(settings, state.round))
    return state.doing in {"claiming", "settling"} and done and not state.round.void


def _shows(game: Game, play: RoundState, seat: int) -> bool:
    """Return whether a hand lies face up with the others; a folded one if its own cards claim."""
    player = play.seats[seat]
    return player.shown and (player.in_round or bool(claims_on_hand(game, play, seat)))
