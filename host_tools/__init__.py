"""The technician's `underfelt` command: runs on a laptop, never on the Pi."""
