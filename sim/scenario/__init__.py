"""Scenarios: plain text that a non-programmer can read and write, played on a real table.

`language.py` reads a file, `script.py` is the list of sentences and what each does,
`expectations.py` what can be expected, `stage.py` the table, broker and controller they
are played on, `player.py` plays and tells. The library is in `sim/scenarios/`.
"""
