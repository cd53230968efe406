"""The forms of the language: all are printed, all are understood, and what is wrong is in words."""

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.errors import BadInput
from firmware.rules.cards import CODES
from firmware.rules.dealing import card_order
from firmware.rules.games import GAMES, find_game
from firmware.rules.hands import CATEGORY_OF, strength
from sim.main import main
from sim.scenario_language import player, table_setup
from sim.scenario_language.checking import Around, errors_in
from sim.scenario_language.decks import Deal, Place, stacked_deck
from sim.scenario_language.expectations import EXPECTATIONS
from sim.scenario_language.grammar import SLOTS, form_of
from sim.scenario_language.language import completions, every_form
from sim.scenario_language.reader import Head, Sentence, one_line, parse_scenario
from sim.scenario_language.sentences import SENTENCE_FORMS, find_sentence

HEAD = "# Mine\ntable rws-multilink-stud, 5 seats, shoe\n"
GAME = find_game("rws-multilink-stud")


def checked(text: str, game: str = "rws-multilink-stud", source: str = "shoe") -> None:
    head = HEAD.replace("rws-multilink-stud", game).replace("shoe", source)
    player.check_scenario(parse_scenario(head + text, Path("x.table")))


def is_understood(form: str, game: str) -> bool:
    """Tell whether a sentence is understood in a game, at a table that has everything."""
    shuffles = form.startswith("dispense") or "shuffler" in form
    settings = table_setup.table_settings(
        Head(game=game, source="shuffler" if shuffles else "shoe")
    )
    around = Around(game=settings.rules, settings=settings)
    return not list(errors_in(Sentence(1, form), around))


def printed_forms(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    with pytest.raises(SystemExit) as ended:
        main(["play", "--language", *words])
    assert ended.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    return [line.strip() for line in lines if line.startswith("  ")]


def test_every_printed_form_is_understood(capsys: pytest.CaptureFixture[str]) -> None:
    forms = printed_forms(capsys)
    assert len(forms) > 300
    assert len(set(forms)) == len(forms)
    assert not [form for form in forms if not any(is_understood(form, game) for game in GAMES)]


def test_every_way_to_say_something_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    printed = printed_forms(capsys)
    for form in (
        "the wire of the shoe is good again",
        "the wire of the shoe is mended",
        "the sensor of seat 3 is repaired",
        "the wire of the shoe spoils one message in 3",
        "plug the panel in",
        "pit supervisor confirms without the key",
        "unbar seat 3",
        "report misdeal any_player_seen=no movable=no",
        "expect 2 messages contribution",
        'expect no prompt "words that are shown"',
        "let the dealer rest",
        "start the broker",
        "the panel is silent",
        "the wire of the panel spoils one message in 3",
        "the wire of the panel is mended",
        "the sensor of seat 3 on the dealer is stuck",
    ):
        assert form in printed


NOTATIONS = [each for known in SENTENCE_FORMS for each in known.notations]
NOTATIONS += [f"expect {each}" for known in EXPECTATIONS for each in known.notations]


@given(st.data())
def test_whatever_somebody_says_differs_from_a_printed_form_only_in_what_he_fills_in(
    data: st.DataObject,
) -> None:
    said = _said(data, data.draw(st.sampled_from(NOTATIONS)))
    assert said in PRINTED, said


def _said(data: st.DataObject, notation: str) -> str:
    """Choose among alternatives and options; where a person fills in, take the example."""
    while inner := re.search(r"\[([^\[\]]*)\]", notation):
        taken = inner[1] if data.draw(st.booleans()) else ""
        notation = notation[: inner.start()] + taken + notation[inner.end() :]
    notation = re.sub(
        r"\(([^)]*)\)|<\w+:([^=>][^>]*)>",
        lambda found: data.draw(st.sampled_from((found[1] or found[2]).split("|"))),
        notation,
    )
    return re.sub(r"<(?:\w+:=)?(\w+)>", lambda found: _example(data, found[1]), notation)


def _example(data: st.DataObject, name: str) -> str:
    if name in {"bet", "answer", "shown_or_answer"}:
        return {"bet": "ante", "answer": "bet", "shown_or_answer": "bet"}[name]
    slot = SLOTS[name]
    return slot.examples[0] if slot.alone else data.draw(st.sampled_from(slot.examples))


PRINTED = {form for _, forms in every_form() for form in forms}


def test_the_forms_say_how_they_show_what_somebody_fills_in(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["play", "--language", "lift"])
    told = capsys.readouterr().out
    assert "lift 1 3" in told
    assert "1 3 one seat or several" in told


def test_the_language_can_be_asked_for_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert all("cover" in form for form in printed_forms(capsys, "cover"))
    with pytest.raises(SystemExit) as ended:
        main(["play", "--language", "unicorn"])
    assert ended.value.code == 1
    assert "no sentence has the words 'unicorn'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("said", "means"),
    [
        ("the wire of the shoe is mended", "the wire of the shoe is good again"),
        ("the wire of the shoe works again", "the wire of the shoe is good again"),
        ("the sensor of seat 3 is mended", "the sensor of seat 3 is good again"),
        ("chips 1 3", "coins 1 3"),
        ("plug the shoe in", "plug in the shoe"),
        ("cut the power", "pull the plug"),
        ("switch the table on", "power on"),
        ("close the cover", "shut the cover"),
        ("the disk has room again", "make room on the disk"),
        ("the mains fail", "the supply fails"),
        ("wait 2 seconds", "wait 2 s"),
    ],
)
def test_what_people_say_instead_is_the_same_sentence(said: str, means: str) -> None:
    first, second = (find_sentence(Sentence(1, text), GAME) for text in (said, means))
    assert first is not None
    assert second is not None
    assert first[0] is second[0]


