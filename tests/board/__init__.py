"""The spot board's image on an emulated chip; `make board-test` runs this room."""
