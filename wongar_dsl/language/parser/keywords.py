"""Keywords of the rule language, read from its grammar, and sample lines by their first word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import get_args

from wongar_dsl.language import ast as s

#: Contextual keywords: the grammar uses them only where no name can stand, so names may use them too.
_CONTEXTUAL = frozenset(
    {"a", "add", "age", "all", "allow", "book", "choice", "columns", "coverings", "diagonally", "grid", "half", "held"}
    | {
        "hexagons",
        "holds",
        "house",
        "inferred",
        "minutes",
        "never",
        "offset",
        "once",
        "only",
        "owner",
        "paths",
        "radius",
    }
    | {"reconstruction", "seconds", "seen", "shapes", "total", "touches", "turned"}
)


@cache
def grammar_text() -> str:
    """Return the text of the grammar."""
    text = resources.files("wongar_dsl.language.parser").joinpath("grammar.lark").read_text(encoding="utf-8")
    return text.replace("SORT.2: REMOVABLE", f"SORT.2: /({'|'.join(removable())})(?![A-Za-z0-9_])/")


def removable() -> list[str]:
    """Return the sorts of articles that a variant can remove."""
    return [sort for sort, article in s.SORTS.items() if article.removable]


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


#: The words of each terminal that has several.
TERMINAL_WORDS: dict[str, tuple[str, ...]] = {
    "ZONE": get_args(s.ZoneKind), "SIMPLE": get_args(s.KeywordPhrase), "EXTREME": get_args(s.Extreme),
    "GAIN": ("gains", "loses", "gain", "lose"), "_CHOOSE": ("chooses", "choose"), "FRESH": ("without going round",),
    "BY_TIME": ("by time",), "KINDS": ("kind of",), "SORT": tuple(removable()), "SIDE": get_args(s.Side),
    "SET_AGE": ("age",), "SET_MINUTES": ("minutes",),
    "LIST": ("enum", "cards", "deck", "track", "table"), "PROCEDURE": ("rule", "effect"), "COURSE": ("setup", "play"),
    "TIMES": ("div", "mod"),
}  # fmt: skip

# ---- sample lines ----------------------------------------------------------------------------------------------------


#: Lines in the first column, without the lines below them.
ARTICLE_FORMS = {
    "game": "game meadows",
    "variant": "variant quick of meadows",
    "enum": "enum colour = red, green, blue",
    "board": "board meadow",
    "figure": "figure walker on meadow",
    "cards": "cards picture",
    "deck": "deck pack of picture total 40",
    "tokens": "tokens supply of each player holds colour, seen by all",
    "pile": "pile stack holds at most 40 picture, seen by nobody",
    "hand": "hand cards_of of each player holds picture, seen by owner",
    "heap": "heap cards_won of each player holds picture, seen by all",
    "slot": "slot open_card holds picture, seen by all",
    "layout": "layout ground holds picture on meadow, seen by all",
    "remember": "remember rounds: number 0 to 10 = 0",
    "score": "score points",
    "track": "track clock",
    "table": "table worth early late",
    "shapes": "shapes pieces",
    "coverings": "coverings puzzles of plans by pieces",
    "paths": "paths roads of picture",
    "option": "option bonus = 5 in 0 to 10",
    "winner": "winner p",
    "rule": "rule turn(p: player)",
    "define": "define half(n: number) = n div 2",
    "effect": "effect joker for p",
    "set": "set bonus to 10",
    "set in": "set rounds in rule turn to 3",
    "add": "add to deck pack",
    "before": "before turn in rule round",
    "after": "after turn in rule round",
    "allow": "allow pass in choice turn only if rounds > 3",
    "replace": "replace rule turn(p: player)",
    "remove": "remove rule turn",
    "remove from": "remove pass from choice turn",
    "add choice": "add to choice turn",
}

#: Lines inside articles.
INNER_FORMS = {
    "players": "players 2 to 4",
    "age": "age 8",
    "minutes": "minutes 30 to 45",
    "book": 'book leaflet "The rules of the meadows"',
    "source": 'source leaflet "Setting up"',
    "row": "row north south",
    "rows": "rows offset by half",
    "grid": "grid 8 by 8",
    "hexagons": "hexagons 5 by 5",
    "hexagons radius": "hexagons radius 3",
    "if": "if rounds = 3",
    "repeat": "repeat until rounds = 3",
    "for": "for each p in player",
    "let": "let n = size of stack",
    "set": "set rounds to rounds + 1",
    "move": "move top of stack to cards_of of p",
    "lay": "lay card from cards_of of p on ground at north turned 0",
    "fill": "fill stack with pack",
    "shuffle": "shuffle stack",
    "advance": "advance clock by 1",
    "perform": "perform card for p",
    "tell": "tell tie_broken(player: p)",
    "give": "give n + 1",
    "most": "most points of p",
    "fewest": "fewest size of cards_of of p",
}

#: Lines that begin with a name, by a typical word.
NAMED_FORMS = {
    "gains": "p gains 3 points",
    "gain": "I gain 3 points",
    "lose": "I lose 3 points",
    "loses": "p loses 3 points",
    "chooses": "p chooses turn",
    "takes": "p takes walker",
    "wins": "p wins",
    "touches": "north touches middle, south",
}


#: Expressions and domains, by a typical word.
EXPRESSION_FORMS = {
    "lines": "some l in lines of 3 through here where (every c in l has owner of c is p)",
    "random": "random c in stack",
    "first": "first p in player with most points of p",
    "highest": "highest points of p for p in player",
    "lowest": "lowest points of p for p in player",
    "sum": "sum of points of p for p in player",
    "min": "lowest points of p for p in player",
    "max": "highest points of p for p in player",
    "clockwise": "for each p in player clockwise from starter",
    "counterclockwise": "for each p in player clockwise from starter",
    "anticlockwise": "for each p in player clockwise from starter",
}


#: Words of conditions on what is left somewhere, and those with which nothing is left.
_EMPTINESS = frozenset({"empty", "there", "left", "remain", "remains", "remaining"})
_NONE = frozenset({"empty", "no", "none", "nothing", "nobody"})


def example_line(words: Sequence[str], article: bool, index: int = 0) -> str | None:
    """Return a sample line, or part of one, for a faulty line; None if its kind is unknown.

    `index` is the number of the word at fault.
    """
    first = words[0]
    for word in reversed(words[: index + 1]):
        if word in EXPRESSION_FORMS:
            return EXPRESSION_FORMS[word]
    if first in ("if", "otherwise", "repeat") and not _EMPTINESS.isdisjoint(words):
        return "if stack is empty" if not _NONE.isdisjoint(words) else "if stack is not empty"
    if article and "choice" in words:
        first = {"add": "add choice"}.get(first, first)
    if article and first == "set" and "in" in words:
        first = "set in"
    if article and first == "remove" and not {"from", "choice", "option"}.isdisjoint(words):
        first = "remove from"
    if first == "hexagons" and "radius" in words:
        first = "hexagons radius"
    if article:
        return ARTICLE_FORMS.get(first)
    if first in INNER_FORMS:
        return INNER_FORMS[first]
    return next((form for word, form in NAMED_FORMS.items() if word in words), None)
