"""The boards that come with Underfelt, one TOML file each; `firmware.settings.board` reads them."""
