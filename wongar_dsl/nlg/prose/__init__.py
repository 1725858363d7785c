"""Verbalisation of rules: rulebook text generated from a game's declarations and procedures."""
