"""The table's memory on disk: the record format, the writer, the reader.

What an event means is up to the table; here it is written down so that it can be read again
whatever happens, and so that nobody can change it unnoticed.
"""
