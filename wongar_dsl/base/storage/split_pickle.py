"""Values that are pickled in two parts, with the second part unpickled on first access."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import fields
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

P = TypeVar("P", bound="SplitPickle")

#: Threads that read the same value at the same time get the same objects.
_LOCK = RLock()


class SplitPickle:
    """Base class of frozen dataclasses with slots whose fields `DEFERRED_FIELDS` are unpickled lazily.

    Unpickling stores these fields as bytes and reads all of them on first access to any one, so that objects shared
    between them stay shared.  Apart from the delay this is transparent to users.
    """

    __slots__ = ("_unread",)

    DEFERRED_FIELDS: ClassVar[frozenset[str]] = frozenset()
    _unread: bytes

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), self._field_values(deferred=False), self._deferred_bytes())

    def _deferred_bytes(self) -> bytes:
        with _LOCK:
            try:
                return self._unread
            except AttributeError:
                return pickle.dumps(self._field_values(deferred=True))

    def _field_values(self, deferred: bool) -> dict[str, object]:
        names = (f.name for f in fields(self) if (f.name in self.DEFERRED_FIELDS) is deferred)  # type: ignore[arg-type]
        return {name: getattr(self, name) for name in names}

    if not TYPE_CHECKING:  # Hidden from the type checker, so that unknown attributes stay errors.

        def __getattr__(self, name: str) -> object:
            # Called only for a slot that has no value yet.
            if name not in self.DEFERRED_FIELDS:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            with _LOCK:
                try:
                    deferred = self._unread
                except AttributeError:  # Another thread has just read it.
                    return object.__getattribute__(self, name)
                _fill(self, pickle.loads(deferred))
                object.__delattr__(self, "_unread")
            return object.__getattribute__(self, name)


def _restored(cls: type[P], eager: Mapping[str, Any], deferred: bytes) -> P:
    value = object.__new__(cls)
    _fill(value, {**eager, "_unread": deferred})
    return value


def _fill(value: SplitPickle, values: Mapping[str, Any]) -> None:
    for name, part in values.items():
        object.__setattr__(value, name, part)
