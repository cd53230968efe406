"""Tests of the settings: table file, board, staff, checks on the machine."""
