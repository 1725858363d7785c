"""Commands that play games, or show games that were played."""
