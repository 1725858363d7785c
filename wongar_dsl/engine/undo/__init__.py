"""History of a game, and which of its steps can be undone."""
