"""Scenarios: plain text that a non-programmer can read and write, played on a real table.

`reader.py` reads a file. `grammar.py` is the notation of sentences, `sentences.py` the list of them,
to which `people.py` (people and cards) and `mishaps.py` (what goes wrong) add theirs;
`expectations.py` is what can be expected, `facts.py` what a report says, `language.py` all of it:
checked, listed, suggested, completed. A sentence acts on a table (`table_stage.py`), whichever it
is; `stage.py` is that of a scenario with broker and controller, `table_setup.py` makes it as the
file describes it, `cards.py` has its deck, `decks.py` the cards that nobody names, `disk.py` a disk
that can be full, `keeping.py` what is left. `player.py` plays and reports. The library and the guide
are in `sim/scenarios/`.
"""
