"""Passes over programs, one module each."""
