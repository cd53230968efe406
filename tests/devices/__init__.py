"""Tests of the devices: pure codecs, and the adapters on mock pins and pseudo-terminals."""
