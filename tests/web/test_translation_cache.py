"""The cache of translations and drawings: bounded in bytes over all languages and games."""

from __future__ import annotations

import gc
import sys
import tracemalloc

import pytest

from tests.web.viewings import LANGUAGES, match, rules
from tests.web.viewings import viewing as viewed
from wongar_dsl.base.text.markup import _cached_value, tag
from wongar_dsl.render.position_svg import translation_cache
from wongar_dsl.render.position_svg.translation_cache import ByteCache, CachedTranslator
from wongar_dsl.web import pages

GAMES = (("wongar", 3), ("tongiaki", 4), ("connect_four", 2))


def test_least_recently_used_entries_are_evicted_first() -> None:
    cache = ByteCache(3 * (translation_cache.SLOT + 2 * sys.getsizeof("a")))
    for letter in "abc":
        cache.get(letter, str.upper.__get__(letter))
    assert cache.get("a", lambda: "other") == "A"
    cache.get("d", lambda: "D")
    assert cache.get("b", lambda: "dropped") == "dropped"
    assert cache.get("d", lambda: "other") == "D"


def test_entries_larger_than_the_bound_are_not_cached() -> None:
    cache = ByteCache(1_000)
    for n in range(5):
        assert cache.get(n, lambda: "x" * 5_000) == "x" * 5_000
        assert cache.bytes <= cache.most


@pytest.fixture
def collect_only_new_objects() -> None:
    """Exempt the objects of other tests from garbage collection; late in a run there are millions."""
    gc.freeze()


@pytest.mark.usefixtures("collect_only_new_objects")
def test_many_pages_in_all_languages_stay_within_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 400_000
    cache = ByteCache(most)
    monkeypatch.setattr(translation_cache, "CACHE", cache)
    matches = [match(game, seats, steps, seed=steps + 1) for game, seats in GAMES for steps in (0, 8)]
    views = [viewed(sample, language, foretell=False) for language in LANGUAGES for sample in matches]
    for v in views:
        v.narrator.words = CachedTranslator.load(v.words.language)
    greatest = 0
    # Tracing makes everything several times slower, so that only the pages are traced.
    tracemalloc.start()
    for v in views:
        page = pages.table_page(v)
        assert page.startswith("<!doctype html>")
        greatest = max(greatest, cache.bytes)
        assert cache.bytes <= most
    assert greatest > 0.9 * most, "not enough pages to reach the bound"
    # The count roughly matches the memory freed by clearing the cache.
    gc.collect()
    full = tracemalloc.get_traced_memory()[0]
    counted = cache.bytes
    cache.clear()
    gc.collect()
    freed = full - tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert 0.3 * counted < freed < 1.3 * counted


@pytest.mark.usefixtures("collect_only_new_objects")
def test_cached_drawings_do_not_keep_a_game_alive() -> None:
    import weakref

    sample = rules("nim").game(2)
    number = translation_cache.number_of(sample)
    assert translation_cache.number_of(sample) == number
    reference = weakref.ref(sample)
    del sample
    gc.collect()
    assert reference() is None


def test_long_attribute_values_are_not_cached() -> None:
    before = _cached_value.cache_info().currsize
    str(tag("path", d="M1 2" * 400))
    assert _cached_value.cache_info().currsize == before
