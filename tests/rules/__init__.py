"""Tests of the rules core: three questions, asked through the JSON contract."""
