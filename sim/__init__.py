"""The simulator: what developers and CI have instead of a table."""
