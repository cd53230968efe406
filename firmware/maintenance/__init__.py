"""The local socket that host tools talk to: read-only, except in service mode.

`protocol.py` is the documents and their framing, pure; `server.py` the socket in the event
loop; `requests.py` the answer to each request; `vitals.py` the facts for a diagnosis;
`access.py` what of the running firmware it may touch; `journal_files.py` which bytes of the
journal may leave; `waits.py` for whom the table waits, and since when; `log_tail.py` the last lines of
the log; `complaints.py` a log that cannot be
flooded;
`bridge.py` joins a socket to standard streams, for ssh. Nothing here listens on a network,
and no card is shown before it is face up.
"""

SOCKET = "/run/underfelt/maintenance.sock"
"""Where the socket of a table is, unless its table file says otherwise."""
