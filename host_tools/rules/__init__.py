"""`underfelt rules`: the rules core from the command line."""
