"""Runs the jackpot controller: `python -m sim.jackpot --help`."""

import sys

from sim.jackpot.cli import main

sys.exit(main(sys.argv[1:]))
