"""The exception for unusable lexicons, catalogs and slots."""

from __future__ import annotations

from collections.abc import Mapping

from wongar_dsl.base.text.terminal_safe import escape_line
from wongar_dsl.nlg.words.arguments import Text, Value


class WordsError(Exception):
    """An unusable lexicon, catalog or slot.

    `name` is the message of the error (`words.missing_form`) and `details` are its arguments, so that the error itself
    can be shown in every language.
    """

    def __init__(self, name: str, details: Mapping[str, Value] | None = None) -> None:
        self.name = name
        # Details can come from an untrusted file: control characters must not reach the terminal.
        self.details: Mapping[str, Value] = {
            key: Text(escape_line(value.text)) if isinstance(value, Text) else value
            for key, value in (details or {}).items()
        }
        # Fallback text: the catalogs may be what is broken.
        shown = ", ".join(f"{key}={getattr(value, 'text', value)}" for key, value in self.details.items())
        super().__init__(f"{name}: {shown}")
