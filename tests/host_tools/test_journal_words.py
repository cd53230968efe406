"""What `journal show` says of events and of what is owed: in people's words, without internal fields."""

from typing import get_args

import pytest
from msgspec import Struct
from msgspec.structs import replace

from firmware.protocol.obligations import FaultReport, Obligation, Reversal, RoundReport, Verdict
from firmware.rules.contract import Facts
from firmware.table.events import (
    AnyDecision,
    AwardDecided,
    Decision,
    FaultClearAsked,
    HandNotShown,
    IrregularityReported,
    LotsDrawn,
    MeterLocked,
    Observation,
    SeatsJoined,
    ServiceDone,
    WentOn,
)
from host_tools.journal import words

OWED = "T1.fresh.20.1"
ONE, TWO, OTHER = "T1.fresh.9.1", "T1.fresh.9.2", "T2.other.4.1"

WENT_ON = (
    "the table goes on although records are missing (ordered by number 300): the jackpot "
    "controller knows it up to record 9, round 2, with 3 contributions, $15.00"
)


def test_every_event_of_a_journal_has_words_of_its_own() -> None:
    tags = {
        str(kind.__struct_config__.tag)
        for kind in get_args(AnyDecision)
        if isinstance(kind, type) and issubclass(kind, Struct) and not issubclass(kind, Observation)
    }
    assert tags
    assert tags <= {*words._WORDS, *words._AMOUNTS}  # noqa: SLF001  # the table of wordings itself


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (
            MeterLocked(
                at_ms=1,
                ids=(ONE, TWO),
                meter_cents=9_179_775,
                shares=((ONE, 100), (TWO, 10), (OTHER, 100)),
                heard_books="3af",
                heard_cents=400_000,
            ),
            f"the meter $91,797.75 is held for {ONE} and {TWO}, with 1 of other tables",
        ),
        (
            LotsDrawn(at_ms=1, magic_card="Ac", lucky_seat=3, lucky_dealer=False),
            "drawn by the system: magic card ace of clubs, lucky player seat 3",
        ),
        (
            IrregularityReported(
                at_ms=1, frame=1, irregularity="foreign_card", facts=Facts(any_player_seen=True)
            ),
            "irregularity reported: foreign card (any player seen yes)",
        ),
        (HandNotShown(at_ms=1, frame=1, seat=3), "seat 3: will not show the hand"),
        (
            HandNotShown(at_ms=1, frame=1, seat=3, shown=True),
            "seat 3: shows the hand after all",
        ),
        (SeatsJoined(at_ms=1, frame=1, seats=(2, 3)), "one player plays the seats 2, 3"),
        (
            AwardDecided(at_ms=1, frame=1, seat=2, pay="awarded", which=2),
            "keyed: seat 2 is paid as awarded, claim 2",
        ),
        (FaultClearAsked(at_ms=1, frame=1, code="device_gone"), "asked: clear F201"),
        (
            ServiceDone(at_ms=1, what="lamps", cover_closed_by="400"),
            "in service: lamps; number 400 answers for the cover",
        ),
        (
            WentOn(at_ms=1, through=9, round=2, contributions=3, contributed_cents=1_500, by="300"),
            WENT_ON,
        ),
    ],
    ids=lambda each: type(each).__name__,
)
def test_an_event_is_told_in_peoples_words(event: Decision, said: str) -> None:
    assert words.event_words(event) == said


VERDICT = Verdict(id=OWED, table="T1", at_ms=1, round=2, seat=1, win=ONE, confirmed=False)


@pytest.mark.parametrize(
    ("owed", "said"),
    [
        (
            replace(VERDICT, staff="200", reason="not confirmed: a card"),
            f"seat 1, {ONE} withdrawn by number 200 (not confirmed: a card)",
        ),
        (
            replace(VERDICT, also_withdraws=(TWO,)),
            f"seat 1, {ONE} withdrawn, with {TWO}",
        ),
        (
            replace(VERDICT, confirmed=True, staff="200"),
            f"seat 1, {ONE} confirmed by number 200",
        ),
        (
            replace(VERDICT, confirmed=True, paid_cents=500),
            f"seat 1, {ONE} paid by the table itself, $5.00",
        ),
        (
            Reversal(
                id=OWED,
                table="T1",
                at_ms=1,
                round=2,
                seat=1,
                contribution="T1.fresh.6.1",
                stake_cents=500,
            ),
            "seat 1, $5.00 of T1.fresh.6.1 is taken back",
        ),
        (
            RoundReport(id=OWED, table="T1", at_ms=1, round=2, stage="settled"),
            "round 2 is settled",
        ),
        (
            FaultReport(
                id=OWED,
                table="T1",
                at_ms=1,
                code="device_gone",
                where="",
                text="F201 lost.",
                cleared=True,
                by="A. Tan",
            ),
            "fault over by A. Tan: F201 lost.",
        ),
    ],
)
def test_what_is_owed_is_told_in_peoples_words(owed: Obligation, said: str) -> None:
    assert words.obligation_words(owed) == f"owed: {said}, {OWED}"
