"""The jackpot link: the messages, and the MQTT connection that carries them.

What is owed and when it is settled is decided by the table; here it travels.
"""
