"""Reads a scenario file: a head that describes the table, then one sentence per line.

    # Anything after a hash is a comment; the first one is the title.
    table rws-multilink-stud, 5 seats, shoe
    open
    coins 1 3
    close
    deal
        seat 1: Ah Jh 9h 6h 3h
        dealer: As Kd 9c 7h 2s
    expect lamp 1 is steady

Indented lines belong to the sentence above them. The sentences are in `people.py`,
`mishaps.py` and `expectations.py`; this file knows only lines.
"""

import re
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.journal.regular_files import MOST_SETTINGS_BYTES, read_regular
from firmware.rules.games import GAMES

_SOURCES = {"shoe": "shoe", "shuffler": "shuffler", "by hand": "manual", "angel eye": "angel-eye"}
_WIRINGS = ("spot board", "pins and spot board")
_AMOUNT = re.compile(r"\$([0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.([0-9]{2}))?")
_MOST_DIGITS = 12
"""More than any bet or meter has."""
_SHOWN = 40
"""So much of something that is no amount is repeated."""
_SEATS = re.compile(r"([0-9]{1,3}) seats?")
_SETTINGS = (
    "meter",
    "ante",
    "jackpot bet",
    "bonus max",
    "policy",
    "lucky seat",
    "lucky dealer",
    "stuck after",
    "disk",
    "display",
)
_SEATS_SETTING, _SOURCE_SETTING = "number of seats", "card source"
WIRING_SETTING = "wiring"
_SETTING = re.compile(rf"({'|'.join(_SETTINGS)}) (.+)")
_HEAD_WORDS = (
    f"write '5 seats', one of {', '.join(_SOURCES)}, 'spot board', or a setting: {', '.join(_SETTINGS)}"
    " (sim/scenarios/README.md)"
)


class Mistake(Struct, frozen=True):
    """What is wrong with a line, in words."""

    line: int
    words: str


class Head(Struct, frozen=True, kw_only=True):
    """The table that a scenario is played on."""

    game: str
    seats: int = 5
    source: str = "shoe"
    settings: dict[str, str] = field(default_factory=dict)
    line: int = 1
    lines: dict[str, int] = field(default_factory=dict)
    """Where each setting is."""
    wrong: tuple[Mistake, ...] = ()
    """What does not describe a table."""


class Sentence(Struct, frozen=True):
    """One sentence, its line number, and the lines that belong to it."""

    line: int
    text: str
    block: tuple[str, ...] = ()
    block_lines: tuple[int, ...] = ()
    """The line numbers of the block."""


class Scenario(Struct, frozen=True):
    """A whole file."""

    path: Path
    title: str
    head: Head
    sentences: tuple[Sentence, ...]


def read_scenario(path: Path) -> Scenario:
    """Read a scenario file; an error names the line that is not understood."""
    return parse_scenario(read_text(path), path)


def read_text(path: Path) -> str:
    """Read the text of a file of sentences."""
    try:
        return read_regular(path, MOST_SETTINGS_BYTES).decode()
    except OSError as error:
        raise BadInput(str(path), f"cannot be read: {error.strerror}; check its name") from None
    except UnicodeDecodeError:
        raise BadInput(str(path), "not UTF-8 text; save it as UTF-8") from None


def parse_scenario(text: str, path: Path) -> Scenario:
    """Split the text of a scenario into sentences."""
    title = next((line.lstrip("# ") for line in text.splitlines() if line.startswith("#")), "")
    sentences = parse_sentences(text, path)
    if not sentences or not sentences[0].text.startswith("table "):
        raise BadInput(
            f"{path}:1", "the first sentence must name the table: 'table <game>, 5 seats, shoe'"
        )
    head = _head(sentences[0], path)
    return Scenario(path, title or path.stem, head, tuple(sentences[1:]))


def parse_sentences(text: str, path: Path) -> list[Sentence]:
    """Split a text into sentences, each with the indented lines below it."""
    sentences: list[Sentence] = []
    for number, line in enumerate(text.splitlines(), start=1):
        said = line.partition("#")[0].rstrip()
        if not said:
            continue
        if not said[0].isspace():
            sentences.append(one_line(said, number))
        elif sentences:
            last = sentences[-1]
            block = (*last.block, " ".join(said.split()))
            sentences[-1] = replace(last, block=block, block_lines=(*last.block_lines, number))
        else:
            raise BadInput(
                f"{path}:{number}",
                "an indented line needs a sentence above it; begin the line at the margin",
            )
    return sentences


def one_line(text: str, line: int = 1) -> Sentence:
    """Read a sentence that somebody types; the hands of a deal come after semicolons."""
    said = " ".join(text.partition("#")[0].split())
    if not said.startswith("deal"):
        return Sentence(line, said)
    deal, *hands = (part.strip() for part in said.split(";"))
    block = tuple(hand for hand in hands if hand)
    return Sentence(line, deal, block, (line,) * len(block))


def _head(sentence: Sentence, path: Path) -> Head:
    game, *rest = (part.strip() for part in sentence.text.removeprefix("table ").split(","))
    where = f"{path}:{sentence.line}"
    if game not in GAMES:
        raise BadInput(where, f"{game!r} is not a game; the games are {', '.join(GAMES)}")
    said: dict[str, str] = {}
    lines: dict[str, int] = {}
    wrong: list[Mistake] = []
    numbers = (*(sentence.line for _ in rest), *sentence.block_lines)
    for line, part in zip(numbers, (*rest, *sentence.block), strict=True):
        described = _described(part)
        if described is None:
            wrong.append(Mistake(line, f"{part!r} does not describe a table; {_HEAD_WORDS}"))
        elif described[0] in said:
            wrong.append(
                Mistake(line, f"{part!r} gives the {described[0]} a second time; keep one")
            )
        else:
            lines[described[0]] = line
            said[described[0]] = described[1]
    return Head(
        game=game,
        seats=int(said.pop(_SEATS_SETTING, "5")),
        source=said.pop(_SOURCE_SETTING, "shoe"),
        settings=said,
        line=sentence.line,
        lines=lines,
        wrong=tuple(wrong),
    )


def _described(part: str) -> tuple[str, str] | None:
    """Return what a part of the head says of the table, and how; None if it says nothing."""
    if part in _SOURCES:
        return _SOURCE_SETTING, _SOURCES[part]
    if part in _WIRINGS:
        return WIRING_SETTING, part
    if found := _SEATS.fullmatch(part):
        return _SEATS_SETTING, found[1]
    if found := _SETTING.fullmatch(part):
        return found[1], found[2]
    return None


def cents(text: str) -> int:
    """Read an amount of money: `$25`, `$1,234.50`."""
    found = _AMOUNT.fullmatch(text)
    if found is None:
        raise BadInput(text[:_SHOWN] or "nothing", "not an amount; write it as $25 or $1,234.50")
    whole = found[1].replace(",", "").lstrip("0")
    if len(whole) > _MOST_DIGITS:
        raise BadInput(text[:_SHOWN], f"too large; an amount has at most {_MOST_DIGITS} digits")
    return int(whole or "0") * 100 + int(found[2] or 0)
