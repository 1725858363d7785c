"""Timed decisions and puzzles."""
