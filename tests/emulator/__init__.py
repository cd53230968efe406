"""Tests of the firmware on the emulated Pi; `make emulate-test` runs them."""
