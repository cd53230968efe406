"""`underfelt journal export`: what an auditor needs from a journal, as a page and as CSV."""
