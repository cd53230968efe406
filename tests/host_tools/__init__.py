"""Tests of the technician's command, run as it is installed, in processes of its own."""
