"""Somebody else's text, made fit for one line of a display, a log or the journal."""

import re

LONGEST = 200
_NOT_PLAIN = re.compile(r"[^ -~\u00a1-\u024f\u2010-\u2027]+")
"""Letters of European languages and their punctuation stay; nothing that moves a cursor."""


def printable(text: str) -> str:
    """Shorten a text, with a question mark for anything that may not print."""
    return _NOT_PLAIN.sub("?", text)[:LONGEST]


def amount(cents: int, currency: str) -> str:
    """Write an amount as people read it, in the currency of the table."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{currency}{whole:,}.{rest:02}"
