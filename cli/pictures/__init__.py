"""Positions as pictures of characters."""
