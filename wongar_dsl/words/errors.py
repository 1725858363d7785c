"""The one exception that this package raises."""

from __future__ import annotations

from collections.abc import Mapping

from wongar_dsl.text.escapes import visible
from wongar_dsl.words.arguments import Text, Value


class WordsError(Exception):
    """A lexicon, a catalog or a slot that cannot be used.

    `name` is the catalog's name of the wording (`words.missing_form`), `details` its arguments, so that the error
    itself can be told in every language.
    """

    def __init__(self, name: str, details: Mapping[str, Value] | None = None) -> None:
        self.name = name
        # What is told of a file from a stranger, its name first of all, steers no terminal.
        self.details: Mapping[str, Value] = {
            key: Text(visible(value.text)) if isinstance(value, Text) else value
            for key, value in (details or {}).items()
        }
        # A wording of last resort: the catalogs may be exactly what is broken.
        shown = ", ".join(f"{key}={getattr(value, 'text', value)}" for key, value in self.details.items())
        super().__init__(f"{name}: {shown}")
