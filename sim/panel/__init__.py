"""A table and its panel without a process: played by a dealer who counts his strokes."""
