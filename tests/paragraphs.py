"""Says which paragraphs of the rule documents no test is named after.

    python -m tests.paragraphs

`rules/paragraphs.toml` lists the paragraphs that decide something. A test module
names the documents it proves in `DOCUMENTS`; a test in it belongs to the longest
paragraph its name begins with, in each of those documents that has it. Whether
the test proves the paragraph is for its reader to judge, not for this script.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).parent
PARAGRAPHS = TESTS / "rules" / "paragraphs.toml"
ALSO_NAMED = "also-named"

_LEADING_NUMBERS = re.compile(r"test_(\d+(?:_\d+)+)(?:_|$)")


@dataclass(frozen=True)
class Module:
    """A test module that proves paragraphs of `documents`."""

    name: str
    documents: tuple[str, ...]
    tests: tuple[str, ...]


def deciding_paragraphs() -> dict[str, dict[str, str]]:
    """Give, for each game, the paragraphs that decide something, with a note on each."""
    listed = tomllib.loads(PARAGRAPHS.read_text(encoding="utf-8"))
    return {game: notes for game, notes in listed.items() if game != ALSO_NAMED}


def known_paragraphs(game: str) -> set[str]:
    """Give every paragraph of a game that a test may be named after."""
    listed = tomllib.loads(PARAGRAPHS.read_text(encoding="utf-8"))
    return {*listed[game], *listed[ALSO_NAMED].get(game, ())}


def proving_modules() -> list[Module]:
    """Find the test modules that name the documents they prove."""
    trees = [(path.name, _parsed(path)) for path in sorted(TESTS.rglob("test_*.py"))]
    modules = [Module(name, tuple(_documents(tree)), _tests(tree)) for name, tree in trees]
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
    """Give, for each game, the deciding paragraphs that no test is named after."""
    modules = proving_modules()
    missing = {}
    for game, paragraphs in deciding_paragraphs().items():
        tests = [test for each in modules if game in each.documents for test in each.tests]
        tested = {paragraph_of(test, paragraphs) for test in tests}
        missing[game] = [paragraph for paragraph in paragraphs if paragraph not in tested]
    return missing


def main() -> int:
    """Print what is missing; the exit status is 1 if anything is."""
    missing = untested()
    for game, paragraphs in deciding_paragraphs().items():
        lines = [f"{game} §{each} has no test: {paragraphs[each]}" for each in missing[game]]
        tested = len(paragraphs) - len(missing[game])
        lines.append(f"{game}: {tested} of {len(paragraphs)} paragraphs have a test")
        sys.stdout.write("\n".join(lines) + "\n")
    return 1 if any(missing.values()) else 0


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
