"""Save files and match records."""
