"""The connection to a table: its address, the stream, and the argument that names it."""
