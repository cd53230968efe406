"""What each event does to the table: one function an event, named after it.

A handler first checks, then changes the state; it raises `Refused` with a reason for
the dealer, and then nothing has changed. It gives False where the event changes
nothing. In which phase an event is possible is not decided here but in `phases.py`;
what is seen outside follows from the state in `view.py`.
"""

from msgspec import Struct

from firmware.errors import Refused
from firmware.rules.cards import CODES
from firmware.rules.contract import MAX_CENTS, Claim, Limits, Round, Seat
from firmware.rules.dealing import Target, card_order
from firmware.rules.explain import claim_words
from firmware.rules.settle import settle
from firmware.table.events import (
    Acknowledged,
    AnteKeyed,
    AwardGranted,
    BetsClosed,
    BetsOpened,
    CardDrawn,
    CoinSensed,
    HandsRevealed,
    JournalOpened,
    LinkChanged,
    MeterMoved,
    PlayerDecided,
    Restarted,
    RoundPaid,
)
from firmware.table.outbox import AnyObligation, Contribution, Win, obligation_id
from firmware.table.settings import TableSettings
from firmware.table.state import ClaimState, RoundState, SeatPlay, Spot, TableState


class Turn(Struct):
    """One event being handled: the table it happens to, and what comes to be owed by it."""

    settings: TableSettings
    state: TableState
    owed: list[AnyObligation]

    def next_id(self) -> str:
        """Make the id of the next obligation of the record that this event becomes."""
        state = self.state
        return obligation_id(
            self.settings.name, state.journal, state.sequence + 1, len(self.owed) + 1
        )

    def owe(self, obligation: AnyObligation) -> None:
        """Note what the jackpot controller must be told."""
        self.owed.append(obligation)
        self.state.owed[obligation.id] = obligation


def journal_opened(turn: Turn, event: JournalOpened) -> bool:
    """Begin a journal; a second beginning would let ids repeat."""
    if turn.state.journal:
        raise Refused("this table has a journal already")
    if event.table != turn.settings.name:
        raise Refused(f"this journal is of table {event.table}")
    turn.state.journal = event.journal
    return True


def restarted(turn: Turn, event: Restarted) -> bool:
    """Note the restart; the round goes on where it was, by the settings that it began with."""
    changed = event.settings is not None and event.settings != turn.settings
    if changed and turn.state.phase != "idle":
        raise Refused("the table file was changed during a round; put it back until it is over")
    return True


def coin_sensed(turn: Turn, event: CoinSensed) -> bool:
    """Note a chip on a spot, or its absence; an empty spot may bet again."""
    if event.seat > turn.settings.seats:
        raise Refused(f"there is no seat {event.seat} at this table")
    spot = turn.state.spots.get(event.seat, Spot())
    if spot.chip == event.present:
        return False
    turn.state.spots[event.seat] = spot
    spot.chip = event.present
    if not event.present:
        spot.ready = True
    return True


def bets_opened(turn: Turn, _event: BetsOpened) -> bool:
    """Begin a round."""
    turn.state.round = RoundState(number=turn.state.round.number + 1)
    turn.state.phase = "betting"
    return True


def ante_keyed(turn: Turn, event: AnteKeyed) -> bool:
    """Put a seat into the round with the ante that the dealer has keyed."""
    if event.seat > turn.settings.seats:
        raise Refused(f"there is no seat {event.seat} at this table")
    if not event.ante_cents:
        raise Refused(f"seat {event.seat}: key an ante above zero")
    if event.ante_cents > MAX_CENTS:
        raise Refused(f"seat {event.seat}: no such ante can be placed")
    turn.state.round.seats[event.seat] = SeatPlay(ante_cents=event.ante_cents)
    return True


def bets_closed(turn: Turn, event: BetsClosed) -> bool:
    """Close the bets; every chip on a spot that was ready is a contribution from now on."""
    state, playing = turn.state, turn.state.round.seats
    coins = [seat for seat, spot in sorted(state.spots.items()) if spot.chip and spot.ready]
    if not coins and not playing:
        raise Refused("nobody has bet yet")
    state.round.meter_cents = event.meter_cents
    for seat in coins:
        play = playing.setdefault(seat, SeatPlay(ante_cents=_assumed_ante(turn, seat)))
        play.jackpot_cents = turn.settings.jackpot_bet_cents
        play.contribution_id = turn.next_id()
        state.spots[seat].ready = False
        turn.owe(
            Contribution(
                id=play.contribution_id,
                table=turn.settings.name,
                round=state.round.number,
                seat=seat,
                at_ms=event.at_ms,
                stake_cents=play.jackpot_cents,
            )
        )
    state.round.seats = dict(sorted(playing.items()))
    for seat, play in playing.items():
        state.last_ante_cents[seat] = play.ante_cents
    state.phase = "dealing"
    return True


