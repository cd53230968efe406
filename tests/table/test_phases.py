"""What is possible when, and what a refusal is: a sentence for the dealer, and no change.

Every pair of a phase and an event stands in the table below or is refused. What an
event does where it is possible is in `test_round.py`.
"""

from collections.abc import Callable
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from firmware.table import events
from firmware.table.effects import NOT_ACCEPTED, ShowRefusal
from firmware.table.events import Event
from firmware.table.phases import pairs, why_not
from firmware.table.state import Phase
from tests.table.playing import (
    ACE_HIGH,
    QUEEN_HIGH,
    SETTINGS,
    TENS,
    Playing,
    at_reveal,
    bets_placed,
    refused,
    written,
)

ALWAYS = {
    events.JournalOpened,
    events.Restarted,
    events.FaultNoticed,
    events.FaultPassed,
    events.FaultClearAsked,
    events.ClockJudged,
    events.KeyTurned,
    events.StaffIdentified,
    events.DealerSignedOn,
    events.DealerSignedOff,
    events.MeasureAsked,
    events.StaffRefused,
    events.ServiceRefused,
    events.CoinSensed,
    events.Acknowledged,
    events.AwardGranted,
    events.MeterLocked,
    events.MeterMoved,
    events.PendingChanged,
    events.LinkChanged,
    events.WentOn,
}
CARDS: set[type[Event]] = {events.CardDrawn, events.HandDispensed, events.CardUnread}
PUT_RIGHT: set[type[Event]] = {
    events.BetKeyed,
    events.DecisionCorrected,
    events.KeyTakenBack,
    events.CardsCorrected,
    events.ReportWithdrawn,
}
POSSIBLE: dict[Phase, set[type[Event]]] = {
    "idle": {
        events.BetsOpened,
        events.NewPlayer,
        events.KeyTakenBack,
        events.ReportWithdrawn,
        events.TableClosed,
        events.IrregularityReported,
    },
    "closed": {events.TableOpened, events.ServiceBegun, events.ReportWithdrawn},
    "service": {events.ServiceDone, events.ServiceEnded, events.ReportWithdrawn},
    "betting": {
        events.BetKeyed,
        events.BetsClosed,
        events.SeatsJoined,
        events.KeyTakenBack,
        events.ReportWithdrawn,
        events.NewPlayer,
        events.IrregularityReported,
    },
    "drawing": {events.LotsDrawn, events.ReportWithdrawn},
    "dealing": {
        *CARDS,
        *PUT_RIGHT,
        events.FaceUpKeyed,
        events.HandsDealt,
        events.SeatsJoined,
        events.IrregularityReported,
    },
    "deciding": {
        *CARDS,
        *PUT_RIGHT,
        events.FaceUpKeyed,
        events.PlayerDecided,
        events.RestDecided,
        events.HandsDealt,
        events.HandNotShown,
        events.SeatsJoined,
        events.IrregularityReported,
    },
    "revealing": {
        *CARDS,
        *PUT_RIGHT,
        events.FaceUpKeyed,
        events.PlayerDecided,
        events.CardsRevealed,
        events.HandsDealt,
        events.HandNotShown,
        events.IrregularityReported,
    },
    "claiming": {
        *PUT_RIGHT,
        events.CardsKeyed,
        events.PlayerDecided,
        events.HandNotShown,
        events.RoundPaid,
        events.IrregularityReported,
        events.MajorDenied,
        events.AwardDecided,
    },
    "ruling": {
        *CARDS,
        events.CardsCorrected,
        events.ReportWithdrawn,
        events.FaceUpKeyed,
        events.OptionChosen,
        events.RulingConfirmed,
    },
    "settling": {
        *PUT_RIGHT,
        events.RoundPaid,
        events.CardsKeyed,
        events.HandNotShown,
        events.IrregularityReported,
        events.MajorDenied,
        events.AwardDecided,
    },
}
NOT_HERE = {
    # Possible in the phase, but not for a table with a shoe, of this person, or a second time.
    events.HandDispensed: "This round is dealt from the shoe.",
    events.HandsDealt: "DEALT is not needed: the shoe reads the cards.",
    events.JournalOpened: "this table already has a journal",
    events.FaultClearAsked: "F404 is not there. MENU has the faults that are.",
    events.StaffIdentified: "Turn the key first, then enter your number and PIN.",
    events.MajorDenied: "Seat 1 has no claim on the jackpot.",
    events.AwardDecided: "Seat 1 has no award that is in doubt.",
    events.DealerSignedOff: "No dealer has signed on.",
    events.MeasureAsked: "Seat 1 is neither barred nor restricted.",
}
UNDECIDED: tuple[Phase, ...] = ("dealing", "deciding", "claiming")
NOT_YET: dict[tuple[Phase, type[Event]], str] = {
    **{(phase, events.DecisionCorrected): "Seat 1 has not decided yet." for phase in UNDECIDED},
    **{
        (phase, events.KeyTakenBack): "There is no key to take back."
        for phase in ("idle", "betting", "dealing", "deciding", "claiming")
    },
    **{
        (phase, events.KeyTakenBack): ("Too late to take the last key back; use AMOUNT or CORRECT.")
        for phase in ("settling",)
    },
    ("revealing", events.PlayerDecided): "Seat 1 cannot decide now.",
    ("claiming", events.CardsCorrected): (
        "This round is dealt by hand: key the hands that claim with CARDS."
    ),
    **{
        (phase, events.CardsCorrected): (
            "Report the dealing error first (MENU). Then say where the cards lie."
        )
        for phase in ("dealing", "deciding", "revealing")
    },
    ("ruling", events.CardsCorrected): "Deal with the irregularity first.",
    ("dealing", events.FaceUpKeyed): "No card of the dealer is dealt yet.",
    ("settling", events.CardsKeyed): (
        "The table has followed every hand. Press LOST first if one is wrong."
    ),
    ("betting", events.ReportWithdrawn): (
        "Bets lie on the table: hand them back first, or press CLOSE."
    ),
    **{
        (phase, events.ReportWithdrawn): "There is nothing to cancel."
        for phase in get_args(Phase)
        if phase not in {"ruling", "betting"}
    },
}
"""What is possible in the phase, but not as far as the table has come here."""
SINGAPORE = replace(SETTINGS, game="mbs-singapore-stud")
"""The only game that draws lots."""
FRAME = 900
"""A number that no frame in these tests has had."""
PANEL: dict[str, Any] = {"at_ms": 1, "frame": FRAME}
EXAMPLES: dict[type[Event], Event] = {
    type(example): example
    for example in (
        events.JournalOpened(at_ms=1, table="T1", journal="another"),
        events.Restarted(at_ms=1),
        events.FaultNoticed(at_ms=1, code="hot"),
        events.FaultPassed(at_ms=1, code="hot"),
        events.FaultClearAsked(at_ms=1, frame=FRAME, code="hot"),
        events.ClockJudged(at_ms=1, quality="synchronised"),
        events.KeyTurned(at_ms=1, on=True),
        events.StaffIdentified(**PANEL, staff="7", name="Lim", role="pit_supervisor"),
        events.StaffRefused(**PANEL, staff="7", signing_on=True),
        events.ServiceRefused(at_ms=1, staff="9"),
        events.DealerSignedOn(**PANEL, staff="1", name="Ong", role="dealer"),
        events.DealerSignedOff(**PANEL),
        events.MeasureAsked(**PANEL, seat=1, measure="lift"),
        events.CoinSensed(at_ms=1, seat=2, present=True),
        events.CardDrawn(**PANEL, card="8s"),
        events.CardUnread(at_ms=1, frame=FRAME),
        events.HandDispensed(**PANEL, cards=("8s", "9s", "Ts", "Js", "Qs")),
        events.LotsDrawn(at_ms=1, magic_card="8s", lucky_seat=1, lucky_dealer=False),
        events.BetsOpened(at_ms=1, frame=FRAME),
        events.BetKeyed(**PANEL, seat=1, bet="ante", stake_cents=5_000),
        events.DecisionCorrected(at_ms=1, frame=FRAME, seat=1, decision="fold"),
        events.BetsClosed(at_ms=1, frame=FRAME),
        events.PlayerDecided(**PANEL, seat=1, decision="fold"),
        events.RestDecided(at_ms=1, frame=FRAME, decision="fold"),
        events.KeyTakenBack(**PANEL),
        events.HandNotShown(**PANEL, seat=1),
        events.CardsRevealed(**PANEL),
        events.RoundPaid(at_ms=1, frame=FRAME),
        events.HandsDealt(**PANEL),
        events.CardsKeyed(**PANEL, to="seat", seat=1, cards=TENS),
        events.SeatsJoined(**PANEL, seats=(1, 3)),
        events.NewPlayer(**PANEL, seat=1),
        events.IrregularityReported(at_ms=1, frame=FRAME, irregularity="other"),
        events.OptionChosen(**PANEL, option="continue"),
        events.RulingConfirmed(at_ms=1, frame=FRAME),
        events.ReportWithdrawn(**PANEL),
        events.MajorDenied(**PANEL, seat=1, reason="a wrong card"),
        events.AwardDecided(**PANEL, seat=1, pay="awarded"),
        events.TableClosed(**PANEL),
        events.TableOpened(**PANEL),
        events.ServiceBegun(at_ms=1, staff="9", name="Tan", role="technician"),
        events.ServiceDone(at_ms=1, what="lamp test"),
        events.ServiceEnded(at_ms=1),
        events.Acknowledged(at_ms=1, id="T1.fresh.5.1"),
        events.AwardGranted(at_ms=1, id="T1.fresh.5.1", amount_cents=100),
        events.MeterLocked(at_ms=1, ids=("T1.fresh.5.1",), meter_cents=100),
        events.MeterMoved(at_ms=1, meter_cents=100, sequence=1),
        events.PendingChanged(at_ms=1, ids=("T2.x.1.1",), words=("table T2, seat 1",)),
        events.LinkChanged(at_ms=1, healthy=True),
        events.WentOn(at_ms=1, through=99, round=7, contributions=3, contributed_cents=1_500),
        events.CardsCorrected(**PANEL, how="swap", places=("1", "3"), cards=()),
        events.FaceUpKeyed(**PANEL, card="8s"),
    )
}