# Facts


@pytest.mark.parametrize(
    ("report", "game", "reason"),
    [
        (
            "report cards_exposd count=1",
            "rws-multilink-stud",
            "the nearest is 'report cards_exposed count=2 any_player_seen=no'",
        ),
        ("report", "rws-multilink-stud", "the nearest is 'report "),
        (
            "report dealer card exposed",
            "rws-multilink-stud",
            "the nearest is 'report dealer_card_exposed'",
        ),
        (
            "report community_count_wrong reconstructable=no",
            "rws-multilink-stud",
            "cannot happen in rws-multilink-stud; the nearest is 'report deck_count_wrong'",
        ),
        (
            "report cards_exposed count=2",
            "rws-multilink-stud",
            "report cards_exposed: Has a player seen his cards? Say so with any_player_seen=yes",
        ),
        ("report cards_exposed", "rws-holdem", "How many cards? Say so with count=2"),
        (
            "report cards_exposed cuont=2 any_player_seen=no",
            "rws-multilink-stud",
            "report cards_exposed: has no fact 'cuont'; write 'report cards_exposed count=2",
        ),
        ("report foreign_card seat=1", "rws-multilink-stud", "needs no facts, so no 'seat'"),
        (
            "report cards_exposed count=two any_player_seen=no",
            "rws-multilink-stud",
            "count=two: not a number of cards; write count=2",
        ),
        (
            "report cards_exposed count=2 any_player_seen=maybe",
            "rws-multilink-stud",
            "any_player_seen=maybe: neither yes nor no; write any_player_seen=yes or",
        ),
        (
            "report late_bet seat=9",
            "rws-multilink-stud",
            "seat=9: no such seat; this table has seats 1 to 5",
        ),
        ("report late_bet seat=", "rws-multilink-stud", "seat=: no such seat"),
        (
            "report extra_hand_examined seats=1 first_seat=1 intentional=no",
            "rws-multilink-stud",
            "seats: name all seats of one player, two or more, each once",
        ),
        (
            "report extra_hand_examined seats=1,3 first_seat=2 intentional=no",
            "rws-multilink-stud",
            "first_seat: seat 2 is not one of seats=1,3",
        ),
    ],
)
def test_the_facts_of_a_report_are_checked_without_a_table(
    report: str, game: str, reason: str
) -> None:
    with pytest.raises(BadInput) as refused:
        checked(f"open\n{report}\n", game)
    assert reason in str(refused.value)
    assert str(refused.value).startswith("x.table:4: ")
    assert "facts." not in str(refused.value)


def test_a_report_that_is_expected_to_be_refused_may_have_wrong_facts() -> None:
    checked('report cards_exposed count=2\nexpect refusal "facts are missing"\n')


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("coins 7", "x.table:3: seat 7: no such seat; this table has seats 1 to 5"),
        ("lift 1 on the dealer", "on the dealer: rws-multilink-stud has no such coin spot"),
        ("expect lamp 8 is steady", "seat 8: no such seat"),
        ("the sensor of seat 6 is stuck", "seat 6: no such seat"),
        ("wait a while", "is not a sentence"),
    ],
)
def test_spots_that_the_table_has_not_are_refused_before_anything_is_played(
    text: str, reason: str
) -> None:
    with pytest.raises(BadInput) as refused:
        checked(text)
    assert reason in str(refused.value)


