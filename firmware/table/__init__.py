"""The table: the whole behaviour of one poker table as a pure function of its events.

`Table.step` (in `table.py`) takes an event and returns effects; the state it keeps is
the fold of the journal. No clock, random source, file, socket or asyncio in here.
"""
