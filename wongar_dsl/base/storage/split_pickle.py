"""Values that are pickled in two parts, with the second part unpickled on first access."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import fields
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

P = TypeVar("P", bound="SplitPickle")

#: Threads that read the same value at the same time get the same objects.
_READING = RLock()


class SplitPickle:
    """Base of frozen dataclasses with slots whose fields `DEFERRED_FIELDS` are unpickled lazily.

    Unpickling stores these fields as bytes and reads all of them on first access to any one, so that objects shared
    between them stay shared.  Apart from the delay this is transparent to users.
    """

    __slots__ = ("_unread",)

    DEFERRED_FIELDS: ClassVar[frozenset[str]] = frozenset()
    _unread: bytes

    def __reduce__(self) -> tuple[object, ...]:
        return _in_parts, (type(self), self._part(later=False), self._rest())

    def _rest(self) -> bytes:
        with _READING:
            try:
                return self._unread
            except AttributeError:
                return pickle.dumps(self._part(later=True))

    def _part(self, later: bool) -> dict[str, object]:
        names = (f.name for f in fields(self) if (f.name in self.DEFERRED_FIELDS) is later)  # type: ignore[arg-type]
        return {name: getattr(self, name) for name in names}

    if not TYPE_CHECKING:  # Hidden from the type checker, so that unknown attributes stay errors.

        def __getattr__(self, name: str) -> object:
            # Called only for a slot that has no value yet.
            if name not in self.DEFERRED_FIELDS:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            with _READING:
                try:
                    unread = self._unread
                except AttributeError:  # Another thread has just read it.
                    return object.__getattribute__(self, name)
                _fill(self, pickle.loads(unread))
                object.__delattr__(self, "_unread")
            return object.__getattribute__(self, name)


def _in_parts(sort: type[P], now: Mapping[str, Any], unread: bytes) -> P:
    value = object.__new__(sort)
    _fill(value, {**now, "_unread": unread})
    return value


def _fill(value: SplitPickle, found: Mapping[str, Any]) -> None:
    for name, part in found.items():
        object.__setattr__(value, name, part)
