"""The errors of the firmware, all in one small tree.

    UnderfeltError
    └── BadInput (also a ValueError)    a document or setting that cannot be accepted

Every error says in plain words what is wrong and where, so that whoever reads
it at the table knows what to do. Nothing here is caught or logged; that is the
business of the caller.
"""


class UnderfeltError(Exception):
    """Whatever Underfelt itself raises."""


class BadInput(UnderfeltError, ValueError):  # noqa: N818  # the word users see
    """A document that cannot be accepted: `field` says where, `reason` says why."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason
