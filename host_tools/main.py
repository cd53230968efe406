"""The `underfelt` command: its entry.

The terminal is the first thing that is looked after, before anything that takes long to import: a PIN
may be typed already. What a user types, and what he sees when something is wrong, is in
`application.py`.
"""

import sys

from host_tools import typing_shown

_INTERRUPTED = 130


def main() -> None:
    """Run the command, and leave the terminal as it was."""
    typing_shown.hide_for(sys.argv[1:])
    try:
        # Imported here, so that nothing that takes long comes before the terminal.
        from host_tools import application  # noqa: PLC0415

        status = application.run()
    except KeyboardInterrupt:
        status = _INTERRUPTED  # Ctrl-C while it was imported
    finally:
        typing_shown.restore()
    sys.exit(status)
