"""`underfelt check`: a table file and its wiring, checked and drawn."""
