"""Tests of the journal: what is written is read again, and damage is noticed."""
