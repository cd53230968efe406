"""The line protocol as bytes: any text comes across, no noise becomes a message.

Pure code on both sides; what carries the bytes is in `test_line_port.py`.
"""

import re
from binascii import crc_hqx
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware.devices.line import (
    DEVICE_NUMBERS,
    LONGEST_LINE,
    MOST_TRIES,
    NEWEST_ONLY,
    TABLE_NUMBERS,
    Decoder,
    Frame,
    Sender,
    decode,
    encode,
)

often = settings(max_examples=300, deadline=None)

numbers = st.integers(1, 999)
ascii_texts = st.text(st.characters(codec="ascii", exclude_characters="\n"), max_size=60)
messages = st.builds(Frame, st.just("message"), numbers, ascii_texts)
acknowledgements = st.builds(Frame, st.just("acknowledgement"), numbers)
announcements = st.builds(Frame, st.just("announcement"), st.just(0), ascii_texts)
frames = messages | acknowledgements | announcements
noise = st.binary(max_size=40)
streams = st.lists(frames | noise, max_size=12)
"""Frames with noise between them; noise may end in the middle of a line."""


def with_crc(body: bytes) -> bytes:
    """Write a line as the protocol's description has it, without its newline."""
    return body + b"*%04X" % crc_hqx(body, 0)


def bytes_of(stream: list[Frame | bytes]) -> bytes:
    """Put a stream on the wire."""
    return b"".join(encode(part) if isinstance(part, Frame) else part for part in stream)


def in_pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    """Cut bytes at these places, in order."""
    places = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[a:b] for a, b in pairwise(places)]


def fed(*pieces: bytes) -> list[Frame]:
    """Feed a new decoder piece by piece, and give all its frames."""
    decoder = Decoder()
    return [frame for piece in pieces for frame in decoder.feed(piece)]


# The form of a line


def test_a_message_looks_as_it_is_described() -> None:
    assert encode(Frame("message", 7, "KEY OPEN")) == b"!7 KEY OPEN*6FD7\n"


def test_an_acknowledgement_looks_as_it_is_described() -> None:
    assert encode(Frame("acknowledgement", 999)) == b"+999*6A12\n"


def test_an_announcement_looks_as_it_is_described() -> None:
    assert encode(Frame("announcement", 0, "PING")) == b"=PING*CD73\n"


@often
@given(st.text(max_size=200), numbers)
@example("", 1)
@example("two\nlines", 1)
@example("♠ and *ABCD and \r and \x00", 1)
def test_any_text_comes_across_as_ascii_on_one_line(text: str, number: int) -> None:
    line = encode(Frame("message", number, text))
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    escaped = text.encode("ascii", "backslashreplace").decode("ascii").replace("\n", "\\n")
    assert fed(line) == [Frame("message", number, escaped)]


@often
@given(frames)
def test_what_is_encoded_is_decoded(frame: Frame) -> None:
    assert decode(encode(frame).removesuffix(b"\n")) == frame


@given(frames)
def test_a_carriage_return_before_the_newline_does_no_harm(frame: Frame) -> None:
    assert fed(encode(frame).replace(b"\n", b"\r\n")) == [frame]


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"!", b"! text", b"!x text", b"!1000 text", b"!-1 text", b"?1 text", b" !1 text"),
        *(b"+", b"!0 text", b"+0", b"!007 text", b"+07"),
    ],
)
def test_a_line_of_another_form_is_no_frame_even_with_a_good_checksum(body: bytes) -> None:
    assert decode(with_crc(body)) is None


def test_a_checksum_in_small_letters_is_no_checksum() -> None:
    line = encode(Frame("message", 7, "KEY OPEN"))
    assert fed(line.replace(b"6FD7", b"6fd7")) == []


# Streams


@often
@given(st.lists(frames, max_size=12), st.lists(st.integers(0), max_size=6))
def test_however_a_stream_is_split_its_frames_are_the_same(
    sent: list[Frame], cuts: list[int]
) -> None:
    assert fed(*in_pieces(bytes_of([*sent]), cuts)) == sent


@often
@given(streams, st.lists(st.integers(0), max_size=6))
def test_noise_is_dropped_and_a_frame_after_a_newline_is_not(
    stream: list[Frame | bytes], cuts: list[int]
) -> None:
    data = bytes_of(stream)
    received = fed(*in_pieces(data, cuts))
    assert received == fed(data)
    expected = [line for line in data.split(b"\n")[:-1] if is_good(line)]
    assert len(received) == len(expected)
    last = Frame("message", 5, "still here")
    assert fed(data, b"\n", encode(last))[-1] == last


