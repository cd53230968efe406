"""How a table is drawn, in every phase of every game: nothing is cut, in any room that is offered.

The tables are real, only without a process: what they show is drawn after every event.
"""

import io
import re
import time
from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from rich.console import Console, RenderableType

from firmware.rules.cards import pretty
from firmware.rules.games import GAMES
from firmware.rules.words import money
from firmware.table.public import PublicTable, public
from firmware.table.state import Phase
from host_tools.watch.arrangement import FRAME, MARGIN, arrange, list_lines
from host_tools.watch.following import lost_now, seen_now
from host_tools.watch.seats import LAMPS
from host_tools.watch.view import TableView, body, news
from tests.table.rounds import Round, settings_of

SEATS = 5
SMALL = (80 - MARGIN, 24 - FRAME - 2)
"""One table at 80 × 24: a line above it or below it, and one more."""
WIDE = (200 - MARGIN, 50 - FRAME - 2)
BESIDE_A_LIST = (80 - 18 - MARGIN, 24 - FRAME - 2)


def drawn(what: RenderableType, width: int) -> list[str]:
    """Draw as a terminal would, and give the lines."""
    screen = io.StringIO()
    Console(file=screen, width=width, color_system=None).print(what)
    return screen.getvalue().splitlines()


def squeezed(text: str) -> str:
    """Take out all spaces: a sentence may go on on the next line."""
    return re.sub(r"\s+", "", text)


def looks(
    game: str, seats: tuple[int, ...] = (1, 2, 3, 5), count: int = SEATS
) -> Iterator[PublicTable]:
    """Play a round of a game, and give the table as it looks after every step."""
    played = Round(replace(settings_of(game), seats=count))

    def look() -> PublicTable:
        return public(played.table.settings, played.state)

    yield look()
    played.open()
    for seat in seats:
        played.ante(seat, 5_000)
        for bet in played.table.settings.rules.jackpot_bets:
            played.chip(seat, bet)
            yield look()
    played.answers = {seats[-1]: "fold"}
    played.close()
    yield look()
    for _ in played.rest():
        yield look()


def cards_of(table: PublicTable) -> list[str]:
    """List every card that lies face up."""
    seats = [card for seat in table.seats for card in seat.cards]
    return [*seats, *table.dealer, *table.community]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("room", [SMALL, WIDE, BESIDE_A_LIST], ids=str)
def test_every_seat_stake_card_and_lamp_the_sign_and_the_meter_are_there(
    game: str, room: tuple[int, int]
) -> None:
    width, height = room
    for table in looks(game):
        lines = drawn(body(TableView("sim:T1", table, ""), width, height), width)
        text = "\n".join(lines)
        assert len(lines) <= height
        assert table.meter_cents is not None
        assert money(table.meter_cents) in text
        assert squeezed(table.sign) in squeezed(text)
        assert not [card for card in cards_of(table) if pretty([card]) not in text]
        assert "…" not in re.sub(r"… \w", "", text)
        for seat, line in zip(table.seats, lines[2:], strict=False):
            lamps = " ".join(LAMPS[pattern][0] for pattern in seat.lamps.values())
            assert re.match(rf"{seat.seat} +{lamps} ?", line)
            staked = [money(cents).removesuffix(".00") for cents in seat.stakes.values() if cents]
            assert sorted(re.findall(r"\$[\d,]+", line)) == sorted(staked)
            assert not seat.cards or pretty(seat.cards) in line
            assert seat.decision in line


@pytest.mark.parametrize("game", GAMES)
def test_the_whole_prompt_is_there_and_in_a_small_room_at_least_what_it_comes_to(game: str) -> None:
    for table in looks(game):
        seen = TableView("sim:T1", table, "")
        wide = squeezed("".join(line[8:] for line in drawn(body(seen, *WIDE), WIDE[0])))
        assert squeezed("".join(table.prompt)) in wide
        for width, height in (SMALL, BESIDE_A_LIST):
            small = squeezed("".join(line[8:] for line in drawn(body(seen, width, height), width)))
            for line in table.prompt:
                assert squeezed(line) in small or re.match(r"Seat \d+ ", line), table.prompt


