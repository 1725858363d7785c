"""Checks of catalogs and of the style of their sentences."""
