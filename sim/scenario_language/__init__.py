"""Scenarios: plain text that a non-programmer can read and write, played on a real table.

`reader.py` reads a file; `sentences.py` is the list of sentences, to which `people.py` (people
and cards) and `mishaps.py` (what goes wrong) add theirs; `expectations.py` is what can be
expected. `table_setup.py` makes the table that a file describes, `stage.py` is that table with
broker and controller, `cards.py` its deck, `disk.py` a disk that can be full. `player.py` plays
and reports. The library and the guide are in `sim/scenarios/`.
"""
