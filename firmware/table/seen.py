"""A table as it may be shown: its state, in which every card that is not face up is unknown.

Whatever leaves a table is made from this and not from the state: prompts, lamps, sign, menus,
what maintenance shows. So none of it can name a card that lies face down, or depend on one; how
many cards lie where is known to everybody at the table. What lies face up is decided here alone.
"""

from collections.abc import Sequence

from msgspec.structs import asdict, replace

from firmware.rules.contract import SeatResult
from firmware.table.settings import TableSettings
from firmware.table.stages import board_face_up, last_is_face_up, stages
from firmware.table.state import AT_REST, Correction, RoundState, SeatState, TableState

UNKNOWN = "??"
"""A card that is not face up."""


class Seen(TableState):
    """A state without the cards that are not face up."""


def seen(settings: TableSettings, state: TableState) -> Seen:
    """Return a table as everybody may see it; what is kept to take a key back is not shown."""
    play = state.round
    hands_up = _hands_face_up(settings, state)
    face_up = {seat for seat in play.seats if hands_up and _shows(play, seat)}
    shown = replace(
        play,
        seats={
            seat: player if seat in face_up else _face_down(player)
            for seat, player in play.seats.items()
        },
        dealer=_dealer(settings, state, hands_up=hands_up),
        community=_board(settings, state, hands_up=hands_up),
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


def _face_down(player: SeatState) -> SeatState:
    return replace(player, cards=_unknown(player.cards))


def _without_cards(correction: Correction | None) -> Correction | None:
    return None if correction is None else replace(correction, cards=())


def _unranked(result: SeatResult) -> SeatResult:
    return replace(result, category=None)


# What lies face up


def _hands_face_up(settings: TableSettings, state: TableState) -> bool:
    """Return whether the hands have been turned up: every stage is done, and there is a result.

    A round that ends because nobody is left in is settled without turning anything up.
    """
    incident = state.round.incident
    settling = state.phase == "settling" or (incident is not None and incident.resume == "settling")
    done = state.round.stage >= len(stages(settings, state.round))
    return settling and done and not state.round.void


def _shows(play: RoundState, seat: int) -> bool:
    """Return whether a hand lies face up with the others; a folded one does if it claims."""
    player = play.seats[seat]
    return player.shown and (player.in_round or bool(play.claims_of(seat)))


def _dealer(settings: TableSettings, state: TableState, *, hands_up: bool) -> list[str]:
    """List the dealer's cards; before the reveal at most one of them is known."""
    play = state.round
    if state.phase in AT_REST:
        return _unknown(play.dealer)
    if hands_up:
        return play.dealer
    # Where the game deals the dealer's last card face up, it is seen from then on.
    complete = len(play.dealer) == settings.rules.dealer_cards
    if play.face_up is None and complete and last_is_face_up(settings, play):
        return [*_unknown(play.dealer[:-1]), play.dealer[-1]]
    return _unknown(play.dealer)


def _board(settings: TableSettings, state: TableState, *, hands_up: bool) -> list[str]:
    play = state.round
    if state.phase in AT_REST:
        return _unknown(play.community)
    if hands_up:
        return play.community
    turned = board_face_up(settings, play)
    if play.source == "manual":
        # A shuffler that has failed may have read a board that still lies face down.
        over = play.stage >= len(stages(settings, play))
        turned = len(play.community) if over and not play.void else 0
    return [*play.community[:turned], *_unknown(play.community[turned:])]
