"""Files, caches and data formats: bounded reading, atomic writing, YAML, pickles."""
