"""Every paragraph of the documents is reached by the table, or a list says why it is not.

The lists are `tests/rules/paragraphs.toml` and `paragraphs.toml` here; what counts as reached is in
`tests/paragraphs.py`.
"""

from collections import Counter

import pytest

from tests.paragraphs import documents, not_reached, reached
from tests.table.shadow.paragraphs import REACHES

GAMES = sorted(documents())
LEAST_REASON = 15
"""Characters: a word is not a reason."""


@pytest.mark.parametrize("game", GAMES)
def test_the_table_reaches_every_paragraph_that_is_its_own(game: str) -> None:
    assert not_reached(game) == []


@pytest.mark.parametrize("game", GAMES)
def test_what_only_people_do_is_listed_with_a_reason_each(game: str) -> None:
    document = documents()[game]
    apart = document.people | document.controller
    assert [each for each, reason in apart.items() if len(reason) < LEAST_REASON] == []


@pytest.mark.parametrize("game", GAMES)
def test_what_only_people_do_is_reached_by_nothing(game: str) -> None:
    # A paragraph that a table reaches after all is not one for people alone.
    assert documents()[game].people.keys() & reached(game).keys() == set()


@pytest.mark.parametrize("game", GAMES)
def test_every_paragraph_is_in_one_list_alone(game: str) -> None:
    document = documents()[game]
    lists = [document.to_reach, document.people, document.controller, document.words]
    times = Counter(each for paragraphs in lists for each in paragraphs)
    assert [each for each, many in times.items() if many > 1] == []


@pytest.mark.parametrize("game", GAMES)
def test_what_reaches_a_paragraph_names_one_that_there_is(game: str) -> None:
    document = documents()[game]
    known = {*document.to_reach, *document.controller, *document.words}
    assert reached(game).keys() - known == set()
    assert REACHES[game].keys() <= document.to_reach.keys()


def test_a_test_of_the_rules_core_reaches_nothing() -> None:
    by = [each for game in GAMES for found in reached(game).values() for each in found]
    assert not [each for each in by if each.startswith("test_rws_stud_settlement")]
    assert {"the shadow table", "test_mbs_megalink_paragraphs.py"} <= set(by)
