"""The stand-in jackpot controller: links of one game each, their meters, their awards.

It knows nothing of the tables but what they say on the link. `cli.py` is its command
line, `controller.py` its MQTT connection, `desk.py` its answers, `store.py` its books;
README.md explains the accounts and who is paid when.
"""
