"""Text input: source spans, diagnostics, bounded file access and terminal-safe output."""
