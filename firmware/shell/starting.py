"""Starts a table from its table file, and runs it until it is told to stop.

The exit statuses are those of `firmware/__main__.py`, which reads what is typed. What the parts are
and how they are joined is in `wiring.py`.
"""

import asyncio
import logging
import signal
from pathlib import Path

from gpiozero import GPIOZeroError
from gpiozero.pins import Factory

from firmware.errors import BadInput, UnderfeltError
from firmware.protocol.version import VERSION
from firmware.settings import machine_checks, table_file
from firmware.shell import logs, wiring
from firmware.shell.systemd import Notifier

STOPPED, WRONG_FILE, NOT_READY = 0, 2, 3

_log = logging.getLogger("underfelt-table")


def run_table(path: Path, pin_factory: Factory | None) -> int:
    """Run the table described in a table file; return the exit status."""
    logs.begin()
    notifier = Notifier()
    try:
        file = table_file.load(path)
        machine_checks.check_before_start(path, file)
        _warn_of_open_secrets(path, file)
        _log.info("version %s, table %s: %s", VERSION, file.table.name, path)
        asyncio.run(_run(path, file, pin_factory, notifier))
    except BadInput as error:
        return _end(notifier, error, WRONG_FILE)
    except (UnderfeltError, GPIOZeroError, OSError) as error:
        return _end(notifier, error, NOT_READY)
    _log.info("stopped")
    return STOPPED


def _warn_of_open_secrets(path: Path, file: table_file.TableFile) -> None:
    try:
        machine_checks.check_secrets(path, file)
    except BadInput as error:
        _log.warning("%s", error)


def _end(notifier: Notifier, error: Exception, status: int) -> int:
    logs.complain(str(error))
    notifier.status(str(error))
    return status


async def _run(
    path: Path, file: table_file.TableFile, pin_factory: Factory | None, notifier: Notifier
) -> None:
    stop = asyncio.Event()

    def told_to_stop() -> None:
        notifier.stopping()
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told_to_stop)
    await wiring.run(path, file, pin_factory, stop, notifier)
