"""How large what comes from outside may be: numbers, texts, lists.

Whatever is read from the link, a device, a socket or the journal has one of these types, so that
nothing larger gets in: a number beyond 64 bits can be neither kept by a database nor written down
with the table's state. `tests/protocol/test_bounds.py` looks for a type without a bound.
"""

from typing import Annotated, TypeAlias, TypeVar

from msgspec import Meta

Entry = TypeVar("Entry")

MOST_WHOLE = 2**53
"""Every reader of JSON keeps whole numbers exactly up to this (contract 1.8)."""
MOST_RECORD = 10**12
"""More records than a journal can have: a thousand a second for thirty years (contract 7.5)."""
MOST_CHARACTERS = 65_536
"""A message has no more bytes (contract 1.8)."""
MOST_WORD_CHARACTERS = 128
"""An id has no more characters (contract 3.1), nor has a signature."""
MOST_ENTRIES = 1_000
"""More than fit into a message."""

Whole = Annotated[int, Meta(ge=-MOST_WHOLE, le=MOST_WHOLE)]
"""A time, or a number that is judged where it is used."""
Count = Annotated[int, Meta(ge=0, le=MOST_WHOLE)]
RecordNumber = Annotated[int, Meta(ge=0, le=MOST_RECORD)]
"""A record of a journal, counted from 1; 0 is none."""
Tally = Annotated[int, Meta(ge=0, le=MOST_RECORD)]
"""How many rounds or contributions a journal has: far from what a count after it may be."""
Percent = Annotated[int, Meta(ge=1, le=100)]
Word = Annotated[str, Meta(max_length=MOST_WORD_CHARACTERS)]
"""A name, an id, a code."""
Text = Annotated[str, Meta(max_length=MOST_CHARACTERS)]
"""Something for people to read; what is shown of it is cut where it is shown."""
Several: TypeAlias = Annotated[tuple[Entry, ...], Meta(max_length=MOST_ENTRIES)]
