"""Tests of the scenario language, and the library of scenarios, played."""
