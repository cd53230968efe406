"""The conformance kit: plays tables against any jackpot controller, and says what it does wrong.

What is right is in `firmware/protocol/contract.md`; each check cites its paragraph.

    kit         the command, the run through all checks, the report
    tables      the tables that it plays, on MQTT
    starts      how each of them comes to the link and is accepted
    journals    their journals: heads, keys and copies
    seating     their connections
    watching    everything that the controller publishes, judged as it comes
    checks      what is checked: connection, contributions, counts and restarts
    units       what is checked: which start of which journal speaks for a table
    claims      what is checked: wins, verdicts and their order
    awards      what is checked: what pending claims and awards say
    rounds      what is checked: several claims of one round, and the meter beside them
"""
