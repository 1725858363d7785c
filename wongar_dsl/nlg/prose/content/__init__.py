"""Content: rule constructs as plans of what is said."""
