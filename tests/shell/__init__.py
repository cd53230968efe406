"""Tests of the shell around the table."""
