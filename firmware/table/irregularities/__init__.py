"""Irregularities at the table: what can occur, is noticed, is ruled, is confirmed.

`reports` is how one comes about and becomes a ruling, `rulings` what is chosen and carried
out, `authority` who may confirm it. What the rules say about it is in `rules/ruling.py`.
"""
