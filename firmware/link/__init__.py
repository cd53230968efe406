"""The jackpot link: the MQTT connection that carries what a table and its controller say.

The table decides what is owed and when it is settled; here it is carried. What is said, and
on which topic, is in `protocol/messages.py` and `asyncapi.yaml`.

    settings      the section [link] of the table file
    mqtt          the link itself: connects, fails over, and runs everything below
    client, tls   one connection to one broker, and its certificates
    outbox        what is owed: to send, on its way, overdue
    publishing    sends without waiting for the broker in between
    hearing       makes events of what is heard, and ignores the rest
    health        healthy or not, and what is wrong
    problems      what is wrong, in one sentence
    backoff       when to try again
    printable     text from outside, made fit for one line
    tasks         several coroutines until the first of them ends
    stats         what the link knows of itself
"""
