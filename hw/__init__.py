"""What a technician builds, as data and documents; a package, so that it is installed."""