def dealing() -> Playing:
    playing = bets_placed()
    playing.close()
    return playing


def drawing() -> Playing:
    playing = bets_placed(SINGAPORE)
    playing.close()
    return playing


def deciding() -> Playing:
    playing = dealing()
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    return playing


def settling() -> Playing:
    playing = at_reveal(TENS)
    playing.reveal()
    return playing


def closed() -> Playing:
    playing = Playing()
    playing.press(events.TableClosed)
    return playing


def service() -> Playing:
    playing = closed()
    playing.take(EXAMPLES[events.ServiceBegun])
    return playing


def claiming() -> Playing:
    playing = bets_placed(replace(SETTINGS, card_source="manual"))
    playing.close()
    playing.dealt()
    playing.reveal()
    return playing


def ruling() -> Playing:
    """Report what gives two seats a choice that the dealer may confirm."""
    playing = deciding()
    playing.report("dealing_error", reconstructable=False)
    return playing


IN_PHASE: dict[Phase, Callable[[], Playing]] = {
    "idle": Playing,
    "closed": closed,
    "service": service,
    "claiming": claiming,
    "ruling": ruling,
    "betting": bets_placed,
    "drawing": drawing,
    "dealing": dealing,
    "deciding": deciding,
    "revealing": lambda: at_reveal(TENS),
    "settling": settling,
}

