"""Runs the jackpot controller: `python -m sim.jackpot_controller --help`."""

import sys

from firmware.shell import command_line
from sim.jackpot_controller.cli import main

sys.exit(command_line.run("underfelt-sim jackpot", lambda: main(sys.argv[1:])))
