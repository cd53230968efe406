"""The licence notices of everything that is in the image, as one text that goes with it.

Debian's and MicroPython's own summaries, and every copyright notice that stands in a file which the compiler
has read: what is left out of the image by the linker is named too, and nothing that is in it is not.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from sim.emulator.steps import BuildError, run_program

_TOOLCHAIN = Path("/usr/share/doc")
_LINE = "=" * 80
_COMMENT = re.compile(r"/\*.*?\*/|(?:^[ \t]*//[^\n]*\n)+", re.DOTALL | re.MULTILINE)
_DECORATION = re.compile(r"^[\s/*|#=-]+|[\s*|=/-]+$")
_HOLDER = re.compile(r"copyright\b.*(\d{4}|:)|\(c\)\s*\d{4}", re.IGNORECASE)
_PART_OF = re.compile(r"^(This file is part of|Copyright)", re.IGNORECASE)


def collect(sources: Path, build: Path, licence: Path) -> str:
    """Return the text, for an image that has been built in a folder from sources."""
    parts = [
        ("Underfelt: the spot board's program", licence),
        ("MicroPython", sources / "micropython/LICENSE"),
        ("Raspberry Pi Pico SDK", sources / "doc/pico-sdk-source/copyright"),
        ("TinyUSB", sources / "doc/tinyusb-source/copyright"),
        ("newlib, the C library", _TOOLCHAIN / "libnewlib-arm-none-eabi/copyright"),
        ("libgcc, of the compiler", _compiler_notices()),
    ]
    said = [f"{_LINE}\n{title}\n{_LINE}\n\n{read(file).strip()}\n" for title, file in parts]
    said.append(f"{_LINE}\nNotices in the files that the image is compiled from\n{_LINE}\n")
    said.extend(gather(_files_read(sources, build)))
    return "\n".join(said)


def _compiler_notices() -> Path:
    """Return where Debian has GCC's own notices; those of the package for ARM only point there."""
    found = sorted(_TOOLCHAIN.glob("gcc-[0-9]*-base/copyright"))
    return found[0] if found else _TOOLCHAIN / "gcc-base/copyright"


def _files_read(sources: Path, build: Path) -> list[Path]:
    """List the files of the sources that the compiler has read, headers too."""
    lines = run_program("ninja", "-C", build, "-t", "deps").splitlines()
    named = {Path(build, line.strip()).resolve() for line in lines if line.startswith("    ")}
    ours = sources.resolve()
    found = sorted(file for file in named if file.is_relative_to(ours))
    if not found:
        raise BuildError("the build does not tell which files it has read")
    return found


def gather(files: Iterable[Path]) -> Iterator[str]:
    """Give each wording once, under all who hold a copyright with it."""
    wordings: dict[str, set[str]] = {}
    for file in files:
        for comment in _COMMENT.findall(read(file)):
            if not _HOLDER.search(comment):
                continue
            lines = [_DECORATION.sub("", line) for line in comment.splitlines()]
            holders = {line for line in lines if _HOLDER.search(line)}
            wording = "\n".join(line for line in lines if line and not _PART_OF.match(line))
            wordings.setdefault(wording, set()).update(holders)
    for wording in sorted(wordings, key=lambda each: (min(wordings[each]), each)):
        yield "\n".join([*sorted(wordings[wording]), "", wording, "", "-" * 80])


def read(file: Path) -> str:
    """Read a notice, or a file that may have one."""
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        raise BuildError(
            f"the notices for the image are not at {file}; is its package installed?"
        ) from None
