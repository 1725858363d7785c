"""Saved games: index, migration to changed rules, replay."""