def test_a_full_table_of_seven_seats_has_room_at_80_by_24() -> None:
    for table in looks("rws-multilink-stud", (1, 2, 3, 4, 5, 6, 7), count=7):
        lines = drawn(body(TableView("sim:T1", table, ""), *SMALL), SMALL[0])
        assert [line[0] for line in lines[2:9]] == list("1234567")
        assert any(line.startswith("sign ") for line in lines)
        small = squeezed("".join(line[8:] for line in lines))
        for line in table.prompt:
            assert squeezed(line) in small or re.match(r"Seat \d+ ", line), table.prompt


def test_the_draws_of_a_round_are_shown() -> None:
    magic = [table for table in looks("mbs-singapore-stud") if "magic card" in table.sign]
    assert magic
    for table in magic:
        text = "\n".join(drawn(body(TableView("sim:T1", table, ""), *SMALL), SMALL[0]))
        assert "magic card two of clubs" in text


def test_community_cards_and_the_dealers_face_up_card_are_shown() -> None:
    boards = [table for table in looks("rws-holdem") if len(table.community) == 3]
    assert boards
    assert "board" in "\n".join(drawn(body(TableView("sim:T1", boards[0], ""), *SMALL), SMALL[0]))
    (up, *_) = (table for table in looks("rws-multilink-stud") if len(table.dealer) == 1)
    lines = drawn(body(TableView("sim:T1", up, ""), *SMALL), SMALL[0])
    assert f"dealer  {pretty(up.dealer)}" in lines


def test_the_board_is_not_cut_by_what_the_dealer_has() -> None:
    *_, table = (each for each in looks("rws-holdem") if each.phase == "settling")
    board = ("Qs", "7h", "Ts", "Th", "7d")
    full = replace(table, dealer=("Tc", "Td"), community=board)
    for width, height in (SMALL, BESIDE_A_LIST):
        text = "\n".join(drawn(body(TableView("sim:T1", full, ""), width, height), width))
        assert f"board  {pretty(board)}" in text


def test_a_bet_that_was_taken_back_is_no_stake() -> None:
    *_, table = looks("rws-holdem")
    seats = (replace(table.seats[0], stakes={"ante": 2_500, "bonus": 0}), *table.seats[1:])
    text = "\n".join(drawn(body(TableView("T1", replace(table, seats=seats), ""), *WIDE), WIDE[0]))
    assert "$0" not in text.replace("$25.00", "")
    assert re.search(r"\n1 .*\$25\n", text)


def test_amounts_are_in_the_currency_of_the_table() -> None:
    for table in looks("rws-multilink-stud"):
        ours = replace(table, currency="S$", prompt=(), sign="")
        text = "\n".join(drawn(body(TableView("sim:T1", ours, ""), *SMALL), SMALL[0]))
        assert "S$" in text
        assert not re.search(r"(?<!S)\$", text)


def test_a_fault_is_there_however_long_the_prompt_is() -> None:
    *_, table = (each for each in looks("rws-holdem") if each.phase == "settling")
    faulty = replace(table, faults=("F201 The sign does not answer: check its plug.",))
    lines = drawn(body(TableView("sim:T1", faulty, ""), *SMALL), SMALL[0])
    assert any(line.startswith("FAULT   F201") for line in lines)
    assert "Then press PAID." in lines[-3] + lines[-2]


def test_no_name_of_the_contract_is_shown_to_a_person() -> None:
    for game in GAMES:
        before: PublicTable | None = None
        for table in looks(game):
            seen = TableView("sim:T1", table, "", tuple(news(before, table)))
            assert not re.search(r"[a-z]_[a-z]", "".join(drawn(body(seen, *WIDE), WIDE[0])))
            before = table


