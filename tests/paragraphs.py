"""Says which paragraphs of the rule documents the table reaches, and which only people do.

    python -m tests.paragraphs

`rules/paragraphs.toml` lists the paragraphs that decide something, `table/paragraphs.toml` what becomes of all
others. A paragraph is reached when a scenario names it in its title, when a test of `tests/table/` is named
after it, or when the shadow table must have been there (`table/shadow/paragraphs.py`). A test of the rules core
reaches nothing: every paragraph that decides has one of those besides, which `test_paragraphs.py` holds.

A test module names the documents it proves in `DOCUMENTS`; a test in it belongs to the longest
paragraph its name begins with, in each of those documents that has it. Whether a test or a
scenario proves the paragraph is for its reader to judge, not for this script.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.table.shadow.paragraphs import REACHES

TESTS = Path(__file__).parent
PARAGRAPHS = TESTS / "rules" / "paragraphs.toml"
AT_THE_TABLE = TESTS / "table" / "paragraphs.toml"
SCENARIOS = TESTS.parent / "sim" / "scenarios"
ALSO_NAMED = "also-named"

_GAME_OF_A_TITLE = re.compile(r"# ([a-z-]+)(?: §|,)")
_PARAGRAPH = re.compile(r"§(\d+(?:\.\d+)+)")
_LEADING_NUMBERS = re.compile(r"test_(\d+(?:_\d+)+)(?:_|$)")


@dataclass(frozen=True)
class Module:
    """A test module that proves paragraphs of `documents`."""

    name: str
    folder: str
    documents: tuple[str, ...]
    tests: tuple[str, ...]


def deciding_paragraphs() -> dict[str, dict[str, str]]:
    """Give, for each game, the paragraphs that decide something, with a note on each."""
    listed = tomllib.loads(PARAGRAPHS.read_text(encoding="utf-8"))
    return {game: notes for game, notes in listed.items() if game != ALSO_NAMED}


def known_paragraphs(game: str) -> set[str]:
    """Give every paragraph of a game that a test may be named after."""
    listed = tomllib.loads(PARAGRAPHS.read_text(encoding="utf-8"))
    return {*listed[game], *listed[ALSO_NAMED].get(game, ()), *documents()[game].table}


@cache
def proving_modules() -> list[Module]:
    """Find the test modules that name the documents they prove."""
    modules = []
    for path in sorted(TESTS.rglob("test_*.py")):
        tree, folder = _parsed(path), path.relative_to(TESTS).parts[0]
        modules.append(Module(path.name, folder, tuple(_documents(tree)), _tests(tree)))
    return [module for module in modules if module.documents]


def leading_number(test: str) -> str | None:
    """Give the number a test's name begins with, written as a paragraph: `5.8.2`."""
    numbers = _LEADING_NUMBERS.match(test)
    return numbers[1].replace("_", ".") if numbers else None


def paragraph_of(test: str, paragraphs: Collection[str]) -> str | None:
    """Give the longest of the paragraphs that a test's name begins with."""
    number = leading_number(test)
    while number and number not in paragraphs:
        number = number.rpartition(".")[0]
    return number or None


def untested() -> dict[str, list[str]]:
    """Give, for each game, the deciding paragraphs that no test of the rules core is named after."""
    modules = [module for module in proving_modules() if module.folder == "rules"]
    missing = {}
    for game, paragraphs in deciding_paragraphs().items():
        tested = _named(modules, game, paragraphs)
        missing[game] = [paragraph for paragraph in paragraphs if paragraph not in tested]
    return missing


def _named(modules: Collection[Module], game: str, paragraphs: Collection[str]) -> set[str | None]:
    tests = [test for each in modules if game in each.documents for test in each.tests]
    return {paragraph_of(test, paragraphs) for test in tests}


# At the table


@dataclass(frozen=True)
class Document:
    """What becomes of every paragraph of one document; with a note, or a reason."""

    decides: dict[str, str]
    table: dict[str, str]
    people: dict[str, str]
    controller: dict[str, str]
    words: list[str]

    @property
    def to_reach(self) -> dict[str, str]:
        """What a table has to reach."""
        apart = {*self.people, *self.controller}
        listed = self.decides | self.table
        return {each: note for each, note in listed.items() if each not in apart}


@cache
def documents() -> dict[str, Document]:
    """Read what becomes of the paragraphs of each game's document."""
    lists = tomllib.loads(AT_THE_TABLE.read_text(encoding="utf-8"))
    return {
        game: Document(
            decides=decides,
            table=lists["table"].get(game, {}),
            people=lists["people"].get(game, {}),
            controller=lists["controller"].get(game, {}),
            words=lists["words"][game],
        )
        for game, decides in deciding_paragraphs().items()
    }


@cache
def reached(game: str) -> dict[str, list[str]]:
    """Give the paragraphs of a game that the table reaches, and by what."""
    found: dict[str, list[str]] = {}
    for path in sorted(SCENARIOS.rglob("*.table")):
        title = path.read_text(encoding="utf-8").partition("\n")[0]
        named = _GAME_OF_A_TITLE.match(title)
        if named and named[1] == game:
            for paragraph in _PARAGRAPH.findall(title):
                found.setdefault(paragraph, []).append(str(path.relative_to(SCENARIOS)))
    known = documents()[game].to_reach
    for module in proving_modules():
        if module.folder == "table":
            for paragraph in _named([module], game, known) - {None}:
                found.setdefault(str(paragraph), []).append(module.name)
    for paragraph in REACHES[game]:
        found.setdefault(paragraph, []).append("the shadow table")
    return found


def not_reached(game: str) -> list[str]:
    """Give the paragraphs that a table has to reach and does not."""
    found = reached(game)
    return [each for each in documents()[game].to_reach if each not in found]


def main() -> int:
    """Print what the table does not reach and what only people do; status 1 if anything is missing."""
    all_missing: list[str] = []
    for game, document in documents().items():
        missing = not_reached(game)
        for each in missing:
            print(f"{game} §{each} is not reached: {document.to_reach[each]}")
        for each, reason in document.people.items():
            print(f"{game} §{each} only people do: {reason}")
        for each, reason in document.controller.items():
            print(f"{game} §{each} is not the table's: {reason}")
        met = len(document.to_reach) - len(missing)
        print(
            f"{game}: the table reaches {met} of {len(document.to_reach)} paragraphs; "
            f"{len(document.people)} are for people, {len(document.controller)} for the jackpot "
            f"controller, {len(document.words)} say what words mean"
        )
        all_missing += missing
    return 1 if all_missing else 0


def _documents(tree: ast.Module, name: str = "DOCUMENTS") -> Iterator[str]:
    """Give the strings that a module's tuple holds, some by a name of their own."""
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=assigned)], value=value) if assigned == name:
                for node in ast.walk(value):
                    if isinstance(node, ast.Constant):
                        yield str(node.value)
                    elif isinstance(node, ast.Name):
                        yield from _documents(tree, node.id)
            case ast.ImportFrom(module=str(module), names=names):
                if name in {each.name for each in names}:
                    source = TESTS.parent.joinpath(*module.split(".")).with_suffix(".py")
                    yield from _documents(_parsed(source), name)
            case _:
                pass


def _tests(tree: ast.Module) -> tuple[str, ...]:
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return tuple(each.name for each in functions if each.name.startswith("test_"))


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


if __name__ == "__main__":
    sys.exit(main())
