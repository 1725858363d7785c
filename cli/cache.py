"""Cache that the commands keep on disk between runs."""

from __future__ import annotations

from wongar_dsl.base.storage.cache import Cache


def cache() -> Cache:
    """Return the cache of checked rules, generated code and parsed catalogs in the user's cache folder."""
    from platformdirs import user_cache_path

    return Cache(user_cache_path("wongar", appauthor=False))
