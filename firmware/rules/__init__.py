"""The rules core: cards, hands, the five games as data, and three pure questions.

    settle(Round) -> Settlement    what does this round pay?
    ruling(Incident) -> Ruling     what happens after this irregularity?
    award(Claims) -> Awards        who is paid what from the meter, in which order?

`documents.answer` asks the same in JSON. The answers use no clock, random number, file or
socket; apart from `firmware.errors` nothing else of the project is imported.
"""
