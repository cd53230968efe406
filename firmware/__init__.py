"""The controller under the table: what runs on the Raspberry Pi.

`rules/` answers what the game documents say and is pure. Nothing in `firmware`
imports `sim` or `host_tools`; `tests/test_imports.py` holds that.
"""
