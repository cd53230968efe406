"""What anybody may know about a table right now: what is shown, and what lies face up.

For those who watch from outside (maintenance, the simulator's pages). Every field is chosen from
what is seen (`seen.py`), so nothing that lies face down can slip through by being added to the state.
"""

from msgspec import Struct

from firmware.rules.words import IRREGULARITIES
from firmware.table.effects import Pattern
from firmware.table.faults import fault_sentences
from firmware.table.irregularities.reports import authority_of, confirmer
from firmware.table.payable import shown_payable_cents, why_not_payable
from firmware.table.seen import Seen, face_up_cards, seen
from firmware.table.settings import TableSettings
from firmware.table.state import AT_REST, ClaimState, RoundState, TableState
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
    """What may be paid on it now; nothing before it is final and awarded."""
    id: str = ""
    """The id of its win; this and what follows is for its slip."""
    on: str = ""
    tier: str = ""
    dealt_at_ms: int = 0
    claimed_at_ms: int = 0
    clock: str = ""
    award_cents: int | None = None
    """What the jackpot controller has awarded; from which meter is in the journal alone."""
    registered: bool = False
    """Whether the amount is the table's own, from the last registered meter (I-28)."""
    confirmed_by: str = ""
    winners: int = 1
    """How many claims share what was awarded."""
    waits: str = ""
    """Why nothing is to be paid on it now, as what follows `the claim`."""
    told_cents: tuple[int, ...] = ()
    """Every amount that the panel has said to pay on it, oldest first; the last may be what it says."""
    told_ms: tuple[int, ...] = ()
    """Since when it has said each of them."""


class PublicWithdrawn(Struct, frozen=True, kw_only=True):
    """A claim on which nothing is paid any more, as the panel tells it."""

    seat: int
    words: str
    reason: str
    id: str
    told_cents: tuple[int, ...] = ()
    """Every amount that the panel had said to pay on it."""
    told_ms: tuple[int, ...] = ()
    """Since when it had said each of them."""


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
    currency: str = "$"
    """What stands before an amount here."""
    casino: str = ""
    link_healthy: bool
    link_problem: str
    owed: int
    claims: tuple[PublicClaim, ...]
    withdrawn: tuple[PublicWithdrawn, ...] = ()
    ruling: str = ""
    """Who is to decide about what, while a ruling stops the round."""
    pending: tuple[str, ...]
    faults: tuple[str, ...]


def public(settings: TableSettings, state: TableState) -> PublicTable:
    """Return a table as everybody may see it."""
    shown, known = view(settings, state), seen(settings, state)
    play = known.round
    return PublicTable(
        name=settings.name,
        game=settings.game,
        phase=state.phase,
        round=play.number,
        seats=tuple(_seat(known, number, shown.lamps) for number in range(1, settings.seats + 1)),
        dealer=_dealer_face_up(known),
        community=face_up_cards(play.community),
        prompt=shown.prompt.lines,
        sign=shown.sign.text,
        meter_cents=state.shown_meter_cents,
        currency=settings.currency,
        casino=settings.casino,
        link_healthy=state.link_healthy,
        link_problem=state.link_problem,
        owed=len(state.owed),
        claims=tuple(_claim(play, claim) for claim in play.claims.values()),
        withdrawn=tuple(
            PublicWithdrawn(
                seat=each.seat,
                words=each.words,
                reason=each.reason,
                id=claim_id,
                told_cents=tuple(each.told_cents),
                told_ms=tuple(each.told_ms),
            )
            for claim_id, each in play.withdrawn.items()
        ),
        ruling=_ruling(settings, state),
        pending=state.known_pending,
        faults=tuple(fault_sentences(state)),
    )


def _seat(state: Seen, number: int, lamps: dict[tuple[int, str], Pattern]) -> PublicSeat:
    player = state.round.seats.get(number) if state.phase not in AT_REST else None
    spots = state.spots.get(number, {})
    return PublicSeat(
        seat=number,
        chips=tuple(bet for bet, spot in spots.items() if spot.chip),
        lamps={bet: pattern for (seat, bet), pattern in lamps.items() if seat == number},
        stakes=dict(player.stakes) if player is not None else {},
        decision=str(player.decision or "") if player is not None else "",
        cards=face_up_cards(player.cards) if player is not None else (),
    )


def _claim(play: RoundState, claim: ClaimState) -> PublicClaim:
    win = claim.win
    return PublicClaim(
        seat=claim.seat,
        words=claim.words,
        amount_cents=shown_payable_cents(play, claim),
        id="" if win is None else win.id,
        on=claim.claim.on,
        tier=claim.claim.tier,
        dealt_at_ms=0 if win is None else win.dealt_at_ms,
        claimed_at_ms=0 if win is None else win.at_ms,
        clock="" if win is None else win.clock,
        award_cents=claim.award_cents,
        registered=claim.registered,
        confirmed_by=claim.confirmed_by,
        winners=claim.winners,
        waits=why_not_payable(play, claim),
        told_cents=tuple(claim.told_cents),
        told_ms=tuple(claim.told_ms),
    )


def _ruling(settings: TableSettings, state: TableState) -> str:
    """Say whom a ruling waits for, and what it is about; nothing where none is asked for."""
    if state.phase != "ruling":
        return ""
    incident = state.incident
    wanted = "pit_supervisor" if incident.withdrawing else authority_of(settings, state)
    who = "the dealer" if wanted is None else f"the {confirmer(wanted)}"
    return f"{who} to decide ({IRREGULARITIES[incident.irregularity]})"


def _dealer_face_up(state: Seen) -> tuple[str, ...]:
    """Show what the dealer has said to lie face up, or what the table knows to."""
    up, dealer = state.round.face_up, state.round.dealer
    turned = face_up_cards(dealer)
    whole = bool(dealer) and len(turned) == len(dealer)
    if state.phase in AT_REST or not up or whole or up in turned:
        return turned
    return (*turned, up)
