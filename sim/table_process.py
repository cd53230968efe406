"""A table process of the simulator: the firmware's own `main`, with simulated pins.

python -m sim.table_process <socket of the pins> <arguments of underfelt-table…>
"""

import sys
from pathlib import Path

from firmware.__main__ import main
from sim.pins import SimFactory

if __name__ == "__main__":
    sys.exit(main(sys.argv[2:], pin_factory=SimFactory(Path(sys.argv[1]))))
