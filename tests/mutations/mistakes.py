"""The form of a mistake that is made on purpose; the mistakes are in `handmade.py` and `of_the_table.py`."""

from msgspec import Struct


class Mistake(Struct, frozen=True, kw_only=True):
    """One text of one file, and what stands there instead."""

    name: str
    file: str
    old: str
    new: str
    why: str
    """What it would do to a table."""
    tests: tuple[str, ...]

    def applied(self, source: str) -> str:
        """Give the file with the mistake in it."""
        count = source.count(self.old)
        assert count == 1, f"{self.name}: {self.file} has its text {count} times, not once"
        return source.replace(self.old, self.new)
