"""Every paragraph that decides something has a test, and every test names a paragraph.

The paragraphs are listed in `paragraphs.toml`; what the table reaches of them is held in
`tests/table/test_paragraphs.py`. What the tests prove is their own
business: here only their names are held against the list.
"""

import pytest

from tests.paragraphs import (
    Module,
    deciding_paragraphs,
    known_paragraphs,
    leading_number,
    paragraph_of,
    proving_modules,
    untested,
)

GAMES = {
    "rws-multilink-stud",
    "rws-casino-stud",
    "mbs-megalink-stud",
    "mbs-singapore-stud",
    "rws-holdem",
}


def test_the_list_knows_the_five_games_and_no_other() -> None:
    assert set(deciding_paragraphs()) == GAMES


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_deciding_paragraph_has_a_test(game: str) -> None:
    assert untested()[game] == []


@pytest.mark.parametrize("module", proving_modules(), ids=lambda module: str(module.name))
def test_every_module_names_known_documents(module: Module) -> None:
    assert set(module.documents) <= GAMES


@pytest.mark.parametrize("module", proving_modules(), ids=lambda module: str(module.name))
def test_every_numbered_test_names_a_paragraph_of_its_documents(module: Module) -> None:
    known = set().union(*map(known_paragraphs, module.documents))
    numbered = [test for test in module.tests if leading_number(test)]
    assert [test for test in numbered if leading_number(test) not in known] == []


@pytest.mark.parametrize(
    ("test", "paragraph"),
    [
        ("test_5_8_2_two_cards_exposed", "5.8.2"),
        ("test_5_8_7_wrong_count", "5.8"),
        ("test_5_8_any_of_them", "5.8"),
        ("test_5_9_no_burn", None),
        ("test_5_81_no_such_paragraph", None),
        ("test_i9_hidden_hand", None),
        ("test_58_2_typo", None),
        ("test_5_all_of_the_section", None),
    ],
)
def test_a_test_belongs_to_the_longest_paragraph_its_name_begins_with(
    test: str, paragraph: str | None
) -> None:
    assert paragraph_of(test, {"5.8", "5.8.2"}) == paragraph
