"""The end of a game: scores, tie breaks, winning lines."""