def is_good(line: bytes) -> bool:
    """Judge a line by the protocol's description."""
    body, star, crc = line.removesuffix(b"\r").rpartition(b"*")
    formed = re.fullmatch(rb"![1-9][0-9]{0,2}( .*)?|\+[1-9][0-9]{0,2}( .*)?|=.*", body, re.DOTALL)
    return bool(star and formed) and crc == b"%04X" % crc_hqx(body, 0)


@often
@given(messages, st.data())
def test_a_frame_with_one_changed_byte_is_never_another_frame(
    frame: Frame, data: st.DataObject
) -> None:
    line = encode(frame)
    place = data.draw(st.integers(0, len(line) - 2))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != line[place]))
    changed = line[:place] + bytes([other]) + line[place + 1 :]
    after = Frame("acknowledgement", 3)
    assert fed(changed, encode(after)) == [after]


@given(frames, st.integers(1, 30))
def test_a_frame_that_is_cut_short_is_dropped_alone(frame: Frame, missing: int) -> None:
    cut = encode(frame)[:-1][:-missing]
    decoder = Decoder()
    after = Frame("message", 4, "after")
    assert decoder.feed(cut + b"\n" + encode(after)) == [after]
    assert decoder.dropped == (1 if cut else 0)  # an empty line is no line


# Lines that are too long


@pytest.mark.parametrize("piece", [1, 100, LONGEST_LINE, 3 * LONGEST_LINE])
@pytest.mark.parametrize("length", [LONGEST_LINE + 1, 2 * LONGEST_LINE + 7])
def test_a_line_that_is_too_long_is_dropped_whole(length: int, piece: int) -> None:
    after = Frame("message", 2, "after")
    inside = encode(Frame("message", 1, "inside"))
    data = b"x" * length + inside + encode(after)
    assert fed(*(data[at : at + piece] for at in range(0, len(data), piece))) == [after]


def test_the_end_of_a_line_that_is_too_long_is_no_frame_of_its_own() -> None:
    tail = encode(Frame("message", 1, "KEY PAID"))
    assert fed(b"x" * (LONGEST_LINE + 1), tail) == []


def test_a_line_that_is_too_long_is_too_long_even_in_one_piece() -> None:
    line = encode(Frame("message", 1, "x" * (LONGEST_LINE + 1)))
    assert fed(line) == []


def test_the_longest_line_comes_across() -> None:
    room = LONGEST_LINE - len(encode(Frame("message", 1, ""))) + 1
    frame = Frame("message", 1, "x" * room)
    assert fed(*(bytes([byte]) for byte in encode(frame))) == [frame]


def test_a_line_without_end_takes_no_memory_without_end() -> None:
    decoder = Decoder()
    for _ in range(1_000):
        decoder.feed(b"x" * 4_096)
    held = [value for value in vars(decoder).values() if isinstance(value, bytes | bytearray)]
    assert sum(map(len, held)) <= 2 * LONGEST_LINE


# Stop and wait


def test_a_sender_has_nothing_to_say_at_first() -> None:
    sender = Sender(DEVICE_NUMBERS)
    assert sender.idle
    assert sender.next_bytes() == b""


def test_a_message_is_repeated_until_it_is_acknowledged_and_then_the_next_one_goes() -> None:
    sender = Sender(DEVICE_NUMBERS)
    sender.push("first")
    sender.push("second")
    first, second = (encode(Frame("message", n, t)) for n, t in ((1, "first"), (2, "second")))
    assert [sender.next_bytes() for _ in range(3)] == [first] * 3
    sender.acknowledged(1)
    assert [sender.next_bytes() for _ in range(3)] == [second] * 3
    assert not sender.idle
    sender.acknowledged(2)
    assert sender.next_bytes() == b""
    assert sender.idle


@pytest.mark.parametrize("number", [0, 2, 999])
def test_an_acknowledgement_of_another_number_is_an_old_one(number: int) -> None:
    sender = Sender(DEVICE_NUMBERS)
    sender.push("first")
    line = sender.next_bytes()
    sender.acknowledged(number)
    assert sender.next_bytes() == line
    assert not sender.idle


@pytest.mark.parametrize("word", ["SHOW", "SIGN"])
def test_only_the_newest_of_what_is_shown_is_sent_and_one_in_flight_is_finished(word: str) -> None:
    sender = Sender(DEVICE_NUMBERS)
    for text in (f"{word} a", f"{word} b", "OTHER x", f"{word} c", "OTHER y"):
        sender.push(text)
        sender.next_bytes()
    sent = []
    while not sender.idle:
        (frame,) = fed(sender.next_bytes())
        sent.append(frame.text)
        sender.acknowledged(frame.number)
    assert sent == [f"{word} a", "OTHER x", f"{word} c", "OTHER y"]


