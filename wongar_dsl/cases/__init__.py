"""Rule cases: a position, moves, and what must come of them."""