every_phase = pytest.mark.parametrize("phase", get_args(Phase))
every_event = pytest.mark.parametrize("kind", list(EXAMPLES), ids=lambda kind: kind.__name__)


def concrete_events() -> set[type[Event]]:
    """Find every event that can happen: those that have a name in the journal or on the wire."""
    found = [kind for kind in vars(events).values() if isinstance(kind, type)]
    return {
        kind
        for kind in found
        if issubclass(kind, Event) and kind.__struct_config__.tag != kind.__name__
    }


def assert_refused(playing: Playing, event: Event) -> str:
    """Prove that an event is refused and changes nothing; give the reason."""
    before = written(playing.state)
    effects = playing.take(event)
    assert not playing.decided
    assert written(playing.state) == before
    (refusal,) = effects
    assert isinstance(refusal, ShowRefusal)
    return refusal.reason


# Every pair


def test_every_event_and_every_phase_is_tried_here() -> None:
    assert set(EXAMPLES) == concrete_events()
    assert set(IN_PHASE) == set(POSSIBLE) == set(get_args(Phase))


@every_phase
def test_a_table_can_be_brought_into_every_phase(phase: Phase) -> None:
    assert IN_PHASE[phase]().state.phase == phase


@every_phase
@every_event
def test_a_pair_is_possible_or_refused_without_a_change(phase: Phase, kind: type[Event]) -> None:
    playing = IN_PHASE[phase]()
    if kind in ALWAYS or kind in POSSIBLE[phase]:
        if reason := NOT_YET.get((phase, kind), NOT_HERE.get(kind)):
            assert assert_refused(playing, EXAMPLES[kind]) == reason
        else:
            effects = playing.take(EXAMPLES[kind])
            told = [each.reason for each in effects if isinstance(each, ShowRefusal)]
            assert told == ([NOT_ACCEPTED] if kind is events.StaffRefused else [])
        return
    reason = assert_refused(playing, EXAMPLES[kind])
    assert reason == why_not(phase, kind)
    assert_readable(reason)
    assert kind.__name__ not in reason


def test_the_table_of_phases_lists_every_pair_and_a_reason_for_every_blank() -> None:
    listed = {(phase, kind): reason for phase, kind, reason in pairs()}
    assert set(listed) == {(phase, kind) for phase in get_args(Phase) for kind in EXAMPLES}
    for (phase, kind), reason in listed.items():
        assert bool(reason) == (kind not in ALWAYS | POSSIBLE[phase])


