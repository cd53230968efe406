"""What `underfelt rules` says to a document that it cannot accept.

Alone, a bad document is one line on standard error and exit status 2; with `--lines`
it is answered in its place. What a refusal must name is in bad_documents.py; which
documents a game refuses is proved in `tests/rules/`.
"""

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from firmware.errors import BadInput
from firmware.rules.contract import IrregularityName
from firmware.rules.documents import answer
from firmware.rules.games import GAMES
from tests.host_tools.bad_documents import BAD, Bad
from tests.host_tools.command import EXAMPLES, lines, run

EACH_KIND = [
    ("settle", "unknown game"),
    ("settle", "card twice"),
    ("settle", "impossible rank"),
    ("settle", "negative stake"),
    ("settle", "missing hand"),
    ("settle", "unknown key"),
    ("settle", "not JSON"),
    ("ruling", "missing fact"),
    ("ruling", "impossible in stud"),
    ("award", "neither percent nor amount"),
]
"""One of each kind that the contract lists, and what is not JSON at all."""


def _find(question: str, kind: str) -> Bad:
    (found,) = (bad for bad in BAD if (bad.question, bad.kind) == (question, kind))
    return found


@pytest.mark.parametrize(("question", "kind"), EACH_KIND)
def test_a_bad_document_is_one_line_that_names_field_and_reason(question: str, kind: str) -> None:
    bad = _find(question, kind)

    ended = run("rules", question, given=bad.document)

    assert (ended.status, ended.out) == (2, "")
    (line,) = ended.err.splitlines()
    assert line.startswith(f"underfelt: {bad.field}: ")
    assert bad.reason in line


@pytest.mark.parametrize("nothing", ["", "\n \n"])
def test_no_document_at_all_is_a_bad_one(nothing: str) -> None:
    ended = run("rules", "settle", given=nothing)

    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("underfelt: document: ")
    assert ended.err.count("\n") == 1


def test_a_document_that_is_not_even_text_is_a_bad_one() -> None:
    ended = run("rules", "settle", given=b"\xff\xfe\x00")

    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("underfelt: document: ")


def test_a_bad_document_is_refused_in_words_too() -> None:
    bad = _find("settle", "card twice")

    ended = run("rules", "settle", "--explain", given=bad.document)

    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("underfelt: seats[0].cards[0]: ")


@pytest.mark.parametrize("question", EXAMPLES)
def test_with_lines_every_bad_document_is_answered_in_its_place(question: str) -> None:
    good, answer = EXAMPLES[question]
    bad = [each for each in BAD if each.question == question]

    ended = run(
        "rules", question, "--lines", given=lines([x for b in bad for x in (b.document, good)])
    )

    assert (ended.status, ended.err) == (0, "")
    answered = [json.loads(line) for line in ended.out.splitlines()]
    assert answered[1::2] == [answer] * len(bad)
    for each, refused in zip(bad, answered[::2], strict=True):
        assert list(refused) == ["error"], each.kind
        assert list(refused["error"]) == ["field", "reason"], each.kind
        assert refused["error"]["field"] == each.field, each.kind
        assert each.reason in refused["error"]["reason"], each.kind


def test_no_bad_document_is_answered_in_the_words_of_a_program() -> None:
    for bad in BAD:
        with pytest.raises(BadInput) as refused:
            answer(bad.question, bad.document.encode())  # type: ignore[arg-type]  # its name
        assert not re.search(r"`|expected|\bgot\b|\b(int|str|bool)\b", refused.value.reason), (
            bad.kind
        )


@pytest.mark.parametrize("question", EXAMPLES)
def test_several_documents_at_once_are_told_of_the_option_for_them(question: str) -> None:
    document = json.dumps(EXAMPLES[question][0])
    ran = run("rules", question, given=f"{document}\n{document}\n")
    assert (ran.status, ran.out) == (2, "")
    assert "not one JSON document: something follows its end" in ran.err
    assert "--lines reads one document per line" in ran.err


def test_a_wrong_word_is_told_every_word_that_there_is() -> None:
    ran = run("rules", "ruling", given='{"game": "rws-holdem", "irregularity": "fire"}')
    listed = ran.err.partition("the words are ")[2].strip().split(", ")
    assert sorted(listed) == sorted(get_args(IrregularityName))
    ran = run("rules", "settle", given='{"game": "faro", "seats": []}')
    assert sorted(ran.err.partition("the games are ")[2].strip().split(", ")) == sorted(GAMES)


@pytest.mark.parametrize("word", ["fire", "card_exposed", "Cards_Exposed", "zzz", "other!"])
def test_words_are_listed_in_one_order_whatever_was_typed(word: str) -> None:
    document = {"game": "rws-holdem", "irregularity": word}
    ran = run("rules", "ruling", given=json.dumps(document))
    listed = ran.err.partition("the words are ")[2].strip().split(", ")
    assert listed == sorted(get_args(IrregularityName))
    impossible = {"game": "rws-multilink-stud", "irregularity": "community_count_wrong"}
    ran = run("rules", "ruling", given=json.dumps(impossible))
    listed = ran.err.partition("these can: ")[2].strip().split(", ")
    assert listed == sorted(listed)


@pytest.mark.parametrize("question", EXAMPLES)
def test_an_unknown_game_is_told_before_whatever_else_is_wrong(question: str) -> None:
    document = {"game": "foo", "irregularity": "x", "seats": 3, "claims": "y"}
    ran = run("rules", question, given=json.dumps(document))
    assert ran.err.startswith(
        "underfelt: game: unknown game 'foo'; the games are rws-multilink-stud"
    )


@pytest.mark.parametrize("question", EXAMPLES)
def test_a_file_can_be_named_instead_of_sent(question: str, tmp_path: Path) -> None:
    asked, answer = EXAMPLES[question]
    path = tmp_path / "asked.json"
    path.write_text(json.dumps(asked), encoding="utf-8")
    ran = run("rules", question, str(path))
    assert (ran.status, ran.err, json.loads(ran.out)) == (0, "", answer)
    ran = run("rules", question, "-", given=json.dumps(asked))
    assert (ran.status, json.loads(ran.out)) == (0, answer)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    ran = run("rules", "settle", str(tmp_path / "round.json"))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith("round.json: no such file; name one with a JSON document\n")
