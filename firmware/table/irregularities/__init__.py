"""Irregularities at the table: reported or noticed, ruled on, confirmed.

`reports` turns one into a ruling, `rulings` takes the choices and carries them out,
`authority` says who may confirm. What the rules say is in `rules/ruling.py`.
"""
