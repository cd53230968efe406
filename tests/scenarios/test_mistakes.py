"""`underfelt-sim play --check` finds what can never work, all of it, without a table."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.rules.games import GAMES, find_game
from sim.main import main
from sim.scenario_language import table_setup
from sim.scenario_language.checking import Around, errors_in
from sim.scenario_language.expectations import EXPECTATIONS
from sim.scenario_language.grammar import SLOTS
from sim.scenario_language.mistakes import mistakes_in
from sim.scenario_language.reader import Head, Sentence, cents, parse_scenario
from sim.scenario_language.sentences import SENTENCE_FORMS

HEAD = "table rws-multilink-stud, 5 seats, shoe\n"
NOTATIONS = [
    *(each.notations for each in SENTENCE_FORMS),
    *(each.notations for each in EXPECTATIONS),
]
_PLACE = re.compile(r"<(\w+)(?::=(\w+))?>")


def mistakes(text: str, head: str = HEAD) -> list[tuple[int, str]]:
    return [(each.line, each.words) for each in mistakes_in(parse_scenario(head + text, Path("x")))]


# Seats


def sentences_with_a_seat() -> Iterator[tuple[str, str]]:
    """List a form of every sentence for each place of a seat in it, with a seat 9 there."""
    known = [("", each.notations) for each in SENTENCE_FORMS]
    known += [("expect ", each.notations) for each in EXPECTATIONS]
    for before, notations in known:
        for notation in notations:
            bare = re.sub(r"[\[\]]", "", notation)
            for place in _PLACE.finditer(bare):
                if (SLOTS.get(place[2] or place[1]) or SLOTS["text"]).kind != "seats":
                    continue
                example = "8 9" if "several" in place[0] or "two_places" in place[0] else "9"
                said = f"{bare[: place.start()]}{example}{bare[place.end() :]}"
                yield notation, before + _filled_in(said)


def _filled_in(notation: str) -> str:
    """Fill the other places with the first that may stand there."""

    def first(place: re.Match[str]) -> str:
        if place[2] == ":":
            return place[3].split("|")[0]
        name = place[3] or place[1]
        own = {"bet": "ante", "answer": "fold", "shown_or_answer": "fold"}
        return own.get(name) or SLOTS[name].examples[0]

    said = re.sub(r"<(\w+)(:=?)?([^>]*)>", first, notation)
    return re.sub(r"\(([^|)]*)[^)]*\)", r"\1", said)


WITH_A_SEAT = list(sentences_with_a_seat())


@pytest.mark.parametrize("said", sorted({said for _, said in WITH_A_SEAT}))
def test_a_seat_that_the_table_has_not_is_found_in_every_sentence(said: str) -> None:
    game = find_game("mbs-singapore-stud")  # which has a second coin spot
    settings = table_setup.table_settings(Head(game=game.id))
    around = Around(game=game, settings=settings)
    words = [str(error) for error in errors_in(Sentence(1, said), around)]
    assert "seat 9: no such seat; this table has seats 1 to 5" in words


def test_every_place_where_a_number_of_a_seat_stands_is_known_as_one() -> None:
    named = {notation for notation, _ in WITH_A_SEAT}
    assert len(named) > 20
    others = [
        notation
        for notations in NOTATIONS
        for notation in notations
        if re.search(r"seat|where|place", notation) and notation not in named
    ]
    # A fault's place may be a seat, and is checked too.
    assert others == ["clear <what:=fault>[ <where:=fault_place>]"]
    assert mistakes("clear sensor_stuck seat 9\n") == [
        (2, "seat 9: no such seat; this table has seats 1 to 5")
    ]


def test_a_seat_in_the_fields_of_an_expectation_is_one_of_the_table() -> None:
    assert mistakes("expect message contribution seat=9\n")
    assert not mistakes("expect message contribution seat=5\nexpect journal cards_keyed seat=0\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "message contribution bogus=1",
            "bogus=1: contribution has no field 'bogus'; the fields are",
        ),
        ("message win claim=1", "claim=1: claim is a part with names of its own (seat, on, tier"),
        (
            "message win claim.teir=flush",
            "has no field 'claim.teir'; the nearest is claim.tier; the fields are ",
        ),
        (
            "2 messages contribution stake_cents=abc",
            "stake_cents=abc: stake_cents is a whole number",
        ),
        ("no message verdict confirmed=yes", "confirmed=yes: confirmed is true or false"),
        ("message round stage=late", "stage=late: stage is one of dealt, opened, settled, void"),
        (
            "journal bets_closed bogus=3",
            "bogus=3: bets_closed has no field 'bogus'; the fields are",
        ),
        ("no journal bets_closed event=x", "event=x: bets_closed has no field 'event'"),
        ("journal irregularity_reported irregularity=rain", "irregularity is one of "),
        ("message win claim.tier=lucky_dealer", "cannot be at rws-multilink-stud; it has "),
        ("message contribution bet=bonus", "bet=bonus: cannot be at rws-multilink-stud; it has "),
        ("message fault seat 3", "seat=3: fault has no field 'seat'; the "),
        ("journal lots_drawn", "lots_drawn: cannot be: rws-multilink-stud draws no lots"),
    ],
)
def test_a_field_or_value_that_cannot_be_is_found_without_a_table(text: str, words: str) -> None:
    [(line, said)] = mistakes(f"expect {text}\n")
    assert line == 2
    assert words in said


def test_what_a_field_can_be_may_be_expected() -> None:
    assert not mistakes(
        "expect message win seat 1 claim.tier=flush claim.amount=none final=true clock=free\n"
        "expect message verdict paid_cents=none staff=200 reason=a_wrong_card\n"
        "expect journal bets_closed dealer=100 meter_cents=none\n"
        "expect journal cards_corrected how=swap places=['1',_'3']\n"
        "expect journal irregularity_reported facts.count=2 facts.any_player_seen=none\n"
    )
    lots = "expect journal lots_drawn lucky_seat=3\nexpect message win claim.tier=magic_card\n"
    assert not mistakes(lots, "table mbs-singapore-stud, shoe\n")


# What else can never work


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ante 2 $50.555", "$50.555: not an amount; write it as $25 or $1,234.50"),
        ("ante 2 $-50", "$-50: not an amount; write it as $25 or $1,234.50"),
        ("ante 2 $", "$: not an amount; write it as $25 or $1,234.50"),
        ("ante 2 -50", "-50: not an amount; write it as $25 or $1,234.50"),
        ("ante 2 0.001", "0.001: not an amount; write it as $25 or $1,234.50"),
        (
            "ante 2 $99999999999999999999",
            "$99999999999999999999: too large; an amount has at most 12 digits",
        ),
        ("ante 2 $,", "$,: not an amount; write it as $25 or $1,234.50"),
        ("expect meter $1,00", "$1,00: not an amount; write it as $25 or $1,234.50"),
        ("key 3: As As Qs Js Ts", "As: named twice in this hand; a deck has it once"),
        ("key 3: As Zz Qs Js Ts", "Zz: not a card; write rank and suit, such as As or Td"),
        ("key board: As Ks Qs", "board: rws-multilink-stud has no board"),
        ("up 1x", "1x: not a card; write rank and suit, such as As or Td"),
        ("one player has seats 2 2", "seat 2: named twice; name it once"),
        ("pick 0", "pick 0: the number must be 1 or more"),
        ("deal 0 cards", "deal 0 cards: the number must be 1 or more"),
        ("deal on 0 hands", "deal on 0 hands: the number must be 1 or more"),
        ("unplug the shuffler", "shuffler: this table has no shuffler; it has a shoe"),
        ("the shuffler falls silent", "shuffler: this table has no shuffler; it has a shoe"),
        (
            "the disk is full",
            "the disk is full: needs a small disk; write 'disk 4 MB' indented below the table",
        ),
        (
            "the disk has room again",
            "the disk has room again: needs a small disk; write 'disk 4 MB' indented below the table",
        ),
        (
            "draw Zz",
            "Zz: not a card; write rank and suit, such as As or Td, or say 'draw a foreign card'",
        ),
        (
            "let the dealer play",
            "let the dealer play: works only at a table of 'underfelt-sim floor', which has its own dealer",
        ),
    ],
)
def test_a_sentence_that_can_never_work_is_found_without_a_table(text: str, words: str) -> None:
    assert mistakes(f"{text}\n") == [(2, words)]


@pytest.mark.parametrize(
    ("head", "text", "words"),
    [
        ("table rws-holdem, shuffler", "unplug the shoe", "shoe: this table has no shoe; it has a"),
        (
            "table rws-holdem, by hand",
            "unplug the shoe",
            "shoe: this table has no shoe; it is dealt",
        ),
        ("table rws-holdem, by hand", "a card is not read", "this table has no shoe or shuffler"),
        ("table rws-holdem, angel eye", "draw a foreign card", "an Angel Eye shoe cannot report"),
    ],
)
def test_what_a_table_has_depends_on_its_head(head: str, text: str, words: str) -> None:
    [(line, said)] = mistakes(f"{text}\n", f"{head}\n")
    assert line == 2
    assert words in said


def test_a_game_that_deals_no_board_has_no_number_of_its_cards() -> None:
    words = "board: mbs-singapore-stud deals no cards there"
    assert mistakes("deal\n    board: 2s 3s\n", "table mbs-singapore-stud\n") == [(3, words)]


def test_what_a_table_has_may_be_used() -> None:
    assert not mistakes("unplug the shoe\ndraw a foreign card\n")
    assert not mistakes("the disk is full\n", f"{HEAD}    disk 4 MB\n")
    assert not mistakes("unplug the shuffler\n", "table rws-holdem, shuffler\n")


@pytest.mark.parametrize("key", ["fold 7", "ante 9 $25", "pick 0", "key 3: As As", "bar seat 9"])
def test_a_key_that_is_expected_to_be_refused_may_be_wrong(key: str) -> None:
    assert mistakes(f"{key}\n")
    assert not mistakes(f'{key}\nexpect refusal "no"\n')


def test_what_never_reaches_the_table_is_wrong_whatever_is_expected() -> None:
    assert mistakes('coins 7\nexpect refusal "no"\n')
    assert mistakes('ante 1 $1.5\nexpect refusal "no"\n')


# All of them


def test_every_mistake_is_listed_with_its_line() -> None:
    text = "open\nfold 7 8\n\nopne\ndeal\n    seat 9: As Zz\n    seat 1: As\n    nonsense\npick 0\n"
    assert [line for line, _ in mistakes(text)] == [3, 3, 5, 7, 7, 8, 9, 10]


def test_every_mistake_of_a_head_is_listed_and_the_sentences_are_checked_for_what_is_known() -> (
    None
):
    head = "table rws-holdem, 12 seats, magnets\n    policy shrug\n    disk large\n"
    found = mistakes("fold 9\nunplug the shuffler\nopne\ndraw Zz\n", head)
    assert [line for line, _ in found] == [1, 1, 2, 3, 6, 7]


@pytest.mark.parametrize("option", [["--check"], []])
def test_the_command_lists_the_mistakes_of_all_files(
    option: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "first.table", tmp_path / "second.table"
    first.write_text(HEAD + "opne\nfold 7\n", encoding="utf-8")
    second.write_text(HEAD + "deal 0 cards\n", encoding="utf-8")
    missing = tmp_path / "none.table"
    with pytest.raises(SystemExit) as ended:
        main(["play", *option, str(first), str(missing), str(second)])
    assert ended.value.code == 1
    told = capsys.readouterr()
    assert not told.out
    begins = [f"{first}:2: ", f"{first}:3: ", f"{missing}: ", f"{second}:2: "]
    lines = told.err.splitlines()
    assert len(lines) == len(begins)
    for line, begin in zip(lines, begins, strict=True):
        assert line.startswith(f"underfelt-sim: {begin}")


def test_no_more_mistakes_are_listed_than_anybody_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrong.table"
    path.write_text(HEAD + "pick 0\n" * 60, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["play", "--check", str(path)])
    assert ended.value.code == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 51
    assert lines[-1] == "underfelt-sim: and 10 more mistakes"


def test_the_library_has_no_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["play", "--check"])
    assert ended.value.code == 0
    assert re.fullmatch(r"no mistake in \d+ files\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    "amount", ["$", "$,", "$1,00", "$,100", "$1.5", "$-1", "$\u0661", "$" + "9" * 99 + "x"]
)
def test_what_is_no_amount_is_refused(amount: str) -> None:
    with pytest.raises(ValueError, match="not an amount"):
        cents(amount)


@pytest.mark.parametrize("amount", ["$" + "9" * 13, "$1,000,000,000,000", "$" + "9" * 5_000])
def test_what_is_too_large_is_said_to_be(amount: str) -> None:
    with pytest.raises(ValueError, match="too large"):
        cents(amount)
    assert cents("$0000000000000000025") == 2_500


MONEY_BEFORE = ("ante 2 ", "expect meter ", "jackpot 1 ")
HEAD_BEFORE = ("    ante ", "    meter ", "    jackpot bet ", "    disk ", "    stuck after ")
_REMEDY = re.compile(r"write '([^'…]+)'")


@given(
    st.sampled_from((*MONEY_BEFORE, *HEAD_BEFORE, "")),
    st.text("$,.-+0129 to", max_size=14)
    | st.from_regex(r"\$[0-9]{1,20} to \$[0-9]{1,20}", fullmatch=True),
)
def test_what_a_remedy_says_to_write_is_accepted(before: str, typed: str) -> None:
    line = before + typed.replace("#", "")
    said = mistakes(f"{line}\n")
    for _, words in said:
        for remedy in _REMEDY.findall(words):
            mended = f"{'    ' if before in HEAD_BEFORE else ''}{remedy}\n"
            assert not mistakes(mended, "table rws-multilink-stud\n"), words


@pytest.mark.parametrize("said", sorted({said for _, said in WITH_A_SEAT}))
def test_what_a_remedy_says_is_accepted_whatever_word_of_a_sentence_is_missing(said: str) -> None:
    words = said.replace("9", "3").split()
    for place in range(len(words)):
        for text in (
            words[:place] + words[place + 1 :],
            [*words[:place], "$", *words[place + 1 :]],
        ):
            for _, complaint in mistakes(f"{' '.join(text)}\n"):
                for remedy in _REMEDY.findall(complaint):
                    assert not mistakes(f"{remedy}\n"), complaint


@pytest.mark.parametrize("game", GAMES)
def test_the_examples_of_the_language_are_within_every_table(game: str) -> None:
    assert not mistakes("coins 1 3\nfold 3\nbar seat 3\n", f"table {game}, 4 seats, shoe\n")
