"""Texts of a language with a cache of messages and drawings, because pages show the same ones repeatedly.

All caches of a process share one bound in bytes for all languages and rules. The least recently used entries are
dropped first.
"""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import fields, is_dataclass
from itertools import count
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from wongar_dsl.base.markup import Tag
from wongar_dsl.nlg.words import Translator, Value, arguments

T = TypeVar("T")

#: Maximum number of bytes of all entries of a process.
MAX_CACHE_BYTES = 16_000_000
#: Bytes of the dictionary slot, the links and the counters of an entry.
SLOT = 250


class ByteCache:
    """A least-recently-used cache with a bound in bytes."""

    def __init__(self, most: int = MAX_CACHE_BYTES) -> None:
        self.most, self.bytes = most, 0
        self._entries: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        # Without worker processes, several threads render pages.
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of a key, created on first use.

        Raises TypeError for an unhashable key.
        """
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                self._entries.move_to_end(key)
                cached: T = entry[0]
                return cached
        value = make()
        size = SLOT + size_of(key) + size_of(value)
        with self._lock:
            if key not in self._entries:
                self._entries[key] = (value, size)
                self.bytes += size
            while self.bytes > self.most:
                self.bytes -= self._entries.popitem(last=False)[1][1]
        return value

    def clear(self) -> None:
        """Drop all entries."""
        with self._lock:
            self._entries.clear()
            self.bytes = 0


def size_of(value: object) -> int:
    """Return the size in bytes of a value with its contents: texts, numbers, tuples, lists, dictionaries and elements.

    For other objects, such as the types of a game, only the reference counts: they live outside the cache.
    """
    if isinstance(value, (str, bytes)):
        return sys.getsizeof(value)
    if isinstance(value, (tuple, list)):
        return sys.getsizeof(value) + sum(map(size_of, value))
    if isinstance(value, dict):
        return sys.getsizeof(value) + sum(size_of(key) + size_of(each) for key, each in value.items())
    if is_dataclass(value) and (isinstance(value, Tag) or type(value).__module__ == arguments.__name__):
        return sys.getsizeof(value) + sum(size_of(getattr(value, each.name)) for each in fields(value))
    return sys.getsizeof(value) if isinstance(value, int) else 8


#: The cache of this process.
CACHE = ByteCache()
_numbers = count()
_numbered: WeakKeyDictionary[object, int] = WeakKeyDictionary()


def number_of(thing: object) -> int:
    """Return a number that represents an object in cache keys, so that keys do not keep the object alive."""
    number = _numbered.get(thing)
    return number if number is not None else _numbered.setdefault(thing, next(_numbers))


class CachedTranslator(Translator):
    """Texts of a language that are cached."""

    def say(self, message: str, /, game: str | None = None, **args: Value) -> str:
        """See `Translator.say`."""
        try:
            return self.cached(
                ("say", message, game, *args.items()), lambda: Translator.say(self, message, game, **args)
            )
        except TypeError:  # An argument is unhashable.
            return super().say(message, game, **args)

    def term(self, name: str, game: str | None = None, spec: str = "", count: int | None = None) -> str:
        """See `Translator.term`."""
        return self.cached(("term", name, game, spec, count), lambda: Translator.term(self, name, game, spec, count))

    def cached(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """Return a value that depends only on these texts and the key, cached."""
        return CACHE.get((number_of(self), *key), make)
