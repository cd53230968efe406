"""What anybody may know about a table right now: what is shown, and what lies face up.

For those who watch from outside (maintenance, the simulator's pages). It is a projection of
the state in which every field is chosen, so nothing that lies face down can slip through by
being added to the state.
"""

from msgspec import Struct

from firmware.table.effects import Pattern
from firmware.table.faults import fault_sentences
from firmware.table.settings import TableSettings
from firmware.table.stages import board_face_up, last_is_face_up, stages
from firmware.table.state import TableState
from firmware.table.verdicts import payable_cents
from firmware.table.view import view


class PublicSeat(Struct, frozen=True, kw_only=True):
    """A seat as everybody at the table sees it."""

    seat: int
    chips: tuple[str, ...]
    """The jackpot bets whose spot has a chip on it."""
    lamps: dict[str, Pattern]
    stakes: dict[str, int]
    decision: str
    cards: tuple[str, ...]
    """The hand, once it lies face up."""


class PublicClaim(Struct, frozen=True, kw_only=True):
    """A claim as the panel shows it."""

    seat: int
    words: str
    amount_cents: int | None


class PublicTable(Struct, frozen=True, kw_only=True):
    """A table as everybody sees it."""

    name: str
    game: str
    phase: str
    round: int
    seats: tuple[PublicSeat, ...]
    dealer: tuple[str, ...]
    community: tuple[str, ...]
    prompt: tuple[str, ...]
    sign: str
    meter_cents: int | None
    link_healthy: bool
    link_problem: str
    owed: int
    claims: tuple[PublicClaim, ...]
    pending: tuple[str, ...]
    faults: tuple[str, ...]


def public(settings: TableSettings, state: TableState) -> PublicTable:
    """Return a table as everybody may see it."""
    shown, play = view(settings, state), state.round
    open_hands = _hands_face_up(settings, state)
    return PublicTable(
        name=settings.name,
        game=settings.game,
        phase=state.phase,
        round=play.number,
        seats=tuple(
            _seat(state, number, shown.lamps, open_hands=open_hands)
            for number in range(1, settings.seats + 1)
        ),
        dealer=_dealer_face_up(settings, state),
        community=_board_face_up(settings, state),
        prompt=shown.prompt.lines,
        sign=shown.sign.text,
        meter_cents=state.meter_cents,
        link_healthy=state.link_healthy,
        link_problem=state.link_problem,
        owed=len(state.owed),
        claims=tuple(
            PublicClaim(seat=claim.seat, words=claim.words, amount_cents=payable_cents(play, claim))
            for claim in play.claims.values()
        ),
        pending=state.pending_words,
        faults=tuple(fault_sentences(state)),
    )


def _seat(
    state: TableState, number: int, lamps: dict[tuple[int, str], Pattern], *, open_hands: bool
) -> PublicSeat:
    player = state.round.seats.get(number) if state.phase != "idle" else None
    spots = state.spots.get(number, {})
    claims = {claim.seat for claim in state.round.claims.values()}
    # A hand that was folded stays face down, unless it claims on the jackpot.
    face_up = (
        open_hands and player is not None and player.shown and (player.in_round or number in claims)
    )
    return PublicSeat(
        seat=number,
        chips=tuple(bet for bet, spot in spots.items() if spot.chip),
        lamps={bet: pattern for (seat, bet), pattern in lamps.items() if seat == number},
        stakes=dict(player.stakes) if player is not None else {},
        decision=str(player.decision or "") if player is not None else "",
        cards=tuple(player.cards) if face_up and player is not None else (),
    )


def _hands_face_up(settings: TableSettings, state: TableState) -> bool:
    """Return whether the hands have been turned up: every stage is done, and there is a result.

    A round that ends because nobody is left in is settled without turning anything up.
    """
    incident = state.round.incident
    settling = state.phase == "settling" or (incident is not None and incident.resume == "settling")
    done = state.round.stage >= len(stages(settings, state.round))
    return settling and done and not state.round.void


def _dealer_face_up(settings: TableSettings, state: TableState) -> tuple[str, ...]:
    play = state.round
    if state.phase == "idle":
        return ()
    if _hands_face_up(settings, state):
        return tuple(play.dealer)
    if play.face_up is not None:
        return (play.face_up,) if play.face_up else ()
    # Where the game deals the dealer's last card face up, it is seen from then on.
    complete = len(play.dealer) == settings.rules.dealer_cards
    return tuple(play.dealer[-1:]) if complete and last_is_face_up(settings, play) else ()


def _board_face_up(settings: TableSettings, state: TableState) -> tuple[str, ...]:
    play = state.round
    if state.phase == "idle":
        return ()
    if _hands_face_up(settings, state):
        return tuple(play.community)
    if play.source == "manual":
        # A shuffler that has failed may have read a board that still lies face down.
        over = play.stage >= len(stages(settings, play))
        return tuple(play.community) if over and not play.void else ()
    return tuple(play.community[: board_face_up(settings, play)])
