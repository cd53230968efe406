"""The documents for developers are true: every file, module and function they name is there.

The READMEs of the tools and the simulator are tested beside those.
"""

import ast
import re
import tomllib
from datetime import date
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from firmware.protocol.version import VERSION

ROOT = Path(__file__).parent.parent
GUIDES = ("README.md", "CONTRIBUTING.md", "firmware/ARCHITECTURE.md")
CODE = ("firmware", "host_tools", "sim", "hw", "tests")

_QUOTED = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"[\w./-]+\.(?:py|md|toml|yaml|svg|json)|(?:[\w.-]+/)+")
_CALL = re.compile(r"(\w+)\.(\w+)")
_LINK = re.compile(r"\]\(([^)#:]+)\)")


def quoted(document: str) -> list[str]:
    """List what a document says in backticks, but for blocks of code."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return _QUOTED.findall(re.sub(r"```.*?```", "", text, flags=re.DOTALL))


def is_there(path: str) -> bool:
    """Tell whether a file or folder is there: seen from the root, a room, or by its name alone."""
    seen_from = (ROOT, ROOT / "firmware", ROOT / "firmware/rules", ROOT / "firmware/table")
    if any((folder / path).exists() for folder in seen_from):
        return True
    return "/" not in path and any(any((ROOT / room).rglob(path)) for room in CODE)


@cache
def definitions() -> dict[str, set[str]]:
    """Collect what each module, and each class, of the firmware defines."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / "firmware").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found.setdefault(path.stem, set()).update(_names(tree))
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, set()).update(_names(node))
    return found


def _names(node: ast.Module | ast.ClassDef) -> set[str]:
    names: set[str] = set()
    for each in node.body:
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(each.name)
        elif isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            names.add(each.target.id)
        elif isinstance(each, ast.Assign):
            names |= {target.id for target in each.targets if isinstance(target, ast.Name)}
    return names


@pytest.mark.parametrize("document", GUIDES)
def test_every_path_that_a_document_names_is_there(document: str) -> None:
    named = [text for text in quoted(document) if _PATH.fullmatch(text)]
    links = _LINK.findall((ROOT / document).read_text(encoding="utf-8"))
    assert named or links
    assert [path for path in named if not is_there(path)] == []
    assert [link for link in links if not ((ROOT / document).parent / link).exists()] == []


def test_every_function_that_the_architecture_names_is_there() -> None:
    known, wrong, checked = definitions(), [], 0
    for text in quoted("firmware/ARCHITECTURE.md"):
        match = _CALL.fullmatch(re.sub(r"\(.*\)$", "", text))
        if match is None or match[1] not in known or match[2] in {"py", "md", "log"}:
            continue
        checked += 1
        if match[2] not in known[match[1]]:
            wrong.append(text)
    assert checked > 20
    assert wrong == []


def listed_modules() -> dict[str, set[str]]:
    """Read the table of rooms in CONTRIBUTING: the modules that it lists for each."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(firmware/[\w/]*)`[^|]*\| ([^|]*) \|", text, flags=re.MULTILINE)
    return {room: set(_QUOTED.findall(modules)) for room, modules in rows}


@pytest.mark.parametrize("room", [room for room in listed_modules() if room != "firmware/rules/"])
def test_contributing_lists_every_module_of_a_room_and_no_other(room: str) -> None:
    there = {path.stem for path in (ROOT / room).glob("*.py")} - {"__init__"}
    assert listed_modules()[room] == there


def test_contributing_names_every_module_of_the_rules() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    inside = text[text.index("Inside `firmware/rules/`") : text.index("**A game is data.**")]
    there = {path.stem for path in (ROOT / "firmware/rules").glob("*.py")} - {"__init__"}
    assert there <= set(_QUOTED.findall(inside))


def test_contributing_lists_every_room_of_the_firmware() -> None:
    rooms = {
        f"{path.parent.relative_to(ROOT)}/" for path in (ROOT / "firmware").rglob("__init__.py")
    }
    assert set(listed_modules()) == rooms - {"firmware/rules/games/"}


# The version


def test_the_newest_version_of_the_changelog_is_the_software_s_and_each_has_a_date() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", changes, re.MULTILINE)
    dated = [re.fullmatch(r"(\d+\.\d+\.\d+) – (\d{4}-\d\d-\d\d)", each) for each in headings]
    assert None not in dated
    versions = [tuple(map(int, each[1].split("."))) for each in dated if each]
    assert versions == sorted(versions, reverse=True)
    dates = [date.fromisoformat(each[2]) for each in dated if each]
    assert dates == sorted(dates, reverse=True)
    assert headings[0].startswith(f"{VERSION} – ")


def test_the_package_has_the_version_that_the_software_reports() -> None:
    described = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert described["project"]["dynamic"] == ["version"]
    attribute = described["tool"]["setuptools"]["dynamic"]["version"]["attr"]
    module, _, name = attribute.rpartition(".")
    assert getattr(import_module(module), name) == VERSION
