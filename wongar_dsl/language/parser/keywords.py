"""Keywords of the rule language, read from its grammar."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from wongar_dsl.language.ast import SORTS

#: Contextual keywords: the grammar uses them only where no name can stand, so names may use them too.
_CONTEXTUAL = frozenset(
    {"a", "add", "all", "allow", "book", "choice", "columns", "coverings", "diagonally", "grid", "half", "held"}
    | {"hexagons", "holds", "house", "inferred", "never", "offset", "once", "only", "owner", "paths", "radius"}
    | {"reconstruction", "seconds", "seen", "shapes", "total", "touches", "turned"}
)


@cache
def grammar_text() -> str:
    """Return the text of the grammar."""
    text = resources.files("wongar_dsl.language.parser").joinpath("grammar.lark").read_text(encoding="utf-8")
    return text.replace("SORT.2: REMOVABLE", f"SORT.2: /({'|'.join(removable())})(?![A-Za-z0-9_])/")


def removable() -> list[str]:
    """Return the sorts of articles that a variant can remove."""
    return [sort for sort, article in SORTS.items() if article.removable]


@cache
def reserved_words() -> frozenset[str]:
    """Return the keywords that no name may use."""
    rules = re.sub(r"//.*", "", grammar_text())
    words = {*re.findall(r'"([a-z]+)"', rules), *removable()}
    return frozenset(words) - _CONTEXTUAL | {"leave", "impossible", "nothing"}


@cache
def statement_words() -> tuple[str, ...]:
    """Return the words that can begin a statement, in the order of the grammar."""
    rules = dict(re.findall(r"^\??(\w+)(?:\.\d+)?: (.*(?:\n +\|.*)*)", re.sub(r"//.*", "", grammar_text()), re.M))
    names = re.findall(r"\w+", rules["statement"])
    words: list[str] = []
    for name in (*names, "otherwise"):
        for alternative in re.split(r"\n *\|", rules[name]):
            first = alternative.split()[0]
            # The alternative begins with a keyword, or with a terminal of several.
            shown = rules[first] if first.isupper() else first
            words.extend(re.findall(r'(?:^["/]\(?|\|)([a-z]+)', shown))
    return tuple(dict.fromkeys(words))