def _assumed_ante(turn: Turn, seat: int) -> int:
    return turn.state.last_ante_cents.get(seat, turn.settings.ante_min_cents)


def deal_order(settings: TableSettings, state: TableState) -> tuple[Target, ...]:
    """List whose card is whose in the round under way."""
    return card_order(settings.rules, "shoe", list(state.round.seats))


def card_drawn(turn: Turn, event: CardDrawn) -> bool:
    """Give a card to whom the order of the deal says."""
    deal, order = turn.state.round, deal_order(turn.settings, turn.state)
    if event.card not in CODES:
        raise Refused("the shoe has read a card that is not of the deck")
    if event.card in deal.drawn:
        raise Refused("the shoe has read the same card twice in this round")
    target = order[len(deal.drawn)]
    deal.drawn.append(event.card)
    if target.to == "seat":
        play = deal.seats[target.seat]
        play.cards.append(event.card)
        play.dealt_at_ms = event.at_ms
    elif target.to == "dealer":
        deal.dealer.append(event.card)
    if len(deal.drawn) == len(order):
        turn.state.phase = "deciding"
    return True


def player_decided(turn: Turn, event: PlayerDecided) -> bool:
    """Note whether a player stays in."""
    play = turn.state.round.seats.get(event.seat)
    if play is None:
        raise Refused(f"seat {event.seat} is not in this round")
    if play.decision is not None:
        raise Refused(f"seat {event.seat} has decided already: {play.decision}")
    play.decision = event.decision
    if all(other.decision for other in turn.state.round.seats.values()):
        turn.state.phase = "revealing"
    return True


def hands_revealed(turn: Turn, event: HandsRevealed) -> bool:
    """Settle the round, and claim on the jackpot what has been won."""
    state = turn.state
    settled = settle(_round_document(turn.settings, state))
    state.round.results = list(settled.seats)
    for claim in settled.claims:
        _claim(turn, claim, event.at_ms)
    state.phase = "settling"
    return True


def _claim(turn: Turn, claim: Claim, at_ms: int) -> None:
    state, claim_id = turn.state, turn.next_id()
    state.round.claims[claim_id] = ClaimState(seat=claim.seat, words=claim_words(claim))
    turn.owe(
        Win(
            id=claim_id,
            table=turn.settings.name,
            round=state.round.number,
            seat=claim.seat,
            at_ms=at_ms,
            claim=claim,
            dealt_at_ms=state.round.seats[claim.seat].dealt_at_ms,
        )
    )


def _round_document(settings: TableSettings, state: TableState) -> Round:
    return Round(
        game=settings.game,
        limits=Limits(ante_min=settings.ante_min_cents, ante_max=settings.ante_max_cents),
        dealer=tuple(state.round.dealer),
        seats=tuple(
            Seat(
                seat=number,
                cards=tuple(play.cards),
                bets=_bets(settings, play),
                decision=play.decision or "fold",
            )
            for number, play in state.round.seats.items()
        ),
    )


def _bets(settings: TableSettings, play: SeatPlay) -> dict[str, int]:
    bets = {"ante": play.ante_cents, "jackpot": play.jackpot_cents}
    if play.decision == "bet":
        stay = settings.rules.wagers[1]
        bets[stay.name] = play.ante_cents * stay.antes
    return bets


def round_paid(turn: Turn, _event: RoundPaid) -> bool:
    """End the round, once every claim has its amount."""
    waiting = [c.seat for c in turn.state.round.claims.values() if c.amount_cents is None]
    if waiting:
        raise Refused(f"seat {waiting[0]} waits for its jackpot award")
    turn.state.phase = "idle"
    return True


def acknowledged(turn: Turn, event: Acknowledged) -> bool:
    """Strike out what the jackpot controller has committed; a win is owed until its award.

    The award could be lost on the way although the acknowledgement is not, so a win is
    sent until the table knows what it pays.
    """
    if not isinstance(turn.state.owed.get(event.id), Contribution):
        return False
    del turn.state.owed[event.id]
    return True


def award_granted(turn: Turn, event: AwardGranted) -> bool:
    """Note what a claim of this round is paid, and strike it out."""
    claim = turn.state.round.claims.get(event.id)
    if claim is None or claim.amount_cents is not None:
        return False
    claim.amount_cents = event.amount_cents
    turn.state.owed.pop(event.id, None)
    return True


def meter_moved(turn: Turn, event: MeterMoved) -> bool:
    """Observe the meter; one that was overtaken on the way is dropped."""
    if event.sequence <= turn.state.meter_sequence:
        return False
    turn.state.meter_sequence = event.sequence
    turn.state.meter_cents = event.meter_cents
    return True


def link_changed(turn: Turn, event: LinkChanged) -> bool:
    """Observe whether the jackpot link is healthy."""
    if not event.healthy:
        # A controller that comes back may count its meter messages from the beginning.
        turn.state.meter_sequence = -1
    turn.state.link_healthy = event.healthy
    return True
