"""The boards that come with Underfelt, one TOML file each; `firmware.board` reads them."""
