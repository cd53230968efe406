"""What a table is told before it starts: the table file, its board, its staff.

`table_file` is the file as a whole, `board` its pins and ports, `staff` its people,
`toml_file` strict reading with one sentence for each mistake, `machine_checks` what can
only be seen on the machine itself. The settings of a part are described next to that part
(`table/settings.py`, `link/settings.py`, `devices/sensing.py`) and read here.
"""
