"""Tests of what lies in `hw/`: boards, units, rules, installation."""
