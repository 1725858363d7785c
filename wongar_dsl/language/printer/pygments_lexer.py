"""Pygments lexer for rule files, used in documentation, `less` and notebooks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace, _TokenType

from wongar_dsl.language.printer.highlight_tables import PATTERNS

#: Pygments token for each TextMate scope.
TOKENS = {
    "comment.line.number-sign": Comment.Single,
    "string.quoted.double": String.Double,
    "storage.type": Keyword.Declaration,
    "keyword.control": Keyword,
    "keyword.operator.word": Operator.Word,
    "keyword.operator": Operator,
    "constant.language": Keyword.Constant,
    "constant.numeric": Number.Integer,
    "constant.other": Number,
    "punctuation": Punctuation,
    "support.type": Name.Builtin,
    "support.function": Name.Builtin,
    "entity.name.function": Name.Function,
    "entity.name.tag": Name.Label,
    "variable.parameter": Name.Variable,
    "variable.other": Name,
}


def _rules() -> Iterator[tuple[str, object]]:
    for regex, scopes in PATTERNS:
        yield regex, TOKENS[scopes[0]] if 0 in scopes else _in_groups(scopes)
    yield r"\r?\n|[ \t]+", Whitespace


def _in_groups(scopes: dict[int, str]) -> object:
    """Return a lexer callback for a match whose groups have different scopes."""

    def tokens(_: object, match: re.Match[str]) -> Iterator[tuple[int, _TokenType, str]]:
        end = match.start()
        for group, scope in scopes.items():
            if match.start(group) > end:
                yield end, Whitespace, match.string[end : match.start(group)]
            yield match.start(group), TOKENS[scope], match[group]
            end = match.end(group)

    return tokens


class RulesLexer(RegexLexer):
    """The lexer of rule files."""

    name = "Game rules"
    aliases: ClassVar[list[str]] = ["game-rules"]
    filenames: ClassVar[list[str]] = ["*.rules"]
    flags = re.MULTILINE
    tokens: ClassVar[dict[str, list[tuple[str, object]]]] = {"root": list(_rules())}
