"""Cache that the commands keep on disk between runs."""

from __future__ import annotations

from wongar_dsl.base.storage.cache import Cache


def cache() -> Cache:
    """Return the cache of checked rules, generated code, parsed catalogs and the grammar in the user's cache folder."""
    from platformdirs import user_cache_path

    Cache.of_program = Cache(user_cache_path("wongar", appauthor=False))
    return Cache.of_program
