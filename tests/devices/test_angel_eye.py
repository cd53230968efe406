"""The Angel Eye framing as bytes: every report is found, no noise becomes a card.

Pure code; the bytes of the examples are written by hand. An XOR cannot catch two damaged
bytes that cancel out, so what is promised about damage is about one byte.
"""

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware.devices import angel_eye
from firmware.devices.angel_eye import (
    ENQ,
    ERRORS,
    ETX,
    LONGEST_REPORT,
    Decoder,
    ShoeReport,
    card_byte,
    checksum,
    decode,
    encode,
)
from firmware.devices.angel_eye_port import AngelEye
from firmware.rules.cards import CODES
from firmware.table.events import CardDrawn, CardUnread, Event, FaultNoticed, FaultPassed

often = settings(max_examples=300, deadline=None)

ACE_OF_SPADES = b"\x051D\x11\xb1\x03D6"

cards = st.sampled_from(sorted(CODES))
seqs = st.integers(0x30, 0x39)
card_data = st.builds(
    lambda code, place, card: code + bytes([place, card_byte(card)]),
    st.sampled_from([b"D", b"d"]),
    st.integers(0, 0x7F),
    cards,
)
other_data = st.sampled_from([b"S", b"P", b"G1", b"C", b"L", b"E1", b"E7", b"E\x03", b"e", b"R"])
reports = st.builds(encode, seqs, card_data | other_data)
noise = st.binary(max_size=20)


def in_pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    """Cut bytes at these places, in order."""
    places = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[a:b] for a, b in pairwise(places)]


def fed(*pieces: bytes) -> list[ShoeReport]:
    """Feed a new decoder piece by piece, and give all its reports."""
    decoder = Decoder()
    return [report for piece in pieces for report in decoder.feed(piece)]


def cards_in(found: list[ShoeReport]) -> list[str]:
    """Give the cards of some reports."""
    return [report.card for report in found if report.card]


# The form of a report


def test_a_card_looks_as_it_is_described() -> None:
    used, report = decode(ACE_OF_SPADES)
    assert used == len(ACE_OF_SPADES)
    assert report == ShoeReport(ord("1"), "D", b"\x11\xb1", "As")
    assert encode(ord("1"), b"D\x11\xb1") == ACE_OF_SPADES


@pytest.mark.parametrize(
    ("byte", "card"),
    [(0x91, "Ad"), (0xA2, "2c"), (0xBA, "Ts"), (0xCD, "Kh"), (0xCB, "Jh"), (0x9C, "Qd")],
)
def test_a_card_byte_is_its_suit_and_its_rank(byte: int, card: str) -> None:
    assert cards_in(fed(encode(0x31, b"D\x11" + bytes([byte])))) == [card]
    assert card_byte(card) == byte


def test_every_card_of_the_deck_comes_across() -> None:
    data = b"".join(encode(0x30, bytes([0x44, 0x21, card_byte(card)])) for card in CODES)
    assert cards_in(fed(data)) == list(CODES)


@pytest.mark.parametrize("byte", [0x11, 0x31, 0x80, 0x81, 0x90, 0x9E, 0x9F, 0xD1, 0xF1])
def test_a_byte_that_is_no_card_is_no_report(byte: int) -> None:
    assert fed(encode(0x31, b"D\x11" + bytes([byte]))) == []


@pytest.mark.parametrize("data", [b"D", b"D\xb1", b"D\x11\xb1\xb1", b"X", b"", b"E", b"E12"])
def test_a_report_of_another_form_is_none_even_with_a_good_checksum(data: bytes) -> None:
    assert fed(encode(0x31, data)) == []


def test_a_checksum_in_small_letters_is_a_checksum_too() -> None:
    assert fed(ACE_OF_SPADES.lower().replace(b"d\x11", b"D\x11")) != []


def test_more_bytes_are_asked_for_until_a_report_is_whole() -> None:
    for length in range(len(ACE_OF_SPADES)):
        assert decode(ACE_OF_SPADES[:length]) == (0, None)


