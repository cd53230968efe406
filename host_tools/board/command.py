"""`underfelt board`: a spot board at the end of its cable: who is there, and a new program for it.

Only what is typed is here; `showing.py`, `flashing.py` and `imaging.py` do it, and are imported when needed.
"""

from pathlib import Path
from typing import Annotated

import typer

from firmware.errors import BadInput
from host_tools.plain_text import print_help_alone

app = typer.Typer()
_TARGETS = ("sim:", "unix:", "ssh:")
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]


@app.callback(invoke_without_command=True)
def board(context: typer.Context) -> None:
    """Show a spot board, or put a new program on it."""
    print_help_alone(context)


@app.command()
def show(
    place: Annotated[
        str,
        typer.Argument(
            metavar="TARGET|PORT",
            help="A running table (sim:NAME, unix:PATH or ssh://USER@HOST), or the port of a board "
            "that no table uses.",
        ),
    ],
    *,
    json: Json = False,
) -> None:
    """Show who is there: version, program, session, limits, and what each input senses.

    Exit status: 0 a spot board in order, 1 something that a table cannot use, 2 the command was not
    carried out, 3 nobody answers.

    underfelt board show /dev/underfelt/spots

    underfelt board show ssh://pi@table7 --json
    """
    if not place.strip():
        raise BadInput(
            "TARGET|PORT", "is empty; name a table, or the board's port (/dev/underfelt/spots)"
        )
    # Imported here, so that the help does not wait for it.
    from host_tools.board import showing  # noqa: PLC0415
    from host_tools.board.cable import SerialCable  # noqa: PLC0415

    shown = (
        showing.at_table(place)
        if place.startswith(_TARGETS)
        else showing.at_port(SerialCable(place))
    )
    raise typer.Exit(showing.tell(shown, json=json))


@app.command()
def flash(
    port: Annotated[
        str | None,
        typer.Argument(metavar="PORT", help="The port of the board; no table may be using it."),
    ] = None,
    *,
    image: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.UF2",
            help="Write this image, which has MicroPython and a program, to a Pico that waits in "
            "BOOTSEL.",
        ),
    ] = None,
    drive: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="With --image: where the drive RPI-RP2 is mounted."),
    ] = None,
    empty: Annotated[
        bool,
        typer.Option("--format", help="Empty the board's file system first, if it is full."),
    ] = False,
    json: Json = False,
) -> None:
    """Put the program of this installation on a spot board; the old one stays until the new one runs.

    It is sent to the slot that is not in use, read back, and tried; the board keeps it once it has
    greeted and was asked who it is. Else the old one runs again, also after a power cut at any moment.

    Exit status: 0 the new program runs, 1 the old one runs again, 2 refused and nothing changed,
    3 no board was reached.

    underfelt board flash /dev/underfelt/spots

    underfelt board flash --image spot-board.uf2
    """
    # Imported here, so that the help does not wait for it.
    from host_tools.board import doing  # noqa: PLC0415

    if port is not None and port.startswith(_TARGETS):
        stop = "stop its service ('sudo systemctl stop underfelt-table'), and name the board's port on that machine"
        raise BadInput(port, f"a running table does not lend its board; {stop}")
    if image is not None:
        raise typer.Exit(doing.write_image(image, drive, port, json=json))
    if drive is not None:
        raise BadInput("--drive", "is for an image; name that too, with --image")
    if port is None:
        raise BadInput(
            "PORT",
            "name the board's port, for example /dev/underfelt/spots, or an image with --image",
        )
    raise typer.Exit(doing.write_program(port, empty=empty, json=json))
