"""The local socket that host tools talk to: read-only, but for service mode.

`protocol.py` is the documents and their framing, pure; `server.py` the socket in the event
loop; `requests.py` what each request is answered with; `bridge.py` joins a socket to
standard streams, for ssh. Nothing here listens on a network, and no card is told before it
is face up.
"""
