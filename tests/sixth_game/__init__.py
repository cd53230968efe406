"""A sixth game that only the tests know: adding one is adding a file, and nothing else."""