def test_news_have_the_time_of_day_where_the_laptop_is(monkeypatch: pytest.MonkeyPatch) -> None:
    table = next(looks("rws-holdem"))
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    here = seen_now(TableView("sim:T1"), table).news[0]
    monkeypatch.setenv("TZ", "UTC-8")
    time.tzset()
    there = seen_now(TableView("sim:T1"), table).news[0]
    monkeypatch.undo()
    time.tzset()
    hours = [int(told.partition(":")[0]) for told in (here, there)]
    assert (hours[1] - hours[0]) % 24 in {8, 9}


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50), (40, 10)], ids=str)
@pytest.mark.parametrize("count", [1, 2, 3, 4, 6, 8, 16, 40])
def test_tables_share_a_screen_or_are_listed_beside_one_of_them(
    count: int, size: tuple[int, int]
) -> None:
    width, height = size
    shared = arrange([TableView("sim:T1")] * count, width, height)
    if shared.is_list:
        assert count > 1
        assert width - shared.list_width >= min(62, width - 18)
    else:
        assert shared.columns * shared.rows >= count
        assert count == 1 or (width // shared.columns >= 64 and height // shared.rows >= 16)


@pytest.mark.parametrize("current", [0, 7, 39])
def test_the_list_always_has_the_current_table(current: int) -> None:
    tables = [TableView(f"unix:/run/T{number}.sock") for number in range(40)]
    lines = [line.plain for line in list_lines(tables, current, 40, 20)]
    assert len(lines) == 20
    (marked,) = (line for line in lines if line.startswith("▸"))
    assert marked.split() == [f"▸unix:/run/T{current}.sock", "not", "yet"]


def test_the_list_has_the_phase_however_long_the_names_are() -> None:
    table = replace(next(looks("rws-holdem")), name="Table 12 in the long room", phase="revealing")
    (line,) = list_lines([TableView("sim:T1", table, "")], 0, 17, 24)
    assert line.plain == "▸Table… revealing"


def test_a_screen_too_small_for_anything_is_no_error() -> None:
    for table in looks("rws-holdem"):
        for width, height in ((1, 1), (10, 3), (30, 8)):
            assert len(drawn(body(TableView("T1", table, "x"), width, height), 200)) <= height


def test_a_table_that_does_not_answer_is_not_drawn_as_if_it_did() -> None:
    table = next(looks("rws-holdem"))
    seen = seen_now(TableView("sim:T1"), table)
    gone = lost_now(seen, "sim:T1: the firmware is not running")
    still = lost_now(gone, "sim:T1: another reason")
    lines = drawn(body(gone, *SMALL), SMALL[0])
    assert lines[0].startswith(f"NOT CONNECTED since {gone.lost_at}: the firmware is not running")
    assert "link up" not in "\n".join(lines)
    assert still.lost_at == gone.lost_at
    assert len(still.news) == len(gone.news) == len(seen.news) + 1
    assert "not connected: the firmware" in gone.news[-1]
    back = seen_now(still, table)
    assert (back.problem, back.lost_at) == ("", "")
    assert back.news[-1].endswith("connected again")


@pytest.mark.parametrize("phase", ["idle", "closed", "service"])
def test_a_table_at_rest_has_no_stakes(phase: Phase) -> None:
    """A closed table went on showing those of its last round."""
    played = Round(settings_of("rws-holdem"))
    played.open()
    played.ante(1, 5_000)
    played.close()
    played.state.phase = phase
    assert not any(seat.stakes for seat in public(played.table.settings, played.state).seats)


def test_tables_of_one_name_are_told_apart_in_the_list() -> None:
    table = next(looks("rws-holdem"))
    tables = [TableView("sim:T1", table, ""), TableView("ssh://pi@t1", table, "")]
    lines = [line.plain for line in list_lines(tables, 0, 60, 10)]
    assert "sim:T1" in lines[0]
    assert "ssh://pi@t1" in lines[1]
