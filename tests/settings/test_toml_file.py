"""Whatever a file says, it fits or there is one line about it: a search over damaged documents.

The sentences themselves are asserted in `test_table_file.py`.
"""

import tomllib
from copy import deepcopy
from datetime import UTC, date, datetime, time
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.errors import BadInput
from firmware.settings import toml_file
from firmware.settings.table_file import TableFile
from tests.settings.bad_table_files import GOOD, STAFF

DOCUMENT = tomllib.loads(GOOD + STAFF)
KEYS = st.text(max_size=12) | st.sampled_from(
    ["seats", "seat", "pin", "a` - at `$.table", "[0]", "$", "table.seats", "a\nb"]
)
VALUES = st.recursive(
    st.integers()
    | st.booleans()
    | st.floats()
    | st.text(max_size=60)
    | st.sampled_from([date(2026, 1, 1), time(1), datetime(2026, 1, 1, tzinfo=UTC)]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=2),
    max_leaves=4,
)


def places(node: Any) -> list[tuple[Any, Any]]:  # noqa: ANN401  # whatever TOML has
    """List every place of a document, as its container and its key there."""
    if isinstance(node, dict):
        own: list[tuple[Any, Any]] = [(node, key) for key in node]
    elif isinstance(node, list):
        own = [(node, number) for number in range(len(node))]
    else:
        return []
    return own + [place for container, key in own for place in places(container[key])]


@st.composite
def damaged(draw: st.DrawFn) -> dict[str, Any]:
    """Take the good document and change, remove or add something in it, once or twice."""
    document = deepcopy(DOCUMENT)
    for _ in range(draw(st.integers(1, 2))):
        container, key = draw(st.sampled_from(places(document)))
        what = draw(st.sampled_from(["change", "remove", "add"]))
        if what == "remove":
            del container[key]
        elif what == "change" or isinstance(container, list):
            container[key] = draw(VALUES)
        else:
            container[draw(KEYS)] = draw(VALUES)
        if not document:
            break
    return document


@settings(max_examples=500)
@given(damaged())
def test_a_damaged_file_fits_or_is_one_printable_line(document: dict[str, Any]) -> None:
    try:
        toml_file.fit("T1.toml", document, TableFile, {})
    except BadInput as error:
        text = str(error)
        assert text.startswith("T1.toml: ")
        assert text.isprintable()
        assert "`int`" not in text
        assert "$.table.seats" not in text
