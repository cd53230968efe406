"""The local socket that host tools talk to: read-only, but for service mode.

`protocol.py` is the documents and their framing, pure; `server.py` the socket in the event
loop; `requests.py` what each request is answered with; `findings.py` what an examination
finds; `bridge.py` joins a socket to standard streams, for ssh. Nothing here listens on a
network, and no card is told before it is face up.
"""

SOCKET = "/run/underfelt/maintenance.sock"
"""Where the socket of a table is, unless its table file says otherwise."""
