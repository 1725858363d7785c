"""The rules of every game, one folder each, as data."""
