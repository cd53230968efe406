"""What a panel is shown never exceeds its display or a frame, whatever the prompt says.

The words of the prompts are the table's; keys that become events are in `test_panel_and_cards.py`.
"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.devices.line import LONGEST_LINE, Frame, encode
from firmware.devices.panel import Panel
from firmware.devices.panel_pages import SMALLEST, USUAL, Display, display_of, rows_of
from firmware.devices.panel_screen import PanelScreen
from firmware.settings.staff import Staff
from firmware.table.effects import Part, ShowPrompt, ShowRefusal
from firmware.table.events import Event, FromPanel, PlayerDecided, ReportWithdrawn, TableClosed
from firmware.table.questions import Entry
from tests.devices.intake import ANSWERS, FakeIntake
from tests.devices.wire import Wire, frame, in_a_loop, line

LARGE = Display(200, 60)
PAGE = re.compile(r"(\d+)/(\d+) NEXT")
SETTLING = ShowPrompt(
    "settling",
    (
        "Dealer qualifies: ace and king.",
        "Seat 1: pay $75.00.",
        "Seat 1 ante wins: pay $25.00, leave $25.00",
        "Seat 1 bet wins: pay $50.00, leave $50.00",
        "Seat 3: take $25.00.",
        "Seat 3 ante loses: take $25.00",
        "Then press PAID.",
    ),
    (Part(1, 2, 4), Part(4, 5, 6)),
)

displays = st.builds(
    Display,
    st.integers(SMALLEST.columns, 999) | st.integers(SMALLEST.columns, 60),
    st.integers(SMALLEST.rows, 999) | st.integers(SMALLEST.rows, 20),
)
texts = st.text(max_size=300) | st.from_regex(r"([A-Za-z$.,]{1,12} ){1,60}", fullmatch=True)


@st.composite
def prompts(draw: st.DrawFn) -> ShowPrompt:
    """Make up a prompt, with parts anywhere in it."""
    lines = draw(st.lists(texts, max_size=40))
    places = sorted(draw(st.lists(st.integers(0, len(lines)), max_size=12)))
    threes = zip(places[::3], places[1::3], places[2::3], strict=False)
    code = draw(st.sampled_from(["idle", "settling", "ruling"]))
    return ShowPrompt(code, tuple(lines), tuple(Part(*three) for three in threes))


def rows_in(message: str) -> list[str]:
    """Give the rows of a message to the panel; the code of a prompt is no row."""
    word, _, rest = message.partition(" ")
    rows = rest.split("|")
    return rows[1:] if word == "SHOW" else rows


def turned(screen: PanelScreen, key: str = "KEY NEXT") -> str:
    """Turn a page."""
    message, picked = screen.pressed(key)
    assert picked == ""
    return message


def all_pages(screen: PanelScreen, first: str) -> list[str]:
    """Turn pages until the first one comes again."""
    pages = [first]
    while (page := turned(screen)) != first:
        pages.append(page)
    return pages


def check_fits(message: str, display: Display) -> None:
    """Check that a message fits the display, and a frame."""
    rows = rows_in(message)
    assert len(rows) <= display.rows
    assert all(len(row) <= display.columns for row in rows)
    assert len(encode(Frame("message", 999, message))) - 1 <= LONGEST_LINE


@given(prompts(), displays)
def test_no_page_of_any_prompt_is_larger_than_the_display_or_than_a_frame(
    prompt: ShowPrompt, display: Display
) -> None:
    screen = PanelScreen(display)
    pages = all_pages(screen, screen.show(prompt))
    for page in pages:
        check_fits(page, display)
        assert page.removeprefix("SHOW ").split("|")[0] == prompt.code


@given(prompts(), displays)
def test_the_pages_of_a_prompt_hold_all_of_it_and_what_to_do_now_is_on_the_first(
    prompt: ShowPrompt, display: Display
) -> None:
    screen = PanelScreen(display)
    pages = all_pages(screen, screen.show(prompt))
    rows = [row for page in pages for row in rows_in(page) if not PAGE.fullmatch(row)]
    wrapped = [row for each in prompt.lines for row in rows_of(each, display.columns)]
    assert sorted(rows) == sorted(row for row in wrapped if not PAGE.fullmatch(row))
    if prompt.lines and not any(part.first == part.details == 0 for part in prompt.parts):
        assert rows_in(pages[0])[0] == rows_of(prompt.lines[0], display.columns)[0]


@given(prompts(), displays)
def test_several_pages_say_which_they_are(prompt: ShowPrompt, display: Display) -> None:
    screen = PanelScreen(display)
    pages = all_pages(screen, screen.show(prompt))
    if len(pages) > 1:
        told = [f"{place}/{len(pages)} NEXT" for place in range(1, len(pages) + 1)]
        assert [rows_in(page)[-1] for page in pages] == told


@given(texts, displays)
def test_no_refusal_is_larger_than_the_display_or_than_a_frame(
    reason: str, display: Display
) -> None:
    screen = PanelScreen(display)
    prompt = screen.show(ShowPrompt("idle", ("Press OPEN.",)))
    message = screen.refuse(ShowRefusal(reason))
    while message != prompt:
        assert message.startswith("REFUSED ")
        check_fits(message, display)
        message = turned(screen)


@given(st.lists(st.text(max_size=200), max_size=15))
def test_a_panel_can_tell_the_lines_of_a_prompt_that_fits_apart(lines: list[str]) -> None:
    shown = PanelScreen(Display(999, 15)).show(ShowPrompt("code", tuple(lines)))
    if "/2 NEXT" not in shown:
        assert len(shown.split("|")) == 1 + sum(len(rows_of(each, 999)) for each in lines)


def test_a_prompt_that_fits_is_its_code_and_its_lines() -> None:
    screen = PanelScreen()
    prompt = ShowPrompt("deciding", ("BET or FOLD: seats 1, 3.", "Second line."))
    assert screen.show(prompt) == "SHOW deciding|BET or FOLD: seats 1, 3.|Second line."
    assert screen.show(ShowPrompt("idle", ())) == "SHOW idle"
    assert screen.show(ShowPrompt("idle", ("a|b", "c"))) == "SHOW idle|a/b|c"
    assert screen.refuse(ShowRefusal("Nobody has bet yet.")) == "REFUSED Nobody has bet yet."


def test_no_detail_comes_between_what_to_do_with_two_seats() -> None:
    screen = PanelScreen(SMALLEST)
    pages = [rows_in(page) for page in all_pages(screen, screen.show(SETTLING))]
    assert pages == [
        ["Dealer qualifies:", "ace and king.", "Seat 1: pay $75.00.", "1/5 NEXT"],
        ["Seat 3: take $25.00.", "Then press PAID.", "2/5 NEXT"],
        ["Seat 1 ante wins:", "pay $25.00, leave", "$25.00", "3/5 NEXT"],
        ["Seat 1 bet wins: pay", "$50.00, leave $50.00", "4/5 NEXT"],
        ["Seat 3 ante loses:", "take $25.00", "5/5 NEXT"],
    ]


def test_a_full_stop_needs_no_row_of_its_own() -> None:
    assert rows_of("Seat 3: take $125.00.", 20) == ("Seat 3: take $125.00",)
    assert rows_of("Seat 3: take $125.00.", 21) == ("Seat 3: take $125.00.",)


def test_a_seat_is_not_torn_between_two_pages() -> None:
    lines = ("Dealer: No hand.", "Seat 1: JACKPOT, pay $100.00.", "Seat 1: pay $25.00.", "PAID.")
    screen = PanelScreen(SMALLEST)
    shown = screen.show(ShowPrompt("settling", (*lines, "x"), (Part(1, 3, 3),)))
    assert [rows_in(page)[:-1] for page in all_pages(screen, shown)] == [
        ["Dealer: No hand."],
        ["Seat 1: JACKPOT, pay", "$100.00.", "Seat 1: pay $25.00."],
        ["PAID.", "x"],
    ]


def test_what_to_do_is_on_one_page_where_only_the_details_have_no_room() -> None:
    screen = PanelScreen(Display(40, 5))
    pages = [rows_in(page) for page in all_pages(screen, screen.show(SETTLING))]
    assert pages[0] == [
        "Dealer qualifies: ace and king.",
        "Seat 1: pay $75.00.",
        "Seat 3: take $25.00.",
        "Then press PAID.",
        "1/3 NEXT",
    ]


def test_a_prompt_that_fits_shows_its_parts_together() -> None:
    assert rows_in(PanelScreen(LARGE).show(SETTLING)) == list(SETTLING.lines)


def test_a_prompt_stays_on_its_page_while_all_that_was_read_is_as_it_was() -> None:
    screen = PanelScreen(SMALLEST)
    screen.show(ShowPrompt("betting", ("Place your bets.", "a", "b", "c", "d", "e", "f", "g")))
    assert rows_in(turned(screen)) == ["c", "d", "e", "2/3 NEXT"]
    more = ShowPrompt("betting", ("Place your bets.", "a", "b", "c", "d", "e", "F", "G", "H", "I"))
    assert rows_in(screen.show(more)) == ["c", "d", "e", "2/4 NEXT"]
    assert rows_in(screen.show(ShowPrompt("betting", ("Place your bets.",)))) == [
        "Place your bets."
    ]
    assert rows_in(turned(screen, "KEY BACK")) == ["Place your bets."]
    screen.show(more)
    turned(screen)
    other = ShowPrompt("dealing", ("Deal to seat 1.", *"abcd"))
    assert rows_in(screen.show(other)) == ["Deal to seat 1.", "a", "b", "1/2 NEXT"]


@pytest.mark.parametrize("at", range(3))
@pytest.mark.parametrize("changed", range(9))
def test_no_line_is_passed_over_when_a_prompt_changes_under_the_dealers_eyes(
    at: int, changed: int
) -> None:
    before = [f"Seat {number}." for number in range(1, 10)]
    after = [*before[:changed], "Seat 0: JACKPOT.", *before[changed:]]
    screen = PanelScreen(SMALLEST)
    pages = [rows_in(screen.show(ShowPrompt("settling", tuple(before))))]
    pages += [rows_in(turned(screen)) for _ in range(at)]
    pages += [rows_in(screen.show(ShowPrompt("settling", tuple(after))))]
    while not pages[-1][-1].startswith("4/4"):
        pages.append(rows_in(turned(screen)))
    assert {*after} <= {row for page in pages for row in page}


def test_back_turns_to_the_page_before() -> None:
    screen = PanelScreen(SMALLEST)
    first = screen.show(ShowPrompt("idle", tuple("abcdefg")))
    second = turned(screen)
    assert turned(screen, "KEY BACK") == first
    assert rows_in(turned(screen, "KEY BACK"))[-1] == "3/3 NEXT"
    assert turned(screen) == first
    assert turned(screen) == second


@pytest.mark.parametrize(
    ("words", "display"),
    [((), USUAL), (("20x4",), SMALLEST), (("200x60",), LARGE), (("999x999",), Display(999, 999))],
)
def test_the_size_is_what_the_greeting_says(words: tuple[str, ...], display: Display) -> None:
    assert display_of(words) == display


@pytest.mark.parametrize("words", [("19x4",), ("20x3",), ("0x0",)])
def test_a_display_that_is_too_small_is_told_with_the_remedy(words: tuple[str, ...]) -> None:
    told = display_of(words)
    assert told == f"its display of {words[0]} is too small: use a panel with 20x4 or more"


@pytest.mark.parametrize(
    "words",
    [("x",), ("20",), ("20x",), ("20x4x1",), ("20X4",), ("-20x4",), ("1000x4",), ("20x4", "20x4")],
)
def test_a_greeting_whose_size_cannot_be_read_is_told_with_the_remedy(
    words: tuple[str, ...],
) -> None:
    told = "its greeting names no display: it must end with a size such as 40x16"
    assert display_of(words) == told


def nobody(_number: str, _pin: str) -> Staff | None:
    """Know nobody."""
    return None


def test_a_panel_says_its_size_and_turns_its_pages_once_for_each_key() -> None:
    async def play() -> None:
        wire, shell = Wire(), FakeIntake()
        wire.plug_in()
        wire.answering = False
        device = Panel(wire.path, ANSWERS, nobody, shell)
        device.show(ShowPrompt("idle", tuple("abcdefg")))
        wire.say(line("=HELLO panel 1.0 4711 20x4"))
        assert await wire.line() == line("!501 SHOW idle|a|b|c|1/3 NEXT")
        wire.say(line("+501"))
        wire.say(line("!7 KEY NEXT"))
        heard = {await wire.line(), await wire.line()}
        assert heard == {line("+7"), line("!502 SHOW idle|d|e|f|2/3 NEXT")}
        # The acknowledgement was lost: the key comes again, and is one stroke all the same.
        wire.say(line("+502") + line("!7 KEY NEXT"))
        assert await wire.line() == line("+7")
        wire.say(line("!8 KEY NEXT"))
        heard = {await wire.line(), await wire.line()}
        assert heard == {line("+8"), line("!503 SHOW idle|g|3/3 NEXT")}
        device.close()
        wire.close()

    in_a_loop(play)


def test_a_panel_whose_display_is_too_small_is_a_fault_and_is_told_nothing() -> None:
    async def play() -> None:
        wire, shell = Wire(), FakeIntake()
        wire.plug_in()
        wire.answering = False
        device = Panel(wire.path, ANSWERS, nobody, shell)
        device.show(ShowPrompt("idle", ("Press OPEN.",)))
        wire.say(line("=HELLO panel 1.0 4711 16x2"))
        while "too small" not in device.port.problem:
            await shell.events.get()
        wire.say(line("=HELLO panel 1.0 4711 40x16"))
        assert await wire.line() == line("!501 SHOW idle|Press OPEN.")
        assert device.port.problem == ""
        device.close()
        wire.close()

    in_a_loop(play)


def test_a_pick_that_comes_again_is_the_same_event_and_a_cancel_stays_in_the_menu() -> None:
    entries = (Entry("Close the table", "CLOSETABLE"), Entry("New player", "NEW"))
    taken: list[Event] = []

    async def play() -> None:
        wire, shell = Wire(), FakeIntake()
        shell.clock_ms = 9
        wire.plug_in()
        device = Panel(wire.path, ANSWERS, nobody, shell, lambda: entries)
        device.show(ShowPrompt("idle", ("Press OPEN.",)))
        wire.hello()
        for key in (
            "!1 KEY MENU",
            "!2 KEY CANCEL",
            "!2 KEY CANCEL",
            "!3 KEY MENU",
            "!4 KEY PICK 1",
            "!4 KEY PICK 1",
            "!5 KEY CANCEL",
        ):
            wire.say(line(key))
            await wire.until(line(f"+{key[1]}"))
        device.close()
        wire.close()
        events = [shell.events.get_nowait() for _ in range(shell.events.qsize())]
        taken.extend(event for event in events if isinstance(event, FromPanel))

    in_a_loop(play)
    closed = TableClosed(at_ms=9, frame=frame(4))
    assert taken == [closed, closed, ReportWithdrawn(at_ms=9, frame=frame(5))]


def test_a_number_that_comes_round_again_is_no_repetition_of_a_turned_page() -> None:
    taken: list[Event] = []

    async def play() -> None:
        wire, shell = Wire(), FakeIntake()
        shell.clock_ms = 9
        wire.plug_in()
        device = Panel(wire.path, ANSWERS, nobody, shell)
        device.show(ShowPrompt("deciding", ("BET or FOLD: seats 1, 2.",)))
        wire.hello()
        for key in ("!7 KEY NEXT", "!8 KEY BET 1", "!7 KEY BET 2"):
            wire.say(line(key))
            await wire.until(line(f"+{key[1]}"))
        device.close()
        wire.close()
        events = [shell.events.get_nowait() for _ in range(shell.events.qsize())]
        taken.extend(event for event in events if isinstance(event, FromPanel))

    in_a_loop(play)
    assert [event.seat for event in taken if isinstance(event, PlayerDecided)] == [1, 2]
