"""Values that are kept in two parts: what is always wanted, and what is read only when somebody asks for it."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import fields
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

P = TypeVar("P", bound="InParts")

#: Two threads that ask at once get the same objects.
_READING = RLock()


class InParts:
    """A dataclass, frozen and with slots, whose fields `LATER` are pickled apart from the others.

    What a pickle gives back has them as bytes, and reads all of them when somebody first asks for one: so what is one
    object in several of these fields stays one.  Nobody notices, but for the time that it takes.
    """

    __slots__ = ("_unread",)

    LATER: ClassVar[frozenset[str]] = frozenset()
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
        names = (f.name for f in fields(self) if (f.name in self.LATER) is later)  # type: ignore[arg-type]
        return {name: getattr(self, name) for name in names}

    if not TYPE_CHECKING:  # What is no field stays a mistake for the type checker.

        def __getattr__(self, name: str) -> object:
            # Only a slot that nothing has been put into is looked for here.
            if name not in self.LATER:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            with _READING:
                try:
                    unread = self._unread
                except AttributeError:  # Somebody else has just read it.
                    return object.__getattribute__(self, name)
                _fill(self, pickle.loads(unread))
                object.__delattr__(self, "_unread")
            return object.__getattribute__(self, name)


def _in_parts(sort: type[P], now: Mapping[str, Any], unread: bytes) -> P:
    """A value of which one part has not been read yet."""
    made = object.__new__(sort)
    _fill(made, {**now, "_unread": unread})
    return made


def _fill(value: InParts, found: Mapping[str, Any]) -> None:
    for name, part in found.items():
        object.__setattr__(value, name, part)
