"""A round of `rws-multilink-stud` with a shoe, event by event: lamps, prompts, sign, messages.

What each phase refuses is in `test_phases.py`; what a bet pays is proved with the rules.
"""

from collections.abc import Callable

import pytest

from firmware.protocol.obligations import Contribution, RoundReport
from firmware.table.effects import Part, PublishStatus, Send, ShowSign, StopSending
from firmware.table.events import PendingChanged, Restarted, RoundPaid
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    METER_CENTS,
    TENS,
    Effects,
    Playing,
    at_reveal,
    bets_placed,
    lamp,
    lamps_in,
    owed_in,
    play_to_the_end,
    prompt,
    sign,
)

Do = Callable[[Playing], Effects]

PLACE = "Round 1: place your bets. Then press CLOSE."
UNCONFIRMED = "Jackpot bets not yet confirmed: seats 1, 3."
IN_PLAY = (
    "Seat 1: ante $25.00, jackpot $5.00.",
    "Seat 2: ante $50.00.",
    "Seat 3: ante $25.00, jackpot $5.00.",
)
HALF_CONFIRMED = "Jackpot bets not yet confirmed: seat 3."


def contribution(number: int, *, seat: int, at_ms: int) -> Send:
    """Expect a contribution of the record that closes the bets, which is the journal's seventh; its first is the report."""
    return Send(
        Contribution(
            id=f"T1.fresh.7.{number}",
            table="T1",
            round=1,
            seat=seat,
            at_ms=at_ms,
            bet="jackpot",
            stake_cents=500,
        )
    )


def dealing(line: str, *more: str) -> Effects:
    """Expect whose card is next."""
    return (prompt("dealing", line, *more),)


TO_SEATS = [dealing(f"Deal to {whom}.") for whom in ("seat 1", "seat 2", "seat 3", "yourself")]
"""After each card of a time around: whose card is next."""
FACE_UP = dealing("Deal to yourself, face up.")

BETTING: list[tuple[Do, Effects]] = [
    (lambda t: t.link(healthy=True), ()),
    (lambda t: t.meter(1_000_000, 1), (sign(1_000_000),)),
    (
        Playing.open,
        (
            *(lamp(seat, "slow_blink") for seat in (1, 2, 3, 4)),
            prompt("betting", PLACE, "Jackpot chips: none."),
        ),
    ),
    (
        lambda t: t.chip(3),
        (lamp(3, "quick_blink"), prompt("betting", PLACE, "Jackpot chips: seat 3.")),
    ),
    (
        lambda t: t.chip(1),
        (lamp(1, "quick_blink"), prompt("betting", PLACE, "Jackpot chips: seats 1, 3.")),
    ),
    (
        lambda t: t.ante(2, 5_000),
        (prompt("betting", PLACE, "Jackpot chips: seats 1, 3.", "Seat 2 keyed: ante $50.00."),),
    ),
    (
        Playing.close,
        (
            lamp(2, "off"),
            lamp(4, "off"),
            prompt("dealing", "Burn a card.", *IN_PLAY, UNCONFIRMED),
            contribution(1, seat=1, at_ms=9_000),
            contribution(2, seat=3, at_ms=9_000),
        ),
    ),
]
DEALING: list[tuple[Do, Effects]] = [
    (lambda t: t.lift(1), ()),
    (lambda t: t.draw("2d"), dealing("Deal to seat 1.", UNCONFIRMED)),
    (lambda t: t.draw("Tc"), dealing("Deal to seat 2.", UNCONFIRMED)),
    (
        lambda t: t.acknowledge("T1.fresh.7.1"),
        (
            lamp(1, "steady"),
            prompt("dealing", "Deal to seat 2.", HALF_CONFIRMED),
            StopSending("T1.fresh.7.1"),
        ),
    ),
    (lambda t: t.meter(1_000_150, 2), (sign(1_000_150),)),
    (lambda t: t.draw("Qs"), dealing("Deal to seat 3.", HALF_CONFIRMED)),
    (lambda t: t.lift(3), ()),
    (
        lambda t: t.acknowledge("T1.fresh.7.2"),
        (lamp(3, "steady"), prompt("dealing", "Deal to seat 3."), StopSending("T1.fresh.7.2")),
    ),
    (lambda t: t.draw("Ac"), TO_SEATS[3]),
    (lambda t: t.draw("As"), TO_SEATS[0]),
    *[
        (lambda t, card=card: t.draw(card), TO_SEATS[(place + 1) % 4] if card != "5h" else FACE_UP)
        for place, card in enumerate(
            [
                "Td",
                "Jd",
                "Qc",
                "Kd",
                "8h",
                "9d",
                "8d",
                "9c",
                "5s",
                "6s",
                "6c",
                "7h",
                "3c",
                "4d",
                "5h",
            ]
        )
    ],
    (
        lambda t: t.draw("2s"),
        (prompt("deciding", "BET or FOLD: seats 1, 2, 3.", "REST: they all BET."),),
    ),
]
SETTLING: list[tuple[Do, Effects]] = [
    (lambda t: t.bet(1), (prompt("deciding", "BET or FOLD: seats 2, 3.", "REST: they all BET."),)),
    (lambda t: t.fold(3), (prompt("deciding", "BET or FOLD: seat 2."),)),
    (
        lambda t: t.bet(2),
        (prompt("revealing", "Turn up all hands. Then press REVEAL."),),
    ),
    (
        Playing.reveal,
        (
            prompt(
                "settling",
                "Dealer qualifies: ace and king.",
                "Seat 1: pay $75.00.",
                "Seat 1 ante wins: pay $25.00, leave $25.00",
                "Seat 1 bet wins: pay $50.00, leave $50.00",
                "Seat 2: take $150.00.",
                "Seat 2 ante loses: take $50.00",
                "Seat 2 bet loses: take $100.00",
                "Seat 3: take $25.00.",
                "Seat 3 ante loses: take $25.00",
                "Then press PAID.",
                parts=(Part(1, 2, 4), Part(4, 5, 7), Part(7, 8, 9)),
            ),
        ),
    ),
    (
        Playing.paid,
        (lamp(1, "off"), lamp(3, "off"), prompt("idle", "Press OPEN to take bets.")),
    ),
]


