"""Which cards can be keyed face up, with CARDS: those that the table does not know (I-40)."""

from firmware.table.claims import claims_on
from firmware.table.settings import TableSettings
from firmware.table.state import RoundState, TableState


def keyable_places(settings: TableSettings, state: TableState) -> list[str]:
    """List the places whose cards can be keyed now; who doubts another one says LOST first."""
    game, play = settings.rules, state.round
    seats = [str(n) for n, p in play.seats.items() if p.stakes.get("ante") and p.shown]
    counts = dict.fromkeys(seats, game.own_cards)
    counts |= {"dealer": game.dealer_cards, "board": game.community_cards}
    return [
        place
        for place, wanted in counts.items()
        if wanted and is_unknown(play, place) and not was_read(settings, state, place, wanted)
        if not any(claim.final for claim in claims_on(game, play, place).values())
    ]


def is_unknown(play: RoundState, place: str) -> bool:
    """Return whether the dealer keys the cards of a place: dealt by hand, or lost."""
    return play.source == "manual" or place in play.lost


def was_read(settings: TableSettings, state: TableState, place: str, wanted: int) -> bool:
    """Return whether a reader that has failed since had read the whole hand."""
    play, reads = state.round, settings.card_source != "manual"
    doubted = place in play.keyed or place in play.lost
    read = reads and not doubted and len(play.cards_at(place)) == wanted
    return state.edition > 1 and play.source == "manual" and read
