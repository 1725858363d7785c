"""The words of the language, read from its grammar."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

#: Words that the grammar knows in one place only, where no name can stand.
_IN_PLACE = frozenset(
    {"a", "all", "book", "columns", "coverings", "diagonally", "grid", "half", "held", "hexagons", "holds", "house"}
    | {"inferred", "never", "offset", "once", "owner", "paths", "radius", "reconstruction", "seconds", "seen", "shapes"}
    | {"total", "touches", "turned"}
)


@cache
def grammar_text() -> str:
    """The grammar as text."""
    return resources.files("wongar_dsl.parser").joinpath("grammar.lark").read_text(encoding="utf-8")


@cache
def reserved_words() -> frozenset[str]:
    """The words of the language, which no name may be."""
    rules = re.sub(r"//.*", "", grammar_text())
    return frozenset(re.findall(r'"([a-z]+)"', rules)) - _IN_PLACE | {"leave", "impossible", "nothing"}
