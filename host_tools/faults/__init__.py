"""`underfelt faults`: what each fault of a table means, and the catalogue `hw/faults.md`."""
