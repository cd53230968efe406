"""Tests of each game, named after the paragraphs of its document."""
