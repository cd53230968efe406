"""Makes the pictures of `host_tools/README.md` from the real thing.

    python -m tests.host_tools.pictures host_tools/pictures

A floor plays while the tools look at it: the live view with hands face up, and the
diagnosis of a table whose panel is unplugged.
"""

import asyncio
import re
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from host_tools.watch.app import WatchApp
from sim.floor.floor import Floor, FloorSettings
from tests.host_tools.command import run

_SIZE = (168, 36)
_FONT_FACE = re.compile(r"@font-face \{.*?\}", re.DOTALL)


def save(path: Path, svg: str) -> None:
    """Save a picture that asks nobody for a font."""
    path.write_text(_FONT_FACE.sub("", svg).replace("Fira Code", "DejaVu Sans Mono"))


async def watched(floor: Floor, path: Path) -> None:
    """Save the live view when hands lie face up."""
    app = WatchApp([f"sim:{table.settings.name}" for table in floor.tables])
    playing = asyncio.create_task(floor.play())
    async with app.run_test(size=_SIZE) as pilot:
        while not any(  # noqa: ASYNC110  # a screen has no event for it
            panel.seen.table is not None and any(seat.cards for seat in panel.seen.table.seats)
            for panel in app.panels
        ):
            await asyncio.sleep(0.05)
        await pilot.pause()
        save(path, app.export_screenshot())
        await pilot.press("q")
    playing.cancel()


async def diagnosed(floor: Floor, path: Path) -> None:
    """Save the diagnosis of a table whose panel is unplugged."""
    floor.tables[0].panel.unplug()
    said = ""
    while "F201" not in said:
        ran = await asyncio.to_thread(
            run, "diagnose", "sim:T1", FORCE_COLOR="1", COLUMNS="118", TERM="xterm-256color"
        )
        said = ran.out
    console = Console(record=True, width=118, file=sys.stderr, force_terminal=True)
    console.print(Text.from_ansi(said.replace(str(floor.folder), "/run/floor")))
    save(path, console.export_svg(title="underfelt diagnose sim:T1"))


async def main(folder: Path) -> None:
    """Make all pictures."""
    with tempfile.TemporaryDirectory() as scratch:
        settings = FloorSettings(tables=2, pause_s=0.3)
        async with Floor(Path(scratch), settings) as floor:
            await watched(floor, folder / "watch.svg")
            await diagnosed(floor, folder / "diagnose.svg")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
