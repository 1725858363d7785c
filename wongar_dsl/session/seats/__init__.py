"""Seats: who plays, bots, number of seats and settings."""
