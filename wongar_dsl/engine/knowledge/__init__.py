"""What a seat knows: observations, determinization, lookahead."""
