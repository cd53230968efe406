"""The errors of the firmware, all in one small tree.

    UnderfeltError
    ├── BadInput (also a ValueError)    a document or setting that cannot be accepted
    ├── Refused                         an event that the rules of the table do not allow now
    ├── JournalError                    a journal that cannot be read, or is not this table's
    └── SelfTestFailed                  a part of the program that is not as it was released

Every error says in plain words what is wrong and where, so that people at the
table know what to do. Nothing here is caught or logged; that is up to the
caller.
"""


def named(key: str) -> str:
    """Write a key that somebody else chose so that it fits into one line of an error."""
    return key if key.isidentifier() else ascii(key)


class UnderfeltError(Exception):
    """Anything that Underfelt itself raises."""


class BadInput(UnderfeltError, ValueError):  # noqa: N818  # the word users see
    """A document that cannot be accepted: `field` says where, `reason` says why."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class Refused(UnderfeltError):  # noqa: N818  # the word dealers see
    """An event that is not possible now; the text tells the dealer why. Nothing has changed."""


class JournalError(UnderfeltError):
    """A journal that cannot be read or written, or that does not belong to this table."""


class SelfTestFailed(UnderfeltError):  # noqa: N818  # the words of the log
    """A part of the program itself is not what it was when it was released."""
