"""Microplanning: sentence plans, referring expressions, ellipsis, simplification."""
