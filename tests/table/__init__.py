"""Tests of the table: phases, effects, recovery, and what never leaves it."""
