"""Who may import whom, read from the source of the whole tree, and what lies at its top.

The table below is the design's: the most specific row decides, and a folder that does
not exist yet is simply not found. What the parts do is no business of this file.
"""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = ("firmware", "host_tools", "hw", "sim", "tests")

_BETWEEN = (
    "firmware.errors",
    "firmware.protocol",
    "firmware.rules.contract",
    "firmware.table.effects",
    "firmware.table.events",
    "firmware.table.intake",
)
"""What whoever stands between the table and the world may know of it."""
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "firmware.errors": (),
    "firmware.rules": ("firmware.errors", "firmware.rules"),
    "firmware.protocol": ("firmware.protocol", "firmware.rules"),
    "firmware.table": (
        "firmware.errors",
        "firmware.protocol",
        "firmware.rules",
        "firmware.table",
    ),
    "firmware.devices": ("firmware.devices", "firmware.table.questions", *_BETWEEN),
    # The CRC of an interpreter that has none: the other direction of what the two rooms share.
    "firmware.devices.line": ("firmware.spot_board.crc",),
    # Only what runs on MicroPython too, and types.
    "firmware.spot_board": (
        "firmware.devices.lamp_patterns",
        "firmware.devices.line",
        "firmware.devices.sensing",
        "firmware.devices.sensor_limits",
        "firmware.spot_board",
        "firmware.table.effects",
    ),
    "firmware.journal": ("firmware.errors", "firmware.journal", "firmware.table.events"),
    "firmware.link": ("firmware.link", *_BETWEEN),
    # The settings of a part are described beside that part.
    "firmware.settings": (
        "firmware.devices.bootsel",
        "firmware.devices.card_source",
        "firmware.devices.sensor_limits",
        "firmware.errors",
        "firmware.journal.regular_files",
        "firmware.link.settings",
        "firmware.link.tls",
        "firmware.maintenance",
        "firmware.protocol",
        "firmware.rules",
        "firmware.settings",
        "firmware.table.settings",
    ),
    "firmware.maintenance": (
        "firmware.devices",
        "firmware.errors",
        "firmware.journal",
        "firmware.link",
        "firmware.maintenance",
        "firmware.protocol",
        "firmware.rules",
        "firmware.settings.staff",
        # What each of our commands does about its arguments and streams, the bridge too.
        "firmware.shell.command_line",
        "firmware.table",
    ),
    "firmware.shell": ("firmware",),
    "firmware": ("firmware",),
    "host_tools": ("firmware", "host_tools"),
    # One drawing of a table, for the live view and for the simulator's floor.
    "sim": ("firmware", "host_tools.watch", "sim"),
    "hw": (),
    # What runs on the board before its program does, and starts that.
    "hw.spot_board_image.frozen": ("firmware.spot_board.start",),
    "tests": ("firmware", "host_tools", "sim", "tests"),
}
"""What the modules of each package may import of this project."""

TOP_LEVEL = {
    ".ci",
    ".gitignore",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "firmware",
    "host_tools",
    "hw",
    "pyproject.toml",
    "sim",
    "tests",
}


def module_name(path: Path) -> str:
    """Give the dotted name of a source file; a package has the name of its folder."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = sorted(path for folder in PROJECT for path in (ROOT / folder).rglob("*.py"))
MODULES = {module_name(path) for path in SOURCES}
assert len(MODULES) > 30, "the tree was not found"


def within(module: str, package: str) -> bool:
    """Tell whether a module is a package or lies in it."""
    return module == package or module.startswith(f"{package}.")


def row_of(module: str) -> str:
    """Give the most specific row of the table for a module."""
    return max((row for row in MAY_IMPORT if within(module, row)), key=len)


def imported(path: Path) -> Iterator[str]:
    """Give every module of this project that a source file imports, anywhere in it."""
    module = module_name(path)
    package = module if path.stem == "__init__" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            for alias in node.names:
                inside = f"{base}.{alias.name}"
                yield inside if inside in MODULES else base


def _absolute(node: ast.ImportFrom, package: str) -> str:
    """Write out where a relative import points to."""
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    base = parts[: len(parts) - node.level + 1]
    return ".".join([*base, node.module] if node.module else base)


def test_a_module_imports_only_what_its_folder_may() -> None:
    assert list(map(" imports ".join, _not_allowed())) == []


def _not_allowed() -> Iterator[tuple[str, str]]:
    for path in SOURCES:
        module = module_name(path)
        allowed = MAY_IMPORT[row_of(module)]
        for name in imported(path):
            ours = name.partition(".")[0] in PROJECT
            if ours and not any(within(name, each) for each in allowed):
                yield module, name


@pytest.mark.parametrize("row", MAY_IMPORT)
def test_only_tests_may_import_what_stands_outside_the_firmware_but_for_the_drawing(
    row: str,
) -> None:
    outside = [each for each in MAY_IMPORT[row] if not within(each, "firmware")]
    drawing = ["host_tools.watch"] if row == "sim" else []
    assert row == "tests" or [each for each in outside if each != row] == drawing


def test_the_simulator_draws_tables_without_the_app_of_the_live_view() -> None:
    sources = (path for path in SOURCES if module_name(path).startswith("sim."))
    assert not any("host_tools.watch.app" in imported(path) for path in sources)


@pytest.mark.parametrize(
    ("module", "row"),
    [
        ("firmware.rules.games.rws", "firmware.rules"),
        ("firmware.errors", "firmware.errors"),
        ("firmware.shell.runtime", "firmware.shell"),
        ("firmware.table.irregularities.rulings", "firmware.table"),
        ("firmware", "firmware"),
        ("sim.rounds", "sim"),
    ],
)
def test_the_most_specific_row_decides(module: str, row: str) -> None:
    assert row_of(module) == row


# ── what importing the rules costs ───────────────────────────────────────────

_NEW_MODULES = """
import json, sys
fresh = set(sys.modules)
import msgspec
with_msgspec = set(sys.modules)
import firmware.rules.documents
print(json.dumps([sorted(set(sys.modules) - known) for known in (fresh, with_msgspec)]))
"""
LEFT_OUT = {"asyncio", "random", "rich", "secrets", "selectors", "socket", "ssl", "typer"}


@pytest.fixture(scope="module")
def brought_in() -> list[set[str]]:
    """Give the top-level modules new to a fresh interpreter, and to one that has msgspec."""
    loaded = subprocess.run(
        [sys.executable, "-c", _NEW_MODULES], cwd=ROOT, capture_output=True, check=True
    )
    return [{name.partition(".")[0] for name in names} for names in json.loads(loaded.stdout)]


def test_the_rules_bring_in_no_third_party_but_msgspec(brought_in: list[set[str]]) -> None:
    _, beside_msgspec = brought_in
    assert beside_msgspec - sys.stdlib_module_names - {"msgspec"} == {"firmware"}


def test_the_rules_bring_in_no_network_and_no_random_source(brought_in: list[set[str]]) -> None:
    everything, _ = brought_in
    assert everything & LEFT_OUT == set()


# ── the top of the tree ──────────────────────────────────────────────────────


def test_nothing_but_the_entry_and_the_errors_stands_at_the_top_of_the_firmware() -> None:
    assert {path.name for path in (ROOT / "firmware").glob("*.py")} == {
        "__init__.py",
        "__main__.py",
        "errors.py",
    }


def test_the_top_level_is_the_fixed_list() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone: git knows what belongs to the tree")
    known = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],  # noqa: S607  # any git
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    assert {line.partition("/")[0] for line in known.stdout.splitlines()} == TOP_LEVEL