def test_every_effect_of_an_uneventful_round_in_its_order() -> None:
    playing = Playing()
    for place, (do, effects) in enumerate([*BETTING, *DEALING, *SETTLING], start=1):
        assert (place, do(playing)) == (place, effects)


def test_a_table_that_has_just_started_shows_itself_dark_and_without_a_link() -> None:
    playing = Playing()
    playing.take(Restarted(at_ms=playing.now()))
    closed = "No bets while the jackpot link is down: wait, or report it with MENU."
    down = "The jackpot link is down: the table has just started."
    nobody = "No dealer has signed on: press SIGNON, then enter your number and PIN."
    assert playing.table.resumed() == (
        *(lamp(seat, "off") for seat in (1, 2, 3, 4)),
        prompt("idle", closed, down, nobody),
        sign(METER_CENTS, "Ante $25.00 to $1,000.00, no jackpot bets are accepted"),
        PublishStatus(0, "idle", None, 0, 0, 0),
    )


def test_the_jackpot_controller_hears_how_far_the_round_is() -> None:
    playing = bets_placed()
    standing = PublishStatus(1, "betting", None, 0, 0, 0)
    assert playing.status == standing
    contributions = owed_in(playing.close())
    assert playing.status == PublishStatus(1, "dealing", None, 2, 2, 1_000)
    for contribution in contributions:
        playing.acknowledge(contribution.id)
    playing.deal({1: TENS, 3: FLUSH}, ACE_HIGH)
    dealt_at_ms = playing.at_ms - 2_000  # seat 1's last card, then seat 3's, then the dealer's
    assert playing.status == PublishStatus(1, "deciding", dealt_at_ms, 0, 2, 1_000)
    playing.take(PendingChanged(at_ms=playing.now(), ids=("T2.x.9.1",), words=("table T2",)))
    assert playing.status is not None
    assert playing.status.seen_pending == ("T2.x.9.1",)
    playing.fold(1)
    playing.fold(3)
    (win,) = owed_in(playing.reveal())
    assert (playing.status.phase, playing.status.dealt_at_ms) == ("settling", dealt_at_ms)
    playing.award(win.id, 10_000)
    assert (playing.status.phase, playing.status.dealt_at_ms) == ("settling", dealt_at_ms)
    playing.paid()
    assert playing.status.phase == "idle"
    assert playing.status.dealt_at_ms is None
    stages = [report.stage for report in playing.reports if isinstance(report, RoundReport)]
    assert stages == ["opened", "dealt", "settled"]
    assert len({report.id for report in playing.reports}) == 3


def test_the_meter_at_the_close_of_bets_goes_into_the_journal() -> None:
    playing = bets_placed()
    playing.meter(777_700, 1)
    playing.close()
    playing.meter(999_900, 2)
    assert playing.state.round.meter_cents == 777_700
    playing.restart()
    assert playing.state.round.meter_cents == 777_700


# Several rounds


def test_rounds_count_up_and_messages_never_share_an_id() -> None:
    playing = bets_placed()
    ids: list[str] = []
    for number in range(1, 6):
        assert playing.state.round.number == number
        ids += [owed.id for owed in owed_in(playing.close())]
        playing.lift(1)
        playing.lift(3)
        play_to_the_end(playing)
        playing.open()
        playing.chip(1)
        playing.chip(3)
    assert len(ids) == len(set(ids)) == 10


@pytest.mark.parametrize("hand", [TENS, FLUSH])
def test_nothing_of_a_round_is_left_in_the_next(hand: tuple[str, ...]) -> None:
    playing = at_reveal(hand)
    for win in owed_in(playing.reveal()):
        playing.award(win.id, 10_000)
        playing.acknowledge(win.id)
    playing.paid()
    effects = playing.open()
    assert lamps_in(effects) == dict.fromkeys((1, 2, 3, 4), "slow_blink")
    assert playing.state.round.seats == {}
    assert playing.state.round.claims == {}
    assert playing.state.owed.keys() == {report.id for report in playing.reports}
    assert not any(isinstance(effect, ShowSign) for effect in effects)


def test_the_record_of_paid_names_nothing_of_a_hand_that_was_not_shown() -> None:
    """Even its length would tell what such a hand is; an auditor has the cards themselves."""
    playing = at_reveal(FLUSH)
    playing.hidden(3)
    playing.reveal()
    assert all(result.category for result in playing.state.round.results)
    recorded = playing.table.completed(RoundPaid(at_ms=playing.now(), frame=playing.frame()))
    assert isinstance(recorded, RoundPaid)
    assert {r.seat: r.category for r in recorded.results} == {1: "flush", 3: None}
