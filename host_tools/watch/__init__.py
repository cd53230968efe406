"""`underfelt watch`: tables live in the terminal."""
