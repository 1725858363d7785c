"""The command `wongar`: the only package that prints or reads keys."""
