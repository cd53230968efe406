"""One simulated table: its process, pins, serial devices and table file."""
