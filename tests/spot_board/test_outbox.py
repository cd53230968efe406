"""Findings that nobody acknowledges: bounded, none lost and none invented."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.devices.line import DEVICE_NUMBERS, Decoder
from firmware.spot_board.outbox import MOST_WAITING, REPEAT_MS, Outbox

OPPOSITES = {"present": "absent", "chatters": "quiet", "stuck": "free"}
Flags = dict[tuple[int, str], bool]


def texts(outbox: Outbox, at_ms: int) -> list[tuple[int, str]]:
    """Give what is said now, by number."""
    return [(frame.number, frame.text) for frame in Decoder().feed(outbox.due(at_ms))]


def drained(outbox: Outbox, at_ms: int) -> list[str]:
    """Acknowledge everything, and give what was said."""
    said = []
    while (due := texts(outbox, at_ms + REPEAT_MS)) != []:
        said.append(due[0][1])
        outbox.acknowledged(due[0][0])
    return said


def test_a_message_is_repeated_with_its_number_and_its_age_until_it_is_acknowledged() -> None:
    outbox = Outbox()
    outbox.found(2, "present", 1_000, "")
    assert texts(outbox, 1_010) == [(1, "SPOT 3 present 10")]
    assert texts(outbox, 1_200) == []
    assert texts(outbox, 1_260) == [(1, "SPOT 3 present 260")]
    outbox.acknowledged(2)
    assert texts(outbox, 1_600) == [(1, "SPOT 3 present 600")]
    outbox.acknowledged(1)
    outbox.acknowledged(1)
    assert texts(outbox, 2_000) == []


def test_a_repeat_begins_with_a_newline_that_ends_half_a_line() -> None:
    outbox = Outbox()
    outbox.found(0, "present", 0, "")
    first, again = outbox.due(0), outbox.due(REPEAT_MS)
    assert Decoder().feed(first[:9] + again)[0].text == f"SPOT 1 present {REPEAT_MS}"


def test_numbers_are_a_device_s_and_no_two_neighbours_have_the_same() -> None:
    outbox, numbers = Outbox(), []
    for at_ms in range(1_200):
        outbox.found(0, "present", at_ms, "")
        ((number, _),) = texts(outbox, at_ms)
        outbox.acknowledged(number)
        numbers.append(number)
    assert set(numbers) == set(DEVICE_NUMBERS)
    assert numbers[:500] == [*DEVICE_NUMBERS, 1]


SNAPSHOT = None
actions = st.lists(
    st.one_of(
        st.tuples(st.integers(0, 13), st.sampled_from(sorted(OPPOSITES))),
        st.tuples(st.integers(0, 1), st.sampled_from(sorted(OPPOSITES))),
        st.just(SNAPSHOT),
        st.just("acknowledged"),
    ),
    max_size=100,
)


def folded(said: list[str]) -> Flags:
    """Work out from what was said what is so: a snapshot replaces everything."""
    flags: Flags = {}
    for text in said:
        words = text.split()
        if words[0] == "LEVELS":
            names = words[1].split(",") if len(words) > 1 else []
            flags = {(int(n.split("-")[0]), n.split("-")[1]): True for n in names}
            continue
        for begins, ends in OPPOSITES.items():
            if words[2] in {begins, ends}:
                flags[int(words[1]) - 1, begins] = words[2] == begins
    return {key: True for key, flag in flags.items() if flag}


@given(actions)
def test_whatever_happens_while_nobody_listens_the_state_is_right_and_the_room_bounded(
    actions: list[tuple[int, str] | str | None],
) -> None:
    outbox, said = Outbox(), []
    so: Flags = {}
    for at_ms, action in enumerate(actions):
        match action:
            case None:
                names = ",".join(f"{place}-{name}" for (place, name), flag in so.items() if flag)
                outbox.snapshot(f"LEVELS {names}".rstrip(), at_ms)
            case (int(place), str(name)):
                so[place, name] = not so.get((place, name), False)
                news = name if so[place, name] else OPPOSITES[name]
                outbox.found(place, news, at_ms, "")
            case _:
                for number, text in texts(outbox, at_ms + REPEAT_MS * at_ms):
                    outbox.acknowledged(number)
                    said.append(text)
        assert outbox.waiting <= MOST_WAITING + 1
    said += drained(outbox, 10**9)
    assert folded(said) == {key: True for key, flag in so.items() if flag}


@pytest.mark.parametrize("seed", range(10))
def test_in_an_hour_in_which_hardly_anybody_listens_the_state_stays_right(seed: int) -> None:
    rng, outbox, said, fullest = Random(seed), Outbox(), [], 0
    so: Flags = {}
    for at_ms in range(3_000):
        key = (rng.randrange(14), rng.choice(sorted(OPPOSITES)))
        so[key] = not so.get(key, False)
        outbox.found(key[0], key[1] if so[key] else OPPOSITES[key[1]], at_ms, "")
        if rng.random() < 0.01:
            names = ",".join(f"{place}-{name}" for (place, name), flag in so.items() if flag)
            outbox.snapshot(f"LEVELS {names}".rstrip(), at_ms)
        if rng.random() < 0.02:
            for number, text in texts(outbox, REPEAT_MS * at_ms):
                outbox.acknowledged(number)
                said.append(text)
        fullest = max(fullest, outbox.waiting)
    said += drained(outbox, 10**9)
    assert MOST_WAITING <= fullest <= MOST_WAITING + 1
    assert folded(said) == {key: True for key, flag in so.items() if flag}


def test_until_the_room_is_full_every_finding_is_told_in_order() -> None:
    outbox = Outbox()
    for at_ms in range(MOST_WAITING):
        outbox.found(0, "absent" if at_ms % 2 else "present", at_ms, "")
    said = drained(outbox, MOST_WAITING)
    assert len(said) == MOST_WAITING
    assert [text.split()[2] for text in said[:3]] == ["present", "absent", "present"]


def test_in_a_full_outbox_the_two_oldest_that_cancel_out_are_forgotten_and_the_newest_told() -> (
    None
):
    outbox = Outbox()
    outbox.found(5, "present", 0, "")
    for at_ms in range(1, MOST_WAITING + 2):
        outbox.found(0, "absent" if at_ms % 2 else "present", at_ms, "")
    said = drained(outbox, 1_000)
    assert said[0].startswith("SPOT 6 present")
    assert said[-1].startswith("SPOT 1 absent")
    assert len(said) == MOST_WAITING
