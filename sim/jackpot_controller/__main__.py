"""Runs the jackpot controller: `python -m sim.jackpot_controller --help`."""

import sys

from sim.jackpot_controller.cli import main

sys.exit(main(sys.argv[1:]))
