"""How fast the rules core is, beside its peers, and a table, beside its libraries: `make bench`.

One run measures everything, so that the ratios hold on whatever machine it is.
Nothing here is a test: a missed goal is printed and the exit status stays 0.
Whether the answers are right is proved elsewhere under `tests/`.
"""
