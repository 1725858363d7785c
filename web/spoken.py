"""Words of a language with a cache of what was said and drawn, because pages show the same again and again.

All caches of a process share one bound in bytes, whatever the languages and rules: the least recently used entries go
first.
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

from wongar_dsl.text.markup import Tag
from wongar_dsl.words import Value, Words, arguments

T = TypeVar("T")

#: Bytes that all entries of a process may have together.
MOST_BYTES = 16_000_000
#: Bytes of the dictionary slot, the links and the counters of an entry.
SLOT = 250


class ByteCache:
    """A cache with a bound in bytes; the least recently used entry is dropped first."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most, self.bytes = most, 0
        self._entries: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        # In a host without processes, several threads draw.
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of a key, made on first use; raises TypeError for a key that has no hash."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                self._entries.move_to_end(key)
                found: T = entry[0]
                return found
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
    """Return the bytes of a value with what it holds: texts, numbers, tuples, lists, dictionaries and elements.

    Of other objects, such as the types of a game, only the reference is counted: they live outside the cache.
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


#: The one cache of this process.
CACHE = ByteCache()
_numbers = count()
_numbered: WeakKeyDictionary[object, int] = WeakKeyDictionary()


def number_of(thing: object) -> int:
    """Return a number that stands for a thing in keys, so that a key does not keep the thing alive."""
    found = _numbered.get(thing)
    return found if found is not None else _numbered.setdefault(thing, next(_numbers))


class Spoken(Words):
    """The words of a language that remember what they have said."""

    def say(self, message: str, /, game: str | None = None, **args: Value) -> str:
        """See `Words.say`."""
        try:
            return self.made(("say", message, game, *args.items()), lambda: Words.say(self, message, game, **args))
        except TypeError:  # An argument has no hash.
            return super().say(message, game, **args)

    def term(self, name: str, game: str | None = None, spec: str = "", count: int | None = None) -> str:
        """See `Words.term`."""
        return self.made(("term", name, game, spec, count), lambda: Words.term(self, name, game, spec, count))

    def made(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """Return what `make` makes of these words and of what the key says, and of nothing else."""
        return CACHE.get((number_of(self), *key), make)
