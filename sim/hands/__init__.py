"""Somebody's hands at a running simulated table: `underfelt-sim hands`.

`command.py` is the command, `client.py` speaks to the table, `prompt.py` is the prompt with
completion and history. The sentences and what they do are in `sim/scenario_language/`; how a
floor takes them is in `sim/floor/saying.py`. Nothing here imports the firmware, so it starts fast.
"""
