"""The table's memory on disk: the record format, the writer, the reader.

What an event means is the table's business; here it is written down so that it can be
read again after anything, and so that nobody can change it unnoticed.
"""