def test_refusals_do_not_queue_up() -> None:
    sender = Sender(TABLE_NUMBERS)
    for number in range(1_000):
        sender.push(f"REFUSED {number}")
        sender.push(f"SHOW {number}")
    sent = []
    while not sender.idle:
        (frame,) = fed(sender.next_bytes())
        sent.append(frame.text)
        sender.acknowledged(frame.number)
    assert sent == ["REFUSED 999", "SHOW 999"]


def test_what_is_not_acknowledged_holds_up_nothing_and_comes_again() -> None:
    sender = Sender(TABLE_NUMBERS)
    sender.push("SHOW poison")
    sender.push("REFUSED no")
    tried = [fed(sender.next_bytes())[0].text for _ in range(3 * MOST_TRIES)]
    assert tried == [
        *["SHOW poison"] * MOST_TRIES,
        *["REFUSED no"] * MOST_TRIES,
        *["SHOW poison"] * MOST_TRIES,
    ]


def test_a_newer_prompt_takes_the_place_of_one_that_is_not_acknowledged() -> None:
    sender = Sender(TABLE_NUMBERS)
    sender.push("SHOW poison")
    for _ in range(MOST_TRIES):
        sender.next_bytes()
    sender.push("SHOW newer")
    assert fed(sender.next_bytes())[0].text == "SHOW newer"
    assert not sender.acknowledged(501)
    assert sender.acknowledged(502)
    assert sender.idle


def test_a_card_is_repeated_until_it_is_acknowledged_whatever_waits_behind_it() -> None:
    sender = Sender(DEVICE_NUMBERS)
    sender.push("CARD As")
    sender.push("CARD Kd")
    tried = {fed(sender.next_bytes())[0].text for _ in range(10 * MOST_TRIES)}
    assert tried == {"CARD As"}


def test_a_cleared_sender_has_nothing_to_say_and_counts_on() -> None:
    sender = Sender(DEVICE_NUMBERS)
    sender.push("first")
    sender.push("second")
    sender.next_bytes()
    sender.clear()
    assert sender.idle
    sender.push("third")
    assert sender.next_bytes() == encode(Frame("message", 2, "third"))


def test_an_acknowledgement_before_anything_was_sent_means_nothing() -> None:
    sender = Sender(DEVICE_NUMBERS)
    sender.push("first")
    sender.acknowledged(1)
    assert sender.next_bytes() == encode(Frame("message", 1, "first"))


@settings(max_examples=20, deadline=None)
@given(st.integers(490, 1_100), st.sampled_from([DEVICE_NUMBERS, TABLE_NUMBERS]))
def test_an_end_counts_with_its_own_numbers_over_and_over(count: int, numbers: range) -> None:
    sender = Sender(numbers)
    seen = []
    for _ in range(count):
        sender.push("again")
        (frame,) = fed(sender.next_bytes())
        seen.append(frame.number)
        sender.acknowledged(frame.number)
    assert seen == [numbers[number % len(numbers)] for number in range(count)]


all_kept = ascii_texts.filter(lambda text: text.partition(" ")[0] not in NEWEST_ONLY)
"""Messages of which every one counts, not only the newest."""


@often
@given(st.lists(all_kept, max_size=10), st.lists(st.booleans()), st.lists(st.booleans()))
def test_over_a_line_that_loses_anything_every_message_arrives_once_in_order(
    texts: list[str], heard: list[bool], answered: list[bool]
) -> None:
    sender, decoder, received, last = Sender(DEVICE_NUMBERS), Decoder(), [], 0
    for text in texts:
        sender.push(text)
    losses = zip([*heard, *[True] * 1_000], [*answered, *[True] * 1_000], strict=False)
    while not sender.idle:
        arrives, answer_arrives = next(losses)
        for frame in decoder.feed(sender.next_bytes() if arrives else b"\n"):
            if frame.number != last:
                received.append(frame.text)
            last = frame.number
            if answer_arrives:
                sender.acknowledged(frame.number)
    assert received == texts


def test_what_makes_no_frame_is_counted_until_a_frame_is_good() -> None:
    decoder = Decoder()
    decoder.feed(b"noise\nmore")
    assert decoder.babble_bytes == 9
    decoder.feed(b"x" * LONGEST_LINE)
    assert decoder.babble_bytes == LONGEST_LINE + 9
    decoder.feed(b"\n" + encode(Frame("acknowledgement", 3)))
    assert decoder.babble_bytes == 0
