"""The technician's `underfelt` command: for a laptop; a table has it too, for `check --here`."""
