"""Rule cases: tests of rules that consist of a position, moves, and expected results."""
