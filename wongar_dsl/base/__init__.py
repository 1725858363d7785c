"""Helpers without game knowledge: spans, diagnostics, files, YAML, cache, markup, terminal text."""
