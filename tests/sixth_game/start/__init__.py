"""What a process imports by itself when this folder is on its PYTHONPATH."""