# Completion


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("pu", ["pull the plug"]),
        ("coins 1 3", ["coins 1 3"]),
        (
            "pit supervisor c",
            ["pit supervisor confirms", "pit supervisor confirms without the key"],
        ),
        ("the supply ", ["the supply fails", "the supply is back"]),
        ("unplug the sh", ["unplug the shoe", "unplug the shuffler"]),
        ("report cards", ["report cards_exposed count=2 any_player_seen=no"]),
        ("pit supervisor e", ["pit supervisor enters a wrong PIN"]),
        ("expe", ["expect "]),
        ("expect phase de", ["expect phase dealing", "expect phase deciding"]),
        ("deal on 2 c", ["deal on 2 card", "deal on 2 cards"]),
        ("flop", []),
        ("unicorn", []),
    ],
)
def test_a_sentence_is_completed_up_to_where_a_person_fills_in(
    text: str, offered: list[str]
) -> None:
    assert completions(text, GAME) == offered


def test_every_completion_begins_with_what_was_typed_and_can_go_on() -> None:
    typed = ["", *(chr(ord("a") + place) for place in range(26))]
    for text in typed:
        for each in completions(text, GAME):
            assert each.startswith(text)
            assert completions(each, GAME) or each.endswith((" ", ": ", '"', "$"))


def test_a_notation_with_an_option_in_an_option_is_read() -> None:
    form = form_of(["a[ b[ c]]"])
    assert form.sentences() == ["a", "a b", "a b c"]
    assert [bool(form.fullmatch(text)) for text in ("a", "a b", "a b c", "a c")] == [
        True,
        True,
        True,
        False,
    ]


# The cards that nobody names


def deal_of(game: str, named: dict[Place, list[str]], came: tuple[str, ...] = ()) -> Deal:
    rules = find_game(game)
    order = [(target.to, target.seat) for target in card_order(rules, "shoe", [1, 2, 3, 4, 5])]
    return Deal(game=rules, order=order, named=named, came=came)


def hands_of(deal: Deal, deck: list[str]) -> dict[Place, list[str]]:
    dealt: dict[Place, list[str]] = {}
    for place, card in zip(deal.order, deck, strict=False):
        dealt.setdefault(place, []).append(card)
    return dealt


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_that_nobody_named_never_wins_a_jackpot(game: str) -> None:
    deal = deal_of(game, {})
    lines = {line.category for line in deal.game.lines}
    for seed in range(150):
        dealt = hands_of(deal, stacked_deck(deal, f"{seed}"))
        board = dealt.get(("community", 0), [])
        for (to, _), cards in dealt.items():
            if to in {"seat", "dealer"}:
                codes = [CODES[card] for card in (*cards, *board)]
                assert CATEGORY_OF[strength(codes)] not in lines


def test_a_deck_has_every_card_once_and_is_the_same_again() -> None:
    deal = deal_of("rws-multilink-stud", {("seat", 1): ["Ah", "Jh", "9h", "6h", "3h"]})
    first, again, other = (stacked_deck(deal, seed) for seed in ("1", "1", "2"))
    assert sorted(first) == sorted(CODES)
    assert first == again
    assert first != other
    assert hands_of(deal, first)["seat", 1] == ["Ah", "Jh", "9h", "6h", "3h"]


def test_what_is_named_may_pay_whatever_comes() -> None:
    deal = deal_of("rws-multilink-stud", {("seat", 1): ["As", "Ah", "Ad", "Ac"]})
    assert hands_of(deal, stacked_deck(deal, "1"))["seat", 1][:4] == ["As", "Ah", "Ad", "Ac"]


def test_a_deal_goes_on_from_the_cards_that_came() -> None:
    came = tuple(Random(3).sample(list(CODES), 9))
    deck = stacked_deck(deal_of("rws-multilink-stud", {}, came), "1")
    assert tuple(deck[:9]) == came
    assert sorted(deck) == sorted(CODES)


def test_the_hands_of_a_deal_can_be_typed_in_one_line() -> None:
    typed = one_line("deal; seat 1: Ah Jh 9h 6h 3h; dealer: As Kd 9c 7h 2s")
    assert (typed.text, typed.block) == (
        "deal",
        ("seat 1: Ah Jh 9h 6h 3h", "dealer: As Kd 9c 7h 2s"),
    )
