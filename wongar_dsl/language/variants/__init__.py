"""Variants: applies the changes of a variant to the syntax trees of its base."""
