"""Which cards of a round lie face up, worked out beside the table: for `alike.py`."""

from firmware.rules.game import Game
from firmware.table.settings import TableSettings
from firmware.table.stages import current
from firmware.table.state import RoundState, SeatState
from firmware.table.table import Table


class Felt:
    """Which cards of the round lie face up, followed by events and the game's description alone.

    Of the table's state it takes where cards lie, never which of them are up.
    """

    def __init__(self) -> None:
        self._number = 0
        self._dealt: list[int] = []
        self._up: set[str] = set()
        self._revealed = 0
        self._dealer_was_whole = False

    def after(self, table: Table, *, reveals: bool, corrects: bool) -> set[str]:
        """List what lies face up after an event, or is looked at by the rules then.

        `reveals` and `corrects` say whether it was a REVEAL, and whether it has moved cards.
        """
        play = table.state.round
        if self._number != play.number:
            self._number, self._up, self._revealed = play.number, set(), 0
            self._dealer_was_whole = False
        if self._dealt != play.dealt:
            # A box was put in, and the deal begins anew.
            self._dealt, self._dealer_was_whole = [*play.dealt], False
        if table.state.doing in {"idle", "closed", "service", "betting"}:
            return set()
        if reveals:
            self._reveal(table.settings, play)
        self._deal(table.settings, play, corrects=corrects)
        looked_at = set[str]()
        if table.state.doing in {"settling", "claiming"} and _is_over(table):
            rules, seats = table.settings.rules, play.seats.items()
            up = [str(seat) for seat, player in seats if _counts(rules, player)]
            # What was keyed is no card that the source has read: that one may lie face down.
            read = [place for place in ("dealer", "board", *up) if place not in play.keyed]
            looked_at = looked_at.union(*map(play.cards_at, read))
        return self._up | looked_at

    def _reveal(self, settings: TableSettings, play: RoundState) -> None:
        """Turn up the next street: as many cards as the board then has face up."""
        self._revealed += 1
        steps = settings.rules.shoe if play.source == "shoe" else settings.rules.shuffler
        reveals = [step for step in steps if step.kind == "reveal" and not step.by_deal]
        wanted = sum(s.cards for s in reveals[: self._revealed] if "community" in s.to)
        if play.source == "manual":
            wanted = len(play.community)  # its one REVEAL comes with all hands up
        for card in play.community:
            if len(self._up & {*play.community}) < wanted:
                self._up.add(card)

    def _deal(self, settings: TableSettings, play: RoundState, *, corrects: bool) -> None:
        """Turn up the dealer's last card when the deal, and no correction, has made him whole."""
        whole = len(play.dealer) == settings.rules.dealer_cards
        steps = settings.rules.shoe if play.source == "shoe" else settings.rules.shuffler
        by_deal = any(s.by_deal and not s.any_card and "dealer" in s.to for s in steps)
        if whole and by_deal and not corrects and not self._dealer_was_whole:
            self._up.add(play.dealer[-1])
        self._dealer_was_whole |= whole


def _is_over(table: Table) -> bool:
    """Tell whether the round has come to its end, so that every hand in it was turned up."""
    return current(table.settings, table.state.round) is None and not table.state.round.void


def _counts(rules: Game, player: SeatState) -> bool:
    """Tell whether a hand is turned up at the end, or may be because its own cards can claim."""
    on_it = any(rules.jackpot_bets[bet] == "player" for bet in player.contributions)
    may_claim = on_it and "player" in rules.fold_keeps
    return player.shown and (player.in_round or may_claim)
