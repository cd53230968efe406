"""`underfelt log`: the log of a table."""
