"""The version of the software: what commands print, tables report on the link, and packages carry.

`CHANGELOG.md` says what each version brought, and its beginning what the three numbers mean.
"""

VERSION = "0.4.0"
