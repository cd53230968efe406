"""A table of paper: what the five rule documents say of a round, worked out a second time.

Written from the documents, not from the firmware, with which it shares nothing but how a card is written.
`letter` is what the documents print, `hands` ranks cards, `felt` is what lies on the table, `settling`
and `rulings` say what the documents make of it. `dealer` plays a real `Table` and keeps the felt, by the moves
of `procedure` and the mishaps of `mishaps`; `comparison` holds the two against each other; `search` looks for a
difference and shortens it.
"""
