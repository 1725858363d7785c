"""Completion: words and names that the grammar accepts at a position of a rule file."""

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

from wongar_dsl.language import ast as s
from wongar_dsl.language.parser.keywords import removable
from wongar_dsl.language.parser.parser import (
    MAX_ERRORS_PER_ARTICLE,
    MAX_LINE,
    MAX_LINES_OF_ARTICLE,
    blank_block,
    start,
    terminals,
)
from wongar_dsl.language.parser.repairs import TOKEN

_TYPED = re.compile(r"[A-Za-z]\w*$")
#: The words of each terminal that has several.
_GROUPS: dict[str, tuple[str, ...]] = {
    "ZONE": get_args(s.ZoneKind),
    "SIMPLE": get_args(s.KeywordPhrase),
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
class Completions:
    """The words and names that can stand at a position.

    `words` are keywords, `name` tells whether a name fits, `before` are the words before the position in its line.
    `known` is False if an error before the position makes the result unreliable.
    """

    words: tuple[str, ...] = ()
    name: bool = False
    before: tuple[str, ...] = ()
    known: bool = True


def completions(lines: Sequence[str], line: int, column: int) -> Completions:
    """Return what can replace the word that ends at `column` in `line` (both from 0)."""
    typed = _TYPED.sub("", lines[line][:column])
    if "#" in re.sub(r'"[^"]*"', "", typed) or typed.count('"') % 2:
        return Completions()
    first = line
    while typed and first > 0 and (not lines[first].strip() or lines[first][0] in " \t#)]"):
        first -= 1
    text = [*lines[first:line], typed]
    if len(text) > MAX_LINES_OF_ARTICLE or any(len(text_line) >= MAX_LINE for text_line in text):
        return Completions(known=False)
    rest = [" ".join(more) for more in _phrases(typed)]
    for _ in range(MAX_ERRORS_PER_ARTICLE):
        before: list[Token] = []
        parser, wrong = _parsed(text, before)
        if wrong is None:
            accepted: set[str] = parser.accepts()  # type: ignore[no-untyped-call]
            accepted_words = [word for terminal in sorted(accepted) for word in _words(terminal)]
            return Completions(
                tuple(dict.fromkeys([*rest, *accepted_words])), "NAME" in accepted, tuple(map(str, before))
            )  # fmt: skip
        if wrong >= len(text) - 1 or not blank_block(text, wrong):
            break
        # The line being typed is kept, even where the block that it may belong to is blanked.
        text[-1] = typed
    return Completions(tuple(rest), True, tuple(TOKEN.findall(typed)), known=False)


def _parsed(text: Sequence[str], before: list[Token]) -> tuple[InteractiveParser, int | None]:
    """Parse a text interactively; return the parser and the number of the line where it failed, None if it did not.

    The tokens of the last line are put into `before`.
    """
    written = "\n".join(text)
    # A placeholder for the next word, which ends open blocks as that word would.
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
        # At the end of the text lark reports neither line nor position.
        place, line = getattr(error, "pos_in_stream", None), getattr(error, "line", None)
        if isinstance(place, int) and place >= len(written):
            return parser, None
        return parser, line - 1 if isinstance(line, int) and 0 < line <= len(text) else len(text) - 1
    except DedentError:
        return parser, len(text) - 1
    return parser, None


def _phrases(typed: str) -> list[list[str]]:
    """Return the rest of each phrase of several words whose beginning ends the text."""
    typed_words = typed.split()
    if not typed.endswith(" "):
        return []
    phrases = [phrase.split() for group in _GROUPS.values() for phrase in group if " " in phrase]
    return [phrase[n:] for phrase in phrases for n in range(1, len(phrase)) if typed_words[-n:] == phrase[:n]]


@cache
def _words(terminal: str) -> tuple[str, ...]:
    """Return the words that a terminal stands for."""
    if terminal in _GROUPS:
        return _GROUPS[terminal]
    pattern = terminals().get(terminal)
    return (pattern.value,) if isinstance(pattern, PatternStr) and pattern.value.isalpha() else ()
