"""The lists of irregularities, facts and options in `hw/line-protocol.md`, made from the data."""

from collections.abc import Iterator

from firmware.rules.ruling import NEEDED_FACTS
from firmware.rules.words import IRREGULARITIES, OPTIONS
from firmware.table.report_menu import FACTS, KNOWN_TO_THE_TABLE


def reports() -> str:
    """Write the lists."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "| `KEY REPORT` | facts | what it is |"
    yield "|---|---|---|"
    for kind, facts in NEEDED_FACTS.items():
        named = [f"[`{name}`]" if name in KNOWN_TO_THE_TABLE else f"`{name}`" for name in facts]
        yield f"| `{kind}` | {', '.join(named) or '–'} | {IRREGULARITIES[kind]} |"
    yield ""
    yield "| fact | value | asks |"
    yield "|---|---|---|"
    for name, question in FACTS.items():
        yield f"| `{name}` | {_value(name)} | {question.words} |"
    for name, words in KNOWN_TO_THE_TABLE.items():
        yield f"| `{name}` | `yes` or `no` | {words} |"
    yield ""
    yield "| `KEY CHOOSE` | what it means |"
    yield "|---|---|"
    for option, words in OPTIONS.items():
        yield f"| `{option}` | {words} |"


def _value(name: str) -> str:
    if FACTS[name].several:
        return "seats with commas"
    if not FACTS[name].answers:
        return "a seat"
    return "a number" if name == "count" else "`yes` or `no`"
