"""`underfelt journal export`: what an auditor asks of a journal, as a page and as CSV."""
