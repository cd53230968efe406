"""The way to a table: its address, the stream to it, and the argument that names it."""
