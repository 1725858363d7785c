"""One game as it is played: undo, saves and match records."""
