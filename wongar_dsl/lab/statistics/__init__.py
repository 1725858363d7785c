"""Metrics of games, their sums, statistical inference and ratings."""
