"""What MicroPython runs second: nothing, so that a `boot.py` in the file system is never run."""
