"""What the emulated machine gets besides the firmware; nothing here is imported."""