def assert_readable(reason: str) -> None:
    """Prove that a reason is a short sentence in plain letters, for a panel's text display."""
    assert reason.isascii()
    assert reason.isprintable()
    assert "_" not in reason
    assert 3 <= len(reason.split()) <= 16


def test_a_reason_says_what_was_pressed_and_what_goes_on() -> None:
    assert dealing().open() == refused(
        "Opening the bets is not possible now: cards are being dealt."
    )
    assert Playing().draw("As") == refused(
        "Drawing a card is not possible now: no round is under way."
    )


@every_phase
def test_what_the_link_says_of_nothing_that_is_owed_decides_nothing(phase: Phase) -> None:
    playing = IN_PHASE[phase]()
    for event in (
        EXAMPLES[events.MeterMoved],
        EXAMPLES[events.PendingChanged],
        EXAMPLES[events.LinkChanged],
        events.Acknowledged(at_ms=1, id="T1.fresh.999.1"),
    ):
        playing.take(event)
        assert not playing.decided


@every_phase
def test_an_award_of_what_was_never_claimed_is_only_a_fault(phase: Phase) -> None:
    playing = IN_PHASE[phase]()
    play = msgspec.json.encode(playing.state.round)
    playing.take(events.AwardGranted(at_ms=1, id="T1.fresh.999.1", amount_cents=1))
    assert playing.phase() == phase
    assert msgspec.json.encode(playing.state.round) == play
    assert "award_doubted no claim" in playing.state.faults


# Refused by what they say


def test_a_journal_cannot_begin_twice() -> None:
    assert_refused(Playing(), EXAMPLES[events.JournalOpened])


@pytest.mark.parametrize("seat", [5, 7, 99])
def test_a_seat_that_the_table_does_not_have_is_refused(seat: int) -> None:
    playing = bets_placed()
    for event in (
        events.CoinSensed(at_ms=1, seat=seat, present=True),
        events.BetKeyed(at_ms=1, frame=FRAME, seat=seat, bet="ante", stake_cents=2_500),
        events.BetKeyed(at_ms=1, frame=FRAME + 1, seat=seat, bet="jackpot", stake_cents=0),
    ):
        assert assert_refused(playing, event) == f"No seat {seat} at this table."


@pytest.mark.parametrize("bet", ["ante", "jackpot", "jackpot_dealer"])
@pytest.mark.parametrize("stake_cents", [10**15 + 1, 2**64, 10**30])
def test_a_bet_that_no_journal_could_hold_is_refused(bet: str, stake_cents: int) -> None:
    event = events.BetKeyed(at_ms=1, frame=FRAME, seat=2, bet=bet, stake_cents=stake_cents)
    assert_readable(assert_refused(bets_placed(SINGAPORE), event))


@pytest.mark.parametrize("bet", ["flop", "bonus", "jackpot_dealer", "As", "", "ante "])
def test_a_bet_that_the_game_does_not_have_is_refused(bet: str) -> None:
    event = events.BetKeyed(at_ms=1, frame=FRAME, seat=2, bet=bet, stake_cents=500)
    assert assert_refused(bets_placed(), event) == "There is no such bet in this game."


def test_what_cannot_be_bet_before_the_deal_is_refused() -> None:
    event = events.BetKeyed(at_ms=1, frame=FRAME, seat=2, bet="bet", stake_cents=500)
    assert assert_refused(bets_placed(), event) == "That bet cannot be keyed before the deal."


def test_a_spot_that_the_game_does_not_have_is_refused() -> None:
    event = events.CoinSensed(at_ms=1, seat=2, bet="jackpot_dealer", present=True)
    assert assert_refused(bets_placed(), event) == "There is no such spot in this game."


@pytest.mark.parametrize("seat", [2, 9])
def test_a_seat_that_is_not_in_the_round_decides_nothing(seat: int) -> None:
    event = events.PlayerDecided(at_ms=1, frame=FRAME, seat=seat, decision="bet")
    assert assert_refused(deciding(), event) == f"Seat {seat} is not in this round."


def test_a_player_decides_once() -> None:
    playing = deciding()
    playing.fold(1)
    event = events.PlayerDecided(at_ms=1, frame=FRAME, seat=1, decision="bet")
    assert assert_refused(playing, event) == "Seat 1 has already decided: fold."


def shuffled() -> Playing:
    """Close the bets at a table with a shuffler."""
    playing = bets_placed(replace(SETTINGS, card_source="shuffler"))
    playing.close()
    return playing


def test_a_table_takes_cards_from_its_own_source_alone() -> None:
    hand = events.HandDispensed(at_ms=1, frame=FRAME, cards=TENS)
    assert assert_refused(dealing(), hand) == "This round is dealt from the shoe."
    reason = assert_refused(shuffled(), EXAMPLES[events.CardDrawn])
    assert reason == "This round is dealt from the shuffler."
