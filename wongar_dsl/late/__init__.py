"""Lazy loading: imports of package attributes, and parts of pickled values."""
