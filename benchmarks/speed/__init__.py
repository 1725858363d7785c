"""What `make bench` measures: one module each for what is measured, beside whom, and how it is told."""
