"""Reading rule files again after a word was changed in them."""

from __future__ import annotations

import re

import pytest
from lark import Lark

from wongar_dsl.parser import parse, parser
from wongar_dsl.parser.errors import wanted
from wongar_dsl.text.span import Source

from ..language_server.files import GAME


def test_only_the_article_in_which_a_word_was_changed_is_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    parse(Source("meadow.rules", GAME))
    parsed: list[str] = []
    lark = parser._lark()

    def count(text: str) -> object:
        parsed.append(text)
        return Lark.parse(lark, text)

    monkeypatch.setattr(lark, "parse", count)
    lines = parse(Source("meadow.rules", "\n\n" + GAME.replace("disc 1", "disc 7")))[0]
    assert [text.split("\n")[0] for text in parsed] == ["table worth"]
    assert [article.span.line for article in lines.articles][:2] == [7, 10]


def test_trees_of_articles_are_forgotten_where_they_become_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "AT_HAND", 60)
    trees = parser._Trees()
    monkeypatch.setattr(parser, "_trees", trees)
    for number in range(10):
        parse(Source("x.rules", f"game x\n    players {number}\n"))
    assert 1 <= len(trees._known) <= 3


def test_what_could_have_stood_somewhere_is_said_as_it_is_written() -> None:
    kinds = {"name", "number", "text", "end of line"}
    for name, pattern in parser.terminals().items():
        regex = re.sub(r"\(\?=.*", "", pattern.to_regexp())  # What has to come after it is no part of it.
        said = wanted([name]) if name not in ("COMMENT", "__IGNORE_0") else ()
        assert [word for word in said if word not in kinds and not re.fullmatch(regex, word)] == [], name
    (found,) = parse(Source("x.rules", "game x\n    players 2\n\nplay\n    repeat repeat\n"))[1]
    assert found.arguments["expected"] == ("times", "+", "-")
