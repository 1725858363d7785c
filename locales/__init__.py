"""The words of every language, one folder each, as data."""
