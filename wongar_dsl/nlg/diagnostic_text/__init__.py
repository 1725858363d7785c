"""Texts of diagnostics: faults in rules, in words and in cases."""
