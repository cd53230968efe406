"""`underfelt test`: the guided test of a table in service mode, and its report."""
