"""Tests of everything, laid out like the tree they test."""
