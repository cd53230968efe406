"""Proves that any document at all is answered, or refused in one line that says where.

Never another exception, whatever was dropped, renamed, replaced or copied. Which
documents must be refused, and with which field, is proved in `games/`; the spoilt
documents are drawn in `spoilt.py`.
"""

import codecs
import json
import os
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.errors import BadInput
from firmware.rules.contract import IrregularityName
from firmware.rules.documents import Question, answer, explain
from tests.rules.ask import Json
from tests.rules.rounds import claims, rounds
from tests.rules.spoilt import incidents, spoilt

SOAK = "SOAK" in os.environ
LONGEST = 10**4299
"""The longest number that Python still writes: one digit more is an error."""

often = settings(max_examples=10_000 if SOAK else 400, deadline=None)


def answered_or_refused(question: Question, text: bytes) -> None:
    for ask in answer, explain:
        refusal: BadInput | None = None
        answered = b""
        try:
            answered = ask(question, text)
        except BadInput as refused:
            refusal = refused
        if refusal is None:
            assert answered
        else:
            assert refusal.field
            assert refusal.reason
            assert len(str(refusal).splitlines()) == 1


def written(document: object) -> bytes:
    return json.dumps(document).encode()


@often
@given(spoilt(rounds()))
def test_a_spoilt_round_is_answered_or_refused(document: Json) -> None:
    answered_or_refused("settle", written(document))


@often
@given(spoilt(claims()))
def test_spoilt_claims_are_answered_or_refused(document: Json) -> None:
    answered_or_refused("award", written(document))


@often
@given(incidents() | spoilt(incidents()))
def test_a_spoilt_incident_is_answered_or_refused(document: Json) -> None:
    answered_or_refused("ruling", written(document))


@often
@given(rounds(), st.data())
def test_a_round_that_breaks_off_is_refused(document: Json, data: st.DataObject) -> None:
    whole = written(document)
    part = whole[: data.draw(st.integers(0, len(whole) - 1))]
    with pytest.raises(BadInput):
        answer("settle", part)


@often
@given(st.sampled_from(("settle", "ruling", "award")), st.binary() | st.text().map(str.encode))
def test_bytes_that_are_no_document_are_refused(question: Question, text: bytes) -> None:
    with pytest.raises(BadInput):
        answer(question, text)


DEEP = b"[" * 100_000
BAD_STAKE = b'{"game": "rws-casino-stud", "seats": [{"seat": 1, "bets": {"ante": -1'


@pytest.mark.parametrize(
    "rest",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b', "bet": ' + DEEP, id="a bet nested without end"),
        pytest.param(b'}}], "more": ' + DEEP, id="a key nested without end"),
        pytest.param(b', "\xff": 1}}]}', id="a name that is no text"),
        pytest.param(b'}}], "seats": []}', id="seats again, and none"),
        pytest.param(b'}}], "seats": [{"seat": 1, "bets": {}}]}', id="seats again, and good"),
    ],
)
def test_whatever_follows_a_bad_stake_the_document_is_refused_there(rest: bytes) -> None:
    with pytest.raises(BadInput) as refusal:
        answer("settle", BAD_STAKE + rest)
    assert refusal.value.field == "seats[0].bets"


def test_a_stake_nested_without_end_is_refused_there() -> None:
    with pytest.raises(BadInput) as refusal:
        answer("settle", BAD_STAKE.removesuffix(b"-1") + DEEP)
    assert refusal.value.field == "seats[0].bets"


def test_a_byte_order_mark_does_not_hide_the_name_of_a_bad_bet() -> None:
    with pytest.raises(BadInput) as refusal:
        answer("settle", codecs.BOM_UTF8 + BAD_STAKE + b"}}]}")
    assert refusal.value.field == "seats[0].bets.ante"


def test_a_word_that_the_contract_does_not_have_is_named() -> None:
    with pytest.raises(BadInput) as refusal:
        answer("ruling", written({"game": "rws-holdem", "irregularity": "no such thing"}))
    assert refusal.value.field == "irregularity"
    told, _, known = refusal.value.reason.partition("; the words are ")
    assert told == "'no such thing' is not a word that the contract knows here"
    assert sorted(known.split(", ")) == sorted(get_args(IrregularityName))


@pytest.mark.parametrize("name", ["", "line\nbreak", "\r", "\u2028"])
def test_a_bet_of_any_name_is_refused_in_one_line(name: str) -> None:
    seat = {"seat": 1, "bets": {name: 500}}
    answered_or_refused("settle", written({"game": "rws-casino-stud", "seats": [seat]}))


@pytest.mark.parametrize("stake", [2**63, 2**64, LONGEST], ids=["2**63", "2**64", "LONGEST"])
def test_a_stake_that_no_chip_rack_holds_is_answered_or_refused(stake: int) -> None:
    seat = {"seat": 1, "cards": ["Ah", "Ac", "9d", "9c", "9h"], "decision": "bet"}
    seat |= {"bets": {"ante": stake, "bet": 2 * stake, "jackpot": stake}}
    dealt: dict[str, Any] = {"dealer": ["As", "Kd", "2c", "3c", "4c"], "seats": [seat]}
    for game in "mbs-megalink-stud", "mbs-singapore-stud":
        answered_or_refused("settle", written({"game": game, **dealt}))
