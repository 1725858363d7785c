"""The words of the language, read from its grammar."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from wongar_dsl.syntax import SORTS

#: Words that the grammar knows in one place only, where no name can stand.
_IN_PLACE = frozenset(
    {"a", "add", "all", "allow", "book", "choice", "columns", "coverings", "diagonally", "grid", "half", "held"}
    | {"hexagons", "holds", "house", "inferred", "never", "offset", "once", "only", "owner", "paths", "radius"}
    | {"reconstruction", "seconds", "seen", "shapes", "total", "touches", "turned"}
)


@cache
def grammar_text() -> str:
    """The grammar as text."""
    text = resources.files("wongar_dsl.parser").joinpath("grammar.lark").read_text(encoding="utf-8")
    return text.replace("SORT.2: REMOVABLE", f"SORT.2: /({'|'.join(removable())})(?![A-Za-z0-9_])/")


def removable() -> list[str]:
    """The sorts of articles that a variant can remove."""
    return [sort for sort, article in SORTS.items() if article.removable]


@cache
def reserved_words() -> frozenset[str]:
    """The words of the language, which no name may be."""
    rules = re.sub(r"//.*", "", grammar_text())
    words = {*re.findall(r'"([a-z]+)"', rules), *removable()}
    return frozenset(words) - _IN_PLACE | {"leave", "impossible", "nothing"}


@cache
def statement_words() -> tuple[str, ...]:
    """The words that a line of a rule can begin with, in the order of the grammar."""
    rules = dict(re.findall(r"^\??(\w+)(?:\.\d+)?: (.*(?:\n +\|.*)*)", re.sub(r"//.*", "", grammar_text()), re.M))
    names = re.findall(r"\w+", rules["statement"])
    words: list[str] = []
    for name in (*names, "otherwise"):
        for alternative in re.split(r"\n *\|", rules[name]):
            first = alternative.split()[0]
            # A word, or a terminal of several.
            shown = rules[first] if first.isupper() else first
            words.extend(re.findall(r'(?:^["/]\(?|\|)([a-z]+)', shown))
    return tuple(dict.fromkeys(words))
