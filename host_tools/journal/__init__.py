"""`underfelt journal`: verifies, shows, replays, pulls and exports journals."""
