"""Tests of the simulator's own parts: what stands in for the real thing must be right too."""
