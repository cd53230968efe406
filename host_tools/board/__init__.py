"""`underfelt board`: a spot board at the end of its cable: who is there, and a new program for it."""
