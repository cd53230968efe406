"""The maintenance socket."""
