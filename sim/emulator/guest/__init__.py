"""What is put into the emulated machine beside the firmware; nothing here is imported."""
