"""Tests of what both ends of the link say."""
