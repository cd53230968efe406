"""The conformance kit: plays tables against any jackpot controller, and says what it does wrong.

What is right is in `firmware/protocol/contract.md`; each check cites its paragraph.

    kit         the command, the run through all checks, the report
    tables      the tables that it plays, on MQTT
    watching    everything that the controller publishes, judged as it comes
    checks      what is checked: connection, contributions and units
    claims      what is checked: wins, awards and their order
"""
