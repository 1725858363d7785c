"""Words that are at hand once they were said, with what was drawn of them: pages show the same again and again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from wongar_dsl.words import Value, Words

T = TypeVar("T")

#: So many sentences and terms of a language are at hand; with one more, all are forgotten.
MOST = 50_000


class Spoken(Words):
    """The words of a language that remember what they have said."""

    _sentences: dict[tuple[object, ...], str]
    _terms: dict[tuple[object, ...], str]
    _made: dict[tuple[object, ...], Any]

    def say(self, message: str, /, game: str | None = None, **args: Value) -> str:
        """See `Words.say`."""
        key = (message, game, *args.items())
        known = self._kept("_sentences")
        try:
            if key not in known:
                known[key] = super().say(message, game, **args)
        except TypeError:  # Something is in it that cannot be looked up.
            return super().say(message, game, **args)
        return str(known[key])

    def term(self, name: str, game: str | None = None, spec: str = "", count: int | None = None) -> str:
        """See `Words.term`."""
        key, known = (name, game, spec, count), self._kept("_terms")
        if key not in known:
            known[key] = super().term(name, game, spec, count)
        return str(known[key])

    def made(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """What is made of words and of what the key says, and of nothing else; made once."""
        known: dict[tuple[object, ...], Any] = self._kept("_made")
        if key not in known:
            known[key] = make()
        value: T = known[key]
        return value

    def _kept(self, what: str) -> dict[tuple[object, ...], Any]:
        found: dict[tuple[object, ...], Any] = self.__dict__.setdefault(what, {})
        if len(found) > MOST:
            found.clear()
        return found
