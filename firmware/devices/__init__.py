"""Everything between the table and its pins and serial lines.

Codecs, debouncing and lamp patterns are pure code on bytes and timestamps; the thin
adapters next to them turn what arrives into events and carry effects out.
"""
