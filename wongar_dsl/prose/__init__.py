"""Rules in words: what a game declares and does, as a rulebook says it."""
