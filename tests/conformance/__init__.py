"""The conformance kit against the stand-in, a second controller, and wrong ones."""
