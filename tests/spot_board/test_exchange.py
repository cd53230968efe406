"""A chip is never lost and never invented, whatever happens to the line, the board and the table in between."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.devices.line import Frame, encode
from firmware.spot_board.board import MOST_OWED, Board
from tests.spot_board.exchange import LIMITS, PROGRAM, Exchange, Told

SETTLED_MS = 1_500
"""A ping, a greeting, limits, a snapshot, each lost once."""


def begun() -> Exchange:
    """Let board and table find each other."""
    exchange = Exchange()
    exchange.run(500)
    assert exchange.table.levels == ["."] * 14
    exchange.found.clear()
    return exchange


def assert_nothing_lost_or_invented(exchange: Exchange) -> None:
    """Compare what the table knows, and how it came to know it, with what was so."""
    stopped_reading = exchange.stopped_reading
    exchange.mend()
    exchange.run(SETTLED_MS)
    table = exchange.table
    assert table.levels == list(exchange.watch.letters())
    assert [told[:2] for told in table.told] == [found[:2] for found in exchange.found]
    late_ms = [
        told.at_ms - found.at_ms for told, found in zip(table.told, exchange.found, strict=True)
    ]
    if stopped_reading:
        # An age is that of the moment at which the line was written, and it was read later.
        assert all(each_ms >= 0 for each_ms in late_ms)
    else:
        assert not any(late_ms)


def play(exchange: Exchange) -> None:
    """Put a chip down, another beside it, and lift the first."""
    for mask in (1, 3, 2):
        exchange.level_mask = mask
        exchange.run(60)


def bytes_of_an_exchange() -> int:
    exchange = begun()
    before = exchange.carried
    play(exchange)
    return exchange.carried - before


@pytest.mark.parametrize("away_ms", [0, 100, 700])
def test_a_cable_pulled_at_every_byte_of_an_exchange_loses_and_invents_nothing(
    away_ms: int,
) -> None:
    count = bytes_of_an_exchange()
    assert count > 60
    for cut_after in range(count + 1):
        exchange = begun()
        exchange.cut_after = cut_after
        play(exchange)
        exchange.run(away_ms)
        assert_nothing_lost_or_invented(exchange)


def test_chips_placed_and_lifted_while_the_cable_is_out_are_known_with_their_ages() -> None:
    exchange = begun()
    exchange.pull()
    exchange.run(100)
    exchange.level_mask = 1
    exchange.run(5_000)
    exchange.level_mask = 0
    exchange.run(60_000)
    assert exchange.table.told == []
    assert_nothing_lost_or_invented(exchange)
    assert exchange.table.told == [Told(1, "present", 635), Told(1, "absent", 5_635)]  # to the look


def test_a_chip_placed_while_the_board_restarts_is_known_afterwards() -> None:
    exchange = begun()
    exchange.level_mask = 4
    exchange.restart()
    exchange.run(SETTLED_MS)
    assert exchange.table.levels == list("..o...........")


def test_the_limits_are_asked_for_again_after_a_restart_and_nothing_is_sensed_before() -> None:
    board = Board(1, PROGRAM)
    for at_ms in range(0, 3_000, 5):
        board.look(at_ms // 500 % 2, at_ms)
        assert b"SPOT" not in board.say(at_ms)
        assert b"LEVELS" not in board.say(at_ms)


def test_limits_that_are_in_force_change_nothing_when_they_are_sent_again() -> None:
    exchange = begun()
    exchange.level_mask = 1
    exchange.run(20)
    exchange.table.ask(LIMITS)
    assert_nothing_lost_or_invented(exchange)
    assert [told.news for told in exchange.table.told] == ["present"]


def test_other_limits_begin_anew_from_the_levels_as_they_are() -> None:
    exchange = begun()
    exchange.level_mask = 3
    exchange.run(20)
    exchange.table.ask("LIMITS 0002 30 20 1000 600 1000 2000 600000")
    exchange.run(SETTLED_MS)
    assert "".join(exchange.table.levels or []) == "-o------------"


actions = st.lists(
    st.tuples(
        st.sampled_from([0, 5, 20, 45, 120, 300, 600]),
        st.one_of(
            st.tuples(st.just("level"), st.integers(0, 13)),
            st.tuples(st.just("level"), st.integers(0, 1)),
            st.tuples(st.just("cut"), st.integers(0, 80)),
            st.sampled_from(
                [("plug", 0), ("mute", 1), ("mute", 0), ("reads", 0), ("reads", 1), ("ask", 0)]
            ),
        ),
    ),
    max_size=40,
)


def act(exchange: Exchange, what: str, value: int) -> None:
    match what:
        case "level":
            exchange.level_mask ^= 1 << value
        case "cut":
            exchange.cut_after = value
        case "plug":
            exchange.plug_in()
        case "mute":
            exchange.table.mute = bool(value)
        case "reads":
            exchange.reads = bool(value)
            exchange.stopped_reading |= not value
        case "ask":
            exchange.table.ask("LEVELS")
        case "restart":
            exchange.restart()


@given(actions)
def test_no_edge_is_lost_or_invented_over_cables_and_hosts_that_come_and_go(
    actions: list[tuple[int, tuple[str, int]]],
) -> None:
    exchange = begun()
    for wait_ms, (what, value) in actions:
        act(exchange, what, value)
        exchange.run(wait_ms)
    assert_nothing_lost_or_invented(exchange)


restarts = st.lists(st.one_of(actions, st.just([(45, ("restart", 0))])), max_size=4).map(
    lambda parts: [action for part in parts for action in part]
)


@given(restarts)
def test_whatever_happens_and_however_often_the_board_restarts_the_levels_are_right_in_the_end(
    actions: list[tuple[int, tuple[str, int]]],
) -> None:
    exchange = begun()
    for wait_ms, (what, value) in actions:
        act(exchange, what, value)
        exchange.run(wait_ms)
    exchange.mend()
    exchange.run(SETTLED_MS)
    assert exchange.table.levels == list(exchange.watch.letters())


def heard(board: Board, *lines: bytes, at_ms: int = 10) -> bytes:
    """Let a board that has greeted hear something, and give what it says."""
    board.say(0)
    for line in lines:
        board.hear(line, at_ms)
    return board.say(at_ms)


def message(number: int, text: str) -> bytes:
    return encode(Frame("message", number, text))


def announcement(text: str) -> bytes:
    return encode(Frame("announcement", 0, text))


def test_its_own_echo_and_nobody_s_number_are_not_answered() -> None:
    board = Board(1, PROGRAM)
    echoes = [message(7, "SPOT 1 present 30"), message(499, LIMITS), message(500, LIMITS)]
    assert heard(board, *echoes, announcement(f"HELLO spots 1.0 1 14 - {PROGRAM}")) == b""


def test_a_message_that_it_does_not_know_is_acknowledged() -> None:
    assert heard(Board(1, PROGRAM), message(501, "WHAT"), message(502, "LAMPS 1")) == (
        encode(Frame("acknowledgement", 501)) + encode(Frame("acknowledgement", 502))
    )


@pytest.mark.parametrize(
    "limits",
    [
        "LIMITS",
        "LIMITS 3fff 30 20 1000 600 1000 2000",
        "LIMITS 3fff 30 20 1000 600 1000 2000 600000 1",
        "LIMITS 4000 30 20 1000 600 1000 2000 600000",
        "LIMITS 3ff 30 20 1000 600 1000 2000 600000",
        "LIMITS 3fff -1 20 1000 600 1000 2000 600000",
        "LIMITS 3fff x 20 1000 600 1000 2000 600000",
        "LIMITS 3fff 30 501 1000 600 1000 2000 600000",
    ],
)
def test_limits_that_it_cannot_keep_are_not_in_force_and_the_greeting_says_so(limits: str) -> None:
    said = heard(Board(1, PROGRAM), message(501, limits), announcement("PING"))
    assert f"HELLO spots 1.0 1 14 - {PROGRAM}".encode() in said


@given(st.lists(st.binary(max_size=80), max_size=20), st.integers(0, 5_000))
def test_after_any_noise_and_an_over_long_line_it_answers_the_next_good_one(
    noise: list[bytes], more: int
) -> None:
    board = Board(1, PROGRAM)
    heard(board, *noise, b"x" * more)
    assert b"HELLO" in heard(board, b"\n" + announcement("PING"))


def test_a_table_that_writes_and_does_not_read_is_not_owed_without_end() -> None:
    board = Board(1, PROGRAM)
    board.say(0)
    for number in range(501, 900):
        board.hear(message(number, "LEVELS") + announcement("PING") + announcement("READ"), 10)
    said = board.say(10)
    assert said.count(b"+") == MOST_OWED
    assert said.count(b"=HELLO") == said.count(b"=READINGS") == said.count(b"LEVELS") == 1


def test_the_drivers_are_kicked_once_for_each_sign_of_life() -> None:
    board = Board(1, PROGRAM)
    assert not board.kick()
    board.hear(announcement("ALIVE"), 0)
    assert board.kick()
    assert not board.kick()


def test_only_its_own_session_releases_the_line() -> None:
    board = Board(4711, PROGRAM)
    board.hear(announcement("RELEASE 4712") + announcement("RELEASE"), 0)
    assert not board.released
    board.hear(announcement("RELEASE 4711"), 0)
    assert board.released


def test_a_lamp_that_keeps_its_pattern_goes_on_and_one_that_changes_starts_lit() -> None:
    board = Board(1, PROGRAM)
    board.hear(message(501, "LAMPS qq------------"), 0)
    assert (board.lit(0), board.lit(149), board.lit(150)) == (3, 3, 0)
    board.hear(message(502, "LAMPS qs------------"), 200)
    assert (board.lit(200), board.lit(299), board.lit(300)) == (2, 2, 3)
    board.hear(message(503, "LAMPS qx------------"), 400)
    assert board.lit(400) == 3
    board.hear(message(504, "LAMPS --------------"), 500)
    assert board.lit(500) == 0
