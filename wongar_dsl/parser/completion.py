"""What could stand at a place of a rule file, for those who complete it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import get_args

from lark import Token, UnexpectedInput
from lark.indenter import DedentError
from lark.lexer import PatternStr
from lark.parsers.lalr_interactive_parser import InteractiveParser

from wongar_dsl import syntax as s
from wongar_dsl.parser.keywords import removable
from wongar_dsl.parser.parser import MAX_ERRORS_PER_ARTICLE, MAX_LINE, MAX_LINES_OF_ARTICLE, blank, start, terminals
from wongar_dsl.parser.repairs import TOKEN

_TYPED = re.compile(r"[A-Za-z]\w*$")
#: Terminals of several words.
_GROUPS: dict[str, tuple[str, ...]] = {
    "ZONE": get_args(s.ZoneKind),
    "SIMPLE": get_args(s.SimpleWord),
    "EXTREME": get_args(s.Extreme),
    "GAIN": ("gains", "loses", "gain", "lose"),
    "_CHOOSE": ("chooses", "choose"),
    "FRESH": ("without going round",),
    "BY_TIME": ("by time",),
    "KINDS": ("kind of",),
    "SORT": tuple(removable()),
    "SIDE": get_args(s.Side),
    "LIST": ("enum", "cards", "deck", "track", "table"),
    "PROCEDURE": ("rule", "effect"),
    "COURSE": ("setup", "play"),
    "TIMES": ("div", "mod"),
}


@dataclass(frozen=True, slots=True)
class Possible:
    """The words of the language that can stand at a place, whether a name can, and what stands before it in the line.

    `known` is False where what stands before it is wrong, so that nothing can be told.
    """

    words: tuple[str, ...] = ()
    name: bool = False
    before: tuple[str, ...] = ()
    known: bool = True


def possible(lines: Sequence[str], line: int, column: int) -> Possible:
    """What could stand in a line (from 0) behind so many characters, instead of the word that they end with."""
    typed = _TYPED.sub("", lines[line][:column])
    if "#" in re.sub(r'"[^"]*"', "", typed) or typed.count('"') % 2:
        return Possible()
    first = line
    while typed and first > 0 and (not lines[first].strip() or lines[first][0] in " \t#)]"):
        first -= 1
    text = [*lines[first:line], typed]
    if len(text) > MAX_LINES_OF_ARTICLE or any(len(one) >= MAX_LINE for one in text):
        return Possible(known=False)
    rest = [" ".join(more) for more in _phrases(typed)]
    for _ in range(MAX_ERRORS_PER_ARTICLE):
        before: list[Token] = []
        parser, wrong = _parsed(text, before)
        if wrong is None:
            accepted: set[str] = parser.accepts()  # type: ignore[no-untyped-call]
            found = [word for terminal in sorted(accepted) for word in _words(terminal)]
            return Possible(
                tuple(dict.fromkeys([*rest, *found])), "NAME" in accepted, tuple(map(str, before))
            )  # fmt: skip
        if wrong >= len(text) - 1 or not blank(text, wrong):
            break
        # A line that is being typed is not blanked with the block that it may belong to.
        text[-1] = typed
    return Possible(tuple(rest), True, tuple(TOKEN.findall(typed)), known=False)


def _parsed(text: Sequence[str], before: list[Token]) -> tuple[InteractiveParser, int | None]:
    """A parser that has read a text, and the number of the line where it failed, None if it did not.

    The tokens of the last line come into `before`.
    """
    written = "\n".join(text)
    # What stands for the word to come ends blocks as that would.
    parser = start(f"{written}q")
    try:
        for token in parser.lexer_thread.lex(parser.parser_state):  # type: ignore[no-untyped-call]
            if (token.start_pos or 0) >= len(written) and token.type not in ("_INDENT", "_DEDENT", "_NL"):
                return parser, None
            parser.feed_token(token)
            if token.type in ("_NL", "_INDENT", "_DEDENT"):
                before.clear()
            else:
                before.append(token)
    except UnexpectedInput as error:
        # Where the text ends, lark knows neither line nor place.
        place, line = getattr(error, "pos_in_stream", None), getattr(error, "line", None)
        if isinstance(place, int) and place >= len(written):
            return parser, None
        return parser, line - 1 if isinstance(line, int) and 0 < line <= len(text) else len(text) - 1
    except DedentError:
        return parser, len(text) - 1
    return parser, None


def _phrases(typed: str) -> list[list[str]]:
    """What ends the phrases of several words of which a text ends with the first ones."""
    said = typed.split()
    if not typed.endswith(" "):
        return []
    phrases = [phrase.split() for group in _GROUPS.values() for phrase in group if " " in phrase]
    return [phrase[n:] for phrase in phrases for n in range(1, len(phrase)) if said[-n:] == phrase[:n]]


@cache
def _words(terminal: str) -> tuple[str, ...]:
    """The words that a terminal stands for."""
    if terminal in _GROUPS:
        return _GROUPS[terminal]
    pattern = terminals().get(terminal)
    return (pattern.value,) if isinstance(pattern, PatternStr) and pattern.value.isalpha() else ()
