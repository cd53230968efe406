"""What a technician builds, as data and documents; a package so that an installation has it."""
