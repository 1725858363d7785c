"""Documents: the sections of a rulebook and their order."""
