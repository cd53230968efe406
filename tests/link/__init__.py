"""Tests of the firmware's end of the jackpot link."""
