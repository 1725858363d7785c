"""The command `wongar`: the only place that prints or reads keys."""
