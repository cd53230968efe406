"""The catalogue of faults as entries: the same for the terminal and for `hw/faults.md`.

Two kinds: faults, with a number, and the reasons why the jackpot link is down, which have none.
"""

from collections.abc import Iterator

from msgspec import Struct

from firmware.protocol.fault_catalogue import FAULTS
from firmware.protocol.link_problems import LINK_REMEDIES
from firmware.rules.words import spaced
from host_tools.faults.meanings import ENDS_WORDS, LINK_MEANINGS, LOCK_WORDS, MEANINGS


class Entry(Struct, frozen=True, kw_only=True):
    """One fault, or one reason why the link is down."""

    number: str
    name: str
    what: str
    means: str
    check: str
    stops: str
    cleared_by: str

    def facts(self) -> Iterator[tuple[str, str]]:
        """Give what is told about it, each with its title."""
        yield "means", self.means
        yield "check", self.check
        yield "stops", self.stops
        yield "cleared by", self.cleared_by


def entries() -> list[Entry]:
    """List all faults by number, then why the link may be down."""
    return [*_faults(), *_link_problems()]


def _faults() -> Iterator[Entry]:
    for code, fault in sorted(FAULTS.items(), key=lambda each: each[1].number):
        yield Entry(
            number=fault.number,
            name=code,
            what=fault.what,
            means=MEANINGS[code],
            check=_sentence(fault.remedy),
            stops=LOCK_WORDS[fault.lock],
            cleared_by=ENDS_WORDS[fault.ends],
        )


def _link_problems() -> Iterator[Entry]:
    for code, remedy in LINK_REMEDIES.items():
        yield Entry(
            number="",
            name=code,
            what=f"The jackpot link is down: {spaced(code)}",
            means=LINK_MEANINGS[code],
            check=_sentence(remedy.format(certificate="the path under [link]")),
            stops="no jackpot bets; what the game's rules say of a round under way",
            cleared_by=ENDS_WORDS["by_itself"],
        )


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
