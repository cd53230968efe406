"""`underfelt diagnose`: what is wrong with a table and what to do about it."""
