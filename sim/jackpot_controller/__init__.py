"""The stand-in jackpot controller: links of one game each, their meters, their awards.

It knows nothing of the tables but what they say on the link. `cli.py` is its command
line, `controller.py` its place on MQTT, `desk.py` what it answers, `store.py` its books;
README.md says what the accounts are and who is paid when.
"""
