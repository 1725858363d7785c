"""Words that are at hand once they were said: the pages of a table say the same things again and again."""

from __future__ import annotations

from wongar_dsl.words import Value, Words

#: So many sentences and terms of a language are at hand; with one more, all are forgotten.
MOST = 50_000


class Spoken(Words):
    """The words of a language that remember what they have said."""

    _sentences: dict[tuple[object, ...], str]
    _terms: dict[tuple[object, ...], str]

    def say(self, message: str, /, game: str | None = None, **args: Value) -> str:
        """See `Words.say`."""
        key = (message, game, *args.items())
        known = self._kept("_sentences")
        try:
            if key in known:
                return known[key]
            said = known[key] = super().say(message, game, **args)
        except TypeError:  # Something is in it that cannot be looked up.
            return super().say(message, game, **args)
        return said

    def term(self, name: str, game: str | None = None, spec: str = "", count: int | None = None) -> str:
        """See `Words.term`."""
        key, known = (name, game, spec, count), self._kept("_terms")
        if key not in known:
            known[key] = super().term(name, game, spec, count)
        return known[key]

    def _kept(self, what: str) -> dict[tuple[object, ...], str]:
        found: dict[tuple[object, ...], str] = self.__dict__.setdefault(what, {})
        if len(found) > MOST:
            found.clear()
        return found
