"""The one exception that this package raises."""

from __future__ import annotations

from collections.abc import Mapping

from wongar_dsl.words.arguments import Value


class WordsError(Exception):
    """A lexicon, a catalog or a slot that cannot be used.

    `name` is the catalog's name of the wording (`words.missing_form`), `details` its arguments, so that the error
    itself can be told in every language.
    """

    def __init__(self, name: str, details: Mapping[str, Value] | None = None) -> None:
        self.name = name
        self.details: Mapping[str, Value] = dict(details or {})
        # A wording of last resort: the catalogs may be exactly what is broken.
        shown = ", ".join(f"{key}={getattr(value, 'text', value)}" for key, value in self.details.items())
        super().__init__(f"{name}: {shown}")
