"""Forecasts of what an option leads to, and hints."""
