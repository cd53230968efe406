"""Whether the tests would notice: the code is made wrong on purpose, in a copy of the tree.

`handmade.py` lists mistakes that would cost money, or that tests have missed before: none of them
may survive. `generic.py` makes small mistakes anywhere, a sample with a seed; what share of
them is found is the score. `make soak` runs both, `make test` that the machinery works.
"""
