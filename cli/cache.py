"""Where the command keeps what it has worked out, from one start to the next."""

from __future__ import annotations

from wongar_dsl.cache import Cache


def cache() -> Cache:
    """The cache of checked rules, generated code and read catalogs, in the user's cache folder."""
    from platformdirs import user_cache_path

    return Cache(user_cache_path("wongar", appauthor=False))
