"""Parser of rule files: text to syntax tree. Only this package imports lark."""

from __future__ import annotations

from wongar_dsl.language.parser.keywords import reserved_words
from wongar_dsl.language.parser.parser import (
    MAX_CHARACTERS,
    MAX_INDENTS,
    Completions,
    Token,
    WrittenLine,
    completions,
    parse,
    written_lines,
)

__all__ = [
    "MAX_CHARACTERS",
    "MAX_INDENTS",
    "Completions",
    "Token",
    "WrittenLine",
    "completions",
    "parse",
    "reserved_words",
    "written_lines",
]