@pytest.mark.parametrize("place", [0x03, 0x05])
def test_a_byte_before_the_card_that_looks_like_an_end_or_a_beginning_is_neither(
    place: int,
) -> None:
    data = encode(0x31, bytes([0x44, place, card_byte("Kh")]))
    assert cards_in(fed(*(bytes([byte]) for byte in data))) == ["Kh"]


@pytest.mark.parametrize("seq", [0x03, 0x05, 0x00, 0xFF])
def test_a_number_may_be_any_byte(seq: int) -> None:
    assert cards_in(fed(encode(seq, b"D\x11\xb1"))) == ["As"]


# Streams


@often
@given(st.lists(reports, max_size=12), st.lists(st.integers(0), max_size=6))
def test_however_a_stream_is_split_its_reports_are_the_same(
    sent: list[bytes], cuts: list[int]
) -> None:
    found = fed(*in_pieces(b"".join(sent), cuts))
    assert [encode(r.seq, r.code.encode("ascii") + r.data) for r in found] == sent


@often
@given(st.lists(reports | noise, max_size=12), st.lists(st.integers(0), max_size=6))
def test_no_byte_stream_is_an_error_or_a_card_without_a_good_report(
    stream: list[bytes], cuts: list[int]
) -> None:
    data = b"".join(stream)
    found = fed(*in_pieces(data, cuts))
    assert found == fed(data)
    for report in found:
        body = bytes([report.seq]) + report.code.encode("ascii") + report.data + b"\x03"
        spellings = (checksum(body), checksum(body).lower())
        assert any(b"\x05" + body + bcc in data for bcc in spellings)


@often
@given(noise, card_data, seqs)
@example(b"\x05", b"D\x11\xb1", 0x31)
@example(b"\x051D\x11", b"D\x11\xb1", 0x31)
@example(b"\x051D\x03", b"D\x05\xb1", 0x31)
@example(ACE_OF_SPADES[:-1], b"D\x11\xb1", 0x31)
def test_a_good_card_after_any_noise_is_found_as_soon_as_it_is_whole(
    before: bytes, data: bytes, seq: int
) -> None:
    good = encode(seq, data)
    decoder = Decoder()
    decoder.feed(before)
    assert [r.data for r in decoder.feed(good)][-1:] == [data[1:]]


@often
@given(reports, reports, st.data())
def test_a_report_with_one_changed_byte_is_no_other_card_and_spoils_nothing_after_it(
    damaged: bytes, after: bytes, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(damaged) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != damaged[place]))
    changed = damaged[:place] + bytes([other]) + damaged[place + 1 :]
    found = fed(changed + after)
    assert found[-1:] == fed(after)
    assert set(cards_in(found)) <= set(cards_in(fed(damaged) + fed(after)))


def test_noise_made_of_beginnings_and_ends_is_read_in_one_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[bytes] = []
    monkeypatch.setattr(angel_eye, "_report", tried.append)
    noise = (bytes([ENQ]) * 40 + bytes([ETX]) * 22 + b"00") * 500
    Decoder().feed(noise + bytes([ENQ, ETX]) * 10_000)
    assert len(tried) <= len(noise)


def test_a_stream_without_end_takes_no_memory_without_end() -> None:
    decoder = Decoder()
    for _ in range(200):
        decoder.feed(b"\x05" * 1_000)
    assert decoder.unread_bytes >= 200 * 1_000 - LONGEST_REPORT
    held = [value for value in vars(decoder).values() if isinstance(value, bytes)]
    assert sum(map(len, held)) <= LONGEST_REPORT


# What reports mean


def said(*sent: bytes) -> list[Event]:
    """Give the events of some reports, at the time 9."""
    shoe = AngelEye(first_frame=100)
    (first,) = fed(encode(0xFF, b"P"))
    assert shoe.events(first, 9) == [FaultPassed(at_ms=9, code="device_silent", where="shoe")]
    return [event for found in fed(*sent) for event in shoe.events(found, 9)]


def report(number: int, data: bytes) -> bytes:
    """Write a report by its number."""
    return encode(0x30 + number, data)


