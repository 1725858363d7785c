"""Positions rendered as text."""
