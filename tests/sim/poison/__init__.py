"""A folder for the path of a process that a test poisons."""