def card(name: str) -> bytes:
    """Write the data of a card."""
    return bytes([0x44, 0x11, card_byte(name)])


def test_a_card_is_an_event_whether_the_shoe_thinks_of_a_game_or_not() -> None:
    assert said(report(1, card("As")), report(2, b"d\x21" + bytes([card_byte("Kd")]))) == [
        CardDrawn(at_ms=9, frame=101, card="As"),
        CardDrawn(at_ms=9, frame=102, card="Kd"),
    ]


def test_a_report_that_is_sent_three_times_is_one_card() -> None:
    again = report(4, card("As"))
    assert said(again, again, again, report(5, card("Kd"))) == [
        CardDrawn(at_ms=9, frame=101, card="As"),
        CardDrawn(at_ms=9, frame=102, card="Kd"),
    ]


def test_numbers_come_around_and_the_same_card_of_another_deck_is_a_card() -> None:
    sent = [report(number % 10, card("As")) for number in range(25)]
    assert len(said(*sent)) == 25


def test_two_different_cards_with_one_number_are_one_that_is_not_known_told_once() -> None:
    first, other = report(1, card("As")), report(1, card("Kd"))
    drawn, unread = said(first, other, first, other)
    assert isinstance(drawn, CardDrawn)
    assert isinstance(unread, CardUnread)
    assert unread.problem == "two different reports with one number"


def test_after_an_unplugging_the_same_number_is_another_report() -> None:
    shoe = AngelEye(first_frame=100)
    (found,) = fed(report(1, card("As")))
    assert shoe.events(found, 9)[-1] == CardDrawn(at_ms=9, frame=101, card="As")
    shoe.restarted()
    assert shoe.events(found, 9) == [CardDrawn(at_ms=9, frame=102, card="As")]


@pytest.mark.parametrize("error", [1, 6])
def test_a_card_that_left_unread_is_an_event_of_the_deal(error: int) -> None:
    (event,) = said(report(1, b"E%d" % error))
    assert event == CardUnread(at_ms=9, frame=101, problem=ERRORS[error])


@pytest.mark.parametrize("error", [2, 3, 4, 5, 7, 9])
def test_every_other_error_is_a_fault_in_plain_words_until_it_is_cleared(error: int) -> None:
    noticed, cleared = said(report(1, b"E%d" % error), report(2, b"e"))
    assert isinstance(noticed, FaultNoticed)
    assert (noticed.code, noticed.where) == ("cards_unread", "shoe")
    assert noticed.detail.startswith(f"error {error}, ")
    assert ERRORS.get(error, "unknown error") in noticed.detail
    assert cleared == FaultPassed(at_ms=9, code="cards_unread", where="shoe")


def test_an_error_may_be_a_byte_even_the_one_that_ends_a_report() -> None:
    (noticed,) = said(encode(0x31, b"E\x03"))
    assert isinstance(noticed, FaultNoticed)
    assert noticed.detail.startswith("error 3, ")


def test_r_is_a_fault_for_the_dealer_to_confirm_and_no_card() -> None:
    (noticed,) = said(report(1, b"R"))
    assert isinstance(noticed, FaultNoticed)
    assert noticed.code == "cards_unread"
    assert "confirm" in noticed.detail


def test_a_locked_shoe_is_a_fault_until_its_next_report() -> None:
    locked, opened = said(report(1, b"L"), report(2, b"P"))
    assert isinstance(locked, FaultNoticed)
    assert (locked.code, locked.where) == ("device_silent", "shoe")
    assert opened == FaultPassed(at_ms=9, code="device_silent", where="shoe")


@pytest.mark.parametrize("data", [b"S", b"P", b"G1", b"C"])
def test_what_the_shoe_thinks_of_baccarat_means_nothing(data: bytes) -> None:
    assert said(report(1, data)) == []


@often
@given(st.lists(reports | noise, max_size=20))
def test_whatever_a_shoe_sends_is_no_error(stream: list[bytes]) -> None:
    for event in said(b"".join(stream)):
        assert event.at_ms == 9
