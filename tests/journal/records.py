"""Events to be written down, and the bytes that a journal of them must have."""

from typing import get_args

from hypothesis import strategies as st

from firmware.journal.records import GENESIS, encode
from firmware.table.events import (
    Acknowledged,
    Answer,
    AwardGranted,
    BetKeyed,
    BetsClosed,
    BetsOpened,
    CardDrawn,
    CardsRevealed,
    CoinSensed,
    Decision,
    HandDispensed,
    HandNotShown,
    JournalOpened,
    LotsDrawn,
    PlayerDecided,
    Restarted,
    RoundPaid,
)

EVENTS: list[Decision] = [
    JournalOpened(at_ms=1, table="T1", journal="fresh"),
    CoinSensed(at_ms=2, seat=1, present=True),
    BetsOpened(at_ms=3, frame=1),
    BetsClosed(at_ms=4, frame=2, meter_cents=1_000_000),
    CardDrawn(at_ms=5, frame=1, card="As"),
]
"""A short journal."""

_at_ms, _frame = st.integers(0, 2**48), st.integers(1, 999)
_seat, _cents = st.integers(1, 7), st.integers(0, 10**15)
_event = st.one_of(
    st.builds(JournalOpened, at_ms=_at_ms, table=st.text(), journal=st.text()),
    st.builds(Restarted, at_ms=_at_ms),
    st.builds(CoinSensed, at_ms=_at_ms, seat=_seat, bet=st.text(), present=st.booleans()),
    st.builds(CardDrawn, at_ms=_at_ms, frame=_frame, card=st.text()),
    st.builds(HandDispensed, at_ms=_at_ms, frame=_frame, cards=st.lists(st.text()).map(tuple)),
    st.builds(
        LotsDrawn,
        at_ms=_at_ms,
        magic_card=st.text(),
        lucky_seat=st.none() | _seat,
        lucky_dealer=st.booleans(),
    ),
    st.builds(BetsOpened, at_ms=_at_ms, frame=_frame),
    st.builds(BetKeyed, at_ms=_at_ms, frame=_frame, seat=_seat, bet=st.text(), stake_cents=_cents),
    st.builds(BetsClosed, at_ms=_at_ms, frame=_frame, meter_cents=st.none() | _cents),
    st.builds(
        PlayerDecided,
        at_ms=_at_ms,
        frame=_frame,
        seat=_seat,
        decision=st.sampled_from(get_args(Answer)),
    ),
    st.builds(HandNotShown, at_ms=_at_ms, frame=_frame, seat=_seat),
    st.builds(CardsRevealed, at_ms=_at_ms, frame=_frame),
    st.builds(RoundPaid, at_ms=_at_ms, frame=_frame),
    st.builds(Acknowledged, at_ms=_at_ms, id=st.text()),
    st.builds(AwardGranted, at_ms=_at_ms, id=st.text(), amount_cents=_cents),
)
histories: st.SearchStrategy[list[Decision]] = st.lists(_event, max_size=8)
"""Any events in any order: a journal does not ask for their sense."""


def journal_bytes(events: list[Decision]) -> bytes:
    """Write a journal of these events without a file."""
    data, chain = b"", GENESIS
    for sequence, event in enumerate(events, start=1):
        line, chain = encode(sequence, chain, event)
        data += line
    return data


def lines_of(data: bytes) -> list[bytes]:
    """Cut a journal into its records, each with its newline."""
    return [line + b"\n" for line in data.split(b"\n")[:-1]]
