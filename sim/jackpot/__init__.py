"""The stand-in jackpot controller: one link of one game, its meter, its awards.

`store.py` is its books on disk, `controller.py` its place on MQTT. It knows nothing of
the tables but what they say on the link.
"""
